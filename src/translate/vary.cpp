#include "translate/vary.h"

#include <algorithm>

#include "ir/find_variables.h"

namespace cutset {

namespace {

written::Expression number_of(double value) {
    written::Expression e;
    e.kind = written::ExpressionKind::Number;
    e.number = value;
    return e;
}

bool is_number(Expr e, double value) {
    return e && e->op == Op::Number && e->number == value;
}

std::optional<std::vector<VariableIndex>> vary_parameter(const FlatModel& flat, const std::string& path,
                                                         double value) {
    std::vector<VariableIndex> found = find_variables(flat, path);
    for (VariableIndex v : found)
        if (flat.variables[v].variability != Variability::Parameter ||
            !is_number(flat.variables[v].binding, value))
            return std::nullopt;
    if (found.empty()) return std::nullopt;
    return found;
}

// The number becomes a parameter of its own.
std::optional<VariableIndex> vary_initial(FlatModel& flat, const std::string& path, double value,
                                          std::vector<VariableIndex>& started) {
    const auto derivative = differentiated_path(path);
    const auto variables = find_variables(flat, derivative.value_or(path));
    if (variables.empty()) return std::nullopt;
    if (!derivative) started.insert(started.end(), variables.begin(), variables.end());
    Variable p;
    p.name = flat.variables[variables[0]].name + "(0)";
    p.origin = flat.variables[variables[0]].origin;
    p.variability = Variability::Parameter;
    p.declared = VariableKind::Parameter;
    p.binding = flat.pool->number(value);
    p.value = value;
    p.internal = true;
    const VariableIndex parameter = flat.variables.add(std::move(p));
    const Expr start = flat.pool->variable(parameter);
    for (VariableIndex v : variables) {
        Variable& variable = flat.variables[v];
        if (derivative) {
            for (DerivativeStart& s : flat.derivative_starts)
                if (s.variable == v && s.start.from_user) s.start.value = start;
            continue;
        }
        if (!variable.start || !is_number(variable.start->value, value)) return std::nullopt;
        variable.start->value = start;
        if (variable.variability == Variability::Discrete && is_number(variable.binding, value))
            variable.binding = start;
    }
    return parameter;
}

}  // namespace

Experiment experiment_of(const TranslationQuestion& question) {
    Experiment e = question.experiment;
    if (question.open && question.open->inputs) e.open = true;  // an input that is held needs no value
    for (std::size_t i = 0; i < question.varied.size(); ++i)
        (question.varied[i].initial ? e.initials : e.parameters)
            .push_back({question.varied[i].path, number_of(question.values[i])});
    return e;
}

TranslationQuestion for_these_values(const TranslationQuestion& question) {
    TranslationQuestion one = question;
    one.experiment = experiment_of(question);
    one.varied.clear();
    one.values.clear();
    one.other_values = false;
    return one;
}

std::optional<VariedParameters> vary(FlatModel& flat, const TranslationQuestion& question) {
    VariedParameters result;
    for (std::size_t i = 0; i < question.varied.size(); ++i) {
        const VariedQuantity& q = question.varied[i];
        const std::string path = plain_path(q.path);
        std::vector<VariableIndex>& parameters = result.parameters.emplace_back();
        if (q.initial) {
            const auto parameter = vary_initial(flat, path, question.values[i], result.started);
            if (!parameter) return std::nullopt;
            parameters = {*parameter};
            result.initials = true;
        } else {
            auto found = vary_parameter(flat, path, question.values[i]);
            if (!found) return std::nullopt;
            parameters = std::move(*found);
        }
    }
    return result;
}

std::vector<VariableIndex> VariedParameters::all() const {
    std::vector<VariableIndex> list;
    for (const auto& some : parameters) list.insert(list.end(), some.begin(), some.end());
    return list;
}

bool VariedParameters::fit(const Partition& sorted) const {
    if (!initials) return true;
    const bool guesses = std::any_of(started.begin(), started.end(), [&](VariableIndex v) {
        return std::find(sorted.states.begin(), sorted.states.end(), v) == sorted.states.end();
    });
    return !guesses && sorted.index <= 1 && sorted.selections.empty() && sorted.dependent.empty();
}

std::vector<VariableIndex> parameters_of(const Partition& partition) {
    std::vector<VariableIndex> list;
    for (VariableIndex v : partition.parameters)
        if (partition.model.variables[v].variability == Variability::Parameter) list.push_back(v);
    return list;
}

}  // namespace cutset
