#include "generate/chain_rule.h"

#include <algorithm>
#include <unordered_set>

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

// ∂e/∂u for the unknowns u that have a row and occur in e, oldest first. Sums term by term: a sum of n terms
// in n unknowns takes n steps, not n².
std::vector<std::pair<Unknown, Expr>> ChainRule::gradient(Expr e) {
    std::vector<std::pair<Unknown, Expr>> all;
    const auto term = [&](Expr t) {
        for_each_leaf(t, [&](Expr leaf) {
            if (leaf->op != Op::Variable) return;
            const Unknown u{leaf->variable(), leaf->order};
            const auto row = rows_.find(key(u));
            if (row == rows_.end() || row->second.empty()) return;
            const Expr d = differentiate(pool_, t, leaf);
            if (!d->is_number(0)) all.emplace_back(u, d);
        });
    };
    if (e->op != Op::Add) {
        term(e);
        return all;
    }
    for (Expr t : e->args()) term(t);
    std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::pair<Unknown, Expr>> merged;
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < all.size();) {
        const Unknown u = all[i].first;
        terms.clear();
        for (; i < all.size() && all[i].first == u; ++i) terms.push_back(all[i].second);
        merged.emplace_back(u, pool_.add(terms));
    }
    return merged;
}

PartialRow ChainRule::row_of_known(Expr e) {
    PartialRow terms;
    for (const auto& [u, d] : gradient(e)) {
        if (d->is_number(0)) continue;
        const Partial outer = value(d);
        for (const auto& [column, partial] : rows_.at(key(u)))
            terms.emplace_back(column, times(outer, partial));
    }
    std::stable_sort(terms.begin(), terms.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    PartialRow sum;
    for (const auto& [column, partial] : terms) {
        if (!sum.empty() && sum.back().first == column)
            sum.back().second = plus(sum.back().second, partial);
        else
            sum.emplace_back(column, partial);
    }
    std::erase_if(sum,
                  [](const auto& element) { return element.second.is_number && element.second.number == 0; });
    return sum;
}

// Rows of the eliminated variables that e needs, directly or through others, in their order of computation.
void ChainRule::define_eliminated(Expr e) {
    const auto& eliminated = program_.partition.eliminated;
    if (eliminated.empty()) return;
    std::vector<std::uint32_t> needed;
    std::unordered_set<std::uint32_t> met;
    std::vector<Expr> open{e};
    while (!open.empty()) {
        const Expr next = open.back();
        open.pop_back();
        for_each_leaf(next, [&](Expr leaf) {
            if (leaf->op != Op::Variable || leaf->order != 0) return;
            const std::uint32_t position = program_.eliminated_position[leaf->index];
            if (position == 0 || rows_.contains(key({leaf->variable(), 0})) || !met.insert(position).second)
                return;
            needed.push_back(position - 1);
            open.push_back(eliminated[position - 1].value);
        });
    }
    std::sort(needed.begin(), needed.end());
    for (std::uint32_t position : needed)
        define({eliminated[position].variable, 0}, row_of_known(eliminated[position].value));
}

PartialRow ChainRule::row(Expr e) {
    define_eliminated(e);
    return row_of_known(e);
}

}  // namespace cutset
