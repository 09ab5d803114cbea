// What the analysis says to the modeller: one function for each message. Equations are shown as they were
// written, with their submodel and place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "transform/analysis.h"

namespace cutset::passes {

// " (by connection)" …; "" for an equation of the text.
const char* kind_text(EquationKind kind);

Diagnostic division_by_zero(Analysis& a, Expr divisor, const Equation& equation);
// sample(t0, dt) with something in it that changes during the run.
Diagnostic varying_clock(Analysis& a, Expr clock, Expr leaf, const Origin& origin);
Diagnostic negative_delay(Analysis& a, Expr delay, double duration, const Origin& origin);
// `all` combine to a statement about known quantities that does not hold; `last` is one of them.
Diagnostic contradictory_equations(Analysis& a, EquationIndex last, const std::vector<EquationIndex>& all);
// v = ±w are both differentiated, so they are one state, and their initial values disagree.
Diagnostic starts_differ(Analysis& a, VariableIndex v, VariableIndex w, bool negative);
// Variables of one declaration that occur in no equation.
Diagnostic unused_variables(Analysis& a, const std::vector<VariableIndex>& variables);
// The submodel whose own balance (Instance::surplus) explains that there are too many or too few equations.
std::optional<InstanceIndex> too_full(Analysis& a, const std::vector<EquationIndex>& equations);
std::optional<InstanceIndex> too_empty(Analysis& a, const std::vector<VariableIndex>& variables);
Diagnostic submodel_too_full(Analysis& a, InstanceIndex i);
Diagnostic submodel_too_empty(Analysis& a, InstanceIndex i);
Diagnostic too_many_equations(Analysis& a, std::vector<EquationIndex> equations,
                              std::vector<VariableIndex> variables);
// `consequences`: further variables that only follow from these.
Diagnostic too_few_equations(Analysis& a, const std::vector<EquationIndex>& equations,
                             const std::vector<VariableIndex>& variables, std::size_t consequences);
Diagnostic no_reference_node(Analysis& a, const Dependency& dependency,
                             const std::vector<InstanceIndex>& submodels);
// Index reduction must differentiate `constraint`, for the `times`th time, in which `step` jumps.
Diagnostic step_in_constraint(Analysis& a, EquationIndex constraint, Expr step, std::uint32_t times,
                              const std::vector<EquationIndex>& needed_by);
// The same where it is differentiated piece by piece: a warning.
Diagnostic step_by_pieces(Analysis& a, EquationIndex constraint, Expr step, std::uint32_t times);
// Index reduction differentiates a function with branches.
Diagnostic branches_differentiated(Analysis& a, const FunctionData& function);
Diagnostic boolean_constraint(Analysis& a, EquationIndex constraint);
// Discrete equations: `e` is one more than its variables need beside `others`; nothing determines v; the
// variables of a circle need each other.
Diagnostic discrete_too_many(Analysis& a, const Equation& e, const std::vector<const Equation*>& others,
                             const std::vector<VariableIndex>& variables);
Diagnostic discrete_too_few(Analysis& a, VariableIndex v);
Diagnostic discrete_circle(Analysis& a, const std::vector<const Equation*>& circle,
                           const std::vector<VariableIndex>& variables);
Diagnostic no_third_derivative(Analysis& a, EquationIndex constraint);
Diagnostic too_many_differentiations(Analysis& a, EquationIndex constraint, int limit);
Diagnostic previous_of_continuous(Analysis& a, VariableIndex v, const Origin& origin);
// `by`: the equation that determines it, if one is known.
// `state z` where z is determined otherwise: by its value after elimination, or by an equation.
Diagnostic state_not_possible(Analysis& a, VariableIndex v, std::optional<Expr> value,
                              std::optional<EquationIndex> by);
// The same where the model cannot be sorted with it; `reasons`: what was reported then.
Diagnostic wish_not_possible(const FlatModel& model, VariableIndex v, const std::vector<Diagnostic>& reasons);
// `state never x` of what must be one; `always`: x is one only at times.
Diagnostic state_all_the_same(Analysis& a, VariableIndex v);
Diagnostic state_at_times(Analysis& a, VariableIndex v);
// `state` says one thing of a variable and the contrary of another that is equal to it.
Diagnostic state_wishes_differ(Analysis& a, VariableIndex wanted, VariableIndex other);
Diagnostic reinit_of_other(Analysis& a, const WhenReinit& reinit, std::optional<EquationIndex> by);
// A derivative that a condition or an initial value names, and no equation has.
Diagnostic derivative_not_in_equations(Analysis& a, Expr derivative);
Diagnostic input_given_inside(Analysis& a, VariableIndex input, EquationIndex by);
Diagnostic output_given_outside(Analysis& a, VariableIndex output, EquationIndex by);
Diagnostic coefficient_is_zero(Analysis& a, const Row& row, Expr unknown, Expr coefficient);
// Initial conditions, each an equation, of which one is too many. `open`: parameters to be found that
// nothing determines.
struct StartCondition {
    std::string text;
    Origin origin;
};
Diagnostic too_many_start_conditions(Analysis& a, const std::vector<StartCondition>& conditions,
                                     const std::vector<EquationIndex>& equations,
                                     const std::vector<VariableIndex>& open);
// An initial equation that follows from `others`, or that cannot hold with them.
Diagnostic repeated_initial_equation(Analysis& a, EquationIndex e, const std::vector<EquationIndex>& others);
Diagnostic contradictory_initial_equations(Analysis& a, EquationIndex e,
                                           const std::vector<EquationIndex>& others);
// Discrete variables whose change makes states jump, to where is not determined.
Diagnostic jump_not_determined(Analysis& a, const std::vector<VariableIndex>& causes);
// At initialization `missing` conditions fail to determine these: parameters given as `?`, or other
// variables.
Diagnostic start_not_determined(Analysis& a, const std::vector<VariableIndex>& open, std::size_t missing);
// --initial steady: the states whose own initial value was needed.
Diagnostic steady_leaves_open(Analysis& a, const std::vector<VariableIndex>& states);
Diagnostic unknown_tear_variable(Analysis& a, const std::string& name, const std::string& nearest);
Diagnostic torn_in_no_loop(Analysis& a, const TornWish& wish);

}  // namespace cutset::passes
