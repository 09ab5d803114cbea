// Nonlinear programs, with any number of variables and constraints:
//
//     minimise f(x)   subject to   lower <= x <= upper,   constraint_lower <= c(x) <= constraint_upper
//
// solved by Ipopt (large sparse programs with exact derivatives) or NLopt (few variables, with or without
// derivatives, local or over the whole box). Both are in the module libcutset_optimizers.so, which is loaded
// by the first `optimize`, so that other commands do not wait for it.
//
// Signs of multipliers: at a solution
//     grad f + (dc/dx)^T multipliers - lower_multipliers + upper_multipliers = 0,
// the multiplier of a constraint that is active at its upper bound is >= 0, at its lower bound <= 0.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "numerics/linear/sparse_pattern.h"

namespace cutset {

inline constexpr double unlimited = std::numeric_limits<double>::infinity();

struct NonlinearProgram {
    using Point = std::span<const double>;

    std::vector<double> start;         // as many as variables; moved into the bounds if outside
    std::vector<double> lower, upper;  // infinite where there is none; empty: no bounds at all
    std::vector<double> constraint_lower, constraint_upper;  // equal: an equation

    // All functions return false where they are not defined (or give values that are not finite, which counts
    // as the same): the step is then tried shorter.
    std::function<bool(Point x, double& value)> objective;
    std::function<bool(Point x, std::span<double> gradient)> gradient;  // empty: methods without derivatives
    std::function<bool(Point x, std::span<double> values)> constraints;
    SparsePattern jacobian_pattern;  // of dc/dx: rows are constraints
    std::function<bool(Point x, std::span<double> values)> jacobian;
    // Lower triangle of factor * hess f + sum of multipliers_i * hess c_i. Empty: quasi-Newton.
    SparsePattern hessian_pattern;
    std::function<bool(Point x, double factor, std::span<const double> multipliers, std::span<double> values)>
        hessian;
    // Estimates to begin with, for programs that are solved again and again; empty: none.
    std::vector<double> start_multipliers, start_lower_multipliers, start_upper_multipliers;

    std::size_t variables() const { return start.size(); }
    std::size_t constraint_count() const { return constraint_lower.size(); }
};

// A full pattern, for few variables.
SparsePattern full_pattern(std::size_t rows, std::size_t columns);

enum class OptimizerMethod {
    Ipopt,         // interior point, gradient based
    Slsqp,         // sequential quadratic programming, gradient based, few variables
    Bobyqa,        // quadratic models without derivatives, bounds only
    Cobyla,        // linear models without derivatives, constraints too
    NelderMead,    // simplex of points, bounds only: for objectives that are not smooth
    Direct,        // whole box, divided, bounds only
    RandomSearch,  // whole box, CRS, bounds only
    Isres,         // whole box, evolution, constraints too
};

struct MethodDescription {
    OptimizerMethod method;
    std::string_view name;
    std::string_view explanation;
    bool derivatives = false, constraints = false, whole_box = false;
};
std::span<const MethodDescription> optimizer_list();

struct OptimizerProgress {
    std::size_t iteration = 0;  // of methods without derivatives: evaluations
    double objective = 0;
    double violation = 0;     // of constraints, the largest
    double stationarity = 0;  // of the optimality conditions; NaN where the method does not know
};

struct OptimizerOptions {
    OptimizerMethod method = OptimizerMethod::Ipopt;
    double tolerance = 1e-8;             // relative
    double constraint_tolerance = 1e-8;  // largest violation that counts as none
    std::size_t max_iterations = 1000;   // of methods without derivatives: evaluations
    double max_seconds = unlimited;
    double bound_relaxation = 1e-8;  // Ipopt: bounds may be passed by so much, relative, on the way
    bool warm_start = false;         // Ipopt: start near the solution, with the multipliers of the program
    bool monotone = true;            // Ipopt: barrier parameter falls monotonously, else adaptively
    unsigned long seed = 1;          // of random methods
    // What may be said to Ipopt directly, name and value.
    std::vector<std::pair<std::string, std::string>> settings;
    const std::atomic<bool>* interrupt = nullptr;
    std::function<bool(const OptimizerProgress&)> progress;  // false: stop
};

enum class OptimizerStatus {
    Solved,
    Acceptable,   // no better point found, optimality conditions hold roughly
    Infeasible,   // a point where the violation of constraints is smallest, and not zero
    Unbounded,    // x or f grow without limit
    Limit,        // of iterations or time
    Interrupted,  // by the user or `progress`
    Undefined,    // functions are not defined at the start
    Failed,
};

struct OptimizerResult {
    OptimizerStatus status = OptimizerStatus::Failed;
    std::vector<double> x;
    double objective = 0;
    std::vector<double> constraints;
    // Empty after methods without derivatives, which have none.
    std::vector<double> multipliers, lower_multipliers, upper_multipliers;
    double violation = 0;  // of constraints and bounds, the largest
    double stationarity = std::numeric_limits<double>::quiet_NaN();
    std::size_t iterations = 0;
    std::size_t evaluations = 0;  // of f
    std::size_t undefined = 0;    // evaluations where a function was not defined
    std::string message;          // one sentence
};

// Nothing when the module cannot be loaded; then `problem` says why.
std::optional<OptimizerResult> optimize(const NonlinearProgram& program, const OptimizerOptions& options,
                                        std::string& problem);

}  // namespace cutset
