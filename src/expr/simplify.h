// Other forms of an expression with the same value wherever the expression has one.
//
//   simplify   under assumptions: sqrt(x^2) = abs(x), abs(x) = x for x >= 0, decided conditions, min, max,
//   sign,
//              exp(ln x), ln(exp x), ln(x^n), sin^2 + cos^2 = 1, sums over a common denominator; the shortest
//              of the forms found
//   expand     products and whole powers of sums multiplied out
//   factored   what all terms of a sum have in common, in front
//   collected  Σ coefficient_k * v^k
#pragma once

#include <optional>
#include <vector>

#include "expr/assumptions.h"
#include "expr/expr.h"

namespace cutset {

Expr simplify(Pool& pool, Expr e, const Assumptions& assumptions);
Expr expand(Pool& pool, Expr e);
Expr factored(Pool& pool, Expr e);
Expr collected(Pool& pool, Expr e, Expr leaf);

// Coefficients by powers of the leaf, lowest first; nothing when e is no polynomial in it (of degree 32 at
// most).
std::optional<std::vector<Expr>> polynomial_in(Pool& pool, Expr e, Expr leaf);
// e = numerator/denominator, without fractions inside sums and products of either.
struct Fraction {
    Expr numerator, denominator;
};
Fraction as_fraction(Pool& pool, Expr e);

// Operations it takes to compute e, as it is written.
std::size_t operation_count(Expr e);

}  // namespace cutset
