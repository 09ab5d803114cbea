// Two-point boundary value problems:
//
//     x' = f(t, x, p) on [t0, t1],    g_i(t0, x(t0), p) + h_i(t1, x(t1), p) = c_i,   as many as x and p
//     together
//
// by collocation at Gauss points (numerics/nonlinear/collocation.h), all intervals at once by damped Newton,
// with a mesh that is refined until the polynomials satisfy the equations to the tolerance everywhere. Where
// Newton's method does not find the way from the guess, the conditions are changed little by little from what
// the guess satisfies to what is wanted; where that comes to a halt is what can be reached.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "results/trajectory.h"
#include "run/model_functions.h"

namespace cutset {

// An output of the model at the initial time, one at the end, or the sum of both.
struct BoundaryCondition {
    std::string text;  // as the modeller wrote it
    std::optional<std::size_t> at_start, at_end;
    double target = 0;
};

struct BoundaryQuestion {
    double from = 0, to = 1;
    std::vector<BoundaryCondition> conditions;
    // The open parameters of the Program: those that are sought, then those that are held.
    std::size_t sought = 0;
    std::vector<std::optional<double>> guess;  // of them; none: the value they have
    std::vector<std::string> free_starts;      // states whose initial value in the model is a guess only
    // Guesses of states over time: the state and the output that gives it.
    struct StateGuess {
        std::string state;
        std::size_t output;
    };
    std::vector<StateGuess> state_guesses;
    // Continuation: the last open parameter goes from its guess to this value.
    std::optional<double> continue_to;
    std::size_t solutions = 1;  // to be looked for
};

struct BoundaryOptions {
    double tolerance = 1e-6;  // of the states, relative to their sizes
    std::size_t intervals = 20, stages = 4, most_intervals = 5000;
    std::size_t points = 1001;
    std::optional<Trajectory> guess;
    bool allow_external = false;
    const std::atomic<bool>* interrupt = nullptr;
};

enum class BoundaryStatus { Solved, NoSolution, Inaccurate, Interrupted };

struct BoundarySolution {
    std::vector<double> start, end, parameters;  // states at both ends, all open parameters
    double residual = 0;                         // of equations and conditions, the largest, scaled
    double error = 0;                            // of the states between the points, relative
    std::size_t intervals = 0;
    Trajectory trajectory;
};

struct BoundaryOutcome {
    BoundaryStatus status = BoundaryStatus::NoSolution;
    std::vector<BoundarySolution> solutions;
    std::vector<std::string> states;            // names
    std::vector<BoundaryCondition> conditions;  // those of the question, then initial values of the model
    std::vector<std::vector<double>> values;    // of the conditions, by solution
    std::size_t iterations = 0;                 // of Newton's method, all in all
    std::optional<double> reached;              // how far the continuation came, when not to its end
    Trajectory continued;                       // rows by value of the continued parameter
};

// Nothing when errors were reported before anything was tried. That there is no solution is reported as an
// error too.
std::optional<BoundaryOutcome> solve_boundary_value(std::shared_ptr<const Program> program,
                                                    const BoundaryQuestion& question,
                                                    const BoundaryOptions& options, Diagnostics& diagnostics);

}  // namespace cutset
