// Solving one equation for one unknown.
#pragma once

#include <optional>

#include "graph/tearing.h"
#include "transform/analysis.h"

namespace cutset::passes {

// The value of `unknown` that satisfies the row, free of `unknown`; nothing when there is no such formula.
// `coefficient` may vary; it is not a number or parametric expression of value 0.
std::optional<Expr> solved_for(Analysis& a, const Row& row, Expr unknown);

// numerator/denominator, without a denominator that is written with minus signs only.
Expr quotient(Pool& pool, Expr numerator, Expr denominator);

// Whether dividing by `coefficient` is safe: Good when it is certainly not 0, Never when it is 0.
graph::Solvability divisor_quality(Analysis& a, Expr coefficient);

}  // namespace cutset::passes
