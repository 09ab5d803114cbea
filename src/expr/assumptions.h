// What is known about the values of expressions: x > 0, a < b, x <> 0. Ranges follow from that by interval
// arithmetic; they decide signs and relations.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "expr/expr.h"
#include "expr/range.h"

namespace cutset {

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
    bool restrict(Expr e, const Range& range);
    bool add_relation(Expr condition);
    Range computed(Expr e) const;

    Pool& pool_;
    std::unordered_map<Expr, Range> known_;
    std::vector<Expr> list_;
};

}  // namespace cutset
