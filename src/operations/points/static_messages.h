// What steady, design and branches say to the modeller.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "ir/partition.h"
#include "run/infinite_slope.h"

namespace cutset::static_messages {

Diagnostic unknown_name(const FlatModel& model, const std::string& option, const std::string& path,
                        const std::string& nearest);
Diagnostic sought_shapes_model(const FlatModel& model, VariableIndex v);
// A variable that is computed anyway, a constant …
Diagnostic cannot_be_sought(const FlatModel& model, VariableIndex v, bool stationary);
Diagnostic known_not_variable(const FlatModel& model, VariableIndex v);
Diagnostic known_twice(const FlatModel& model, VariableIndex v);
// A condition beside a stationary point that is determined without it.
Diagnostic known_differs(const FlatModel& model, VariableIndex v, double wanted, double value);
Diagnostic guess_without_effect(const FlatModel& model, VariableIndex v);
// Bounds that leave nothing between them.
Diagnostic empty_bounds(const FlatModel& model, VariableIndex v, double low, double high);

// A derivative that is not zero where all others are, as the initialization problem says it; `open` are free
// and may be what moves.
Diagnostic cannot_rest(const FlatModel& model, const Diagnostic& not_steady,
                       const std::vector<VariableIndex>& open);
// A variable that moves on with this derivative.
struct Runaway {
    VariableIndex variable;
    double rate = 0;
    bool acts_on_nothing = false;      // its value stands in no equation
    bool depends_on_no_state = false;  // its derivative, which is then the same everywhere
};
Diagnostic grows_for_ever(const FlatModel& model, const std::vector<Runaway>& variables);
// Switches that stand between their two values.
Diagnostic held_on_surface(const FlatModel& model, const std::vector<Expr>& switches);
Diagnostic no_branch_when_held(const FlatModel& model, const std::vector<Expr>& switches);
// --moving of what is not differentiated.
Diagnostic does_not_move(const FlatModel& model, VariableIndex v, bool continuous);
// Variables that a stationary point does not determine, with the values taken for them.
struct Valued {
    VariableIndex variable;
    double value = 0;
};
Diagnostic left_open(const FlatModel& model, const std::vector<Valued>& variables);
// When clauses that change discrete variables for ever.
Diagnostic does_not_settle(const FlatModel& model, const std::vector<VariableIndex>& variables);
Diagnostic sampled_not_judged(const FlatModel& model, const std::vector<VariableIndex>& sampled);
Diagnostic delayed_not_judged();
Diagnostic slope_not_judged(const FlatModel& model, const InfiniteSlope& slope);
Diagnostic too_many_states(std::size_t states, std::size_t most);
// A solution was found, but not within the bounds of these.
Diagnostic outside_bounds(const FlatModel& model, const std::vector<Valued>& variables);
// The search failed; what failed has been reported.
Diagnostic none_found(const std::string& what, bool had_guesses, bool had_bounds);
Diagnostic fewer_found(std::size_t found, std::size_t wanted);
// An equation that does not hold at the point found.
Diagnostic does_not_hold(const FlatModel& model, const Equation& equation, double residual);

// Design. `others`: conditions of the same set; `idle`: what is sought without effect on any condition.
Diagnostic one_condition_too_many(const FlatModel& model, VariableIndex variable,
                                  const std::string& condition, const std::vector<std::string>& others,
                                  const std::vector<EquationIndex>& equations,
                                  const std::vector<VariableIndex>& could_be_sought,
                                  const std::vector<VariableIndex>& idle);
Diagnostic not_determined(const FlatModel& model, const std::vector<VariableIndex>& sought,
                          const std::vector<VariableIndex>& could_be_given,
                          const std::vector<EquationIndex>& equations);
// --continue of an array.
Diagnostic one_parameter(const std::string& name);
Diagnostic no_derivatives();
Diagnostic branch_lost(const std::string& parameter, double at, bool too_long);

}  // namespace cutset::static_messages
