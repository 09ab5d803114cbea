// What can be told about equilibria beyond eigenvalues: variables that can never be in one, equilibria where
// the equations jump, and equilibria that are multiple roots.
#pragma once

#include <vector>

#include "operations/points/static_messages.h"
#include "operations/points/static_model.h"
#include "run/operating_point.h"

namespace cutset {

// Whether the value of the variable stands in no equation, and whether its derivative depends on nothing that
// moves; `rate` is handed on.
static_messages::Runaway runaway(const FlatModel& model, VariableIndex v, double rate);

bool is_switch(Op op);  // sign, < and <=: what a run can hold where it switches (sliding mode)
// Whether the point stands where such a switch changes and the equations jump.
bool stands_between_sides(const FlatModel& model, const std::vector<double>& values, double time);

// Whether the eigenvalue that decides is zero as far as it can be told. A multiple root is known to the
// square root of the rounding at best, and its eigenvalue no better: it is distinguished from one that is not
// zero by how much it changes nearby.
bool is_on_edge(const StaticModel& posed, const Partition& partition, const InitialPoint& at,
                const StabilityReport& report, const SimulateOptions& run);

}  // namespace cutset
