#include "transform/loose_ends.h"

#include <algorithm>
#include <optional>

#include "transform/boundary_rows.h"

namespace cutset {
namespace {

// By variable: whether an equation v = e gives it outright, e of time, parameters and discrete variables.
std::vector<bool> given_outright(const FlatModel& model) {
    std::vector<bool> given(model.variables.size());
    const auto is_unknown = [&](Expr leaf) {
        return leaf->op == Op::Variable &&
               model.variables[leaf->variable()].variability == Variability::Continuous;
    };
    const auto look = [&](Expr side, Expr other) {
        if (!is_unknown(side) || side->order != 0) return;
        bool known = true;
        for_each_leaf(other, [&](Expr leaf) { known = known && !is_unknown(leaf); });
        if (known) given[side->index] = true;
    };
    for (const Equation& e : model.equations) {
        if (e.kind != EquationKind::Written) continue;
        look(e.left, e.right);
        look(e.right, e.left);
    }
    return given;
}

// Of these loose ends, those that the other equations leave no room for; nothing when the model has errors of
// its own.
std::optional<std::vector<EquationIndex>> without_room(const FlatModel& model,
                                                       const std::vector<LooseEnd>& in_question) {
    Diagnostics ignored;  // errors of the model are found again, with all that belongs to it
    BoundaryRows rows(model);
    if (!rows.simplify(ignored)) return std::nullopt;
    // Where no constraint ties states together they are known, and only their derivatives are not.
    if (!rows.match_equations(true, ignored) && !rows.match_equations(false, ignored)) return std::nullopt;
    std::vector<bool> asked(model.equations.size());
    for (const LooseEnd& end : in_question) asked[end.equation.value] = true;
    for (const auto* list : {&rows.inputs(), &rows.loose_ends()})
        for (EquationIndex e : *list)
            if (!asked[e.value]) rows.add_equation(e);
    std::vector<bool> refused(asked.size()), in_doubt(asked.size());
    for (const LooseEnd& end : in_question) {
        if (rows.add_equation(end.equation)) continue;
        refused[end.equation.value] = true;
        for (std::uint32_t r : rows.refusal().equations) {
            const EquationIndex other = rows.origins()[r].equation;
            if (asked[other.value]) in_doubt[end.equation.value] = in_doubt[other.value] = true;
        }
    }
    std::vector<EquationIndex> removed;
    for (const LooseEnd& end : in_question)
        if (in_doubt[end.equation.value] ? end.spoken_of : refused[end.equation.value])
            removed.push_back(end.equation);
    return removed;
}

}  // namespace

std::vector<LooseEnd> loose_ends_in_question(const FlatModel& model) {
    std::vector<EquationIndex> loose;
    for (EquationIndex e(0); e < model.equations.end_index(); ++e.value)
        if (is_loose_end(model.equations[e].kind) && model.equations[e].left->op == Op::Variable)
            loose.push_back(e);
    if (loose.empty()) return {};

    const auto is_outside = [&](InstanceIndex i, InstanceIndex of) {
        while (of.value != 0) {
            of = model.instances[of].parent;
            if (of == i) return true;
        }
        return false;
    };
    std::vector<bool> spoken_of(model.variables.size());
    const auto look = [&](Expr root, InstanceIndex i) {
        for_each_leaf(root, [&](Expr leaf) {
            if ((leaf->op == Op::Variable || leaf->op == Op::Previous) && !spoken_of[leaf->index] &&
                is_outside(i, model.variables[leaf->variable()].origin.instance))
                spoken_of[leaf->index] = true;
        });
    };
    for (const Equation& e : model.equations) {
        if (e.kind != EquationKind::Written) continue;
        look(e.left, e.origin.instance);
        look(e.right, e.origin.instance);
    }
    for (const Equation& e : model.discrete_equations) {
        look(e.left, e.origin.instance);
        look(e.right, e.origin.instance);
    }
    for (const WhenClause& when : model.whens) {
        look(when.condition, when.origin.instance);
        for (const WhenAction& action : when.actions)
            if (const auto* assign = std::get_if<WhenAssign>(&action))
                look(assign->value, when.origin.instance);
            else if (const auto* reinit = std::get_if<WhenReinit>(&action))
                look(reinit->value, when.origin.instance);
    }
    std::vector<bool> beside(model.variables.size());  // in an open cut, an across variable is spoken of
    for (const OpenPort& port : model.open_ports)
        if (std::any_of(port.across.begin(), port.across.end(),
                        [&](VariableIndex v) { return bool(spoken_of[v.value]); }))
            for (VariableIndex v : port.through) beside[v.value] = true;

    std::vector<LooseEnd> found;
    for (EquationKind kind : {EquationKind::Default, EquationKind::Unconnected})
        for (EquationIndex e : loose) {
            if (model.equations[e].kind != kind) continue;
            const std::uint32_t v = model.equations[e].left->index;
            if (spoken_of[v] || (kind == EquationKind::Unconnected && beside[v]))
                found.push_back({e, bool(spoken_of[v])});
        }
    return found;
}

void settle_loose_ends(FlatModel& model) {
    const std::vector<LooseEnd> in_question = loose_ends_in_question(model);
    if (in_question.empty()) return;
    std::vector<bool> removed(model.equations.size());
    // The common case, a source with its voltage given, needs no matching of the whole model.
    const std::vector<bool> given = given_outright(model);
    if (std::all_of(in_question.begin(), in_question.end(), [&](const LooseEnd& end) {
            return end.spoken_of && given[model.equations[end.equation].left->index];
        })) {
        for (const LooseEnd& end : in_question) removed[end.equation.value] = true;
    } else if (const auto found = without_room(model, in_question)) {
        for (EquationIndex e : *found) removed[e.value] = true;
    } else {
        for (const LooseEnd& end : in_question) removed[end.equation.value] = end.spoken_of;
    }
    for (EquationIndex e(0); e < model.equations.end_index(); ++e.value) {
        const InstanceIndex i = model.equations[e].origin.instance;
        if (!removed[e.value] || i.value == 0) continue;
        std::int32_t& surplus = model.instances[model.instances[i].parent].surplus;
        if (surplus > 0) --surplus;
    }
    remove_equations(model, removed);
}

}  // namespace cutset
