#include "driver/served_values.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "instantiate/functions.h"
#include "transform/parametric_value.h"

namespace cutset {

ServedValues::ServedValues(const Partition& partition, const std::vector<VariableIndex>& varied)
    : partition_(partition) {
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
    for (const Decision& d : partition.decisions)
        if (std::any_of(d.of.begin(), d.of.end(), concerned)) decisions_.push_back(&d);
}

bool ServedValues::serves(const Given& given) const {
    const FlatModel& model = partition_.model;
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
    return std::all_of(decisions_.begin(), decisions_.end(),
                       [&](const Decision* d) { return d->same(parametric); });
}

}  // namespace cutset
