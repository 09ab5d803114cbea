// Loops that are linear while the conditions in them are frozen: ideal diodes, friction.
#pragma once

#include "ir/program.h"

namespace cutset {

// Whether the partial derivatives of the residuals depend on nothing that the loop computes but conditions.
bool is_piecewise_linear(const Program& program, const Loop& loop);

}  // namespace cutset
