// Which equation determines which unknown.
#pragma once

#include "transform/analysis.h"

namespace cutset::passes {

// Matches the live equations with the derivatives of the states and the other continuous variables, and fills
// Analysis::continuous and Partition::states, index. When that fails the model is singular: too many or too
// few equations, no reference node; constraints between states are gone (reduce_index). Variables that occur
// nowhere are dropped with a warning.
void match_equations(Analysis& a, Diagnostics& diagnostics);

}  // namespace cutset::passes
