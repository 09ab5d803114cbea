#include "transform/differentiate_given.h"

#include <optional>

#include "transform/messages.h"
#include "transform/rewrite.h"

namespace cutset::passes {

namespace {

// v, when it is the only unknown of the equation and occurs undifferentiated.
Expr only_unknown(Analysis& a, const Equation& e) {
    Expr only = nullptr;
    for (Expr leaf : a.leaves({e.left, e.right}, true)) {
        if (!a.is_unknown(leaf->variable())) {
            const Variable& v = a.model().variables[leaf->variable()];
            if (v.variability == Variability::Discrete && !v.free_parameter) return nullptr;
            continue;
        }
        if (only || leaf->order != 0) return nullptr;
        only = leaf;
    }
    return only;
}

bool has_step(Expr e) {
    bool step = false;
    for_each_node(e, [&](Expr n) {
        step |= n->boolean || n->op == Op::Sign || n->op == Op::Truncate || n->op == Op::Modulo;
    });
    return step;
}

}  // namespace

void differentiate_given(Analysis& a, Diagnostics& diagnostics) {
    FlatModel& model = a.model();
    Pool& pool = a.pool();
    auto live = [&](EquationIndex e) { return bool(a.live[e.value]); };
    for (bool found = true; found;) {
        found = false;
        Substitution substitution(pool);
        for (EquationIndex e{0}; e < model.equations.end_index(); ++e.value) {
            if (!live(e) || model.equations[e].left->boolean) continue;
            const Expr v = only_unknown(a, model.equations[e]);
            if (!v || !a.differentiated[v->index]) continue;
            const auto linear =
                as_linear(pool, pool.subtract(model.equations[e].left, model.equations[e].right), v);
            if (!linear || a.variation_of(linear->coefficient) > Variation::Parametric) continue;
            const auto coefficient = a.value_of(linear->coefficient);
            if (!coefficient || *coefficient == 0) continue;
            const Expr given = pool.negate(pool.divide(linear->rest, linear->coefficient));
            if (has_step(given)) {
                diagnostics.report(step_differentiated(a, v->variable(), e));
                return;
            }
            substitution.replace(pool.variable(v->variable(), 1),
                                 time_derivative(pool, given, [](VariableIndex) { return false; }));
            a.differentiated[v->index] = false;
            a.partition.differentiated.push_back(e);
            a.given.emplace_back(v->variable(), e);
            found = true;
        }
        if (found)
            rewrite_expressions(
                a, live, [](Expr leaf) { return leaf->order > 0; }, substitution);
    }
}

}  // namespace cutset::passes
