#include "transform/parameter_values.h"

#include <cmath>
#include <limits>

#include "transform/analysis.h"
#include "transform/parametric_value.h"

namespace cutset::passes {

ParameterValues::ParameterValues(Analysis& a) : a_(a), remembers_(a.options.remember_decisions) {
    auto& variables = a.model().variables;
    value_.resize(variables.size());
    zero_.resize(variables.size());
    for (std::size_t i = 0; i < value_.size(); ++i) {
        Variable& v = variables[VariableIndex(i)];
        if (v.variability > Variability::Parameter) continue;
        value_[i] = v.value;
        zero_[i] = v.value == 0 && !v.adjustable;
        v.value = std::numeric_limits<double>::quiet_NaN();
    }
}

void ParameterValues::give_back() {
    auto& variables = a_.model().variables;
    for (std::size_t i = 0; i < value_.size(); ++i)
        if (Variable& v = variables[VariableIndex(i)]; v.variability <= Variability::Parameter)
            v.value = value_[i];
}

template <class D>
void ParameterValues::remember(D decision) {
    a_.partition.decisions.add(std::move(decision));
}
template <>
void ParameterValues::remember(RankDecision decision) {
    if (!decision.parametric.empty()) a_.partition.decisions.add(std::move(decision));
}
template void ParameterValues::remember(ValueDecision);
template void ParameterValues::remember(ComparisonDecision);
template void ParameterValues::remember(ChainDecision);
template void ParameterValues::remember(PivotDecision);

std::optional<double> ParameterValues::ask(Expr e, Asked asked) {
    if (remembers_ && !e->is_number() && e->op != Op::Truth && a_.variation_of(e) <= Variation::Parametric &&
        asked_before_.insert(std::uint64_t(e->id) << 2 | std::uint64_t(asked)).second)
        decide(ValueDecision{e, asked, {}});
    return number(e);
}

std::optional<double> ParameterValues::number(Expr e) {
    if (e->op == Op::Number || e->op == Op::Truth) return e->op == Op::Number ? e->number : double(e->index);
    if (a_.variation_of(e) > Variation::Parametric) return std::nullopt;
    const auto of = [this](VariableIndex v) -> std::optional<double> {
        return a_.model().variables[v].adjustable ? std::nullopt : std::optional(value_[v.value]);
    };
    if (e->op == Op::Variable && e->order == 0) return of(e->variable());  // as most coefficients are
    return parametric_value(a_.model(), e, of);
}

ParameterValues::Later ParameterValues::later(Expr e) {
    Later result;
    if (const auto value = number(e); value && std::isfinite(*value)) {
        result.of_ = e;
        result.number_ = *value;
    }
    return result;
}

std::optional<std::string> ParameterValues::shown(Expr e) {
    const auto value = number(e);
    return value ? std::optional(number_text(*value)) : std::nullopt;
}

std::string ParameterValues::shown(VariableIndex parameter) const {
    return number_text(value_[parameter.value]);
}

}  // namespace cutset::passes
