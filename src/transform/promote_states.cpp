#include "transform/promote_states.h"

namespace cutset::passes {

std::vector<VariableIndex> promoted_states(const FlatModel& model) {
    std::vector<VariableIndex> wanted;
    for (VariableIndex v(0); v < model.variables.end_index(); ++v.value)
        if (model.variables[v].state_select >= StateSelect::Prefer &&
            model.variables[v].variability == Variability::Continuous)
            wanted.push_back(v);
    if (wanted.empty()) return wanted;
    std::vector<bool> differentiated(model.variables.size());
    for (const Equation& e : model.equations)
        for (Expr side : {e.left, e.right})
            for_each_leaf(side, [&](Expr leaf) {
                if (leaf->op == Op::Variable && leaf->order > 0) differentiated[leaf->index] = true;
            });
    std::erase_if(wanted, [&](VariableIndex v) { return bool(differentiated[v.value]); });
    return wanted;
}

void promote_states(Analysis& a, Diagnostics&) {
    for (VariableIndex v : promoted_states(a.model())) {
        Variable rate;
        rate.origin = a.model().variables[v].origin;
        rate.name = "rate of " + a.model().variables[v].name;
        rate.internal = true;
        const Origin origin = rate.origin;
        const VariableIndex added = a.add_variable(std::move(rate));
        a.add_equation({a.pool().variable(added), a.pool().variable(v, 1), origin});
    }
}

}  // namespace cutset::passes
