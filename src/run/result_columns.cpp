#include "run/result_columns.h"

#include <optional>
#include <set>
#include <string>
#include <unordered_map>

namespace cutset {

namespace {

// With the names of the values of an enumeration.
std::string described(const FlatModel& model, const Variable& variable) {
    std::string text = variable.description;
    if (variable.type != ValueType::Enumeration) return text;
    const auto& literals = model.enumerations[variable.enumeration].literals;
    for (std::size_t i = 0; i < literals.size(); ++i)
        text += (text.empty() ? "" : i ? ", " : " ") + std::to_string(i + 1) + " = " + literals[i];
    return text;
}

struct SignedVariable {
    VariableIndex variable;
    bool negated;
};

// ±w, or nothing.
std::optional<SignedVariable> as_alias(Expr value) {
    if (value->op == Op::Variable && value->order == 0) return SignedVariable{value->variable(), false};
    if (value->op == Op::Multiply && value->argument_count == 2 && value->arg(0)->is_number(-1) &&
        value->arg(1)->op == Op::Variable && value->arg(1)->order == 0)
        return SignedVariable{value->arg(1)->variable(), true};
    return std::nullopt;
}

}  // namespace

std::vector<bool> without_values(const Partition& partition) {
    std::vector<bool> without(partition.model.variables.size());
    for (const Eliminated& e : partition.eliminated)
        if (e.unused) without[e.variable.value] = true;
    return without;
}

ResultLayout result_layout(const Interpreter& values, bool states_only, bool internal) {
    const Partition& partition = *values.program().partition;
    const FlatModel& model = partition.model;
    const Layout& layout = values.program().layout;
    ResultLayout result;
    result.columns.push_back(time_column());
    result.slots.push_back(layout.time);

    auto column = [&](VariableIndex v, ColumnKind kind) {
        const Variable& variable = model.variables[v];
        return Column{model.path(v), variable.unit, described(model, variable), kind};
    };
    if (states_only) {
        for (VariableIndex v : shown_states(partition)) {
            result.columns.push_back(column(v, ColumnKind::Continuous));
            result.slots.push_back(layout.variable[v.value]);
        }
        return result;
    }

    std::unordered_map<VariableIndex, const Eliminated*> eliminated;
    for (const Eliminated& e : partition.eliminated) eliminated.emplace(e.variable, &e);
    // The variable whose numbers v has, through a chain of aliases, and the sign.
    auto target_of = [&](VariableIndex v) {
        SignedVariable target{v, false};
        while (true) {
            const auto found = eliminated.find(target.variable);
            if (found == eliminated.end()) return target;
            const auto next = as_alias(found->second->value);
            if (!next) return target;
            target = {next->variable, target.negated != next->negated};
        }
    };
    auto is_constant = [&](VariableIndex v) {
        const Variability variability = model.variables[v].variability;
        if (variability == Variability::Parameter || variability == Variability::Constant) return true;
        const auto found = eliminated.find(v);
        return found != eliminated.end() && found->second->alias && !as_alias(found->second->value);
    };
    std::set<std::string> derivatives;  // that are variables of their own: der(x) where x'' occurs
    std::vector<ColumnIndex> column_of(model.variables.size());
    std::vector<std::pair<ColumnIndex, SignedVariable>> aliases;
    std::vector<VariableIndex> parameters;
    const std::vector<bool> without = without_values(partition);
    const auto is_shown = [&](VariableIndex v) {
        return (internal || !model.variables[v].internal) && !without[v.value];
    };
    for (VariableIndex v{0}; v < model.variables.end_index(); ++v.value) {
        const Variable& variable = model.variables[v];
        if (!is_shown(v)) continue;
        if (variable.variability == Variability::Parameter || variable.variability == Variability::Constant) {
            parameters.push_back(v);
            continue;
        }
        if (variable.name.find('(') != std::string::npos) derivatives.insert(model.path(v));
        const SignedVariable target = target_of(v);
        if (is_constant(target.variable)) {
            Column constant = column(v, ColumnKind::Parameter);
            const double value = values[layout.variable[target.variable.value]];
            constant.value = target.negated ? -value : value;
            constant.of_variable = true;
            column_of[v.value] = result.columns.add(std::move(constant));
        } else if (target.variable != v && is_shown(target.variable)) {
            column_of[v.value] = result.columns.add(column(v, ColumnKind::Alias));
            aliases.emplace_back(column_of[v.value], target);
        } else {
            const bool discrete = variable.variability == Variability::Discrete;
            column_of[v.value] =
                result.columns.add(column(v, discrete ? ColumnKind::Discrete : ColumnKind::Continuous));
            result.slots.push_back(layout.variable[v.value]);
        }
    }
    for (const auto& [alias, target] : aliases) {
        result.columns[alias].alias_of = column_of[target.variable.value];
        result.columns[alias].negated = target.negated;
    }
    for (std::size_t i = 0; i < partition.states.size(); ++i) {
        const VariableIndex v = partition.states[i];
        if (model.variables[v].internal && !internal) continue;
        const std::string name = derivative_name(model.path(v));
        if (derivatives.contains(name)) continue;
        Column derivative{name, "", "", ColumnKind::Continuous};
        if (!model.variables[v].unit.empty()) derivative.unit = model.variables[v].unit + "/s";
        result.columns.push_back(std::move(derivative));
        result.slots.push_back(layout.derivative[i]);
    }
    for (VariableIndex v : parameters) {
        Column parameter = column(v, ColumnKind::Parameter);
        parameter.value = values[layout.variable[v.value]];
        result.columns.push_back(std::move(parameter));
    }
    return result;
}

}  // namespace cutset
