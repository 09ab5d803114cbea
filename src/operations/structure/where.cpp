#include "operations/structure/where.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace cutset {

namespace {

Expr leaf_of(Pool& pool, Unknown u) {
    return pool.variable(u.variable, u.order);
}

}  // namespace

std::vector<std::string> variable_names(const Partition& partition) {
    std::vector<std::string> names;
    for (VariableIndex v{0}; v < partition.model.variables.end_index(); ++v.value)
        names.push_back(partition.model.path(v));
    for (VariableIndex v : partition.states) names.push_back("der(" + partition.model.path(v) + ")");
    return names;
}

std::optional<WhereAnswer> where(const Partition& partition, const std::string& name) {
    const FlatModel& model = partition.model;
    Pool& pool = *model.pool;
    const Printer printer = model.printer();

    std::optional<Unknown> target;
    const bool derivative = name.size() > 5 && name.compare(0, 4, "der(") == 0 && name.back() == ')';
    const std::string inner = derivative ? name.substr(4, name.size() - 5) : name;
    for (VariableIndex v{0}; v < model.variables.end_index() && !target; ++v.value)
        if (model.path(v) == name) target = Unknown{v, 0};
    if (!target && derivative)
        for (VariableIndex v : partition.states)
            if (model.path(v) == inner) target = Unknown{v, 1};
    if (!target) return std::nullopt;

    // What computes each unknown.
    std::map<Unknown, std::size_t> block_of;
    for (std::size_t b = 0; b < partition.blocks.size(); ++b) {
        for (const SolvedEquation& s : partition.blocks[b].inner) block_of[s.unknown] = b;
        for (const Unknown& u : partition.blocks[b].torn) block_of[u] = b;
    }
    std::unordered_map<VariableIndex, std::size_t> eliminated_by;
    for (std::size_t i = 0; i < partition.eliminated.size(); ++i)
        eliminated_by[partition.eliminated[i].variable] = i;
    std::unordered_map<VariableIndex, std::size_t> discrete_by;
    for (std::size_t i = 0; i < partition.discrete.size(); ++i)
        discrete_by[partition.discrete[i].variable] = i;
    const std::set<VariableIndex> states(partition.states.begin(), partition.states.end());

    WhereAnswer answer;
    std::set<std::size_t> blocks, eliminated, discrete;
    std::set<VariableIndex> seen_states, seen_inputs, seen_parameters, seen_discretes;
    std::vector<Unknown> open{*target};
    std::set<Unknown> met(open.begin(), open.end());
    auto need = [&](Expr e) {
        for_each_leaf(e, [&](Expr leaf) {
            if (leaf->op == Op::Time) answer.uses_time = true;
            if (leaf->op == Op::Previous) seen_discretes.insert(leaf->variable());
            if (leaf->op != Op::Variable) return;
            const Unknown u{leaf->variable(), leaf->order};
            if (met.insert(u).second) open.push_back(u);
        });
    };
    while (!open.empty()) {
        const Unknown u = open.back();
        open.pop_back();
        const Variable& variable = model.variables[u.variable];
        if (const auto b = block_of.find(u); b != block_of.end()) {
            if (!blocks.insert(b->second).second) continue;
            for (const SolvedEquation& s : partition.blocks[b->second].inner) need(s.value);
            for (const ResidualEquation& r : partition.blocks[b->second].residuals) need(r.residual);
        } else if (const auto e = eliminated_by.find(u.variable); u.order == 0 && e != eliminated_by.end()) {
            eliminated.insert(e->second);
            need(partition.eliminated[e->second].value);
        } else if (const auto d = discrete_by.find(u.variable); u.order == 0 && d != discrete_by.end()) {
            discrete.insert(d->second);
            need(partition.discrete[d->second].value);
        } else if (variable.variability == Variability::Parameter ||
                   variable.variability == Variability::Constant) {
            seen_parameters.insert(u.variable);
        } else if (variable.variability == Variability::Discrete) {
            seen_discretes.insert(u.variable);
        } else if (states.contains(u.variable)) {
            seen_states.insert(u.variable);
        }
    }
    if (block_of.contains(*target) && model.variables[target->variable].top_input)
        seen_inputs.insert(target->variable);

    for (std::size_t i : discrete) {
        const DiscreteAssignment& d = partition.discrete[i];
        answer.steps.push_back({model.path(d.variable) + " := " + to_text(d.value, d.variable, printer),
                                model.path(d.origin.instance), d.origin.where, 0});
    }
    auto place = [&](EquationIndex e) -> const Equation& { return model.equations[e]; };
    std::size_t system = 0;
    for (std::size_t b : blocks) {
        const Block& block = partition.blocks[b];
        const bool loop = !block.torn.empty();
        if (loop) ++system;
        for (const SolvedEquation& s : block.inner) {
            const Equation& e = place(s.equation);
            answer.steps.push_back(
                {to_text(leaf_of(pool, s.unknown), printer) + " := " + to_text(s.value, printer),
                 model.path(e.origin.instance), e.origin.where, loop ? system : 0});
            if (e.kind == EquationKind::Input) seen_inputs.insert(s.unknown.variable);
        }
        for (const ResidualEquation& r : block.residuals) {
            const Equation& e = place(r.equation);
            answer.steps.push_back({"0 = " + to_text(r.residual, printer), model.path(e.origin.instance),
                                    e.origin.where, system});
        }
    }
    for (std::size_t i : eliminated) {
        const Eliminated& e = partition.eliminated[i];
        answer.steps.push_back({model.path(e.variable) + " := " + to_text(e.value, printer),
                                model.path(e.origin.instance), e.origin.where, 0});
    }
    answer.states.assign(seen_states.begin(), seen_states.end());
    answer.inputs.assign(seen_inputs.begin(), seen_inputs.end());
    answer.parameters.assign(seen_parameters.begin(), seen_parameters.end());
    answer.discretes.assign(seen_discretes.begin(), seen_discretes.end());
    return answer;
}

std::optional<NamedWhereAnswer> where_computed(const Partition& partition, const std::string& name) {
    auto answer = where(partition, name);
    if (!answer) return std::nullopt;
    NamedWhereAnswer named{name, false, std::move(*answer), std::nullopt};
    const FlatModel& model = partition.model;
    for (VariableIndex v{0}; v < model.variables.end_index() && !named.why; ++v.value)
        if (model.variables[v].variability == Variability::Continuous && model.path(v) == name)
            named.why = why_state(partition, v);
    if (named.answer.steps.empty())
        if (auto derivative = where(partition, "der(" + name + ")")) {
            named.name = "der(" + name + ")";
            named.integrated = true;
            named.answer = std::move(*derivative);
        }
    return named;
}

}  // namespace cutset
