// What annotations of a function say: rules for its derivative and its inverses, and whether its calls are to
// become equations.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "objects/evaluator.h"

namespace cutset::objects {

struct FunctionAnnotations {
    // derivative(order = 2, noDerivative = x, zeroDerivative = k) = g
    struct Derivative {
        object::Name function;
        std::uint32_t order = 1;
        std::vector<std::string> without, constant;
        Span where;
    };
    // inverse(x = g(y, p)), with the name of the result in it
    struct Inverse {
        std::string argument;
        object::Expression value;
    };
    std::vector<Derivative> derivatives;
    std::vector<Inverse> inverses;
    bool late = false;  // equations after index reduction
};
const FunctionAnnotations& annotations_of(Evaluator& e, const Callable& f);

// A function of the flat model that was made of `f` with such arguments (in the order of the inputs).
struct RuledFunction {
    const Callable& f;
    const std::vector<Value>& arguments;
    const std::vector<Expr>& captured;  // of the model, passed after the arguments
    CalleeIndex callee;
    std::uint32_t depth = 0;
};
// Gives its rules to the callee and to the pool. One that does not fit is warned of and left out.
void add_rules(Evaluator& e, const RuledFunction& made);

}  // namespace cutset::objects
