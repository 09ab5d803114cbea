// Follows a solution z of the equations of a loop while what they depend on changes:
//
//     F(z, u) = 0,    u = u0 + λ·(u1 - u0),    λ from 0 to 1
//
// A step is taken when Newton's method comes to what the tangents at both of its ends say, and when the sign
// of the determinant of ∂F/∂z stays: then it has not left its branch. Where two branches meet and end (a
// fold: y**3 - 3*y = u at y = 1, u = -2) the steps become ever shorter, and the way ends.
#pragma once

#include <span>

#include "generate/interpreter.h"
#include "numerics/nonlinear/newton.h"

namespace cutset {

struct BranchProblem {
    const Loop& loop;
    NonlinearSolver& solver;        // of the loop, evaluated in `values`
    std::span<const Slot> inputs;   // what the residuals depend on
    std::span<const double> from;   // their values at the beginning; at the end they are those in the slots
    std::span<const double> sizes;  // of the unknowns: changes of some hundredths are small
};

enum class BranchEnd {
    Reached,
    Ended,    // there is no way on
    Unknown,  // the beginning is a singular point, or the way is too long
};
// z: the solution at the beginning; if Reached, then at the end; if Ended, then at the last point on the way.
// The inputs are as before in any case.
BranchEnd follow_branch(const BranchProblem& problem, Interpreter& values, std::span<double> z);

}  // namespace cutset
