// Equations as MathML, from expressions as they were written.
#pragma once

#include <string>
#include <string_view>

#include "ir/class_tree.h"

namespace cutset::picture {

// What stands inside of <math>; safe in any document.
std::string math_of(const tree::Expression& e);
std::string math_of(const tree::Equation& e);
std::string math_of_initial(const tree::InitialValue& v);  // x(0) = e

// For the text of a document or an attribute in double quotes.
std::string html_escaped(std::string_view text);

}  // namespace cutset::picture
