// Options of cutset optimize, and what it does when parameters or inputs are sought.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "numerics/optimizer.h"
#include "operations/ensembles/parametric_runs.h"
#include "runs/run_options.h"

namespace cutset::cli {

struct OptimizeCommand : RunOptions {
    std::string minimize, maximize;  // one of them
    std::vector<std::string> over;   // "p=lower:upper:guess"
    std::vector<std::string> subject, end;
    std::string horizon;
    std::string output;  // result file or picture
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
};

const char* optimizer_status_name(OptimizerStatus status);  // in JSON

int optimize_parameters(const OptimizeCommand& command, Workspace& workspace, Experiment experiment);
// Optimal control: at least one of `over` is an input.
int optimize_inputs(const OptimizeCommand& command, Workspace& workspace, Experiment experiment);

}  // namespace cutset::cli
