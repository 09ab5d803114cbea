// Replacing nodes, simplifying on the way up.
#include "expr/expr.h"
#include "expr/node_map.h"

namespace cutset {

Expr Substitution::operator()(Expr e) {
    if (const auto to = map_.find(e); to != map_.end()) return to->second;
    if (e->argument_count == 0 || map_.empty()) return e;
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
