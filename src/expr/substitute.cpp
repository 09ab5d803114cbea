// Replacing nodes, simplifying on the way up.
#include "expr/expr.h"
#include "expr/node_map.h"

namespace cutset {

namespace {

// Small expressions, one node after the other and without a memo; null when `budget` nodes do not do.
class Small {
  public:
    Small(Pool& pool, const std::unordered_map<Expr, Expr>& map) : pool_(pool), map_(map) {}

    Expr operator()(Expr e) {
        if (budget_ == 0) return nullptr;
        --budget_;
        if (const auto to = map_.find(e); to != map_.end()) return to->second;
        if (e->argument_count == 0) return e;
        if (e->argument_count > budget_) {
            budget_ = 0;
            return nullptr;
        }
        const std::size_t first = arguments_.size();
        bool changed = false;
        for (Expr a : e->args()) {
            const Expr result = (*this)(a);
            if (!result) return nullptr;
            changed = changed || result != a;
            arguments_.push_back(result);
        }
        const Expr made =
            changed ? pool_.rebuild(e, std::span(arguments_).subspan(first, e->argument_count)) : e;
        arguments_.resize(first);
        return made;
    }

  private:
    Pool& pool_;
    const std::unordered_map<Expr, Expr>& map_;
    std::vector<Expr> arguments_;
    std::size_t budget_ = 64;
};

}  // namespace

Expr Substitution::operator()(Expr e) {
    if (map_.empty()) return e;
    if (e->argument_count == 0) {
        const auto to = map_.find(e);
        return to != map_.end() ? to->second : e;
    }
    if (const Expr made = Small(pool_, map_)(e)) return made;
    if (const auto to = map_.find(e); to != map_.end()) return to->second;
    if (const auto known = done_.find(e); known != done_.end()) return known->second;

    const auto result = [&](Expr n) {
        if (const auto to = map_.find(n); to != map_.end()) return to->second;
        if (n->argument_count == 0) return n;
        return done_.at(n);
    };
    const auto enter = [&](Expr n) { return !map_.contains(n) && !done_.contains(n); };
    std::vector<Expr> arguments;
    for (Expr n : nodes_in_order(e, enter)) {
        if (n->argument_count == 0 || !enter(n)) continue;
        arguments.clear();
        for (Expr a : n->args()) arguments.push_back(result(a));
        done_[n] = pool_.rebuild(n, arguments);
    }
    return done_.at(e);
}

}  // namespace cutset
