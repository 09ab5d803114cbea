#include "objects/settle_discrete.h"

#include <utility>
#include <vector>

namespace cutset::objects {

namespace {

bool is_known(const FlatModel& model, Expr e) {
    return !depends_on(e, [&](Expr leaf) {
        return leaf->op != Op::Variable || leaf->order != 0 ||
               model.variables[leaf->variable()].variability > Variability::Parameter;
    });
}

// pre(v) = e, or e = pre(v)
std::optional<std::pair<VariableIndex, Expr>> value_before(const Equation& e) {
    for (const auto& [side, other] : {std::pair(e.left, e.right), std::pair(e.right, e.left)})
        if (side->op == Op::Previous) return std::pair(side->variable(), other);
    return std::nullopt;
}

}  // namespace

void settle_discrete(FlatModel& model) {
    Pool& pool = *model.pool;
    Substitution itself(pool);
    IndexedVector<EquationIndex, Equation> initial;
    std::vector<bool> found(model.variables.size());
    for (Equation& e : model.initial_equations) {
        if (const auto before = value_before(e)) {
            Variable& v = model.variables[before->first];
            if (is_known(model, before->second)) {
                v.binding = before->second;
                continue;
            }
            if (!v.by_equation) itself.replace(pool.previous(before->first), pool.variable(before->first));
        }
        initial.push_back(std::move(e));
    }
    for (Equation& e : initial) {
        if (!itself.empty()) {
            e.left = itself(e.left);
            e.right = itself(e.right);
        }
        // No equation can be solved for what its conditions ask.
        std::vector<Expr> open{e.left, e.right};
        while (!open.empty()) {
            const Expr x = open.back();
            open.pop_back();
            if (x->op == Op::Variable && x->order == 0) found[x->index] = true;
            if (!x->boolean) open.insert(open.end(), x->args().begin(), x->args().end());
        }
    }
    model.initial_equations = std::move(initial);
    for (VariableIndex i(0); i < model.variables.end_index(); ++i.value) {
        Variable& v = model.variables[i];
        if (v.variability == Variability::Discrete && !v.free_parameter && !v.by_equation)
            v.start_open = found[i.value];
    }
}

}  // namespace cutset::objects
