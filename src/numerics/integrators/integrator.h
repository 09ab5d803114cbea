// Integration of  x' = f(t, x), x(t0) = x0  with location of the roots of g(t, x), step by step.
//
//     auto integrator = make_integrator(Solver::Cvode, problem);
//     integrator->start(t0, x0);
//     while (integrator->time() < t_end) {
//         StepResult step = integrator->step(t_end);        // never passes t_end
//         ... integrator->interpolate(t, x) for output points in (step.from, step.time]
//         if (step.status == StepStatus::Root) {
//             ... change the model and x
//             integrator->start(step.time, x, integrator->last_step());
//         }
//     }
//
// Roots. A root is a change of sign of g_i, or its becoming zero from a value that was not, seen between the
// ends of steps. The returned time is on the far side: g_i there has its new sign or is exactly zero. Two
// crossings of one g_i inside one step are not seen; `max_step` bounds what can be missed. A g_i that is zero
// at `start` (or after a root) is passive until it has left zero: leaving zero is not a root. A g_i that is
// not a number stops the run as Failed; an infinite one counts as a very large number of its sign.
//
// Values that are not finite in f count as recoverable, as if `rhs` had returned 1: the step is tried again,
// shorter. An exception thrown by a callback comes out of `step`.
#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/memory.h"
#include "numerics/integrators/solver.h"
#include "numerics/linear/sparse_pattern.h"

namespace cutset {

// How the explicit method of variable step chooses its steps from the error of the last one.
enum class StepControl {
    Gustafsson,  // a PI controller: takes the change of the error into account, gives smooth steps
    Standard,    // the classical rule: the error is proportional to the k-th power of the step
};

// A step that was tried.
struct TriedStep {
    double time = 0;  // where it begins
    double size = 0;
    double error = 0;  // in units of the tolerance; infinite when it could not be computed
    bool accepted = false;
};

// The linearised right-hand side, with m intermediate quantities z kept as unknowns:
//     dx' = A dx + B dz,   0 = C dx + E dz,   J = df/dx = A - B E^-1 C
// stored as the one matrix [A B; C E] of n + m rows and columns. Rows of A and B that belong to algebraic
// unknowns (IvpProblem::algebraic) are those of their residuals, as in f.
struct IvpJacobian {
    std::size_t intermediates = 0;  // m
    // The last of them are computed in turn: their rows have -1 on the diagonal and nothing behind it.
    std::size_t computed = 0;
    SparsePattern pattern;  // need not contain the diagonal
    // values := the elements of the matrix in the order of the pattern, fx = f(t, x). Return value as for
    // `rhs`.
    std::function<int(double t, std::span<const double> x, std::span<const double> fx,
                      std::span<double> values)>
        evaluate;
    bool constant = false;  // the values change only at `start`
    // False when f has at present more in it than the matrix knows: unless n is large, a full matrix is then
    // computed by difference quotients. May be empty.
    std::function<bool()> valid;
};

struct IvpProblem {
    std::size_t n = 0;  // number of states; may be 0
    // dx := f(t, x). 0: done; > 0: not possible here, try a shorter step; < 0: stop.
    std::function<int(double t, std::span<const double> x, std::span<double> dx)> rhs;
    bool rhs_is_finite = false;  // where it returns 0; else that is looked at

    // The last of the n unknowns are algebraic: for them f is a residual that is to be zero (ida only).
    std::size_t algebraic = 0;

    std::size_t roots = 0;
    // g := g(t, x). 0: done; anything else: stop.
    std::function<int(double t, std::span<const double> x, std::span<double> g)> root_functions;

    // For the methods that need df/dx. Empty: a full matrix, by difference quotients.
    std::optional<IvpJacobian> jacobian;

    // The local error of state i is kept below relative * |x_i| + absolute_i. None may be negative.
    double relative_tolerance = 1e-6;
    std::vector<double> absolute_tolerance = {1e-6};  // one for each state, or one for all
    // With n = 0 also the distance of the points where the root functions are sampled.
    double max_step = std::numeric_limits<double>::infinity();
    StepControl step_control = StepControl::Gustafsson;  // of dopri
    // Of the methods with fixed step: steps end at the times t0 + k * fixed_step of the first start. Empty:
    // `max_step`, or a thousandth of the way to the first stop time.
    std::optional<double> fixed_step;
    std::function<void(const TriedStep&)>
        tried_step;                  // may be empty; cvode, adams and ida tell accepted ones
    bool measure_times = false;      // fills the times of IntegratorStatistics
    std::function<double()> waited;  // seconds that count for none of them, so far; may be empty
    const std::atomic<bool>* interrupt = nullptr;  // looked at in every evaluation of `rhs`
};

enum class StepStatus { Ok, Root, Failed, Interrupted };

struct StepResult {
    StepStatus status = StepStatus::Ok;
    double from = 0;  // time before the step
    double time = 0;  // time reached; with Failed and Interrupted the time of the last good state
    // With Root, one for each root function: +1 rose through zero, -1 fell through zero, 0 no root. Valid
    // until the next call.
    std::span<const int> roots;
};

// Counted from the construction of the integrator, over all restarts.
struct IntegratorStatistics {
    long steps = 0;
    long rhs_evaluations = 0;  // those for difference quotients included
    long jacobians = 0;
    long factorizations = 0;     // of matrices made of the Jacobian
    long symbolic_analyses = 0;  // of their sparse patterns
    long newton_iterations = 0;
    long error_test_failures = 0;
    long convergence_failures = 0;
    long root_evaluations = 0;
    long restarts = 0;
    int last_order = 0;
    // Seconds of the clock on the wall, when the problem asks for them.
    double jacobian_seconds = 0;
    double factor_seconds = 0;
    double solve_seconds = 0;
};

// A change of method in the middle of a run.
struct SolverSwitch {
    double time = 0;
    std::string_view from, to;  // names as in solver_list
    std::string_view reason;    // one word or two
};

// The changes of a run, however long it is: how many there were, the first of them and the last.
class SolverSwitches {
  public:
    static constexpr std::size_t most_first = 20, most_last = 20;

    void add(const SolverSwitch& change);
    void add(const SolverSwitches& later);
    std::size_t count() const { return count_; }
    // In order of time; of those in between nothing is known when `count` is larger than their number.
    std::vector<SolverSwitch> known() const;

  private:
    std::size_t count_ = 0;
    std::vector<SolverSwitch> first_;
    std::deque<SolverSwitch> last_;
};

class Integrator {
  public:
    virtual ~Integrator() = default;

    // Begins at (t0, x0), forgetting the past but keeping memory. `first_step`: empty or 0 lets the method
    // choose.
    virtual void start(double t0, std::span<const double> x0, std::optional<double> first_step = {}) = 0;

    // One internal step, not past `t_stop`; when it gets there, the time returned is exactly `t_stop`.
    virtual StepResult step(double t_stop) = 0;

    // State, and derivatives when `dx` is not empty, at a time within the last step (clamped to it).
    virtual void interpolate(double t, std::span<double> x, std::span<double> dx = {}) = 0;

    // Between two steps: stores all that the next ones depend on, or sets it again in another integrator of
    // the same method and problem, which then goes on to the bit. False when the method keeps its memory to
    // itself (cvode, ida); it then has to be started.
    virtual bool remember(MemoryStream&) { return false; }

    // Steps are short because f jumps again and again: a method that needs a past is of no use for a while.
    virtual void expect_jumps() {}

    virtual double time() const = 0;
    virtual std::span<const double> state() const = 0;
    // Size of the last successful internal step, 0 before the first; a good `first_step` after a small event.
    virtual double last_step() const = 0;
    virtual IntegratorStatistics statistics() const = 0;
    // The method that begins, and its changes so far.
    virtual std::string_view first_method() const = 0;
    virtual SolverSwitches switches() const { return {}; }

    // After Failed: what happened, one sentence without names of states.
    virtual std::string failure_reason() const = 0;
    // After Failed: the state that the step failed on, if it can be told: the one whose derivative was not
    // finite, else the one with the largest weighted error.
    virtual std::optional<std::size_t> limiting_state() const = 0;
    // After Failed: the root function that was not a number.
    virtual std::optional<std::size_t> failed_root_function() const { return {}; }
    // Local error of each state in the last step tried, in units of its tolerance: above about 1 is too much.
    virtual std::vector<double> weighted_errors() const = 0;
};

// A problem with n = 0 gets, whatever the method, an integrator that goes to `t_stop` in one step and finds
// the roots of g(t).
std::unique_ptr<Integrator> make_integrator(Solver solver, IvpProblem problem);

}  // namespace cutset
