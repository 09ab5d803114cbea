// The wording of what can go wrong in a run. Place first; time, submodel, equation and values in every
// message.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "generate/interpreter.h"
#include "ir/partition.h"

namespace cutset::run_messages {

Diagnostic not_finite(const FlatModel& model, const Interpreter::NonFinite& what, double time);
Diagnostic value_not_finite(const FlatModel& model, VariableIndex variable, double time);
Diagnostic derivative_not_finite(const FlatModel& model, VariableIndex state, double time);
// What is divided by (a cosine of it: `cosine`) has changed its sign between two rows or in a step. `ends`:
// the derivatives of states have a pole there, and so the solution ends.
Diagnostic pole_passed(const FlatModel& model, Expr divisor, bool cosine, const Origin& origin, double time,
                       bool ends);
// The same of the determinant of a linear system, between two times.
Diagnostic singular_between(const FlatModel& model, const Loop& loop, double before, double after, bool ends);
Diagnostic run_error(const RunError& error, double time);
// A loop that could not be solved: its equations with residuals, its unknowns with values.
// A loop that was solved although its equations leave these unknowns open.
Diagnostic left_open(const FlatModel& model, const std::vector<Unknown>& unknowns, double time);
Diagnostic loop_failed(const FlatModel& model, const Loop& loop, const Interpreter& values,
                       const std::string& reason, double time);
// The integrator gave up. `state` limits the step; `equation` computes its derivative.
// `iterated`: an unknown of a loop that is solved together with the integration.
Diagnostic solver_failed(const FlatModel& model, const std::string& reason,
                         std::optional<VariableIndex> state, std::optional<Unknown> iterated,
                         const SolvedEquation* equation, double time);
// A state leaves its initial value faster than time or its own digits can tell: e times in 1/rate; 0: not
// known.
Diagnostic grows_too_fast(const FlatModel& model, VariableIndex state, const SolvedEquation* equation,
                          double rate, double time);
// A step that left the solution: of a state, with the values at its ends.
Diagnostic solution_lost(const FlatModel& model, VariableIndex state, const SolvedEquation* equation,
                         double before, double after, double time);
// Steps are very short because a derivative jumps from one to the next without an event. `hopeless`: the run
// would not get to its end in reasonable time. `per_run`: steps that it would take.
struct JumpOfRate {
    VariableIndex state;
    const SolvedEquation* equation;
    double before, after;
};
Diagnostic derivative_jumps(const FlatModel& model, const JumpOfRate& jump, double per_run, double time,
                            bool hopeless);
// A smooth solution that takes so many steps that the run would not end; `hopeless`: it ends here.
Diagnostic too_many_steps(const FlatModel& model, VariableIndex state, const SolvedEquation* equation,
                          double per_run, double time, bool hopeless);
// Adds to a failure of an integrator with fixed steps that another step size may help.
void add_fixed_step(Diagnostic& d, std::string_view solver, const std::string& reason);
Diagnostic switches_do_not_settle(const FlatModel& model, const std::vector<const Switch*>& switches,
                                  double time);
// Of when clauses together: each of these acts if and only if it does not.
Diagnostic conditions_on_themselves(const FlatModel& model, const std::vector<const WhenClause*>& clauses,
                                    double time);
// What discrete equations change from one repetition of an event to the next.
struct Repeating {
    VariableIndex variable;
    double before = 0, after = 0;
    Span where;
};
Diagnostic discrete_does_not_settle(const FlatModel& model, const std::vector<Repeating>& repeating,
                                    double time);
Diagnostic whens_do_not_settle(const FlatModel& model, const std::vector<Repeating>& repeating, Span where,
                               double time);
Diagnostic event_storm(const FlatModel& model, const Switch* relation, std::size_t events, double from,
                       double to);
Diagnostic clock_storm(const FlatModel& model, Expr clock, std::size_t events, double from, double to);
Diagnostic switched_by_rounding(const FlatModel& model, const Switch& relation, double time);
// One condition switches often, but the run gets on.
Diagnostic chattering(const FlatModel& model, const Switch& relation, std::size_t events, double from,
                      double to, double length);
// The intervals between the instants of a condition shrink like a geometric series (a ball that bounces
// without end). `restarted`: what a when clause with this condition sets, with its values.
Diagnostic events_accumulate(const FlatModel& model, const Switch& relation, std::size_t events, double from,
                             double to, double ratio, double limit,
                             const std::vector<std::pair<std::string, double>>& restarted);
Diagnostic left_validity(const FlatModel& model, const Validity& validity, double time, bool strict);
// `last`: others that follow are not told.
Diagnostic left_bounds(const FlatModel& model, VariableIndex variable, double value, double low, double high,
                       double time, bool last, bool strict);
Diagnostic set_twice(const FlatModel& model, VariableIndex variable, double first, Span first_where,
                     double second, Span second_where, double time);
Diagnostic negative_delay(const FlatModel& model, const DelayLine& delay, double duration, double time);
Diagnostic past_lost(const FlatModel& model, const DelayLine& delay, double time);
Diagnostic new_values_not_found(const FlatModel& model, const std::vector<std::string>& variables, Span where,
                                double time);
// Variables that constraints tie together, set anew at one instant, more than can be chosen.
Diagnostic reinit_overruled(const FlatModel& model, const std::vector<VariableIndex>& overruled,
                            const std::vector<VariableIndex>& targets, double time);
// No values of the conditions give equations that can be solved. `tried`: the combinations, and what was
// wrong with each.
// `changed`: the condition that changed last; may be null.
Diagnostic no_mode(const FlatModel& model, const Switch* changed, const std::vector<std::string>& tried,
                   double time);
// A mode ties differentiated variables together, or to what is given.
struct StateJump {
    VariableIndex variable;
    double from, to;
};
Diagnostic states_jump(const FlatModel& model, const std::vector<StateJump>& jumps, const std::string& mode,
                       double time);
Diagnostic zero_start(const FlatModel& model, const std::vector<VariableIndex>& states);
// The initialization problem: what did not go as the modeller said, and what was found.
Diagnostic homotopy_failed(double part);
Diagnostic start_not_kept(const FlatModel& model, const StartCheck& check, double wanted, double value);
Diagnostic init_without_effect(const FlatModel& model, const StartCheck& check, double wanted, double value);
Diagnostic jumped(const FlatModel& model, const StartCheck& check, double from, double to);
Diagnostic not_steady(const FlatModel& model, const StartCheck& check, double rate);
// Values of parameters that initialization determines: `values` by parameter, the ones taken first.
Diagnostic several_starts(const FlatModel& model, const std::vector<VariableIndex>& parameters,
                          const std::vector<std::vector<double>>& values);
Diagnostic parameters_found(const FlatModel& model,
                            const std::vector<std::pair<VariableIndex, double>>& parameters);
// A variable that has no finite value at initialization, from `equation`; `values` are those of the others in
// it.
Diagnostic start_left_open(const FlatModel& model, VariableIndex variable, const Equation& equation,
                           const std::vector<std::pair<std::string, double>>& values);
// What was computed before a system of initialization failed.
void add_computed(Diagnostic& d, const FlatModel& model,
                  const std::vector<std::pair<VariableIndex, double>>& values);
// The equations that were linearised do not determine the derivatives to first order.
// `equation`: where a slope is infinite, if it is known.
Diagnostic singular_linearization(const FlatModel& model, std::optional<EquationIndex> equation, double time);
Diagnostic small_states(const FlatModel& model, const std::vector<VariableIndex>& states);
Diagnostic too_many_states(std::size_t states, std::string_view solver);
Diagnostic table_left(const TableData& table, double time);
Diagnostic bad_clock(const FlatModel& model, Expr clock, double first, double period);
Diagnostic result_problem(const std::string& problem, double time);
// The file of results could not be begun.
Diagnostic no_result_file(const std::string& problem);
Diagnostic terminated(const WhenTerminate& action, const FlatModel& model, double time);

}  // namespace cutset::run_messages
