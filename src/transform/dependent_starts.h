// Initial equations that others make superfluous or impossible: `initial x = 1` and `initial 2*x = 2`, or
// three of which one is the sum of the others. Structure cannot tell; numbers can where the equations are
// linear with coefficients that are known before the run:
//
//     Σ c_ij x_j = b_i        a combination of rows with nothing left on the left has b = 0, or they
//     contradict
#pragma once

#include <vector>

#include "transform/analysis.h"

namespace cutset::passes {

// Looks at the first `written` initial equations. By equation: whether it follows from others before it,
// which is reported as a warning; contradictions are reported as errors.
std::vector<bool> dependent_initial_equations(Analysis& a, std::size_t written, Diagnostics& diagnostics);

}  // namespace cutset::passes
