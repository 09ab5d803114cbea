#include "translate/valid_values.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "flat/function_value.h"
#include "transform/decisions.h"
#include "transform/parametric_value.h"

namespace cutset {

ValidValues::ValidValues(std::shared_ptr<const Partition> given, const std::vector<VariableIndex>& varied)
    : partition_(std::move(given)) {
    const Partition& partition = *partition_;
    std::unordered_set<std::uint32_t> varies;
    for (VariableIndex v : varied) varies.insert(v.value);
    const auto concerned = [&](Expr e) {
        bool found = false;
        for_each_leaf(e, [&](Expr leaf) {
            found = found || (leaf->op == Op::Variable && position_.contains(leaf->index));
        });
        return found;
    };
    for (VariableIndex v : partition.parameters) {
        const bool given = varies.contains(v.value);
        const Expr binding = partition.model.variables[v].binding;
        if (!given && !(binding && concerned(binding))) continue;
        position_.emplace(v.value, affected_.size());
        affected_.push_back({v, given});
    }
    for (const Affected& a : affected_)
        if (std::binary_search(partition.shaping.begin(), partition.shaping.end(), a.variable))
            fixed_.push_back(a.variable);
    decisions_ = cutset::concerned(partition.decisions, concerned);
}

bool ValidValues::contain(const Given& given) const {
    const FlatModel& model = partition_->model;
    std::vector<double> now(affected_.size());
    std::size_t done = 0;
    const auto value = [&](VariableIndex v) {
        const auto at = position_.find(v.value);
        return at != position_.end() && at->second < done ? now[at->second] : model.variables[v].value;
    };
    Environment environment;
    environment.leaf = [&](Expr leaf) -> std::optional<double> {
        if (leaf->op != Op::Variable || leaf->order != 0) return std::nullopt;
        return value(leaf->variable());
    };
    environment.apply = [&](Expr call, std::span<const double> arguments) {
        return function_value(model, call->callee(), call->order, arguments);
    };
    for (const Affected& a : affected_) {
        std::optional<double> x = a.varied ? given(a.variable) : std::nullopt;
        const Variable& variable = model.variables[a.variable];
        if (!x) x = variable.binding ? evaluate(variable.binding, environment) : variable.value;
        if (!x || !std::isfinite(*x)) return false;  // which translating it says in the modeller's words
        now[done++] = *x;
    }
    for (VariableIndex v : fixed_)
        if (value(v) != model.variables[v].value) return false;
    const ParametricValue parametric = [&](Expr e) -> std::optional<double> {
        if (e->op == Op::Number) return e->number;
        if (e->op == Op::Truth) return double(e->index);
        return parametric_value(model, e, [&](VariableIndex v) -> std::optional<double> {
            return model.variables[v].adjustable ? std::nullopt : std::optional(value(v));
        });
    };
    return hold(decisions_, parametric);
}

WrittenStarts::WrittenStarts(const FlatModel& flat) {
    for (const Variable& v : flat.variables) {
        has_start.push_back(v.start.has_value());
        of_internal_variables = of_internal_variables || (v.internal && v.start);
    }
}

// Initial values that are blocks of their own, x := number, beside nothing but others of the kind: whatever
// the number is, the initialization problem is the same.
std::vector<bool> held_starts(const Partition& p, const WrittenStarts& starts) {
    std::vector<bool> held(p.model.variables.size());
    if (starts.of_internal_variables) return held;
    const std::vector<bool>& has_start = starts.has_start;
    const std::size_t n = p.states.size();
    if (p.initial_blocks.size() != n + p.blocks.size() || !p.start_checks.empty()) return held;
    for (std::size_t i = 0; i < n; ++i) {
        const Block& b = p.initial_blocks[i];
        if (b.inner.size() != 1 || !b.torn.empty() || !b.inner[0].from_initial ||
            b.inner[0].unknown != Unknown{p.states[i], 0})
            return held;
    }
    // Which of several equal variables counts depends on whether it has an initial value.
    std::vector<bool> has_alias(p.model.variables.size());
    for (const Eliminated& e : p.eliminated)
        for_each_leaf(e.value, [&](Expr leaf) {
            if (leaf->op == Op::Variable) has_alias[leaf->index] = true;
        });
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t v = p.states[i].value;
        held[v] = p.initial_blocks[i].inner[0].value->op == Op::Number &&
                  (!has_alias[v] || (v < has_start.size() && has_start[v]));
    }
    for (VariableIndex v(0); v < p.model.variables.end_index(); ++v.value) {
        const Variable& variable = p.model.variables[v];
        if (variable.variability == Variability::Discrete && !variable.free_parameter &&
            !variable.start_open && !variable.internal)
            held[v.value] = !variable.binding || variable.binding->op == Op::Number;
    }
    return held;
}

}  // namespace cutset
