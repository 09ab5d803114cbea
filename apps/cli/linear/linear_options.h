// Options of the commands on a linear system, and what such a command does with the result of its study:
//
//     struct PolesOptions : LinearRequest, OutputOptions { … };
//     add_linear_options(command, *options);
//     …
//     return run_study(*options, pole_study, {.write = …, .json = …, .print = …});
#pragma once

#include <cstdio>
#include <functional>
#include <optional>

#include "linear/linear_output.h"
#include "model/model_options.h"
#include "operations/linear/linear_source.h"

namespace cutset::cli {

struct LinearOptions : LinearRequest, OutputOptions {};

void add_linear_options(Command& command, LinearRequest& request, OutputOptions& output);
template <class Options>
void add_linear_options(Command& command, Options& options) {
    add_linear_options(command, options, options);
}

// Of the options for weights.
inline constexpr const char* weights_help =
    "weights by name: \"x1=10,x2=1\" (others 0), one number, \"[1, 0; 0, 2]\", or a file; default 1";

// What a command makes of the result of its study.
template <class Study>
struct StudyOutput {
    // Pictures and files; false when one could not be written, which is reported.
    std::function<bool(const Study&, Diagnostics&)> write;
    std::function<Json(const Study&)> json;
    std::function<void(const Study&)> print;
    Notes notes = Notes::Left;
};

// The whole command: computes, writes, prints. Returns the exit status.
template <class Options, class Request, class Study>
int run_study(const Options& options, std::optional<Study> (*study)(const Request&, Workspace&),
              const StudyOutput<std::type_identity_t<Study>>& output) {
    Workspace workspace;
    end_on_interrupt();
    const std::optional<Study> result = study(options, workspace);
    if (!result) return finish(workspace, options);
    if (output.write && !output.write(*result, workspace.diagnostics)) return finish(workspace, options);
    if (options.json) return finish_json(output.json(*result), workspace, output.notes);
    output.print(*result);
    std::fflush(stdout);
    return finish(workspace, options);
}

}  // namespace cutset::cli
