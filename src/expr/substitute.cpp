// Replacing nodes, simplifying on the way up.
#include "expr/expr.h"
#include "expr/node_map.h"

namespace cutset {

struct Substitution::Maps {
    std::vector<Expr> variables;   // by index: what replaces those of order 0; may be shorter
    NodeMap<Expr> replaced;        // the others
    std::uint64_t operations = 0;  // of those that are replaced: a bit for each
    NodeMap<Expr> done;            // results so far, kept between calls

    // What stands for e; null: nothing does.
    Expr replacement(Expr e) {
        static_assert(static_cast<int>(Op::Apply) < 64);
        if (!(operations >> static_cast<int>(e->op) & 1)) return nullptr;
        if (by_index(e)) return variables[e->index];
        const Expr* const to = replaced.find(e);
        return to ? *to : nullptr;
    }
    bool by_index(Expr e) const {
        return e->op == Op::Variable && e->order == 0 && e->index < variables.size();
    }
};

Substitution::Substitution(Pool& pool, std::size_t variables) : pool_(pool), maps_(std::make_unique<Maps>()) {
    maps_->variables.resize(variables);
}
Substitution::Substitution(Substitution&&) noexcept = default;
Substitution::~Substitution() = default;

void Substitution::replace(Expr from, Expr to) {
    if (maps_->by_index(from))
        maps_->variables[from->index] = to;
    else
        maps_->replaced.set(from, to);
    maps_->operations |= std::uint64_t{1} << static_cast<int>(from->op);
    if (maps_->done.size()) maps_->done = {};
}

bool Substitution::empty() const {
    return maps_->operations == 0;
}

namespace {

// Small expressions, one node after the other and without a memo; null when `budget` nodes do not do.
template <class Maps>
class Small {
  public:
    Small(Pool& pool, Maps& maps) : pool_(pool), maps_(maps) {}

    Expr operator()(Expr e) {
        if (budget_ == 0) return nullptr;
        --budget_;
        if (const Expr to = maps_.replacement(e)) return to;
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
    Maps& maps_;
    std::vector<Expr> arguments_;
    std::size_t budget_ = 64;
};

}  // namespace

Expr Substitution::operator()(Expr e) {
    if (empty()) return e;
    Maps& maps = *maps_;
    if (const Expr to = maps.replacement(e)) return to;
    if (e->argument_count == 0) return e;
    if (const Expr made = Small(pool_, maps)(e)) return made;
    if (const Expr* known = maps.done.find(e)) return *known;

    const auto result = [&](Expr n) {
        if (const Expr to = maps.replacement(n)) return to;
        if (n->argument_count == 0) return n;
        return maps.done.at(n);
    };
    const auto enter = [&](Expr n) { return !maps.replacement(n) && !maps.done.contains(n); };
    std::vector<Expr> arguments;
    for (Expr n : nodes_in_order(e, enter)) {
        if (n->argument_count == 0 || !enter(n)) continue;
        arguments.clear();
        for (Expr a : n->args()) arguments.push_back(result(a));
        maps.done.insert(n, pool_.rebuild(n, arguments));
    }
    return maps.done.at(e);
}

}  // namespace cutset
