// An optimization in words: what a command line, or a program that embeds Cutset, asks for. Parameters are
// sought by runs (optimize.h), inputs as functions of time by collocation (collocation/control_request.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "numerics/optimizer.h"
#include "operations/ensembles/parametric_runs.h"
#include "operations/estimation/optimize.h"
#include "translate/run_request.h"

namespace cutset {

struct OptimizeRequest : RunRequest {
    std::string minimize, maximize;  // one of them
    std::vector<std::string> over;   // "p=lower:upper:guess"
    std::vector<std::string> subject, end;
    std::string horizon;
    int max_iterations = 500;
    // For parameters.
    bool steady = false;
    int starts = 1;
    std::optional<OptimizerMethod> method;
    std::optional<ParametricRuns::Derivatives> derivatives;
    double precision = 1e-6;
    // For inputs.
    std::vector<std::string> bounds;  // of states
    std::string guess;                // result file
    int intervals = 40, degree = 3, rounds = 3;
    bool exact_hessian = true;

    const std::string& objective() const { return minimize.empty() ? maximize : minimize; }
};

// Whether the request says what to optimize, and over what; else the reason is reported.
bool is_complete(const OptimizeRequest& request, Diagnostics& diagnostics);
// Whether an input is to be found as a function of time. With --steady it is a number like any other.
bool seeks_inputs(const OptimizeRequest& request, Workspace& workspace, const Experiment& experiment);

// The question about parameters; the experiment line of the file fills what the request leaves open. Nothing
// when errors were reported.
std::optional<OptimizeSettings> optimize_settings(OptimizeRequest request, Workspace& workspace,
                                                  Experiment experiment);

}  // namespace cutset
