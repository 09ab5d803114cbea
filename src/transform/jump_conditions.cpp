#include "transform/jump_conditions.h"

#include <algorithm>
#include <stdexcept>

namespace cutset::passes {

void remember_starts(Analysis& a, Diagnostics&) {
    a.differentiated_before = a.differentiated;
    const bool at_start = a.options.initial == InitialMode::Jump;
    // Only a discrete variable that a when clause sets can make states jump later.
    const bool at_events =
        std::any_of(a.model().whens.begin(), a.model().whens.end(), [](const WhenClause& w) {
            return std::any_of(w.actions.begin(), w.actions.end(), [](const WhenAction& action) {
                return std::holds_alternative<WhenAssign>(action);
            });
        });
    if (!at_start && !at_events) return;
    for (EquationIndex e(0); e < a.model().equations.end_index(); ++e.value)
        if (a.live[e.value]) a.before_elimination.push_back(a.model().equations[e]);
    if (!at_start) return;
    // A guess is no value before initialization.
    for (const Variable& v : a.model().variables)
        a.starts_before.push_back(v.start && v.start->only_guess ? std::nullopt : v.start);
    // q = C·v with v(0) given is an initial value of q.
    const auto start_of = [&](Expr leaf) -> std::optional<double> {
        if (leaf->op != Op::Variable || leaf->order > 0) return std::nullopt;
        const Variable& v = a.model().variables[leaf->variable()];
        if (v.variability <= Variability::Parameter) return a.values.present(leaf);
        return v.start && !v.start->only_guess ? a.values.ask(v.start->value) : std::nullopt;
    };
    Environment environment;
    environment.leaf = start_of;
    environment.apply = [&](Expr call, std::span<const double> arguments) -> std::optional<double> {
        return a.call_value(call, arguments);
    };
    for (const Equation& e : a.before_elimination)
        for (const auto& [q, value] : {std::pair(e.left, e.right), std::pair(e.right, e.left)}) {
            if (q->op != Op::Variable || q->order > 0 || !a.differentiated_before[q->index]) continue;
            auto& start = a.starts_before[q->index];
            if (start || value->boolean) continue;
            if (const auto number = evaluate(value, environment))
                start = Start{a.pool().number(*number), e.origin};
        }
}

std::vector<Expr> values_before_start(Analysis& a) {
    std::vector<Expr> before(a.differentiated_before.size());
    for (std::size_t v = 0; v < before.size(); ++v)
        if (a.starts_before[v]) before[v] = a.starts_before[v]->value;
    return before;
}

std::vector<Expr> values_before_event(Analysis& a) {
    std::vector<Expr> before(a.differentiated_before.size());
    for (VariableIndex v(0); v.value < before.size(); ++v.value)
        if (a.differentiated_before[v.value]) before[v.value] = a.pool().previous(v);
    return before;
}

std::vector<Equation> jump_conditions(Analysis& a, const std::vector<Expr>& before,
                                      std::vector<VariableIndex>& impulses) {
    Pool& pool = a.pool();
    FlatModel& model = a.model();
    // Coefficients and values after the jump are spoken of in the variables that are left.
    Substitution present(pool);
    bool any = false;
    for (const Eliminated& e : a.partition.eliminated) {
        present.replace(pool.variable(e.variable), e.value);
        any = true;
    }
    const auto now = [&](Expr e) {
        // A value may contain variables that were eliminated later.
        for (int i = 0; any && i < 100; ++i) {
            const Expr next = present(e);
            if (next == e) break;
            e = next;
        }
        return e;
    };
    // A derivative in a coefficient that has become a variable since, or is none any more, counts as zero.
    std::vector<bool> is_state(model.variables.size());
    for (VariableIndex x : a.partition.states) is_state[x.value] = true;
    const auto coefficient_now = [&](Expr e) {
        e = now(e);
        Substitution zero(pool);
        for (Expr leaf : a.leaves({e}))
            if (leaf->order > 0 && !is_state[leaf->index]) zero.replace(leaf, pool.number(0));
        return zero.empty() ? e : zero(e);
    };
    std::vector<std::optional<VariableIndex>> impulse(before.size());
    const auto impulse_of = [&](VariableIndex z) {
        if (!impulse[z.value]) {
            Variable v;
            v.name = "impulse of " + model.variables[z].name;
            v.origin = model.variables[z].origin;
            v.internal = true;
            impulse[z.value] = a.add_variable(std::move(v));
            impulses.push_back(*impulse[z.value]);
        }
        return pool.variable(*impulse[z.value]);
    };
    std::vector<Equation> conditions;
    for (const Equation& e : a.before_elimination) {
        if (e.left->boolean) continue;
        const Expr residual = pool.subtract(e.left, e.right);
        const auto found = a.leaves({residual});
        const std::vector<Expr> leaves(found.begin(), found.end());
        std::vector<Expr> terms;
        for (Expr leaf : leaves) {
            if (model.variables[leaf->variable()].variability != Variability::Continuous) continue;
            if (leaf->order == 0 && a.differentiated_before[leaf->index]) continue;
            Expr coefficient;
            try {
                coefficient = differentiate(pool, residual, leaf);
            } catch (const std::domain_error&) {
                continue;
            }
            Expr jump;
            if (leaf->order == 0) {
                jump = impulse_of(leaf->variable());
            } else {
                // What has no value before initialization does not jump.
                if (!before[leaf->index]) continue;
                jump = pool.subtract(now(pool.variable(leaf->variable())), now(before[leaf->index]));
            }
            terms.push_back(pool.multiply(coefficient_now(coefficient), jump));
        }
        if (terms.empty()) continue;
        const Expr sum = pool.add(terms);
        if (sum->is_number()) continue;
        conditions.push_back({sum, pool.number(0), e.origin, e.kind});
    }
    return conditions;
}

}  // namespace cutset::passes
