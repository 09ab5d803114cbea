// What can make an event: relations and `int` of continuous quantities, sampling clocks, delays.
#pragma once

#include "transform/analysis.h"

namespace cutset::passes {

// Takes the final form of the live equations, when clauses and validities. Fills Partition::switches, clocks,
// delays. Relations inside `noevent`, and those of parameters and discrete variables only, are no switches:
// they are evaluated where they stand, and so are relations in initial equations and in the actions of when
// clauses.
void collect_events(Analysis& a, Diagnostics& diagnostics);

}  // namespace cutset::passes
