// Wording of optimal control and boundary value problems.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "ir/partition.h"

namespace cutset::collocation_messages {

// Shared: what has no derivatives.
Diagnostic has_when(const FlatModel& model, const WhenClause& when, const char* command);
Diagnostic has_clock(const FlatModel& model, const char* command);
Diagnostic has_delay(const FlatModel& model, const char* command);
Diagnostic has_conditions(const FlatModel& model, const std::vector<const Switch*>& switches);
Diagnostic chooses_states(const char* command);
Diagnostic no_states(const std::string& model);

// Optimal control.
Diagnostic bounds_contradict(const std::string& name, double lower, double upper);
Diagnostic bad_duration(double lower, double upper);
Diagnostic guess_incomplete(double reached, double end, const std::string& why);
Diagnostic guess_without(const std::string& name);
Diagnostic start_outside(const std::string& name, double value, double lower, double upper);
Diagnostic no_optimizer(const std::string& problem);
Diagnostic not_evaluated(const Diagnostic& why);
// `violated`: "v = 0 at the end: is -0.3".
Diagnostic infeasible(const std::vector<std::string>& violated);
Diagnostic unbounded(const std::vector<std::string>& without_bounds);
Diagnostic not_optimal(const std::string& message, bool limit);
Diagnostic interrupted(const std::string& message);
Diagnostic only_acceptable(double stationarity);
Diagnostic mesh_error(double error, double tolerance, double where, std::size_t intervals);
Diagnostic approximate_hessian();
Diagnostic leaves_range(const std::string& name, double value, double time, double bound, bool below);

// Boundary value problems.
Diagnostic not_a_state(const std::string& name, const Partition* partition);
// `written`: a state whose initial value in the model may be meant as a guess; empty when there is none.
Diagnostic wrong_number(const std::vector<std::string>& unknowns, const std::vector<std::string>& conditions,
                        const std::string& written);
Diagnostic start_depends(const std::string& state, const std::string& parameter);
Diagnostic no_solution(const std::vector<std::string>& reached);
Diagnostic continuation_ended(const std::string& parameter, double reached, double wanted);
Diagnostic boundary_mesh_error(double error, double tolerance, std::size_t intervals);

// Of a request.
Diagnostic no_end_of_interval();
Diagnostic empty_interval(double from, double to);
Diagnostic condition_not_an_equation(const std::string& option, const std::string& text);
Diagnostic name_and_number_expected(const std::string& option, const std::string& text);
Diagnostic continuation_needs_both_ends();
Diagnostic expected(const std::string& option, const std::string& what);
Diagnostic array_is_unknown();
Diagnostic guess_of_no_state(const std::string& name, const std::string& near);

}  // namespace cutset::collocation_messages
