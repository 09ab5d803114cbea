// Systems of nonlinear equations  F(x) = 0, as many equations as unknowns, with a full or sparse Jacobian.
//
// Scaling. With w_j = max(nominal_j, |x_j|) the unknowns are x_j / w_j and row i is divided by max_j |J_ij|
// w_j, so a scaled step is a relative change and a scaled residual of 1 means "wrong by as much as its terms
// are large". All norms and tolerances below are in these units.
//
// Newton. Exact Jacobian, LU; step x + lambda d with Armijo's condition on the sum of squares of the
// residuals (rows as scaled at x), lambda halved and less where F cannot be evaluated. Bounds: the ray is cut
// at the first bound it meets; an unknown that is on a bound and pushed outwards stays there while the others
// make a least-squares step. Where J is singular, the least-squares step of smallest norm. Converged when a
// full Newton step is below the tolerance; that step and one more are taken, which brings x near to
// round-off.
//
// solve(). Newton; Newton again from a little beside the point where it got caught, off the symmetries where
// a Jacobian is singular; KINSOL with its line search; continuation along  F(x) = (1 - lambda) F(x0)  from
// lambda = 0 to 1, by arc length so that lambda may turn back. The last two end with Newton.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/memory.h"
#include "numerics/linear/sparse_pattern.h"

namespace cutset {

struct NonlinearProblem {
    std::size_t n = 0;
    // f := F(x). False when it cannot be evaluated at x; a value that is not finite counts as that.
    std::function<bool(std::span<const double> x, std::span<double> f)> residual;
    // Where J = dF/dx has elements; empty: everywhere.
    std::optional<SparsePattern> pattern;
    // values := the elements of J in the order of the pattern; without one, all by columns. Empty: difference
    // quotients.
    std::function<bool(std::span<const double> x, std::span<double> values)> jacobian;
    std::vector<double> nominal;  // empty: 1 for all; must be positive
    std::vector<double> lower;    // empty: none
    std::vector<double> upper;
};

struct NonlinearOptions {
    double tolerance = 1e-10;  // on the scaled step, before the last two steps
    int max_iterations = 100;
    bool estimate_condition = false;  // also when converged
};

enum class NonlinearStatus {
    Converged,
    Singular,   // the Jacobian does not determine all unknowns, and the residuals could not be made zero
    Stalled,    // no shorter step makes the residuals smaller
    NotFinite,  // F or J could not be evaluated, at the start or anywhere along a step
    TooManyIterations,
};

// Chord: with the matrix of the solution before, from near by.
enum class NonlinearMethod { Chord, Newton, Disturbed, Kinsol, Continuation };

struct NonlinearResult {
    NonlinearStatus status = NonlinearStatus::Stalled;
    NonlinearMethod method = NonlinearMethod::Newton;  // that found the solution
    int iterations = 0;                                // Newton iterations of all methods together
    int evaluations = 0;                               // of F
    std::vector<double> residuals;                     // scaled, at the x returned
    std::size_t worst_row = 0;                         // where they are largest
    double worst_residual = 0;
    // The unknown that the Jacobian at x leaves open. Also set when Converged at a point where J is singular:
    // F is zero there, but x may be one solution of many.
    std::optional<std::size_t> singular_column;
    std::optional<double>
        rcond;  // reciprocal condition of the scaled Jacobian; after failures and on request
    // Converged, as the last step is short against the nominal values, but not against x itself, or it could
    // not be taken, and the residuals are more than the rounding of J x. Either F is noisy, or x is at an
    // edge with infinite slope (that of sqrt(x) at 0) behind which the solution would be.
    bool doubtful = false;
    bool converged() const { return status == NonlinearStatus::Converged; }
};

// One sentence.
std::string_view explain(NonlinearStatus status);

class NonlinearSystem;

// Regular: gives up where J is singular, since least-squares steps of large systems are dear.
enum class NewtonWhere { Anywhere, Regular };

// Keeps its memory between calls, for systems that are solved again and again. Not for several threads at
// once.
class NonlinearSolver {
  public:
    explicit NonlinearSolver(NonlinearProblem problem, NonlinearOptions options = {});
    ~NonlinearSolver();
    NonlinearSolver(NonlinearSolver&&) noexcept;
    NonlinearSolver& operator=(NonlinearSolver&&) noexcept;

    // From x to the solution in x; without success x is the best point of the (first) Newton iteration. The
    // result is valid until the next call.
    // Damped Newton only.
    const NonlinearResult& newton(std::span<double> x, NewtonWhere where = NewtonWhere::Anywhere);
    const NonlinearResult& solve(std::span<double> x);  // the whole chain
    // From a point that is probably near to the last solution: with its matrix if that will do, else
    // `newton`.
    const NonlinearResult& follow(std::span<double> x);
    // What the next call depends on besides x.
    void remember(MemoryStream& memory);

  private:
    std::unique_ptr<NonlinearSystem> system_;
};

// For a system that is solved once.
NonlinearResult solve_nonlinear(NonlinearProblem problem, std::span<double> x, NonlinearOptions options = {});

}  // namespace cutset
