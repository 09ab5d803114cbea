// The instant at which a run stands: the model, which is const, and the state, which is all that changes;
// with what every part of a run needs to compute there. Parts of a run share one Instant and talk through it.
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "run/loop_solver.h"
#include "run/run_state.h"
#include "run/simulate.h"
#include "run/state_selector.h"

namespace cutset {

inline constexpr double never = std::numeric_limits<double>::infinity();
inline constexpr int most_iterations = 100;  // of conditions and of when clauses at one instant

// Two instants that differ by rounding only are one.
inline bool same_instant(double a, double b) {
    return std::isfinite(a) && std::isfinite(b) &&
           std::abs(a - b) <= 1e-13 * std::max(std::abs(a), std::abs(b));
}

struct Instant {
    Instant(const Program& program, const SimulateOptions& options, Diagnostics& diagnostics);
    Instant(const Instant&) = delete;
    Instant& operator=(const Instant&) = delete;

    const Program& program;
    const Partition& partition;
    const FlatModel& model;
    const Layout& layout;
    const SimulateOptions& options;
    Diagnostics* diagnostics;  // where messages go at present

    NumericLoopSolver loops;
    LoopResiduals residuals;  // whole-DAE mode: what the integrator makes zero
    StateSelector selector;
    RunState state;
    Interpreter& values;  // of the state

    // What the values are known to be, until something else is computed.
    bool equations_known = false;  // the solution of the equations at the inputs noted (equations.h)
    bool at_crossings = false;     // the zero-crossing functions where the integrator asked last
    bool at_derivatives = false;   // the derivatives there, computed without algebraic loops

    bool whole = false;             // algebraic loops are evaluated, not solved, at present
    bool equations_failed = false;  // the last message was about equations without a solution
    bool stop = false;              // an error that no shorter step cures
    bool other_modes = false;       // may be asked for: what fails is left to them, without a message

    double time() const { return values[layout.time]; }
    // Of the state, by number of the condition: its value and its zero-crossing function.
    double& condition(std::size_t i) { return values[layout.switches[i]]; }
    double condition(std::size_t i) const { return values[layout.switches[i]]; }
    double crossing(std::size_t i) const { return values[layout.crossings[i]]; }
    double length() const { return options.stop - options.start; }  // of the run

    void report(Diagnostic d) {
        equations_failed = false;
        diagnostics->report(std::move(d));
    }
    bool fail(Diagnostic d) {
        report(std::move(d));
        return false;
    }
    // … because equations have no solution, or none that is finite.
    bool fail_in_equations(Diagnostic d) {
        report(std::move(d));
        equations_failed = true;
        return false;
    }
    // Runs a section with all methods for its loops; a failure is reported.
    bool run_section(const Section& section);
    // False, with a message, when a value of the section is not finite.
    bool report_not_finite(const Section& section, double at);

    // The unknowns of the integrator: the states, and in whole-DAE mode the tearing variables of the loops.
    void set_states(Interpreter& to, std::span<const double> x) const;
    void set_states(std::span<const double> x) { set_states(values, x); }
    void read_states(std::vector<double>& x) const;
    std::vector<double> states() const;
    bool states_are(std::span<const double> x) const;
    std::span<const double> derivatives() const {
        return values.values().subspan(layout.derivative.empty() ? 0 : layout.derivative[0],
                                       layout.derivative.size());
    }
};

// A time within which no state of `values` moves by more than this part of its size, nor the run: for looks
// ahead, which say nothing where the motion has turned meanwhile.
double look_ahead_time(const Instant& now, const Interpreter& values, double part);

// One Euler step of `values`, whose derivatives have been computed.
void move_along(Interpreter& values, double distance);

}  // namespace cutset
