// Equations that are dependent in what they are to determine: C·(y' - x') = f and C·(x' - y') = g determine
// only y' - x', although structure alone would solve one for x' and the other for y'. Their sum, 0 = f + g,
// is the constraint hidden in them. The same with algebraic unknowns: a + b = x and 2·a + 2·b = y hide y =
// 2·x.
//
// Whether the equations of a loop are dependent is decided by the rank of their partial derivatives modulo a
// prime, at random values of what varies (transform/modular_gradient.h); the combination itself is computed
// with fractions (transform/exact_coefficient.h). So a coefficient that vanishes does so exactly.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "transform/exact_coefficient.h"

namespace cutset::passes {

// Σ factor·residual of these rows has none of the unknowns of their loop.
struct Combination {
    std::vector<std::pair<std::uint32_t, Coefficient>> of;  // rows of the system with their factors
    bool constant = true;                                   // all factors are
};

// Looks at the loops of a perfectly matched system. Coefficients are those of this run's parameters, which
// become structural where they count. No row is in two of the combinations. Nothing found: empty.
std::vector<Combination> find_combinations(Analysis& a, const System& system);
// Σ factor·residual.
Expr combined(Analysis& a, const std::vector<std::pair<Expr, Coefficient>>& residuals);

}  // namespace cutset::passes
