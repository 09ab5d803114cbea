// External functions of the standard library that are built in: texts, and those of the language.
#pragma once

#include <optional>
#include <vector>

#include "objects/evaluator.h"

namespace cutset::objects {

// The results of an external function whose arguments are known. Throws Refused where it is not built in.
std::vector<Value> external_call(Evaluator& e, const Callable& function, Frame& frame, Span where);
// Streams.error(text), or another function that ends in ModelicaError: the expression of the text.
const object::Expression* error_text(const object::Expression& call, Frame& frame);
// external "builtin": a function of the language, for arguments that vary, too.
bool is_language_function(const Callable& function);

}  // namespace cutset::objects
