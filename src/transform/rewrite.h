// Going through the expressions of a flat model.
#pragma once

#include <variant>

#include "transform/analysis.h"

namespace cutset::passes {

// Everything but parameters: equations that `equation_wanted(index)` accepts, initial and discrete
// equations, when clauses, validities, homotopies, starts. `visit` gets a reference and may replace the
// expression.
template <class Wanted, class Visit>
void for_each_expression(FlatModel& model, Wanted equation_wanted, Visit visit) {
    for (std::size_t i = 0; i < model.equations.size(); ++i) {
        if (!equation_wanted(EquationIndex(i))) continue;
        visit(model.equations[EquationIndex(i)].left);
        visit(model.equations[EquationIndex(i)].right);
    }
    for (Equation& e : model.initial_equations) {
        visit(e.left);
        visit(e.right);
    }
    for (Equation& e : model.discrete_equations) {
        visit(e.left);
        visit(e.right);
    }
    for (WhenClause& when : model.whens) {
        visit(when.condition);
        for (WhenAction& action : when.actions) {
            std::visit(
                [&](auto& a) {
                    if (a.guard) visit(a.guard);
                },
                action);
            if (auto* assign = std::get_if<WhenAssign>(&action)) visit(assign->value);
            if (auto* reinit = std::get_if<WhenReinit>(&action)) visit(reinit->value);
        }
    }
    for (Validity& v : model.validities) visit(v.condition);
    for (Homotopy& h : model.homotopies) visit(h.simplified);
    for (Variable& v : model.variables)
        if (v.start && v.variability == Variability::Continuous) visit(v.start->value);
}

template <class Visit>
void for_each_expression(FlatModel& model, Visit visit) {
    for_each_expression(
        model, [](EquationIndex) { return true; }, visit);
}

// Applies the substitution where a leaf satisfies `concerned`; nothing else is touched.
template <class Wanted, class Concerned>
void rewrite_expressions(Analysis& a, Wanted equation_wanted, Concerned concerned,
                         Substitution& substitution) {
    for_each_expression(a.model(), equation_wanted, [&](Expr& e) {
        for (Expr leaf : a.leaves({e}, true)) {
            if (!concerned(leaf)) continue;
            e = substitution(e);
            break;
        }
    });
}

}  // namespace cutset::passes
