// The class tree as text: one line per node, brackets around every operation, in the notation of the Dymola
// language whatever the language of the text (`cutset check --dump tree`).
#pragma once

#include <string>

#include "ir/class_tree.h"

namespace cutset::tree {

std::string tree_text(const File& file);
std::string tree_text(const Expression& e);
std::string tree_text(const Reference& r);
std::string tree_text(const ConnectionExpression& e);
std::string tree_text(const Item& item, int indent = 0);
std::string tree_text(const Class& c);

const char* word(ConnectionOperator op);  // as it is written

}  // namespace cutset::tree
