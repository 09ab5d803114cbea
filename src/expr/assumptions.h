// What is known about the values of expressions: x > 0, a < b, x <> 0. Ranges follow from that by interval
// arithmetic; they decide signs and relations.
#pragma once

#include <limits>
#include <optional>
#include <unordered_map>
#include <vector>

#include "expr/expr.h"

namespace cutset {

// low <= value <= high; an open end is not reached. `nonzero`: 0 is excluded.
struct Range {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool low_open = false, high_open = false;
    bool nonzero = false;

    bool positive() const { return low > 0 || (low == 0 && (low_open || nonzero)); }
    bool negative() const { return high < 0 || (high == 0 && (high_open || nonzero)); }
    bool not_negative() const { return low >= 0; }
    bool not_positive() const { return high <= 0; }
    bool excludes_zero() const { return nonzero || positive() || negative(); }
    bool empty() const { return low > high || (low == high && (low_open || high_open)); }
};

class Assumptions {
  public:
    explicit Assumptions(Pool& pool) : pool_(pool) {}

    // A relation, or several joined by `and`. False when it is no relation, or contradicts what is known.
    bool add(Expr condition);
    Range range(Expr e) const;
    // Whether a condition holds; nothing when that is not known.
    std::optional<bool> decides(Expr condition) const;
    const std::vector<Expr>& list() const { return list_; }

  private:
    bool restrict(Expr e, const Range& wanted);
    bool add_relation(Expr condition);
    Range computed(Expr e) const;

    Pool& pool_;
    std::unordered_map<Expr, Range> known_;
    std::vector<Expr> list_;
};

}  // namespace cutset
