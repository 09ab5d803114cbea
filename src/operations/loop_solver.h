// Solves the torn blocks of a Program with the numerics layer: linear ones by LU, nonlinear ones by damped
// Newton from the last values, and where that is not enough by the whole chain of methods.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generate/interpreter.h"
#include "numerics/linear.h"
#include "numerics/newton.h"

namespace cutset {

class NumericLoopSolver : public LoopSolver {
  public:
    NumericLoopSolver(const Program& program, const FlatModel& model);

    bool solve(const Loop& loop, std::size_t number, Interpreter& values) override;

    // Robust: at the start and at events, where no shorter step can help, all methods are tried.
    void set_robust(bool robust) { robust_ = robust; }
    // Parameters changed: factored matrices are no longer valid.
    void forget_matrices();

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
    struct Work {
        std::vector<double> unknowns, residuals, jacobian;
        DenseLu lu;
        bool factored = false;
        std::unique_ptr<NonlinearSolver> solver;
    };
    bool solve_linear(const Loop& loop, Work& work, Interpreter& values);
    bool solve_nonlinear(const Loop& loop, Work& work, Interpreter& values);
    bool failed(const Loop& loop, std::string reason);
    std::string unknown_name(const Loop& loop, std::size_t i) const;

    const FlatModel& model_;
    std::vector<Work> work_;  // by loop
    Interpreter* values_ = nullptr;
    bool robust_ = true;
    std::optional<Failure> failure_;
    Statistics statistics_;
};

}  // namespace cutset
