// The wording of what can go wrong in a run. Place first; time, submodel, equation and values in every
// message.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "generate/interpreter.h"
#include "ir/partition.h"

namespace cutset::run_messages {

Diagnostic not_finite(const FlatModel& model, const Interpreter::NonFinite& what, double time);
Diagnostic value_not_finite(const FlatModel& model, VariableIndex variable, double time);
Diagnostic run_error(const RunError& error, double time);
// A loop that could not be solved: its equations with residuals, its unknowns with values.
Diagnostic loop_failed(const FlatModel& model, const Loop& loop, const Interpreter& values,
                       const std::string& reason, double time);
// The integrator gave up. `state` limits the step; `equation` computes its derivative.
Diagnostic solver_failed(const FlatModel& model, const std::string& reason,
                         std::optional<VariableIndex> state, const SolvedEquation* equation, double time);
Diagnostic switches_do_not_settle(const FlatModel& model, const std::vector<const Switch*>& switches,
                                  double time);
Diagnostic whens_do_not_settle(const FlatModel& model, const std::vector<std::string>& variables, Span where,
                               double time);
Diagnostic event_storm(const FlatModel& model, const Switch* relation, std::size_t events, double from,
                       double to);
Diagnostic left_validity(const FlatModel& model, const Validity& validity, double time, bool strict);
Diagnostic set_twice(const FlatModel& model, VariableIndex variable, Span later, Span earlier, double time);
Diagnostic zero_start(const FlatModel& model, const std::vector<VariableIndex>& states);
Diagnostic small_states(const FlatModel& model, const std::vector<VariableIndex>& states);
Diagnostic too_many_states(std::size_t states, const std::string& solver);
Diagnostic table_left(const TableData& table, double time);
Diagnostic bad_clock(Span where, double first, double period);
Diagnostic result_problem(const std::string& problem, double time);
Diagnostic terminated(const WhenTerminate& action, const FlatModel& model, double time);

}  // namespace cutset::run_messages
