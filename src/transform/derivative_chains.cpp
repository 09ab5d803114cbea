#include "transform/derivative_chains.h"

#include <algorithm>

namespace cutset::passes {

namespace {

constexpr VariableIndex no_variable(0xFFFFFFFFu);
constexpr EquationIndex no_equation(0xFFFFFFFFu);
// Longer chains of v = x' stay equations: a line of integrators is no derivative of high order.
constexpr std::uint32_t deepest_chain = 6;

template <class T>
T at(const std::vector<std::vector<T>>& lists, VariableIndex base, std::size_t i, T none) {
    return base.value < lists.size() && i < lists[base.value].size() ? T(lists[base.value][i]) : none;
}
template <class T>
void put(std::vector<std::vector<T>>& lists, VariableIndex base, std::size_t i, T value, T none) {
    auto& list = lists[base.value];
    if (list.size() <= i) list.resize(i + 1, none);
    list[i] = value;
}

}  // namespace

DerivativeChains::DerivativeChains(Analysis& a) : into_chains_(a.pool()), into_variables_(a.pool()) {}

void DerivativeChains::link(Analysis& a) {
    const FlatModel& model = a.model();
    const std::size_t n = model.variables.size();
    // x' = v as an edge from x to v; each has one of the other at most.
    std::vector<VariableIndex> next(n, no_variable), before(n, no_variable);
    std::vector<EquationIndex> by(n, no_equation);
    const auto is_unknown = [&](Expr leaf, std::uint32_t order) {
        return leaf->op == Op::Variable && leaf->order == order && a.is_unknown(leaf->variable());
    };
    for (EquationIndex i(0); i < model.equations.end_index(); ++i.value) {
        if (!a.live[i.value]) continue;
        Expr v = model.equations[i].left, rate = model.equations[i].right;
        if (!is_unknown(rate, 1)) std::swap(v, rate);
        if (!is_unknown(rate, 1) || !is_unknown(v, 0) || v->index == rate->index) continue;
        if (next[rate->index] != no_variable || before[v->index] != no_variable) continue;
        VariableIndex first = rate->variable();
        std::uint32_t depth = 1;
        while (before[first.value] != no_variable && depth < deepest_chain) {
            first = before[first.value];
            ++depth;
        }
        if (depth == deepest_chain || first == v->variable()) continue;
        std::uint32_t above = 0;
        for (VariableIndex w = v->variable(); next[w.value] != no_variable; w = next[w.value]) ++above;
        if (depth + above >= deepest_chain) continue;
        next[rate->index] = v->variable();
        before[v->index] = rate->variable();
        by[v->index] = i;
    }
    place_.resize(n);
    variables_.resize(n);
    links_.resize(n);
    is_link_.assign(model.equations.size(), false);
    for (std::size_t i = 0; i < n; ++i) place_[i] = {VariableIndex(i), 0};
    for (std::size_t i = 0; i < n; ++i) {
        if (before[i] != no_variable || next[i] == no_variable) continue;
        std::uint32_t order = 1;
        for (VariableIndex v = next[i]; v != no_variable; v = next[v.value], ++order) {
            place_[v.value] = {VariableIndex(i), order};
            put(variables_, VariableIndex(i), order - 1, v, no_variable);
            put(links_, VariableIndex(i), order - 1, by[v.value], no_equation);
            is_link_[by[v.value].value] = true;
            for (std::uint32_t more : {0u, 1u})
                into_chains_.replace(a.pool().variable(v, more),
                                     a.pool().variable(VariableIndex(i), order + more));
        }
    }
}

Expr DerivativeChains::to_chains(Analysis& a, Expr e) {
    for (Expr leaf : a.leaves({e}, true))
        if (!is_base(leaf->variable())) return into_chains_(e);
    return e;
}

void DerivativeChains::set_dependent(Derivative d) {
    if (dependent_.size() <= d.base.value) dependent_.resize(d.base.value + 1);
    auto& list = dependent_[d.base.value];
    if (list.size() <= d.order) list.resize(d.order + 1);
    list[d.order] = true;
}

bool DerivativeChains::is_dependent(Derivative d) const {
    return d.base.value < dependent_.size() && d.order < dependent_[d.base.value].size() &&
           dependent_[d.base.value][d.order];
}

std::optional<VariableIndex> DerivativeChains::variable(Derivative d) const {
    if (d.order == 0) return d.base;
    const VariableIndex v = at(variables_, d.base, d.order - 1, no_variable);
    if (v == no_variable) return std::nullopt;
    return v;
}

void DerivativeChains::add_variable(Analysis& a, Derivative d) {
    const VariableIndex below = *variable({d.base, d.order - 1});
    Variable derivative;
    derivative.name = derivative_name(a.model().variables[below].name);
    derivative.origin = a.model().variables[below].origin;
    for (const DerivativeStart& s : a.model().derivative_starts)
        if (s.variable == d.base && s.order == d.order) derivative.start = s.start;
    put(variables_, d.base, d.order - 1, a.add_variable(std::move(derivative)), no_variable);
}

void DerivativeChains::make_variables(Analysis& a, const std::vector<Derivative>& chosen_later) {
    const std::size_t bases = highest_.size();
    std::vector<std::vector<bool>> later(bases);
    for (const Derivative& d : chosen_later) put(later, d.base, d.order, true, false);
    for (std::uint32_t b = 0; b < bases; ++b) {
        const VariableIndex base(b);
        if (!is_base(base)) continue;
        std::uint32_t highest = highest_[b];
        for (std::uint32_t k = 1; k <= highest; ++k) {
            const bool of_state = !is_dependent({base, k - 1});
            if (!variable({base, k}) && (k < highest || !of_state)) add_variable(a, {base, k});
            if (!of_state && !at(later, base, k - 1, false))
                a.partition.dependent.push_back(*variable({base, k - 1}));
            const EquationIndex link = at(links_, base, k - 1, no_equation);
            if (!of_state && link != no_equation) a.live[link.value] = false;
            if (of_state && link == no_equation && variable({base, k}))
                a.add_equation({a.pool().variable(*variable({base, k - 1}), 1),
                                a.pool().variable(*variable({base, k})), a.model().variables[base].origin,
                                EquationKind::Derivative});
        }
    }
    a.derivative_order.assign(a.model().variables.size(), 0);
    for (std::uint32_t b = 0; b < bases; ++b) {
        if (!is_base(VariableIndex(b))) continue;
        for (std::uint32_t k = 1; k <= highest_[b]; ++k)
            if (const auto v = variable({VariableIndex(b), k}))
                a.derivative_order[v->value] = std::uint8_t(k);
        for (std::uint32_t k = 1; k <= highest_[b]; ++k) {
            const Expr from = a.pool().variable(VariableIndex(b), k), to = leaf(a, {VariableIndex(b), k});
            if (from != to) into_variables_.replace(from, to);
        }
    }
}

Expr DerivativeChains::leaf(Analysis& a, Derivative d) const {
    if (const auto v = variable(d)) return a.pool().variable(*v);
    return a.pool().variable(*variable({d.base, d.order - 1}), 1);
}

Expr DerivativeChains::to_variables(Analysis& a, Expr e) {
    for (Expr leaf : a.leaves({e}, true))
        if (leaf->order > 0) return into_variables_(e);
    return e;
}

}  // namespace cutset::passes
