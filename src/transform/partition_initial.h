// The initialization problem: states, derivatives, other variables and parameters given as `?`, from
//
//     the continuous equations          all of them hold
//     initial equations                 hard
//     x' = 0, or the laws of a jump     --initial steady, --initial jump
//     initial values of variables that are differentiated: x(0) = e, those of --init first
//     --init of other variables         where it determines what nothing above does
//     x = 0                             for states that nothing else determines; listed in
//                                       Partition::zero_starts
//
// Constraints between differentiated variables leave room for fewer initial values than are given; which of
// them hold is chosen by numbers (choose_starts.h), the others are listed in Partition::start_checks.
#pragma once

#include "transform/analysis.h"

namespace cutset::passes {

// The same problem, with the values before it in the place of initial values, is that of a jump at an event
// (Partition::jump_blocks).
//
// Fills Partition::initial_blocks, homotopy_blocks, zero_starts and start_checks. Initial values are appended
// to FlatModel::initial_equations, so that each block says where it comes from. Takes Partition::blocks:
// without initial equations the states are simply assigned and the continuous blocks follow.
void partition_initial(Analysis& a, Diagnostics& diagnostics);

}  // namespace cutset::passes
