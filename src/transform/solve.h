// Solving one equation for one unknown.
#pragma once

#include <optional>

#include "graph/tearing.h"
#include "transform/analysis.h"

namespace cutset::passes {

// The value of `unknown` that satisfies the row, free of `unknown`; nothing when there is no such formula.
// `coefficient` may vary; it is not a number or parametric expression of value 0.
std::optional<Expr> solved_for(Analysis& a, const Row& row, Expr unknown);

// The same by inverse functions, where the unknown stands in one place inside functions with one inverse:
// exp, ln, 1/u, odd powers; sqrt(u) = r has the solution u = r² where r is not negative, and else the error
// that sqrt(r) is.
std::optional<Expr> solved_by_inverse(Analysis& a, const Row& row, Expr unknown);

// numerator/denominator, without a denominator that is written with minus signs only.
Expr quotient(Pool& pool, Expr numerator, Expr denominator);

// Whether dividing by `coefficient` is safe: Good when it is certainly not 0, Never when it is 0.
graph::Solvability divisor_quality(Analysis& a, Expr coefficient);

}  // namespace cutset::passes
