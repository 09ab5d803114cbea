// Equations between sums of unknowns and parametric expressions with integer factors: from these, and from
// these only, variables are eliminated without rounding (transform/eliminate_exactly.h).
#pragma once

#include <optional>
#include <span>

#include "ir/flat_model.h"

namespace cutset {

// None of 0, one of what is no sum. Valid as long as `sum` is.
std::span<const Expr> terms_of_sum(const Expr& sum);
// The integer that a term is, or that stands before its other factors.
std::optional<double> integer_factor(Expr term);
bool is_exact(const FlatModel& model, const Equation& e);

}  // namespace cutset
