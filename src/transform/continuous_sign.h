// Products that are continuous although a factor jumps:
//
//     sign(e)*g    with g = 0 where e = 0: sign(p1 - p2)*sqrt(abs(p1 - p2)), sign(w)*w**2
#pragma once

#include <span>
#include <vector>

#include "transform/analysis.h"

namespace cutset::passes {

// Of `node`, a `sign`, and the product that it is a factor of: whether the product is continuous where the
// sign changes. Yes only if that can be seen: the other factors, made of continuous functions, are zero when
// the sign's argument is.
bool is_continuous_product(Pool& pool, Expr product, Expr node);

// The `sign` nodes that stand in these expressions and, wherever they do, in a product that is continuous.
// What stands in `noevent` does not count. Sorted by age.
std::vector<Expr> continuous_signs(Pool& pool, std::span<const Expr> expressions);

}  // namespace cutset::passes
