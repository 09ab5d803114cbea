// cutset experiment: execute the BODY of an experiment of EL.
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "commands.h"
#include "model/model_options.h"
#include "output/console.h"
#include "session/el_program.h"
#include "translate/lowered_files.h"

namespace cutset::cli {

namespace {

struct ExperimentOptions : ModelOptions {
    std::string directory = ".";
};

int run_experiment(const ExperimentOptions& o) {
    Workspace workspace;
    const auto experiment = open_model(o, workspace);
    if (!experiment) return finish(workspace, o);
    ObjectText* text = workspace.text.objects();
    const el::Experiment* program = text ? el_experiment(*text, o.model) : nullptr;
    if (!program) return refuse(workspace, o, no_experiment(o.file, o.model));
    Diagnostics loaded;
    const Diagnostics all = std::exchange(workspace.diagnostics, {});
    for (const Diagnostic& d : all.all())
        if (d.severity != Severity::Note) loaded.report(d);  // notes are for commands that execute no BODY
    print_diagnostics(loaded, workspace.text.sources(), 0, o.quiet);
    LiveModel::Settings settings;
    settings.model = o.model;
    settings.experiment = *experiment;
    settings.transform = transform_options(o, workspace.text);
    settings.run.allow_external = o.allow_external;
    ElProgramHost host;
    host.say = [&](const std::string& line) {
        if (!o.quiet) fmt::print("{}", line);
    };
    // A report stays in the directory that was named, whatever the text calls it.
    host.path = [&](const std::string& name) {
        return (std::filesystem::path(o.directory) / std::filesystem::path(name).filename()).string();
    };
    Diagnostics said;
    run_el_program(workspace, *program, std::move(settings), host, said);
    workspace.diagnostics.add(said);
    return finish(workspace, o);
}

}  // namespace

void add_experiment(CommandLine& line) {
    auto o = std::make_shared<ExperimentOptions>();
    Command& c = line.add("experiment", groups::runs, "execute the BODY of an experiment of EL",
                          [o] { return run_experiment(*o); });
    add_model_options(c, *o, *o, true, "a file of EL (.el)", {".el"});
    c.option("-o,--output", o->directory, "the directory that reports are written to (.)");
    c.footer(
        "MODEL is component.partition.experiment; default: the last experiment of the file.\n"
        "Examples:\n"
        "  cutset experiment motor.el\n"
        "  cutset experiment motor.el motorDC.motor2.exp1 -o reports");
}

}  // namespace cutset::cli
