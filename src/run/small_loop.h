// A small nonlinear loop on its way through a run: from a point near to the solution by steps with the
// inverse of an earlier Jacobian, corrected by Broyden's formula, without the detours that a general method
// needs. What does not go smoothly is left to NonlinearSolver.
//
// With the weights w_j = max(nominal_j, |x_j|) of the time of the matrix a scaled step is a relative change.
// Each step must be a tenth of the one before; the last one is that which leaves no larger error than
// allowed.
#pragma once

#include <array>
#include <span>

#include "generate/interpreter.h"
#include "numerics/linear/small_lu.h"

namespace cutset {

class SmallLoop {
  public:
    static constexpr std::size_t most_unknowns = SmallLu::most;
    static bool fits(const Loop& loop) { return loop.torn.size() <= most_unknowns; }
    explicit SmallLoop(const Loop& loop) : loop_(loop) {}

    // From x to the solution in x up to a relative error, for which the loop has yet to be run. False: x is
    // of no use.
    bool follow(std::span<double> x, double error, Interpreter& values);
    int iterations() const { return iterations_; }  // of the last call
    // Whether the last call met a matrix whose determinant has another sign than those before: x was beyond a
    // fold, on another branch. It gives up there.
    bool turned() const { return turned_; }
    // The next matrix may have either sign.
    void forget_branch() { sign_ = 0; }
    void remember(MemoryStream& memory) {
        lu_.remember(memory);
        memory("scaled by", weights_);
        memory("matrix known", known_);
        memory("sign", sign_);
        memory("turned", turned_);
    }

  private:
    using Vector = SmallLu::Vector;
    template <std::size_t n>
    bool follow(double* x, double error, Interpreter& values);
    template <std::size_t n>
    bool evaluate(const double* x, Interpreter& values, Vector& f) const;
    template <std::size_t n>
    bool factor(const double* x, Interpreter& values);

    const Loop& loop_;
    SmallLu lu_;  // of the Jacobian by scaled unknowns
    Vector weights_{};
    bool known_ = false;
    int sign_ = 0;  // of the determinant; 0: not known yet
    bool turned_ = false;
    int iterations_ = 0;
};

}  // namespace cutset
