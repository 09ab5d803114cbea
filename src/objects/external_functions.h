// External functions of the standard library that are built in: texts, and those of the language.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "objects/evaluator.h"
#include "routines/routines.h"

namespace cutset::objects {

// The results of an external function whose arguments are known. Throws Refused where it is not built in.
std::vector<Value> external_call(Evaluator& e, const Callable& function, Frame& frame, Span where);
// Streams.error(text), or another function that ends in ModelicaError: the expression of the text.
const object::Expression* error_text(const object::Expression& call, Frame& frame);
// external "builtin": a function of the language, for arguments that vary, too.
bool is_language_function(const Callable& function);

// A routine that is part of the program (routines/routines.h), for arguments that vary, too.
bool is_routine_function(const Callable& function);
// How it is called with the external arguments, which are evaluated.
RoutineCall routine_call(Evaluator& e, const Callable& function, const std::vector<Value>& arguments);
// What the outputs of the call, in order, are assigned to: the member, and a value of its sizes.
void assign_routine_results(const Callable& function, const std::vector<Value>& arguments,
                            const std::function<void(const Member&, const Value&)>& assign);

}  // namespace cutset::objects
