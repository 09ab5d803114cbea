// A run of a model, in words: what a command line, or a program that embeds Cutset, asks for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "native/engine.h"
#include "run/simulate.h"
#include "translate/model_request.h"

namespace cutset {

// What is left open is proposed by the experiment line of the file, else by SimulateOptions.
struct RunRequest : ModelRequest {
    std::optional<double> start, stop, step, tolerance, absolute;
    std::optional<double> points;
    std::optional<double> step_size, max_step, local_tolerance;
    std::optional<StepControl> step_control;  // none: Gustafsson's
    Engine engine = Engine::Auto;
    std::vector<std::string> plot;  // names, or y(x)
    bool every_step = false;
    bool states = false;
    bool strict = false;
};

// Fills what the request leaves open from the experiment line of the model's file; false when that was
// reported to be wrong.
bool apply_experiment_line(const ModelText& text, RunRequest& request, Diagnostics& diagnostics);
// Nothing when the request cannot be met, with the reasons reported.
std::optional<SimulateOptions> simulate_options(const RunRequest& request, Diagnostics& diagnostics);

std::vector<std::string> solver_names();

}  // namespace cutset
