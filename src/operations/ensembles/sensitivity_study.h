// Derivatives of variables by parameters along a run: dy/dp at the end and, forward in time, at rising
// instants.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "operations/ensembles/parametric_runs.h"
#include "results/trajectory.h"

namespace cutset {

struct SensitivityRequest {
    std::vector<std::string> of;  // variables that are differentiated
    ParametricRuns::Derivatives derivatives = ParametricRuns::Derivatives::Forward;
    std::vector<double> times;  // rising; those of an adjoint run do not count
    bool measure_run = false;   // the time of a run without derivatives, too
};
// Rising instants from start to stop: `step` apart, or so many.
std::vector<double> rising_times(const SimulateOptions& run, std::size_t count);

struct SensitivityStudy {
    std::string model;
    std::vector<OpenParameter> parameters;  // p
    std::vector<double> values;             // of them
    std::vector<std::string> outputs;       // y
    std::vector<double> largest;            // |y| along the run
    std::vector<SensitivityRow> rows;       // at the times asked for
    SensitivityRow end;
    bool exact = true;                    // else difference quotients of runs
    bool finite = true;                   // else some derivatives do not exist
    double seconds = 0, run_seconds = 0;  // with derivatives, and of a run without

    double derivative(const SensitivityRow& row, std::size_t output, std::size_t parameter) const {
        return row.derivatives[output * parameters.size() + parameter];
    }
    // (p/y) dy/dp; without a value of its own, y is taken at its largest along the run.
    double relative(const SensitivityRow& row, std::size_t output, std::size_t parameter) const;
    // Over time, columns d(y)/d(p).
    Trajectory table(bool normalised) const;
};
// Nothing when errors were reported.
std::optional<SensitivityStudy> sensitivity_study(ParametricRuns& runs, const SensitivityRequest& request,
                                                  Diagnostics& diagnostics);

}  // namespace cutset
