// A parameter whose value is exactly 0 removes the terms it multiplies, before causality is decided: La = 0
// turns `U = R*I + La*I'` into the algebraic equation `U = R*I`.
#pragma once

#include <vector>

#include "transform/analysis.h"

namespace cutset::passes {

// An equation that loses a variable or a derivative when its zero parameters are replaced by 0 keeps the
// replacement, and the parameters that did it become structural. All other equations stay as they are.
// Afterwards no equation, initial equation or binding divides by a parametric expression that is 0, outside
// the branches of conditions that may change.
void remove_zero_terms(Analysis& a, Diagnostics& diagnostics);
// Whether it would leave these as they are.
bool have_no_zero_terms(Analysis& a, std::vector<Equation> equations);

}  // namespace cutset::passes
