// Instructions that compute one slot from others, for numbers of any kind: double, Dual<double>, ...
// (The interpreter has them in its own loop, which is the hot one.)
#pragma once

#include "expr/dual.h"
#include "ir/program.h"

namespace cutset {

// False when the instruction is none of these: a jump, a call, ...
template <class T>
bool compute_slot(const Instruction& i, T* r) {
    switch (i.code) {
        case Code::Copy:
            r[i.to] = r[i.a];
            return true;
        case Code::Add:
            r[i.to] = r[i.a] + r[i.b];
            return true;
        case Code::Subtract:
            r[i.to] = r[i.a] - r[i.b];
            return true;
        case Code::Multiply:
            r[i.to] = r[i.a] * r[i.b];
            return true;
        case Code::Divide:
            r[i.to] = r[i.a] / r[i.b];
            return true;
        case Code::Negate:
            r[i.to] = -r[i.a];
            return true;
        case Code::Unary:
            r[i.to] = unary(i.op, r[i.a]);
            return true;
        case Code::Binary:
            r[i.to] = binary(i.op, r[i.a], r[i.b]);
            return true;
        default:
            return false;
    }
}

}  // namespace cutset
