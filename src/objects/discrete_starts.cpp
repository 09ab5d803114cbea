#include "objects/discrete_starts.h"

#include <vector>

namespace cutset::objects {

namespace {

bool is_known_before(const FlatModel& model, Expr e) {
    return !depends_on(e, [&](Expr leaf) {
        return leaf->op != Op::Variable ||
               model.variables[leaf->variable()].variability > Variability::Parameter;
    });
}

}  // namespace

void settle_discrete(FlatModel& model) {
    Substitution now(*model.pool);
    std::vector<bool> removed(model.initial_equations.size());
    for (EquationIndex i{0}; i < model.initial_equations.end_index(); ++i.value) {
        const Equation& e = model.initial_equations[i];
        for (const auto& [side, value] : {std::pair(e.left, e.right), std::pair(e.right, e.left)}) {
            if (side->op != Op::Previous) continue;
            Variable& v = model.variables[side->variable()];
            if (!v.by_equation || !is_known_before(model, value)) continue;
            v.binding = value;
            removed[i.value] = true;
            break;
        }
        for (Expr side : {e.left, e.right})
            for_each_leaf(side, [&](Expr leaf) {
                if (leaf->op == Op::Previous && !model.variables[leaf->variable()].by_equation)
                    now.replace(leaf, model.pool->variable(leaf->variable()));
            });
    }
    IndexedVector<EquationIndex, Equation> kept;
    std::vector<bool> sought(model.variables.size());
    for (EquationIndex i{0}; i < model.initial_equations.end_index(); ++i.value) {
        if (removed[i.value]) continue;
        Equation e = model.initial_equations[i];
        e.left = now(e.left);
        e.right = now(e.right);
        for (Expr side : {e.left, e.right})
            for_each_leaf(side, [&](Expr leaf) {
                if (leaf->op == Op::Variable && leaf->order == 0) sought[leaf->index] = true;
            });
        kept.add(std::move(e));
    }
    model.initial_equations = std::move(kept);
    for (VariableIndex i{0}; i < model.variables.end_index(); ++i.value) {
        Variable& v = model.variables[i];
        if (v.variability != Variability::Discrete) continue;
        const bool fixed = v.start && !v.start->only_guess;
        if (!v.free_parameter) v.start_open = sought[i.value] && !fixed && !v.by_equation;
        if (v.free_parameter && v.start) v.binding = v.start->value;  // where the search begins
        v.start.reset();
        if (!v.binding)
            v.binding = model.pool->number(v.free_parameter                   ? v.nominal.value_or(1)
                                           : v.type == ValueType::Enumeration ? 1
                                                                              : 0);
    }
}

}  // namespace cutset::objects
