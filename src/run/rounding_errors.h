// Whether each residual of a loop is no more than the rounding of its own evaluation: of the terms that it is
// the sum of, and of what they are computed from. Near a multiple root (i*|i| = u at u = 0), or where a small
// resistance makes large currents of small differences of voltages, no step can make it smaller.
//
// The section is evaluated once more, each value with a bound of its error. `noise_of_calls`: that of tables
// and functions of the model, as a multiple of the rounding of their results.
#pragma once

#include "generate/interpreter.h"

namespace cutset {

// Functions of the model may be steep, or tables of steam that are as accurate as this.
inline constexpr double noisy_calls = 1e8;

// At the tearing variables that are in the slots.
bool residuals_are_rounding(const Loop& loop, Interpreter& values, double noise_of_calls);

}  // namespace cutset
