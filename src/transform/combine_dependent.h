// Equations that are dependent in their highest derivatives: C·(y' - x') = f and C·(x' - y') = g determine
// only y' - x', although structure alone would solve one for x' and the other for y'. Their sum, 0 = f + g,
// is the constraint hidden in them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "transform/analysis.h"

namespace cutset::passes {

struct Combination {
    std::uint32_t row;  // that the combination stands for
    Expr residual;      // free of the derivatives
};

// Looks at the loops of a perfectly matched system for derivatives that occur linearly and are dependent, for
// this run's parameters (which become structural) or whatever the values of other coefficients are. Rows that
// `may_replace` refuses are kept as they are. Nothing found: empty.
std::vector<Combination> find_combinations(Analysis& a, const System& system,
                                           const std::function<bool(std::uint32_t row)>& may_replace);

}  // namespace cutset::passes
