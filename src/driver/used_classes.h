// The part of a ClassTree that a file needs: its own classes, and of the libraries only what it refers to.
#pragma once

#include <string>
#include <vector>

#include "ir/class_tree.h"

namespace cutset {

// All of the first file, and the classes and functions of the others that are reached from it by name.
ClassTree used_classes(const ClassTree& all);

// The types of all submodels in a file, sorted, without those that are declared in it.
std::vector<std::string> submodel_types(const tree::File& file);

}  // namespace cutset
