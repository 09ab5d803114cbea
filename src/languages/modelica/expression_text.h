// Names and expressions in Modelica's notation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/class_tree.h"

namespace cutset::modelica {

// The name, between ' ' when Modelica reserves it.
std::string identifier(std::string_view name);

// "text" with quotes and backslashes escaped.
std::string string_literal(std::string_view text);

std::string expression_text(const tree::Expression& e);
std::string reference_text(const tree::Reference& r);
std::string index_text(const std::vector<tree::Expression>& indices);  // "" or "[i, j + 1]"

// The blanks before a line.
std::string pad(int indent);

// Whether the expression mentions the plain name.
bool mentions(const tree::Expression& e, std::string_view name);

}  // namespace cutset::modelica
