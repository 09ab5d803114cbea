// Options that all commands on a model share, and what such a command begins and ends with:
//
//     Workspace workspace;
//     if (const auto experiment = open_model(options, workspace)) { … }
//     return finish(workspace, options);
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <vector>

#include "base/bad_option.h"
#include "command_line.h"
#include "runs/limits.h"
#include "translate/model_request.h"

namespace cutset::cli {

// How a command speaks, and what it may use.
struct OutputOptions {
    Limits limits;
    bool json = false;
    bool quiet = false;
};
struct ModelOptions : ModelRequest, OutputOptions {};

// The options, and the watch over --limit-memory and --limit-time from before the command runs.
void add_model_options(
    Command& command, ModelRequest& request, OutputOptions& output, bool file_required = true,
    const std::string& file_help = "a model: .dym, .t, .mo, .om or .el, or the name of a class in a library",
    std::vector<std::string> file_endings = {".dym", ".t", ".mo", ".om", ".el"});
template <class Options>  // a request and OutputOptions
void add_model_options(Command& command, Options& options, bool file_required = true) {
    add_model_options(command, options, options, file_required);
}

// As in the library; then the model is being translated, for messages about limits.
template <std::derived_from<OutputOptions> Options>
std::optional<Experiment> open_model(const Options& options, Workspace& workspace) {
    auto experiment = cutset::open_model(static_cast<const ModelRequest&>(options), workspace);
    set_stage("translating the model");
    return experiment;
}
// Prints what was reported, as text or JSON, and gives the exit status.
int finish(const Workspace& workspace, const OutputOptions& options, std::size_t printed = 0);
// The same for errors; the status tells mistakes of options alone (2) from those of the model (1).
int finish_refused(const Workspace& workspace, const OutputOptions& options, std::size_t printed = 0);
// A request that cannot be carried out: reports why.
int refuse(Workspace& workspace, const OutputOptions& options, Diagnostic problem);

}  // namespace cutset::cli
