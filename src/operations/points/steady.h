// Stationary points: derivatives zero, for given inputs and parameters; and static design, where some
// variables are given instead and as many parameters sought (see static_model.h for the question).
//
//   pose the question; until discrete variables no longer change:
//       initialization with zero derivatives, from the guesses; where Newton's method finds nothing, or only
//       what the slightest disturbance leaves, by way of the damped motion (run/equilibrium.h)
//       where the equations jump, to where the run itself settles, held on a switching surface
//   bounds of variables that are not iterated: again with these as tearing variables, then from many points
//   several solutions: every path through the solutions of the loops (solution_search.h)
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "operations/points/static_model.h"
#include "run/operating_point.h"

namespace cutset {

struct SteadyOptions {
    std::size_t solutions = 1;  // as many as there are, up to this
    bool stability = true;
    bool participation = true;
    bool prefer_stable = true;  // of one solution: as `simulate --initial steady`
    bool allow_external = false;
    const std::atomic<bool>* interrupt = nullptr;
};

struct SteadyPoint {
    InitialPoint at;
    StabilityReport stability;
    double residual = 0;  // of the equations as written, in units of their terms
    // By state of the model (dependent ones too): the derivative, zero up to rounding when stationary.
    std::vector<std::pair<VariableIndex, double>> derivatives;
    std::vector<Expr> held;  // what stands between its two values: sign(v), a relation
};

struct SteadyResult {
    std::shared_ptr<const Program> program;  // its Partition::model names the values; null without a point
    std::vector<SteadyPoint> points;         // sorted by the values of the states; empty: none found
    std::vector<VariableIndex> sought;       // what holds the values of StaticQuestion::sought, in order
    std::vector<VariableIndex> left_open;
    std::vector<VariableIndex> sampled;
    bool stationary = true;
};

// `what`: "stationary point" …, for messages.
SteadyResult find_steady(const FlatModel& model, const StaticQuestion& question, const SteadyOptions& options,
                         const std::string& what, Diagnostics& diagnostics);

// Variables outside their bounds at a point.
std::vector<VariableIndex> outside_bounds(const FlatModel& model, const std::vector<double>& values);

}  // namespace cutset
