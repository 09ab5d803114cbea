// Solves the torn blocks of a Program with the numerics layer: linear ones by LU, nonlinear ones by damped
// Newton, where that is not enough by the whole chain of methods, and at last with all unknowns iterated.
//
// Newton begins at the last values; at the first evaluation at a new time, on the parabola through the
// solutions at the last three accepted steps. Between events a solution stays on its branch: where Newton's
// method has to go far, the branch is followed (run/solution_branch.h), and where it ends the loop fails.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "generate/interpreter.h"

namespace cutset {

class LoopSearch;
class MemoryStream;
class OpenLoop;
struct NonlinearProblem;

class NumericLoopSolver : public LoopSolver {
  public:
    NumericLoopSolver(const Program& program, const FlatModel& model);
    ~NumericLoopSolver() override;
    NumericLoopSolver(const NumericLoopSolver&) = delete;
    NumericLoopSolver& operator=(const NumericLoopSolver&) = delete;

    bool solve(const Loop& loop, std::size_t number, Interpreter& values) override;

    // Whether the equations of a loop determine its unknowns, to first order, at the values at hand. What was
    // solved may still be singular: two ideal diodes in parallel, at the instant at which no voltage drives
    // them.
    bool regular(const Loop& loop, Interpreter& values);

    // Robust: at initialization and at events, where no shorter step can help, all methods are tried.
    void set_robust(bool robust) { robust_ = robust; }
    // Brief: of the unknowns that are not iterated, only what the derivatives of the states need is computed,
    // solutions of linear loops that have been found exact to rounding are not checked every time, and small
    // nonlinear loops are solved up to the error that set_tolerance gives, else to rounding.
    void set_brief(bool brief) { brief_ = brief; }
    // Of the integrator, relative.
    void set_tolerance(double tolerance);
    // Linear loops whose equations agree but leave unknowns open count as solved, by the solution nearest to
    // the last values (run/open_loop.h); else they fail.
    void allow_open(bool allow) { open_allowed_ = allow; }
    bool open_allowed() const { return open_allowed_; }
    // The values that these are nearest to: those before an event, and after it.
    void keep_last(const Interpreter& values);
    void take_last(const NumericLoopSolver& other);
    // Loops of the section that were so solved last, and in how many directions each is open.
    std::vector<std::size_t> open_loops(const Section& section) const;
    // Whether Newton's method solved one that is linear while its conditions are frozen, and singular.
    bool has_singular(const Section& section) const;
    std::size_t open_directions(std::size_t loop) const;
    std::vector<Unknown> open_unknowns(std::size_t loop) const;
    // The next solutions of this loop are away from the nearest one in an open direction; nothing: none is.
    struct Shift {
        std::size_t loop, direction;
    };
    void set_shift(std::optional<Shift> shift) { shift_ = shift; }
    // The solutions of nonlinear loops are chosen by `search` where it wants to; null: none.
    void set_search(LoopSearch* search) { search_ = search; }
    // A step has been accepted, and the loops have been solved at its end.
    void accepted(double time);
    // The last accepted point: where Newton fails to converge it restarts from these values.
    void keep_place(const Interpreter& values);
    // An event: what went before says nothing about what comes. Until the next `keep_place` the solutions may
    // be others than those that the run came along.
    void forget_past();
    // Parameters changed: factored matrices are no longer valid.
    void forget_matrices();
    // Initial values of iterations, matrices and what is decided about their use, by loop.
    void remember(const Program& program, MemoryStream& memory);

    struct Failure {
        const Loop* loop;
        std::string reason;
    };
    const std::optional<Failure>& failure() const { return failure_; }

    struct Statistics {
        std::size_t linear = 0, nonlinear = 0;  // times that such a loop was solved
        std::size_t factorisations = 0;         // of linear loops
        std::size_t iterations = 0;             // of nonlinear loops
    };
    const Statistics& statistics() const { return statistics_; }

  private:
    struct Work;  // of one loop
    // The loop as a problem of its own.
    NonlinearProblem pose(const Loop& loop, Work& work);
    void remember(const Program& program, const Loop& loop, Work& work, MemoryStream& memory);
    bool still_solved(const Loop& loop, Work& work, const Interpreter& values);
    void remember_solved(const Loop& loop, Work& work, const Interpreter& values);
    static bool evaluated_at(const Loop& loop, const Work& work, std::span<const double> x,
                             const Interpreter& values);
    bool predict(Work& work, double time);
    bool go_unchecked(Work& work) const;
    bool finish(const Loop& loop, Interpreter& values) const;
    bool solve_single(const Loop& loop, Work& work, Interpreter& values);
    bool solve_linear(const Loop& loop, Work& work, Interpreter& values);
    bool factor_linear(const Loop& loop, Work& work);
    bool solve_piecewise(const Loop& loop, Work& work, Interpreter& values);
    bool solve_open(const Loop& loop, Work& work, Interpreter& values);
    static void solve_factored(Work& work);
    bool solve_nonlinear(const Loop& loop, Work& work, Interpreter& values);
    bool follow_small(const Loop& loop, Work& work, Interpreter& values);
    void keep_inner(const Loop& loop, Work& work, const Interpreter& values);
    bool solve_untorn(const Loop& loop, Work& work, Interpreter& values, bool all_methods);
    bool rounding_is_amplified(const Loop& loop, Work& work, const Interpreter& values);
    static std::vector<double> sizes(const Loop& loop, const Work& work);
    static bool is_far(const Loop& loop, const Work& work);
    // Whether `unknowns` lie on the branch from which the run goes on; if not, they become those that do.
    // False when that branch ends.
    bool keep_branch(const Loop& loop, Work& work, Interpreter& values);
    bool failed(const Loop& loop, std::string reason);
    std::string unknown_name(const Loop& loop, std::size_t i) const;

    static constexpr double rounding = 1e-14;

    const FlatModel& model_;
    Slot time_;
    std::vector<Work> work_;  // by loop
    Interpreter* values_ = nullptr;
    bool robust_ = true;
    bool brief_ = false;
    double brief_error_ = rounding;
    LoopSearch* search_ = nullptr;
    bool open_allowed_ = false;
    std::vector<double> last_;  // by slot; empty: not known yet
    std::optional<Shift> shift_;
    // Of the last prediction: most loops are solved at the same points.
    struct Weights {
        double time = 0;
        std::size_t points = 0;
        std::array<double, 3> past{}, of{};
    } weights_;
    std::optional<Failure> failure_;
    Statistics statistics_;
};

// Whole-DAE mode: the tearing variables of all continuous loops are unknowns of the integrator, which makes
// the residuals zero; a loop only computes them.
class LoopResiduals : public LoopSolver {
  public:
    // Without `wanted` there are none. Loops that are not smooth are left to `others`: they have
    // their own branches, or slopes without bounds.
    LoopResiduals(const Program& program, bool wanted, LoopSolver& others);

    bool solve(const Loop& loop, std::size_t number, Interpreter& values) override;

    bool empty() const { return unknowns_.empty(); }
    std::span<const Slot> unknowns() const { return unknowns_; }
    std::span<const double> nominals() const { return nominals_; }
    // By unknown: 1 for the derivative of a state, whose nominal value is then that of the state.
    std::span<const std::uint32_t> orders() const { return orders_; }
    std::span<const double> values() const { return values_; }

  private:
    LoopSolver& others_;
    std::vector<Slot> unknowns_;
    std::vector<double> nominals_, values_;
    std::vector<std::uint32_t> orders_;
    std::vector<std::optional<std::size_t>> first_;  // by loop: the place of its residuals
};

}  // namespace cutset
