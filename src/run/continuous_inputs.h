// What an event can change for the integrator: the places from which the continuous equations and the
// crossing functions take values that only events change. Where none of them has changed, the integrator goes
// on without a new start.
#pragma once

#include <vector>

#include "ir/program.h"

namespace cutset {

// States, and the discrete variables, previous values, switches, clocks and flags that are read.
std::vector<Slot> continuous_inputs(const Program& program);

}  // namespace cutset
