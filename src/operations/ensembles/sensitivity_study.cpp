#include "operations/ensembles/sensitivity_study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/bad_option.h"
#include "base/stopwatch.h"
#include "ir/impure_calls.h"
#include "operations/ensembles/sensitivity_messages.h"

namespace cutset {

namespace {

std::vector<VariableIndex> named_outputs(const ParametricRuns& runs, const std::vector<std::string>& names,
                                         Diagnostics& diagnostics) {
    std::vector<VariableIndex> outputs;
    for (const std::string& path : names) {
        const auto found = runs.find(path);
        if (found.empty()) diagnostics.report(sensitivity_messages::no_variable(path, runs.nearest(path)));
        outputs.insert(outputs.end(), found.begin(), found.end());
    }
    return outputs;
}

// What a run that failed, or that has no derivatives, says. False when errors were reported.
bool check_outcome(const ParametricRuns& runs, const ParametricRuns::Outcome& outcome,
                   Diagnostics& diagnostics) {
    if (!outcome.good) {
        for (const Diagnostic& d : runs.last_diagnostics().all()) diagnostics.report(d);
        if (!diagnostics.has_errors()) diagnostics.report(sensitivity_messages::run_failed(outcome.problem));
        return false;
    }
    if (const FunctionData* impure = impure_function(runs.model())) {
        diagnostics.report(sensitivity_messages::impure(*impure));
        return false;
    }
    if (runs.jumps()) {
        diagnostics.report(sensitivity_messages::no_derivative(runs.inexact()));
        return false;
    }
    if (!runs.inexact().empty())
        diagnostics.report(sensitivity_messages::inexact_derivatives(
            runs.inexact(), "difference quotients of runs are shown"));
    return true;
}

bool all_finite(const SensitivityRow& row) {
    return std::all_of(row.derivatives.begin(), row.derivatives.end(),
                       [](double d) { return std::isfinite(d); });
}

}  // namespace

std::vector<double> rising_times(const SimulateOptions& run, std::size_t count) {
    const double start = run.start, stop = run.stop;
    if (run.step) count = static_cast<std::size_t>(std::ceil((stop - start) / *run.step - 1e-9)) + 1;
    std::vector<double> times;
    for (std::size_t k = 0; k < count; ++k)
        times.push_back(k + 1 == count ? stop
                        : run.step     ? start + static_cast<double>(k) * *run.step
                                       : start + (stop - start) * static_cast<double>(k) /
                                                 static_cast<double>(count - 1));
    return times;
}

double SensitivityStudy::relative(const SensitivityRow& row, std::size_t output,
                                  std::size_t parameter) const {
    const double size = row.values[output] != 0 ? row.values[output] : largest[output];
    return size != 0 ? derivative(row, output, parameter) * values[parameter] / size : 0;
}

Trajectory SensitivityStudy::table(bool normalised) const {
    Columns columns;
    columns.push_back(time_column());
    for (const std::string& y : outputs)
        for (const OpenParameter& p : parameters)
            columns.push_back({.name = fmt::format("d({})/d({})", y, p.path),
                               .description = normalised ? "relative to p/y" : ""});
    Trajectory table(columns);
    for (const SensitivityRow& row : rows) {
        std::vector<double> line = {row.time};
        for (std::size_t k = 0; k < outputs.size(); ++k)
            for (std::size_t j = 0; j < parameters.size(); ++j)
                line.push_back(normalised ? relative(row, k, j) : derivative(row, k, j));
        table.append(line);
    }
    return table;
}

std::optional<SensitivityStudy> sensitivity_study(ParametricRuns& runs, const SensitivityRequest& request,
                                                  Diagnostics& diagnostics) {
    const std::vector<VariableIndex> outputs = named_outputs(runs, request.of, diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
    const bool adjoint = request.derivatives == ParametricRuns::Derivatives::Adjoint;
    SensitivityStudy study;
    study.values = runs.present_values();
    ParametricRuns::Outcome outcome;
    {
        const Stopwatch watch(&study.seconds);
        outcome = runs.run(study.values, outputs, adjoint ? std::vector<double>() : request.times,
                           request.derivatives);
    }
    if (request.measure_run && outcome.good) {
        const Stopwatch watch(&study.run_seconds);
        runs.run(study.values, {}, {}, ParametricRuns::Derivatives::None);
    }
    if (!check_outcome(runs, outcome, diagnostics)) return std::nullopt;
    study.model = runs.model().name;
    study.parameters = runs.parameters();
    for (VariableIndex v : outputs) study.outputs.push_back(runs.model().path(v));
    study.rows = std::move(outcome.rows);
    study.end = std::move(outcome.end);
    study.exact = runs.inexact().empty();
    study.largest.assign(outputs.size(), 0);
    const auto see = [&](const SensitivityRow& row) {
        for (std::size_t k = 0; k < outputs.size(); ++k)
            study.largest[k] = std::max(study.largest[k], std::abs(row.values[k]));
        study.finite = study.finite && all_finite(row);
    };
    for (const SensitivityRow& row : study.rows) see(row);
    see(study.end);
    if (!study.finite) diagnostics.report(sensitivity_messages::not_differentiable());
    return study;
}

}  // namespace cutset
