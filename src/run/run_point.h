// Where a run stands: its state (run_state.h) as values, by the numbers of the Partition of the Program that
// ran, made by Run::point; what the parts of that Program's run remember besides is in `memory`. Between
// Programs a point goes by names (named_point.h).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "ir/partition.h"
#include "run/run_memory.h"
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

    // Of the run itself, where it stands between two steps: it goes on with it to the bit, as long as nothing
    // changes.
    std::shared_ptr<const RunMemory> memory;

    // Since it was reached: variables that were set, and whether anything else changed, so that the run goes
    // on with an event.
    std::vector<VariableIndex> moved;
    bool changed = false;
};

}  // namespace cutset
