// The start problem: states, derivatives and other variables at the start, from
//
//     the continuous equations          all of them hold
//     initial equations                 hard
//     starts of states                  hard: x(0) = e
//     x = 0                             for states that nothing else determines; listed in
//     Partition::zero_starts
#pragma once

#include "transform/analysis.h"

namespace cutset::passes {

// Fills Partition::initial_blocks and zero_starts. Starts are appended to FlatModel::initial_equations, so
// that each block says where it comes from. Takes Partition::blocks: without initial equations the states are
// simply assigned and the continuous blocks follow.
void partition_initial(Analysis& a, Diagnostics& diagnostics);

}  // namespace cutset::passes
