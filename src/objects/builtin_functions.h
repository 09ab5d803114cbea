// The functions of the language itself: elementary functions, functions of arrays, of events, of texts.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "objects/evaluator.h"

namespace cutset::objects {

// Nothing where there is no such function.
std::optional<std::vector<Value>> builtin_call(Evaluator& e, const object::Expression& call, Frame& frame);
// The same of arguments that have values: sin, cross … (external "builtin" of the standard library).
std::optional<Value> builtin_of_values(Evaluator& e, const std::string& name,
                                       const std::vector<Value>& arguments, Frame& frame, Span where);
std::vector<std::string> builtin_names();

// der(x), der(der(x)) …
Value derivative_value(Evaluator& e, const Value& x, int order, Frame& frame, Span where);

// An argument: a value, or a function by its name.
Value argument_value(Evaluator& e, const object::Expression& argument, Frame& frame);

// f of every expression in a value, those in records included; a condition stays a condition.
Value mapped(const Value& v, const std::function<Expr(Expr)>& f);

// As String() writes it: %g with so many digits.
std::string digits_text(double x, int digits);

// Whether an expression depends on the time or on a variable; on parameters that are found at the start it
// does not.
bool varies_in_run(Evaluator& e, Expr x);

}  // namespace cutset::objects
