// What occurs in an expression.
#include <algorithm>

#include "expr/expr.h"
#include "expr/node_map.h"

namespace cutset {

void for_each_node(Expr e, const std::function<void(Expr)>& visit) {
    for (Expr n : nodes_in_order(e)) visit(n);
}

void for_each_leaf(Expr e, const std::function<void(Expr)>& visit) {
    std::vector<Expr> leaves;
    for (Expr n : nodes_in_order(e))
        if (n->op == Op::Variable || n->op == Op::Previous || n->op == Op::Time || n->op == Op::Local)
            leaves.push_back(n);
    std::sort(leaves.begin(), leaves.end(), [](Expr a, Expr b) { return a->id < b->id; });
    for (Expr leaf : leaves) visit(leaf);
}

bool contains(Expr e, Expr leaf) {
    if (e == leaf) return true;
    bool found = false;
    // A node is younger than what it is made of.
    nodes_in_order(e, [&](Expr n) {
        for (Expr a : n->args()) found = found || a == leaf;
        return !found && n->id > leaf->id;
    });
    return found;
}

bool depends_on(Expr e, const std::function<bool(Expr leaf)>& varies) {
    for (Expr n : nodes_in_order(e)) {
        switch (n->op) {
            case Op::Variable:
            case Op::Previous:
            case Op::Time:
            case Op::Local:
            case Op::Element:
            case Op::Sample:
            case Op::Starting:
            case Op::Edge:
            case Op::Change:
            case Op::Delay:
                if (varies(n)) return true;
                break;
            default:
                break;
        }
    }
    return false;
}

}  // namespace cutset
