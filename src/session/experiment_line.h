// What the head of a model's file says about its experiment, as a session takes it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "live/live_model.h"
#include "session/workbench.h"
#include "translate/question.h"

namespace cutset {

struct FileExperiment {
    Experiment experiment;
    TransformOptions transform;
    std::optional<double> start, stop;
    std::vector<std::string> plot;  // "Tank1.h", "y(x)"
};
FileExperiment read_experiment_line(Workspace& workspace);

}  // namespace cutset
