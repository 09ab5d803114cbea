// What optimisation and estimation say.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace cutset::optimize_messages {

Diagnostic empty_expression(const std::string& option);
Diagnostic marks_nested(Span where, const std::string& option);
Diagnostic marks_inside(Span where, const std::string& option);
Diagnostic bad_mark(Span where, const std::string& option);
Diagnostic no_run(Span where, const std::string& option);
Diagnostic not_a_number(Span where, const std::string& option);
Diagnostic no_limit(Span where, const std::string& option, const std::string& text);
Diagnostic equation_along_run(Span where, const std::string& option, const std::string& text);
Diagnostic bad_range(const std::string& option, const std::string& text);
Diagnostic empty_range(const std::string& option, const std::string& path, double lower, double upper);
Diagnostic needs_bounds(const std::string& why, const std::vector<std::string>& parameters);
Diagnostic time_outside(const std::string& measure, double time, double start, double stop);
Diagnostic no_module(const std::string& problem);
Diagnostic method_without_limits(const std::string& method);

Diagnostic not_defined_at_start(const std::string& reason, const std::vector<std::string>& values);
Diagnostic infeasible(const std::vector<std::string>& broken, const std::vector<std::string>& at_bounds);
Diagnostic unbounded(const std::string& objective, const std::vector<std::string>& growing);
Diagnostic no_optimum(const std::string& reason);
Diagnostic interrupted();
Diagnostic interrupted_at_once();
Diagnostic limit_of_iterations(const std::string& reason);
Diagnostic no_influence(const std::vector<std::string>& parameters, const std::string& on);
// The last values of a search that failed: `file` exists, or is empty where none was asked for.
Diagnostic not_written(const std::string& file);
// Where results jump when the parameters change.
Diagnostic roughly(const std::string& reason);

// fit
Diagnostic unknown_column(const std::string& file, const std::string& column, const std::string& near);
Diagnostic nothing_matches(const std::string& file, const std::vector<std::string>& columns);
Diagnostic bad_match(const std::string& variable, const std::string& near);
Diagnostic unknown_weight(const std::string& name, const std::vector<std::string>& measured);
Diagnostic bad_weight(const std::string& text);
Diagnostic too_few_samples(std::size_t samples, std::size_t parameters);
Diagnostic no_freedom(std::size_t samples, const std::string& variable);
Diagnostic taken_as_time(const std::string& file, const std::string& column);
Diagnostic time_or_variable(const std::string& file, const std::string& column);
Diagnostic columns_not_used(const std::string& file, const std::vector<std::string>& columns,
                            const std::string& near);
Diagnostic sample_before_start(const std::string& file, double time, double start);
Diagnostic not_identifiable(const std::vector<std::string>& names, const std::string& combination);
Diagnostic no_influence_on_data(const std::vector<std::string>& names);
Diagnostic poorly_determined(const std::vector<std::string>& names);
Diagnostic fit_failed(const std::string& reason);
Diagnostic correlated_residuals(const std::string& column, double coefficient);
Diagnostic at_bound(const std::vector<std::string>& names);

}  // namespace cutset::optimize_messages
