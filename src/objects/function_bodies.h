// A function of the model becomes a function of the flat model: a row of slots and statements on them.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "objects/evaluator.h"

namespace cutset::objects {

// Arguments in the order of the inputs, converted to their types. What is known of texts, functions and whole
// numbers is fixed in the body; `declare` is called with the outputs' types and sizes before the body is
// made, which may call the function itself.
FunctionData make_function(Evaluator& e, const Callable& function, const std::vector<Value>& arguments,
                           std::uint32_t depth,
                           const std::function<void(const FunctionData&, std::vector<Value>)>& declare);

// What is a slot of the function rather than part of its identity.
bool is_passed(const Value& argument);

}  // namespace cutset::objects
