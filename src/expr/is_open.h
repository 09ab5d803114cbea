// Which values are not in an expression: they come from the run, or from the frame of a function.
#pragma once

#include "expr/expr.h"

namespace cutset {

constexpr bool is_open(Op op) {
    switch (op) {
        case Op::Variable:
        case Op::Previous:
        case Op::Time:
        case Op::Local:
        case Op::Element:
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

}  // namespace cutset
