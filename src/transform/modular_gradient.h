// Values and partial derivatives of expressions modulo a prime (graph/modular_rank.h), at random values of
// what is not known. Numbers, sums, products and whole powers are exact; other functions have random values
// and slopes, the same for the same expression. So what is zero here is zero for all values, and what is not
// is so almost surely.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "expr/expr.h"
#include "expr/node_map.h"
#include "expr/rational.h"
#include "graph/modular_rank.h"

namespace cutset {

std::uint64_t modulo_prime(const Rational& value);

class ModularGradient {
  public:
    // `known`: the value of a node, where it has one; such nodes are not entered, nor are those that `passes`
    // refuses.
    using Known = std::function<std::optional<std::uint64_t>(Expr node)>;
    ModularGradient(Known known, bool (*passes)(Op)) : known_(std::move(known)), passes_(passes) {}

    // ∂e/∂leaf for each Variable or Apply node that acts directly, by one sweep forward and one backward.
    std::vector<std::pair<Expr, std::uint64_t>> operator()(Expr e);
    std::uint64_t value(Expr e);

  private:
    bool enters(Expr n) const { return passes_(n->op) && !known_(n); }
    std::uint64_t value(Expr n, const NodeMap<std::uint64_t>& values) const;

    Known known_;
    bool (*passes_)(Op);
};

// Sums, products and whole powers: what fractions, too, are closed under.
bool is_arithmetic(Expr e);
// The exponent of a whole power.
std::optional<std::int64_t> whole_exponent(Expr power);

// What stands in the past, or jumps, has no slope.
bool has_slope(Op op);

// The rank of the partial derivatives of these residuals by as many unknowns, and the sets of residuals that
// are dependent. A residual that is null determines the unknown of its number. Nothing is found dependent
// where that would take too long.
graph::ModularRank rank_of_gradients(ModularGradient& gradient, std::span<const Expr> residuals,
                                     std::span<const Expr> unknowns);

}  // namespace cutset
