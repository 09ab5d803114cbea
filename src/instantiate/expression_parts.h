// Parts of the translation of expressions, by kind. Private to src/instantiate.
#pragma once

#include <string>

#include "instantiate/expressions.h"

namespace cutset {

// The submodel that messages name.
std::string place(const Context& c, const Scope& s);

// A condition where a number is wanted is reported.
Value numeric(Context& c, const tree::Expression& e, const Scope& s);

Value translate_call(Context& c, const tree::Expression& e, const Scope& s);        // calls.cpp
Value translate_derivative(Context& c, const tree::Expression& e, const Scope& s);  // derivatives.cpp
Value translate_reference(Context& c, const tree::Expression& e, const Scope& s);   // references.cpp
Value translate_indexed(Context& c, const tree::Expression& e, const Scope& s);     // references.cpp

}  // namespace cutset
