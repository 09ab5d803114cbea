// Functions and tables as Modelica functions.
#pragma once

#include <string>

#include "ir/class_tree.h"

namespace cutset::modelica {

std::string function_text(const tree::Function& f, int indent);

// A function that interpolates between the rows; needs no library.
std::string table_text(const tree::Table& t, int indent);

}  // namespace cutset::modelica
