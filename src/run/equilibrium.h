// Equilibria: where a model stays when it is left alone.
//
// The initialization of --initial steady finds the equilibrium that Newton's method comes to. Where it finds
// none, or one that the slightest disturbance leaves, the model itself is asked: from the given initial
// values it moves with the time held, its motion damped by steps that are too long to follow it, until it
// stands:
//
//     (1/h - ∂f/∂x) Δx = f(x)        x' = f(x), h growing as Δx gets small
//
// For small h this is the motion, for large h Newton's method (pseudo-transient continuation). An undamped
// pendulum comes to hang, and the equilibrium is the one that the given initial values lead to.
#pragma once

#include <optional>
#include <vector>

#include "run/simulate.h"

namespace cutset {

struct Equilibrium {
    std::vector<double> values;  // by variable
    double growth = 0;           // of the disturbance that grows fastest, in 1/s; 0 when none does
};

// Where a run has come to: its last point, and the conditions whose zero-crossing functions are held at zero
// there (friction that sticks, a relay that slides), numbers in Partition::switches.
struct EndOfRun {
    std::vector<double> values;  // by variable
    std::vector<VariableIndex> states;
    std::vector<double> derivatives;  // of the states
    std::vector<std::size_t> held;
};

// Whether initial values were given for variables that are differentiated, and the point is near all of them,
// or the point is where a run begins (at 0 what nothing is given for): then it is the one that was meant,
// even if a disturbance leaves it.
bool is_near_initial_values(const Partition& partition, const std::vector<double>& values);

// Variables of the `given` model whose initial values hold although all derivatives are zero: any value would
// do.
std::vector<VariableIndex> starts_that_hold(const Partition& partition, const FlatModel& given);

// The initialization of the run, without a message; nothing when it fails.
std::optional<Equilibrium> initialize_run(const Program& program, const SimulateOptions& options);
std::optional<Equilibrium> initialize_run(const Program& program, const SimulateOptions& options,
                                          Diagnostics& diagnostics);
// The equilibrium that the motion from the initial values comes to; nothing when there is none.
std::optional<Equilibrium> find_equilibrium(const Program& program, const SimulateOptions& options);
// The run to its end, without a message; nothing when it does not come there, or not within a good many
// steps.
std::optional<EndOfRun> end_of_run(const Program& program, const SimulateOptions& options);

}  // namespace cutset
