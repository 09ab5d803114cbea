// Where a run stands: everything that its future depends on, as values. What is counted here is counted as in
// the Partition of the Program that ran; between Programs a point goes by names (named_point.h).
#pragma once

#include <optional>
#include <vector>

#include "ir/partition.h"
#include "run/run_state.h"

namespace cutset {

struct RunPoint {
    double time = 0;
    std::vector<double> values;       // by variable; parameters included
    std::vector<double> derivatives;  // by state
    std::vector<double> previous;     // by variable, of those that have a pre(v)
    struct SwitchState {
        double value = 0, weight = 0, offset = 0, largest = 0;
        bool sliding = false, algebraic = false, muted = false;
    };
    std::vector<SwitchState> switches;
    std::vector<ClockState> clocks;
    std::vector<bool> when_held;  // by when clause: its condition at the last event
    std::vector<bool> invalid;    // by validity: left and reported
    std::vector<bool> tables_left;
    DelayBuffer delays{0};
    std::vector<double>
        scales;  // by state: what absolute tolerances are measured by; 0 where it is not known

    // The conditions that the equations at hand are made for, if they are those of one mode only.
    struct Mode {
        std::vector<Expr> conditions;
        std::vector<bool> truth;
    };
    std::optional<Mode> mode;

    // Since it was reached: variables that were set, and whether anything else changed, so that the run goes
    // on with an event.
    std::vector<VariableIndex> moved;
    bool changed = false;
};

}  // namespace cutset
