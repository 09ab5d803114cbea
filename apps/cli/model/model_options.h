// Options that all commands on a model share, and what such a command begins and ends with:
//
//     Workspace workspace;
//     if (const auto experiment = open_model(options, workspace)) { … }
//     return finish(workspace, options);
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "command_line.h"
#include "runs/limits.h"
#include "translate/experiment_text.h"
#include "translate/workspace.h"

namespace cutset::cli {

struct ModelOptions : ModelRequest {
    Limits limits;
    bool json = false;
    bool quiet = false;
};

// The options, and the watch over --limit-memory and --limit-time from before the command runs.
void add_model_options(Command& command, ModelOptions& options, bool file_required = true,
                       const std::string& file_help = "a model in the Dymola (.dym) or Simnon (.t) language");

// Loads the file and reads --set, --init, --input, --known and --unknown. Nothing when errors were reported.
std::optional<Experiment> open_model(const ModelOptions& options, Workspace& workspace);
// Prints what was reported, as text or JSON, and gives the exit status.
int finish(const Workspace& workspace, const ModelOptions& options, std::size_t printed = 0);
// The same for errors; the status tells mistakes of options alone (2) from those of the model (1).
int finish_refused(const Workspace& workspace, const ModelOptions& options);

// An option with a value that does not fit.
Diagnostic bad_option(std::string message, std::string help = {});

}  // namespace cutset::cli
