// The class tree as text: one line per node, brackets around every operation. For tests and for looking at
// what was understood.
#pragma once

#include <string>

#include "ir/class_tree.h"

namespace cutset::dymola {

std::string tree_text(const tree::File& file);
std::string tree_text(const tree::Expression& e);
std::string tree_text(const tree::Reference& r);
std::string tree_text(const tree::ConnectionExpression& e);
std::string tree_text(const tree::Item& item, int indent = 0);

}  // namespace cutset::dymola
