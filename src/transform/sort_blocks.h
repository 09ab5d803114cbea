// The order of computation: strong components of the matched system, each solved by formula where that is
// possible, else torn.
#pragma once

#include <vector>

#include "transform/analysis.h"

namespace cutset::passes {

// Takes a perfect matching. Returns the blocks in order; adds a LoopReport for each loop to `loops`.
//
//   one equation   linear in its unknown: v := -rest/coefficient; else by inverse functions where there is
//                  one solution only; else a nonlinear block of one unknown
//   a loop         linear, at most 3 unknowns, parametric coefficients: Gaussian elimination by formula
//                  else torn: pairs with a coefficient that is certainly not 0 may be inner assignments
std::vector<Block> sort_blocks(Analysis& a, const System& system, bool initial,
                               std::vector<LoopReport>& loops, Diagnostics& diagnostics);
// A pass: the blocks of Analysis::continuous, to Partition::blocks.
void sort_continuous(Analysis& a, Diagnostics& diagnostics);

}  // namespace cutset::passes
