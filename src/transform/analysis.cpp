#include "transform/analysis.h"

#include <algorithm>
#include <cmath>

namespace cutset::passes {

Variation VariationOf::operator()(const FlatModel& model, const std::vector<bool>& continuous, Expr e) {
    if (e->id < known_.size() && known_[e->id]) return Variation(known_[e->id] - 1);
    if (e->id >= known_.size()) known_.resize(std::max<std::size_t>(e->id + 1, model.pool->size()));
    Variation v = Variation::Number;
    switch (e->op) {
        case Op::Variable:
            if (continuous[e->index]) {
                v = Variation::Varying;
                break;
            }
            switch (model.variables[e->variable()].variability) {
                case Variability::Constant:
                case Variability::Parameter:
                    v = Variation::Parametric;
                    break;
                case Variability::Discrete:
                    v = Variation::Discrete;
                    break;
                case Variability::Continuous:
                    v = Variation::Varying;
                    break;
            }
            break;
        case Op::Time:
        case Op::Delay:
            v = Variation::Varying;
            break;
        case Op::Previous:
        case Op::Sample:
        case Op::Starting:
        case Op::Ending:
        case Op::Edge:
        case Op::Change:
            v = Variation::Discrete;
            break;
        default:
            for (Expr a : e->args()) v = std::max(v, (*this)(model, continuous, a));
    }
    known_[e->id] = std::uint8_t(1 + int(v));
    return v;
}

std::span<const Expr> Leaves::operator()(std::initializer_list<Expr> expressions, bool into_delays) {
    // Most expressions are small: what was found is looked through, which stays in the cache where the marks
    // of a large model do not.
    constexpr std::size_t small = 48;  // nodes seen, those that are shared several times
    std::size_t nodes = 0;
    left_out_ = false;
    found_.clear();
    stack_.assign(std::rbegin(expressions), std::rend(expressions));
    while (!stack_.empty() && nodes++ < small) {
        const Expr e = stack_.back();
        stack_.pop_back();
        if (e->op == Op::Variable && std::find(found_.begin(), found_.end(), e) == found_.end())
            found_.push_back(e);
        if (stack_.size() + e->argument_count > small) break;
        const std::size_t first = e->op == Op::Delay && !into_delays ? 1 : 0;
        left_out_ = left_out_ || first > 0;
        for (std::size_t i = e->argument_count; i-- > first;) stack_.push_back(e->arg(i));
        if (stack_.empty()) return found_;
    }
    if (expressions.size() == 0) return found_;

    ++call_;
    found_.clear();
    stack_.assign(std::rbegin(expressions), std::rend(expressions));
    while (!stack_.empty()) {
        const Expr e = stack_.back();
        stack_.pop_back();
        if (e->id >= seen_.size()) seen_.resize(e->id + 1 + seen_.size() / 2);
        if (seen_[e->id] == call_) continue;
        seen_[e->id] = call_;
        if (e->op == Op::Variable) found_.push_back(e);
        const std::size_t first = e->op == Op::Delay && !into_delays ? 1 : 0;
        left_out_ = left_out_ || first > 0;
        for (std::size_t i = e->argument_count; i-- > first;) stack_.push_back(e->arg(i));
    }
    return found_;
}

bool Leaves::occurs(Expr leaf, Expr e) {
    const auto found = (*this)({e});
    return std::find(found.begin(), found.end(), leaf) != found.end();
}

void Analysis::make_structural(Expr e) {
    std::vector<Expr> todo{e};
    while (!todo.empty()) {
        const Expr next = todo.back();
        todo.pop_back();
        for (Expr leaf : leaves({next}, true)) {
            Variable& p = model().variables[leaf->variable()];
            if (p.variability != Variability::Parameter && p.variability != Variability::Constant) continue;
            if (p.structural) continue;
            p.structural = true;
            if (p.variability == Variability::Parameter)
                partition.structural_parameters.push_back(leaf->variable());
            if (p.binding) todo.push_back(p.binding);
        }
    }
}

EquationIndex Analysis::add_equation(Equation e) {
    written.push_back(e);
    live.push_back(true);
    return model().equations.add(std::move(e));
}

VariableIndex Analysis::add_variable(Variable v) {
    continuous_variable.push_back(v.variability == Variability::Continuous);
    gone.push_back(false);
    differentiated.push_back(false);
    return model().variables.add(std::move(v));
}

namespace {

Partition unsorted(FlatModel model) {
    Partition p;
    p.model = std::move(model);
    return p;
}

}  // namespace

Analysis::Analysis(FlatModel model, const TransformOptions& given)
    : partition(unsorted(std::move(model))), options(given), values(*this) {
    const FlatModel& m = partition.model;
    written.assign(m.equations.begin(), m.equations.end());
    live.assign(m.equations.size(), true);
    gone.assign(m.variables.size(), false);
    differentiated.assign(m.variables.size(), false);
    partition.flat_equations = m.equations.size();
    continuous_variable.assign(m.variables.size(), false);
    for (VariableIndex v(0); v < m.variables.end_index(); ++v.value) {
        continuous_variable[v.value] = m.variables[v].variability == Variability::Continuous;
        partition.flat_unknowns += continuous_variable[v.value];
        if (m.variables[v].structural && m.variables[v].variability == Variability::Parameter)
            partition.structural_parameters.push_back(v);
    }
    if (options.remember_decisions) {
        auto& shaping = partition.shaping;
        shaping = partition.structural_parameters;
        shaping.insert(shaping.end(), m.compared.begin(), m.compared.end());
        std::sort(shaping.begin(), shaping.end());
    }
}

Analysis::Analysis(Partition sorted, const TransformOptions& given)
    : partition(std::move(sorted)), options(given), values(*this) {
    const FlatModel& m = partition.model;
    written.assign(m.equations.begin(), m.equations.end());
    gone.assign(m.variables.size(), false);
    for (const Eliminated& e : partition.eliminated) gone[e.variable.value] = true;
    differentiated.assign(m.variables.size(), false);
    for (VariableIndex x : partition.states) differentiated[x.value] = true;
    for (const Variable& v : m.variables)
        continuous_variable.push_back(v.variability == Variability::Continuous);
}

Partition Analysis::finish() && {
    values.give_back();
    return std::move(partition);
}

}  // namespace cutset::passes
