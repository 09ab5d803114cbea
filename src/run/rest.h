// Rest positions: where a model stays when it is left alone.
//
// The start problem of --initial steady finds the steady state that Newton's method comes to. Where it finds
// none, or one that the slightest disturbance leaves, the model itself is asked: from the given starts it
// moves with the time held, its motion damped by steps that are too long to follow it, until it rests:
//
//     (1/h - ∂f/∂x) Δx = f(x)        x' = f(x), h growing as Δx gets small
//
// For small h this is the motion, for large h Newton's method (pseudo-transient continuation). An undamped
// pendulum comes to hang, and the rest position is the one that the given starts lead to.
#pragma once

#include <optional>
#include <vector>

#include "run/simulate.h"

namespace cutset {

struct Rest {
    std::vector<double> values;  // by variable
    double growth = 0;           // of the disturbance that grows fastest, in 1/s; 0 when none does
};

// Where a run has come to: its last point, and the switches that are held at their surfaces there (friction
// that sticks, a relay that slides), numbers in Partition::switches.
struct EndOfRun {
    std::vector<double> values;  // by variable
    std::vector<VariableIndex> states;
    std::vector<double> rates;  // of the states
    std::vector<std::size_t> held;
};

// Whether starts were given for variables that are differentiated, and the point is near all of them: then it
// is the one that was meant, even if a disturbance leaves it.
bool is_near_starts(const Partition& partition, const std::vector<double>& values);

// The start of the run, without a word; nothing when it fails.
std::optional<Rest> start_of_run(const Program& program, const SimulateOptions& options);
std::optional<Rest> start_of_run(const Program& program, const SimulateOptions& options,
                                 Diagnostics& diagnostics);
// The rest that the motion from the start of the run comes to; nothing when it does not come to rest.
std::optional<Rest> find_rest(const Program& program, const SimulateOptions& options);
// The run to its end, without a word; nothing when it does not come there.
std::optional<EndOfRun> end_of_run(const Program& program, const SimulateOptions& options);

}  // namespace cutset
