// What a run writes: one column for each variable, aliases and parameters stored once.
#pragma once

#include <span>
#include <vector>

#include "generate/interpreter.h"
#include "results/trajectory.h"

namespace cutset {

// By variable: what no equation has, so that there are no values to show.
std::vector<bool> without_values(const Partition& partition);

// Columns in the order of the model: time, variables by submodel, derivatives of states as `der(x)`,
// parameters. `values` must hold the start of the run: parameters and eliminated constants are read from it.
struct ResultLayout {
    Columns columns;
    std::vector<Slot> slots;  // of the stored columns, time first
};
// `internal`: variables that are not shown otherwise, too.
ResultLayout result_layout(const Interpreter& values, bool states_only, bool internal = false);

}  // namespace cutset
