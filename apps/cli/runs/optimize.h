// Options of cutset optimize, and what it does when parameters or inputs are sought.
#pragma once

#include <string>

#include "operations/estimation/optimize_request.h"
#include "runs/run_options.h"

namespace cutset::cli {

struct OptimizeCommand : OptimizeRequest, OutputOptions {
    std::string output;  // result file or picture
};

const char* optimizer_status_name(OptimizerStatus status);  // in JSON

int optimize_parameters(const OptimizeCommand& command, Workspace& workspace, Experiment experiment);
// Optimal control: at least one of `over` is an input.
int optimize_inputs(const OptimizeCommand& command, Workspace& workspace, Experiment experiment);

}  // namespace cutset::cli
