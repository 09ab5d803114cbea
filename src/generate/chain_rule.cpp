#include "generate/chain_rule.h"

#include <algorithm>

namespace cutset {

Slot ChainRule::kept(const Partial& p) {
    if (p.is_number) return program_.constant(p.number);
    if ((p.slot & slot_tag::mask) != slot_tag::temporary) return p.slot;
    const Slot to = program_.quantity();
    code_.emit({Code::Copy, Op::Number, to, p.slot, 0});
    return to;
}

Partial ChainRule::value(Expr e) {
    if (e->is_number()) return {true, e->number, 0};
    return {false, 0, code_.value(e)};
}

Partial ChainRule::times(const Partial& a, const Partial& b) {
    if (a.is_number && b.is_number) return {true, a.number * b.number, 0};
    if (b.is_number) return times(b, a);
    if (a.is_number && a.number == 1) return b;
    if (a.is_number && a.number == -1) {
        const Slot to = code_.temporary();
        code_.emit({Code::Negate, Op::Number, to, b.slot, 0});
        return {false, 0, to};
    }
    return {false, 0, code_.compiler().binary(Code::Multiply, slot(a), b.slot)};
}

Partial ChainRule::plus(const Partial& a, const Partial& b) {
    if (a.is_number && b.is_number) return {true, a.number + b.number, 0};
    return {false, 0, code_.compiler().binary(Code::Add, slot(a), slot(b))};
}

// `gradient_`: ∂e/∂u for the unknowns u that have a row and occur in e, oldest first. Sums term by term: a
// sum of n terms in n unknowns takes n steps, not n².
void ChainRule::find_gradient(Expr e) {
    partials_.clear();
    gradient_.clear();
    const auto term = [&](Expr t, auto& into) {
        for_each_leaf(t, [&](Expr leaf) {
            if (leaf->op != Op::Variable) return;
            const Unknown u{leaf->variable(), leaf->order};
            const PartialRow* const row = rows_.find(key(u));
            if (!row || row->empty()) return;
            const Expr d = differentiate(pool_, t, leaf);
            if (!d->is_number(0)) into.emplace_back(u, d);
        });
    };
    if (e->op != Op::Add) return term(e, gradient_);
    for (Expr t : e->args()) term(t, partials_);
    const auto older = [](const auto& a, const auto& b) { return a.first < b.first; };
    if (!std::is_sorted(partials_.begin(), partials_.end(), older))
        std::stable_sort(partials_.begin(), partials_.end(), older);
    for (std::size_t i = 0; i < partials_.size();) {
        const Unknown u = partials_[i].first;
        same_.clear();
        for (; i < partials_.size() && partials_[i].first == u; ++i) same_.push_back(partials_[i].second);
        gradient_.emplace_back(u, pool_.add(same_));
    }
}

PartialRow ChainRule::row_of_known(Expr e) {
    find_gradient(e);
    terms_.clear();
    for (const auto& [u, d] : gradient_) {
        if (d->is_number(0)) continue;
        const Partial outer = value(d);
        for (const auto& [column, partial] : *rows_.find(key(u)))
            terms_.emplace_back(column, times(outer, partial));
    }
    const auto earlier = [](const auto& a, const auto& b) { return a.first < b.first; };
    if (!std::is_sorted(terms_.begin(), terms_.end(), earlier))
        std::stable_sort(terms_.begin(), terms_.end(), earlier);
    PartialRow sum;
    sum.reserve(terms_.size());
    for (const auto& [column, partial] : terms_) {
        if (!sum.empty() && sum.back().first == column)
            sum.back().second = plus(sum.back().second, partial);
        else
            sum.emplace_back(column, partial);
    }
    std::erase_if(sum,
                  [](const auto& element) { return element.second.is_number && element.second.number == 0; });
    return sum;
}

// Rows of the eliminated variables that e needs.
void ChainRule::define_eliminated(Expr e) {
    // A copy: what the rows need is asked for in between.
    const std::vector<std::uint32_t> needed = program_.needed_eliminated(e, [&](Expr leaf) {
        return rows_.contains(key({leaf->variable(), 0}));
    });
    for (std::uint32_t position : needed) {
        const Eliminated& eliminated = program_.partition.eliminated[position];
        define({eliminated.variable, 0}, row_of_known(eliminated.value));
    }
}

PartialRow ChainRule::row(Expr e) {
    define_eliminated(e);
    return row_of_known(e);
}

}  // namespace cutset
