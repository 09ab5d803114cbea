// Classes of the object tree as Modelica text, with the fewest brackets. What Modelica does not have (labels
// of equations, direction of `:=`) is left out; a tree of another language is made one of Modelica first
// (modelica_package.h).
#pragma once

#include <string>

#include "base/source.h"
#include "ir/object_tree.h"

namespace cutset::modelica {

// Annotations are copied from `sources`.
std::string class_text(const object::Class& c, const Sources& sources, int indent = 0);
std::string file_text(const object::File& file, const Sources& sources);

std::string expression_text(const object::Expression& e);

}  // namespace cutset::modelica
