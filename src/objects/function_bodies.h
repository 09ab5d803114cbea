// A function of the model becomes a function of the flat model: a row of slots and statements on them.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "objects/evaluator.h"
#include "objects/execution.h"

namespace cutset::objects {

// Arguments in the order of the inputs, converted to their types. What is known of texts, functions and whole
// numbers is fixed in the body; `declare` is called with the outputs' types and sizes before the body is
// made, which may call the function itself.
FunctionData make_function(Evaluator& e, const Callable& function, const std::vector<Value>& arguments,
                           std::uint32_t depth,
                           const std::function<void(const FunctionData&, std::vector<Value>)>& declare);

// A variable of a model that a loop of an algorithm assigns to: its leaves, for type and sizes.
struct LoopVariable {
    std::string name;
    Value leaves;
};
// The loop as a function from the values of these variables before it to those after it. Names that it does
// not assign to are what they are in `frame`.
FunctionData make_loop(Evaluator& e, Frame& frame, const std::vector<LoopVariable>& variables,
                       const Store::Loop& loop, Span where);
// The names that the loop assigns to.
std::set<std::string> loop_targets(const Store::Loop& loop);

// Makes inputs of the leaves of the model in the body, after the other inputs, and returns them. `callee`:
// the function itself, which may call itself.
std::vector<Expr> pass_captured(Pool& pool, FunctionData& function, CalleeIndex callee);

// Whether the function is impure, as declared or by what it calls: then it gets the arguments of
// ir/impure_calls.h.
bool make_impure(Pool& pool, const FlatModel& model, FunctionData& function, CalleeIndex callee,
                 bool declared);

// What is a slot of the function rather than part of its identity.
bool is_passed(const Value& argument);

}  // namespace cutset::objects
