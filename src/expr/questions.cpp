// What occurs in an expression.
#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "expr/expr.h"
#include "expr/is_open.h"
#include "expr/node_map.h"

namespace cutset {

namespace {

// As nodes_in_order; the few nodes of most expressions are kept without asking for memory.
class OrderedNodes {
  public:
    explicit OrderedNodes(Expr e) {
        if (!collect(e, 0)) many_ = nodes_in_order(e);
    }
    std::span<Expr> all() {
        return many_.empty() ? std::span<Expr>(few_.data(), static_cast<std::size_t>(count_)) : many_;
    }

  private:
    static constexpr std::size_t most = 32;

    // False when they are too many, or nested too deeply.
    bool collect(Expr e, std::size_t depth) {
        if (depth == most) return false;
        for (Expr a : e->args())
            if (std::find(few_.begin(), few_.begin() + count_, a) == few_.begin() + count_ &&
                !collect(a, depth + 1))
                return false;
        if (count_ == std::ptrdiff_t(most)) return false;
        few_[count_++] = e;
        return true;
    }

    std::array<Expr, most> few_;
    std::ptrdiff_t count_ = 0;
    std::vector<Expr> many_;
};

}  // namespace

void for_each_node(Expr e, FunctionRef<void(Expr)> visit) {
    OrderedNodes nodes(e);
    for (Expr n : nodes.all()) visit(n);
}

void for_each_leaf(Expr e, FunctionRef<void(Expr)> visit) {
    OrderedNodes nodes(e);
    const std::span<Expr> all = nodes.all();
    const auto end = std::remove_if(all.begin(), all.end(), [](Expr n) {
        return n->op != Op::Variable && n->op != Op::Previous && n->op != Op::Time && n->op != Op::Local;
    });
    std::sort(all.begin(), end, [](Expr a, Expr b) { return a->id < b->id; });
    std::for_each(all.begin(), end, visit);
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

bool depends_on(Expr e, FunctionRef<bool(Expr leaf)> varies) {
    OrderedNodes nodes(e);
    for (Expr n : nodes.all())
        if (is_open(n->op) && varies(n)) return true;
    return false;
}

}  // namespace cutset
