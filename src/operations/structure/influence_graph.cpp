#include "operations/structure/influence_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "expr/node_map.h"
#include "ir/find_variables.h"
#include "operations/structure/structure_messages.h"
#include "transform/choose_known.h"

namespace cutset {

bool acts_later(Op op) {
    switch (op) {
        case Op::Less:
        case Op::LessEqual:
        case Op::Equal:
        case Op::NotEqual:
        case Op::Sign:
        case Op::Truncate:
        case Op::Floor:
        case Op::Sample:
        case Op::Edge:
        case Op::Change:
        case Op::Delay:
            return true;
        default:
            return false;
    }
}

namespace {

bool is_leaf(Expr e) {
    return e->op == Op::Variable || e->op == Op::Previous || e->op == Op::Apply;
}

class Builder {
  public:
    Builder(const Partition& partition, const std::vector<VariableIndex>& inputs)
        : p_(partition), functions_(input_functions(partition.model, inputs)) {
        g_.values.assign(p_.model.variables.size(), InfluenceGraph::none);
        g_.derivatives.assign(p_.model.variables.size(), InfluenceGraph::none);
        number(inputs);
    }

    InfluenceGraph run() {
        for (std::size_t i = 0; i < g_.states.size(); ++i)
            g_.needs[g_.states[i]].push_back({g_.rates[i], 1, false});
        for (const Block& block : p_.blocks) add(block);
        for (const Eliminated& e : p_.eliminated) need(g_.values[e.variable.value], e.value);
        for (const WhenClause& when : p_.model.whens)
            for (const WhenAction& action : when.actions) add(when, action);
        for (auto& list : g_.needs) tidy(list);
        return std::move(g_);
    }

  private:
    using Kind = InfluenceGraph::Kind;

    std::uint32_t node(Kind kind, Unknown unknown) {
        g_.nodes.push_back({kind, unknown});
        g_.needs.emplace_back();
        return std::uint32_t(g_.nodes.size() - 1);
    }
    void computed(Unknown u) {
        auto& place = (u.order ? g_.derivatives : g_.values)[u.variable.value];
        if (place == InfluenceGraph::none) place = node(u.order ? Kind::Rate : Kind::Value, u);
    }

    void number(const std::vector<VariableIndex>& inputs) {
        for (VariableIndex v : p_.states) {
            g_.values[v.value] = node(Kind::State, {v, 0});
            g_.states.push_back(g_.values[v.value]);
        }
        for (VariableIndex v : p_.states) {
            computed({v, 1});
            g_.rates.push_back(g_.derivatives[v.value]);
        }
        for (const Block& block : p_.blocks) {
            for (const SolvedEquation& s : block.inner) computed(s.unknown);
            for (const Unknown& u : block.torn) computed(u);
        }
        for (const Eliminated& e : p_.eliminated) computed({e.variable, 0});
        for (VariableIndex v(0); v < p_.model.variables.end_index(); ++v.value) {
            const Variable& variable = p_.model.variables[v];
            if (variable.variability == Variability::Discrete && !variable.internal &&
                g_.values[v.value] == InfluenceGraph::none)
                g_.values[v.value] = node(Kind::Discrete, {v, 0});
        }
        for (VariableIndex v : inputs) {
            const std::uint32_t n = node(Kind::Input, {v, 0});
            g_.inputs.push_back(n);
            source_[v] = n;
        }
        name_states();
    }

    void name_states() {
        std::unordered_map<VariableIndex, std::string> chosen;
        for (const StateSelection& s : p_.selections) {
            std::string list;
            for (std::size_t i = 0; i < s.candidates.size(); ++i)
                list += (i == 0                         ? ""
                         : i + 1 == s.candidates.size() ? " or "
                                                        : ", ") +
                        p_.model.path(s.candidates[i]);
            for (std::size_t i = 0; i < s.states.size(); ++i)
                chosen[s.states[i]] = s.states.size() == 1 ? list : fmt::format("{} of {}", i + 1, list);
        }
        for (VariableIndex v : p_.states) {
            const auto found = chosen.find(v);
            g_.state_names.push_back(found == chosen.end() ? p_.model.path(v) : found->second);
        }
    }

    void add(const Block& block) {
        if (block.torn.empty()) {
            for (const SolvedEquation& s : block.inner) need(node_of(s.unknown), s.value);
            return;
        }
        const std::uint32_t hub = node(Kind::Loop, {});
        for (const SolvedEquation& s : block.inner) {
            g_.needs[node_of(s.unknown)].push_back({hub});
            g_.needs[hub].push_back({node_of(s.unknown)});
            need(hub, s.value);
        }
        for (const Unknown& u : block.torn) {
            g_.needs[node_of(u)].push_back({hub});
            g_.needs[hub].push_back({node_of(u)});
        }
        for (const ResidualEquation& r : block.residuals) need(hub, r.residual);
    }

    void add(const WhenClause& when, const WhenAction& action) {
        const auto later = [&](VariableIndex target, Expr value) {
            const std::uint32_t to = g_.values[target.value];
            if (to == InfluenceGraph::none) return;
            need(to, value, true);
            need(to, when.condition, true);
            if (const Expr guard = guard_of(action)) need(to, guard, true);
        };
        if (const auto* assign = std::get_if<WhenAssign>(&action)) later(assign->target, assign->value);
        if (const auto* reinit = std::get_if<WhenReinit>(&action)) later(reinit->target, reinit->value);
    }

    std::uint32_t node_of(const Unknown& u) const {
        return (u.order ? g_.derivatives : g_.values)[u.variable.value];
    }

    void need(std::uint32_t node, Expr e, bool later = false) {
        const Occurrences o = occurrences(e);
        for (Expr leaf : o.direct) need_leaf(node, leaf, later);
        for (Expr leaf : o.later) need_leaf(node, leaf, true);
    }
    void need_leaf(std::uint32_t from, Expr leaf, bool later) {
        if (leaf->op == Op::Apply) {
            const auto input = functions_[leaf->index];
            const auto source = input ? source_.find(*input) : source_.end();
            if (source != source_.end())
                g_.needs[from].push_back({source->second, std::int8_t(-int(leaf->derivatives)), later});
            return;
        }
        std::uint32_t to =
            (leaf->op == Op::Variable && leaf->order ? g_.derivatives : g_.values)[leaf->index];
        if (to == InfluenceGraph::none) {
            const auto source = source_.find(leaf->variable());  // a parameter that is to be an input
            if (source == source_.end()) return;
            to = source->second;
        }
        g_.needs[from].push_back({to, 0, later || leaf->op == Op::Previous});
    }

    // Each edge once; what is direct is not listed as later too.
    static void tidy(std::vector<InfluenceGraph::Edge>& list) {
        const auto key = [](const InfluenceGraph::Edge& e) { return std::tuple(e.to, e.later, e.order); };
        std::sort(list.begin(), list.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
        list.erase(
            std::unique(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.to == b.to; }),
            list.end());
    }

    const Partition& p_;
    std::vector<std::optional<VariableIndex>> functions_;
    std::unordered_map<VariableIndex, std::uint32_t> source_;
    InfluenceGraph g_;
};

}  // namespace

std::optional<std::uint32_t> InfluenceGraph::node_of(Unknown u) const {
    const std::uint32_t n = (u.order ? derivatives : values)[u.variable.value];
    if (n == none) return std::nullopt;
    return n;
}

Occurrences occurrences(Expr e) {
    Occurrences result;
    const auto by_age = [](Expr a, Expr b) { return a->id < b->id; };
    bool hidden = false;
    for (Expr n : nodes_in_order(e, [](Expr n) { return !acts_later(n->op); })) {
        if (is_leaf(n)) result.direct.push_back(n);
        hidden = hidden || acts_later(n->op);
    }
    std::sort(result.direct.begin(), result.direct.end(), by_age);
    if (!hidden) return result;
    for (Expr n : nodes_in_order(e))
        if (is_leaf(n) && !std::binary_search(result.direct.begin(), result.direct.end(), n, by_age))
            result.later.push_back(n);
    std::sort(result.later.begin(), result.later.end(), by_age);
    return result;
}

std::vector<std::optional<VariableIndex>> input_functions(const FlatModel& model,
                                                          const std::vector<VariableIndex>& inputs) {
    std::unordered_map<std::string, VariableIndex> by_name;
    for (VariableIndex v : inputs) by_name.emplace(unspecified_function_name(model, v), v);
    std::vector<std::optional<VariableIndex>> result(model.callees.size());
    for (CalleeIndex c(0); c < model.callees.end_index(); ++c.value)
        if (const auto* table = std::get_if<TableData>(&model.callees[c]))
            if (const auto found = by_name.find(table->name); found != by_name.end())
                result[c.value] = found->second;
    return result;
}

std::vector<VariableIndex> open_inputs(FlatModel& model, const std::vector<std::string>& chosen,
                                       Diagnostics& diagnostics) {
    std::vector<VariableIndex> all;
    std::unordered_set<VariableIndex> open, freed(model.freed.begin(), model.freed.end());
    for (const Known& known : model.knowns) freed.insert(known.variable);
    for (VariableIndex v(0); v < model.variables.end_index(); ++v.value) {
        const Variable& variable = model.variables[v];
        if (!variable.top_input || variable.variability != Variability::Continuous || variable.is_boolean() ||
            freed.contains(v))
            continue;
        all.push_back(v);
        open.insert(v);
    }
    for (const Known& known : model.knowns) all.push_back(known.variable);
    for (Known& known : model.knowns) known.value = nullptr;

    // Inputs of submodels that the experiment gives are inputs too.
    std::vector<bool> removed;
    for (const Equation& e : model.equations) {
        const bool of_input =
            (e.kind == EquationKind::Input || e.kind == EquationKind::Default) && e.left->op == Op::Variable;
        if (of_input && e.kind == EquationKind::Input && !open.contains(e.left->variable()) &&
            !model.variables[e.left->variable()].is_boolean()) {
            all.push_back(e.left->variable());
            open.insert(e.left->variable());
        }
        removed.push_back(of_input && open.contains(e.left->variable()));
    }
    remove_equations(model, removed);
    std::sort(all.begin(), all.end());
    for (VariableIndex v : all)
        if (open.contains(v))
            model.equations.add({model.pool->variable(v), unspecified_function(model, v),
                                 model.variables[v].origin, EquationKind::Input});
    if (chosen.empty()) return all;

    std::vector<VariableIndex> result;
    for (const std::string& name : chosen) {
        const std::vector<VariableIndex> found = find_variables(model, plain_path(name));
        if (found.empty()) diagnostics.report(structure_messages::unknown_name("--inputs", name, model));
        for (VariableIndex v : found) {
            Variable& variable = model.variables[v];
            if (std::find(result.begin(), result.end(), v) != result.end()) continue;
            result.push_back(v);
            if (std::binary_search(all.begin(), all.end(), v)) continue;
            if (variable.variability == Variability::Continuous)
                model.knowns.push_back({v, nullptr});
            else if (variable.variability == Variability::Parameter)
                variable.adjustable = true;  // a value of 0 takes no term away
        }
    }
    return result;
}

InfluenceGraph influence_graph(const Partition& partition, const std::vector<VariableIndex>& inputs) {
    return Builder(partition, inputs).run();
}

}  // namespace cutset
