// Which values are not in an expression: they come from the run, or from the frame of a function.
#pragma once

#include "expr/expr.h"

namespace cutset {

// Variables, the time, and what events tell.
constexpr bool is_from_run(Op op) {
    switch (op) {
        case Op::Variable:
        case Op::Previous:
        case Op::Time:
        case Op::Sample:
        case Op::Starting:
        case Op::Ending:
        case Op::Edge:
        case Op::Change:
        case Op::Delay:
            return true;
        default:
            return false;
    }
}

constexpr bool is_open(Op op) {
    return is_from_run(op) || op == Op::Local || op == Op::Element;
}

}  // namespace cutset
