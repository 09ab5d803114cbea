#include "model/model_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "output/console.h"
#include "output/json_output.h"

namespace cutset::cli {

void add_model_options(Command& command, ModelRequest& o, OutputOptions& output, bool file_required,
                       const std::string& file_help, std::vector<std::string> file_endings) {
    command.positional("FILE", o.file, file_help, file_required).files(std::move(file_endings));
    command.positional("MODEL", o.model,
                       "the model or model type to use; default: the last model of the file", false);
    command.option("--set", o.set, "value of a parameter: path.p=VALUE; structure parameters too");
    command.option("--init", o.init, "initial value: path.x=VALUE");
    command.choice(
        "--initial", o.initial,
        {{"given", InitialMode::Given}, {"steady", InitialMode::Steady}, {"jump", InitialMode::Jump}},
        "the initialization: given (initial values of the states), steady (derivatives are zero), jump "
        "(connected states jump to values that agree, what is conserved is kept)");
    command.option("--input", o.input, "a top-level input: \"u=EXPRESSION of time\" or u=file.csv");
    command.option("--known", o.known,
                   "give these variables from outside: v1,v2 or \"v1=sin(time),v2=3,v3=file.csv\"");
    command.option("--unknown", o.unknown, "compute these inputs or parameters instead: u,R");
    command.option("--tear", o.tear, "iterate on these variables where they stand in a loop: v1,v2");
    command.option("--realization", o.realization, "of Omola: the realization of a submodel: path=NAME");
    command.option("--library", o.library,
                   "directory of libraries; CUTSET_PATH (.dym) and MODELICAPATH list more");
    command.option("--limit-memory", output.limits.memory,
                   "most memory to be used, for example 2G (80 % of what the machine has left)");
    command.option("--limit-time", output.limits.time, "most seconds to be used, all in all (no limit)");
    command.flag("--allow-external", o.allow_external,
                 "functions and systems of the model may run code in shared libraries");
    command.flag("--json", output.json, "one JSON object on standard output");
    command.flag("--quiet", output.quiet, "errors only");
    command.prepare([&output, watch = std::shared_ptr<LimitWatch>()]() mutable -> std::optional<int> {
        std::string problem;
        watch = LimitWatch::start(output.limits, output.json, output.quiet, problem);
        if (watch) return std::nullopt;
        Workspace none;
        none.diagnostics.report(bad_option(problem));
        finish(none, output);
        return 2;
    });
}

int finish(const Workspace& workspace, const OutputOptions& options, std::size_t printed) {
    if (options.json && workspace.diagnostics.has_errors()) {
        Json out;
        put_diagnostics(out, workspace.diagnostics, workspace.text.sources(), Notes::Left);
        out["status"] = "error";
        print_json(out);
    } else {
        print_diagnostics(workspace.diagnostics, workspace.text.sources(), printed, options.quiet);
        if (const std::size_t n = workspace.diagnostics.error_count(); n > 1)
            fmt::print(stderr, "{} errors\n", n);
    }
    return workspace.diagnostics.has_errors() ? 1 : 0;
}

int finish_refused(const Workspace& workspace, const OutputOptions& options, std::size_t printed) {
    const auto& all = workspace.diagnostics.all();
    const bool options_only = std::all_of(all.begin(), all.end(), [](const Diagnostic& d) {
        return d.severity != Severity::Error || d.concern == Concern::Request;
    });
    finish(workspace, options, printed);
    return options_only ? 2 : 1;
}

int refuse(Workspace& workspace, const OutputOptions& options, Diagnostic problem) {
    workspace.diagnostics.report(std::move(problem));
    finish(workspace, options);
    return 2;
}

}  // namespace cutset::cli
