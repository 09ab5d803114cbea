// A variable that is to be a state (`state p`) needs a derivative: where none is written, an internal
// variable is it. Index reduction then differentiates what ties p to others, m = V*d(p, T), and p takes the
// place of m.
#pragma once

#include <vector>

#include "transform/analysis.h"

namespace cutset::passes {

// Adds `rate of p = p'` for each such variable.
void promote_states(Analysis& a, Diagnostics& diagnostics);
// The variables that it would do that for.
std::vector<VariableIndex> promoted_states(const FlatModel& model);

}  // namespace cutset::passes
