// Instructions that compute one slot from others, for numbers of any kind: double, Dual<double>, ...
// (The interpreter has them in its own loop, which is the hot one.)
#pragma once

#include <concepts>

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
            r[i.to] = function_of(i.op, r[i.a]);
            return true;
        case Code::Binary:
            r[i.to] = function_of(i.op, r[i.a], r[i.b]);
            return true;
        default:
            return false;
    }
}

// The same where the slots from `first_number` on hold numbers that do not vary.
template <class T>
bool compute_slot(const Instruction& i, T* r, Slot first_number) {
    if constexpr (!std::same_as<T, double>) {
        const bool number = i.a >= first_number;
        if (number != (i.b >= first_number)) switch (i.code) {
                case Code::Add:
                    r[i.to] = number ? r[i.b] + plain(r[i.a]) : r[i.a] + plain(r[i.b]);
                    return true;
                case Code::Subtract:
                    r[i.to] = number ? plain(r[i.a]) - r[i.b] : r[i.a] - plain(r[i.b]);
                    return true;
                case Code::Multiply:
                    r[i.to] = number ? r[i.b] * plain(r[i.a]) : r[i.a] * plain(r[i.b]);
                    return true;
                case Code::Divide:
                    r[i.to] = number ? plain(r[i.a]) / r[i.b] : r[i.a] / plain(r[i.b]);
                    return true;
                default:
                    break;
            }
    }
    return compute_slot(i, r);
}

}  // namespace cutset
