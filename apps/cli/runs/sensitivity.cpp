// cutset sensitivity: derivatives of variables by parameters along a run.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json.h"
#include "commands.h"
#include "model/parameter_text.h"
#include "operations/ensembles/sensitivity_study.h"
#include "output/console.h"
#include "output/curves.h"
#include "output/json_output.h"
#include "results/writer.h"
#include "runs/run_options.h"

namespace cutset::cli {

namespace {

struct SensitivityCommand : RunOptions {
    std::vector<std::string> of, to;
    std::string output;
    bool steady = false, normalised = false;
    ParametricRuns::Derivatives derivatives = ParametricRuns::Derivatives::Forward;
};

Plot sensitivity_plot(const SensitivityStudy& study, const Trajectory& table) {
    Plot plot;
    plot.title = study.model;
    plot.x_label = "time";
    plot.x_unit = "s";
    for (std::size_t c = 1; c < table.columns().size(); ++c)
        plot.curves.push_back({table.columns()[ColumnIndex(c)].name, "", table.values(ColumnIndex(0)),
                               table.values(ColumnIndex(c)), false});
    return plot;
}

Json sensitivity_json(const SensitivityStudy& study, const Trajectory& table) {
    Json out = {{"model", study.model},
                {"status", study.finite ? "ok" : "not differentiable"},
                {"derivatives", study.exact ? "exact" : "differences"},
                {"time", study.end.time},
                {"seconds", {{"derivatives", study.seconds}, {"run", study.run_seconds}}}};
    Json parameters = Json::object(), ends = Json::object(), end = Json::object(), relative = Json::object();
    for (std::size_t j = 0; j < study.parameters.size(); ++j)
        parameters[study.parameters[j].path] = study.values[j];
    for (std::size_t k = 0; k < study.outputs.size(); ++k) {
        const std::string& y = study.outputs[k];
        ends[y] = study.end.values[k];
        for (std::size_t j = 0; j < study.parameters.size(); ++j) {
            end[y][study.parameters[j].path] = study.derivative(study.end, k, j);
            relative[y][study.parameters[j].path] = study.relative(study.end, k, j);
        }
    }
    out["parameters"] = parameters;
    out["values"] = ends;
    out["sensitivities"] = end;
    out["normalised"] = relative;
    Json along = Json::object();
    if (!table.empty())
        for (ColumnIndex c(0); c < table.columns().end_index(); ++c.value)
            along[table.columns()[c].name] = table.values(c);
    out["trajectory"] = along;
    return out;
}

void print_sensitivities(const SensitivityStudy& study) {
    std::size_t width = 9;
    for (const OpenParameter& p : study.parameters) width = std::max(width, p.path.size());
    fmt::print("{}: derivatives at time {:.6g}\n", study.model, study.end.time);
    for (std::size_t k = 0; k < study.outputs.size(); ++k) {
        fmt::print("  {} = {:.8g}\n", study.outputs[k], study.end.values[k]);
        fmt::print("    {:<{}}  {:>15}  {:>15}  {:>12}\n", "by", width, "value", "derivative", "relative");
        for (std::size_t j = 0; j < study.parameters.size(); ++j)
            fmt::print("    {:<{}}  {:>15.8g}  {:>15.8g}  {:>12.5g}\n", study.parameters[j].path, width,
                       study.values[j], study.derivative(study.end, k, j), study.relative(study.end, k, j));
    }
}

int sensitivity(const SensitivityCommand& given) {
    SensitivityCommand command = given;
    Workspace workspace;
    auto experiment = open_model(command, workspace);
    if (!experiment) return finish(workspace, command);
    if (!apply_experiment_line(workspace.text, command, workspace.diagnostics))
        return finish(workspace, command);
    if (command.of.empty() || command.to.empty())
        return refuse(workspace, command,
                      bad_option("sensitivity needs --of VARIABLES and --to PARAMETERS",
                                 "for example --of y --to k,T,\"x(0)\""));
    const bool own_tolerance = command.tolerance.has_value();
    if (!own_tolerance) command.tolerance = 1e-8;
    const auto options = experiment_options(command, workspace.diagnostics);
    if (!options) {
        finish(workspace, command);
        return 2;
    }
    ParametricSettings settings;
    settings.model = command.model;
    settings.experiment = std::move(*experiment);
    settings.transform = transform_options(command, workspace.text);
    settings.run = *options;
    settings.engine = command.engine;
    settings.open = command.to;
    if (command.steady) {
        settings.transform.initial = InitialMode::Steady;
        settings.start_only = true;
    }
    set_stage("translating the model");
    const auto runs = ParametricRuns::make(workspace, settings);
    if (!runs) return finish(workspace, command);
    SensitivityRequest request;
    request.of = command.of;
    request.derivatives = command.derivatives;
    if (!command.steady) request.times = rising_times(*options, command.points ? options->points : 201);
    request.measure_run = command.json;
    catch_interrupt();
    set_stage("the run", true);
    const auto study = sensitivity_study(*runs, request, workspace.diagnostics);
    release_interrupt();
    if (!study) return finish(workspace, command);
    const Trajectory table = study->table(command.normalised);
    const Plot plot = sensitivity_plot(*study, table);
    if (!command.output.empty()) {
        const Problem trouble = is_picture(command.output) ? write_picture(plot, command.output)
                                                           : write_result(table, command.output);
        if (trouble) workspace.diagnostics.report(bad_option(*trouble));
    }
    if (command.json) {
        Json out = sensitivity_json(*study, table);
        put_diagnostics(out, workspace.diagnostics, workspace.text.sources(), Notes::Added);
        print_json(out);
        return workspace.diagnostics.has_errors() ? 1 : 0;
    }
    print_diagnostics(workspace.diagnostics, workspace.text.sources(), 0, command.quiet);
    if (!command.quiet) {
        if (!table.empty() && !is_picture(command.output) && plot.curves.size() <= 8) print_plot(plot);
        print_sensitivities(*study);
    }
    return workspace.diagnostics.has_errors() ? 1 : 0;
}

}  // namespace

void add_sensitivity(CommandLine& line) {
    auto o = std::make_shared<SensitivityCommand>();
    Command& c = line.add("sensitivity", groups::runs, "derivatives of variables by parameters along a run",
                          [o] { return sensitivity(*o); });
    add_model_options(c, *o);
    add_run_options(c, *o);
    c.list("--of", o->of, "variables that are differentiated: y1,y2");
    c.list("--to", o->to, "what they are differentiated by: parameters, inputs, initial values as x(0)");
    c.flag("--steady", o->steady, "the model in equilibrium: derivatives are zero, there is no run");
    c.flag("--normalised", o->normalised, "relative ones, (p/y) dy/dp, in files and pictures too");
    c.choice("--derivatives", o->derivatives,
             {{"forward", ParametricRuns::Derivatives::Forward},
              {"adjoint", ParametricRuns::Derivatives::Adjoint}},
             "forward in time, or backward: end values only, quick for many parameters (forward)");
    c.option("-o,--output", o->output,
             "derivatives over time as .csv or .mat, or a picture: .svg, .pdf, .png");
    c.footer(
        "Examples:\n"
        "  cutset sensitivity tanks.dym --of Tank1.h --to Tank1.Area,Pipe1.A --stop 200 -o s.csv\n"
        "  cutset sensitivity motor.dym --of omega --to J,\"omega(0)\" --json");
}

}  // namespace cutset::cli
