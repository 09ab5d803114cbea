// Optimal control in words: the question of an OptimizeRequest with inputs among what is sought, and the
// Program for it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/program.h"
#include "operations/collocation/optimal_control.h"
#include "operations/estimation/optimize_request.h"

namespace cutset {

struct ControlTask {
    std::shared_ptr<const Program> program;
    ControlQuestion question;
    ControlOptions options;
    std::vector<std::string> names;  // of what is open, in the order of the Program
};

// Nothing when errors were reported.
std::optional<ControlTask> control_task(const OptimizeRequest& request, Workspace& workspace,
                                        Experiment experiment);

}  // namespace cutset
