// What the picture of a Modelica class shows: blocks, lines and texts, its own and those it inherits, with
// the places that its annotations give. Names are looked up in tables of classes; no instance of a model is
// made.
#pragma once

#include <memory>
#include <string>

#include "objects/class_instances.h"
#include "picture/class_reader.h"

namespace cutset::picture {

// The class of that whole name, with its table; null where there is none or it cannot be made.
objects::ClassInstance* find_modelica_class(objects::InstanceTree& tree, const std::string& path);
ClassKind modelica_kind(const object::Class& c);

// Tree and sources outlive it. It asks `find` for classes by their whole names.
std::unique_ptr<ClassReader> modelica_reader(objects::InstanceTree& tree, objects::ClassInstance& type,
                                             const Sources& sources);

}  // namespace cutset::picture
