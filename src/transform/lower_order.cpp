#include "transform/lower_order.h"

#include <algorithm>
#include <span>
#include <unordered_map>

#include "transform/rewrite.h"

namespace cutset::passes {

namespace {

// A derivative that stands on both sides and cancels is none of the equation.
void cancel_derivatives(Analysis& a, Equation& e) {
    if (e.left->boolean) return;
    const auto found = a.leaves({e.left, e.right});
    std::vector<Expr> derivatives;
    for (Expr leaf : found)
        if (leaf->order > 0) derivatives.push_back(leaf);
    for (Expr leaf : derivatives) {
        if (!a.leaves.occurs(leaf, e.left) || !a.leaves.occurs(leaf, e.right)) continue;
        const Expr residual = a.pool().subtract(e.left, e.right);
        if (a.leaves.occurs(leaf, residual)) continue;
        e.left = residual;
        e.right = a.pool().number(0);
        return;
    }
}

}  // namespace

void lower_order(Analysis& a, Diagnostics&) {
    FlatModel& model = a.model();
    const std::size_t variables = model.variables.size();
    std::vector<std::uint32_t> in_equations(variables), anywhere;
    std::vector<EquationIndex> delaying;
    const auto take = [](std::vector<std::uint32_t>& orders, std::span<const Expr> leaves) {
        for (Expr leaf : leaves) orders[leaf->index] = std::max(orders[leaf->index], leaf->order);
    };
    for (EquationIndex i(0); i < model.equations.end_index(); ++i.value) {
        cancel_derivatives(a, model.equations[i]);
        take(in_equations, a.leaves({model.equations[i].left, model.equations[i].right}));
        if (a.leaves.left_out()) delaying.push_back(i);
    }
    anywhere = in_equations;
    for (EquationIndex i : delaying)
        take(anywhere, a.leaves({model.equations[i].left, model.equations[i].right}, true));
    for_each_expression(
        model, [](EquationIndex) { return false; }, [&](Expr e) { take(anywhere, a.leaves({e}, true)); });

    Substitution substitution(a.pool());
    std::unordered_map<std::uint32_t, std::vector<VariableIndex>> lowered;  // looked up only
    std::vector<Equation> definitions;  // der(x) = x', added when the others have been rewritten
    for (std::size_t i = 0; i < variables; ++i) {
        const VariableIndex x(i);
        a.differentiated[i] = anywhere[i] > 0;
        const bool named_only = anywhere[i] > in_equations[i];
        const std::uint32_t highest = anywhere[i] + (named_only ? 1 : 0);
        if (highest < 2) continue;
        VariableIndex below = x;
        for (std::uint32_t order = 1; order < highest; ++order) {
            Variable derivative;
            derivative.name = derivative_name(model.variables[below].name);
            derivative.origin = model.variables[x].origin;
            const VariableIndex w = a.add_variable(std::move(derivative));
            a.differentiated[below.value] = true;
            definitions.push_back(
                {a.pool().variable(w), a.pool().variable(below, 1), model.variables[x].origin});
            substitution.replace(a.pool().variable(x, order), a.pool().variable(w));
            lowered[i].push_back(w);
            below = w;
        }
        if (!named_only) {
            substitution.replace(a.pool().variable(x, highest), a.pool().variable(below, 1));
            a.differentiated[below.value] = true;
        }
    }
    for (DerivativeStart& s : model.derivative_starts) {
        if (s.variable.value >= variables || s.order == 0 || s.order > lowered[s.variable.value].size())
            continue;  // index reduction may make it a variable yet
        auto& start = model.variables[lowered[s.variable.value][s.order - 1]].start;
        if (!start || s.start.from_user) start = s.start;
    }
    if (substitution.empty()) return;
    rewrite_expressions(
        a, [](EquationIndex) { return true; }, [](Expr leaf) { return leaf->order > 0; }, substitution);
    for (Equation& e : definitions) a.add_equation(std::move(e));
}

}  // namespace cutset::passes
