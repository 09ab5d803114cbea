// Object trees as text in the words of Modelica, one element on a line: what was understood, for
// `check --dump tree` and for tests. Expressions have all their brackets.
#pragma once

#include <string>

#include "ir/object_tree.h"

namespace cutset::object {

const char* kind_text(ClassKind kind);  // "operator record"
std::string object_text(const File& file);
std::string object_text(const Class& c, int indent = 0);
std::string object_text(const Expression& e);
std::string object_text(const Name& n);
std::string name_text(const Name& n);  // without indices
std::string object_text(const Modification& m);

}  // namespace cutset::object
