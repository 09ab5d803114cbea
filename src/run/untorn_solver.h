// Newton's method on the whole of a torn block (generate/untorn_loop.h): slower than on its tearing
// variables, but it solves what the chain of assignments between them makes unsolvable.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "generate/interpreter.h"
#include "generate/untorn_loop.h"
#include "numerics/nonlinear/newton.h"

namespace cutset {

class UntornSolver {
  public:
    UntornSolver(const Loop& loop, const Interpreter& values);

    // The unknowns of the block: tearing variables, then those that are assigned.
    std::span<const Slot> unknowns() const { return loop().torn; }
    // From these values of the unknowns to the solution, which is put into all slots of the block. False: no
    // value has been changed. `all_methods`: else Newton only.
    bool solve(Interpreter& values, std::span<const double> guess, bool all_methods);
    // Whether the values of the block satisfy each of its equations, measured by the equation's own terms.
    bool holds(const Interpreter& values);
    int iterations() const { return iterations_; }  // of the last call

  private:
    const Loop& loop() const { return untorn_->program.loops[0]; }
    NonlinearProblem pose();
    void take_known(const Interpreter& values);

    std::unique_ptr<const UntornLoop> untorn_;
    Interpreter values_;
    NonlinearSolver solver_;
    std::vector<double> x_;
    int iterations_ = 0;
};

}  // namespace cutset
