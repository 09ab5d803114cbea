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
#include "translate/workspace.h"

namespace cutset::cli {

struct ModelOptions {
    std::string file;
    std::string model;  // empty: the last of the file
    std::vector<std::string> set, init, input, library;
    std::vector<std::string> known, unknown, tear;  // as given; each may hold several, separated by commas
    std::string initial;                            // given, steady, jump; empty: given
    Limits limits;
    bool allow_external = false;  // also to load Simnon systems in shared libraries
    bool json = false;
    bool quiet = false;
};

// The options, and the watch over --limit-memory and --limit-time from before the command runs.
void add_model_options(Command& command, ModelOptions& options, bool file_required = true,
                       const std::string& file_help = "a model in the Dymola (.dym) or Simnon (.t) language");

// Loads the file and reads --set, --init, --input, --known and --unknown. Nothing when errors were reported.
std::optional<Experiment> open_model(const ModelOptions& options, Workspace& workspace);
TransformOptions transform_options(const ModelOptions& options, const Workspace& workspace);
// Prints what was reported, as text or JSON, and gives the exit status.
int finish(const Workspace& workspace, const ModelOptions& options, std::size_t printed = 0);
// The same for errors; the status tells mistakes of options alone (2) from those of the model (1).
int finish_refused(const Workspace& workspace, const ModelOptions& options);

// An option with a value that does not fit.
Diagnostic bad_option(std::string message, std::string help = {});

}  // namespace cutset::cli
