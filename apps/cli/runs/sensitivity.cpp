// cutset sensitivity: derivatives of variables by parameters along a run.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json.h"
#include "base/stopwatch.h"
#include "commands.h"
#include "model/parameter_text.h"
#include "operations/ensembles/parametric_runs.h"
#include "operations/estimation/optimize_messages.h"
#include "output/console.h"
#include "output/curves.h"
#include "output/diagnostics_json.h"
#include "results/writer.h"
#include "runs/run_options.h"

namespace cutset::cli {

namespace {

struct SensitivityCommand : RunOptions {
    std::vector<std::string> of, to;
    std::string output;
    bool steady = false, normalised = false;
    std::string derivatives;
};

// (p/y) dy/dp; without a value of its own, y is taken at its largest along the run.
double normal(double derivative, double parameter, double value, double largest) {
    const double size = value != 0 ? value : largest;
    return size != 0 ? derivative * parameter / size : 0;
}

int sensitivity(const SensitivityCommand& given) {
    SensitivityCommand command = given;
    Workspace workspace;
    auto experiment = open_model(command, workspace);
    if (!experiment) return finish(workspace, command);
    const auto refuse = [&](Diagnostic d) {
        workspace.diagnostics.report(std::move(d));
        finish(workspace, command);
        return 2;
    };
    std::string problem;
    if (!apply_experiment_line(experiment_line(workspace.text), command, problem))
        return refuse(bad_option("the experiment line of " + command.file + ": " + problem));
    if (command.of.empty() || command.to.empty())
        return refuse(bad_option("sensitivity needs --of VARIABLES and --to PARAMETERS",
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
    settings.engine = engine_of(command);
    settings.open = command.to;
    if (command.steady) {
        settings.transform.initial = InitialMode::Steady;
        settings.start_only = true;
    }
    set_stage("translating the model");
    const auto runs = ParametricRuns::make(workspace, settings);
    if (!runs) return finish(workspace, command);
    std::vector<VariableIndex> outputs;
    for (const std::string& path : command.of) {
        const auto found = runs->find(path);
        if (found.empty()) {
            const std::string near = runs->nearest(path);
            workspace.diagnostics.report(bad_option("--of " + path + ": the model has no such variable",
                                                    near.empty() ? "" : "did you mean " + near + "?"));
        }
        outputs.insert(outputs.end(), found.begin(), found.end());
    }
    if (workspace.diagnostics.has_errors()) return finish(workspace, command);
    std::vector<double> times;
    const double start = options->start, stop = options->stop;
    if (!command.steady) {
        const std::size_t count =
            options->step    ? static_cast<std::size_t>(std::ceil((stop - start) / *options->step - 1e-9)) + 1
            : command.points ? options->points
                             : 201;
        for (std::size_t k = 0; k < count; ++k)
            times.push_back(k + 1 == count  ? stop
                            : options->step ? start + static_cast<double>(k) * *options->step
                                            : start + (stop - start) * static_cast<double>(k) /
                                                          static_cast<double>(count - 1));
    }
    const auto mode = command.derivatives == "adjoint" ? ParametricRuns::Derivatives::Adjoint
                                                       : ParametricRuns::Derivatives::Forward;
    if (mode == ParametricRuns::Derivatives::Adjoint) times.clear();
    const std::vector<double> values = runs->present_values();
    catch_interrupt();
    set_stage("the run", true);
    double with_derivatives = 0, without = 0;
    ParametricRuns::Outcome outcome;
    {
        const Stopwatch watch(&with_derivatives);
        outcome = runs->run(values, outputs, times, mode);
    }
    if (command.json && outcome.good) {
        const Stopwatch watch(&without);
        runs->run(values, {}, {}, ParametricRuns::Derivatives::None);
    }
    release_interrupt();
    if (!outcome.good) {
        for (const Diagnostic& d : runs->last_diagnostics().all()) workspace.diagnostics.report(d);
        if (!workspace.diagnostics.has_errors())
            workspace.diagnostics.report(bad_option("the run failed: " + outcome.problem));
        return finish(workspace, command);
    }
    if (runs->jumps()) {
        workspace.diagnostics.report(optimize_messages::no_derivative(runs->inexact()));
        return finish(workspace, command);
    }
    if (!runs->inexact().empty())
        workspace.diagnostics.report(optimize_messages::inexact_derivatives(
            runs->inexact(), "difference quotients of runs are shown"));
    const std::size_t n = values.size();
    const auto name = [&](std::size_t k) { return runs->model().path(outputs[k]); };
    std::vector<double> largest(outputs.size(), 0);
    for (std::size_t k = 0; k < outputs.size(); ++k) {
        for (const SensitivityRow& row : outcome.rows)
            largest[k] = std::max(largest[k], std::abs(row.values[k]));
        largest[k] = std::max(largest[k], std::abs(outcome.end.values[k]));
    }
    bool finite = true;
    for (const SensitivityRow& row : outcome.rows)
        for (double d : row.derivatives) finite = finite && std::isfinite(d);
    for (double d : outcome.end.derivatives) finite = finite && std::isfinite(d);
    if (!finite)
        workspace.diagnostics.report(bad_option(
            "some derivatives do not exist: the model is not differentiable at a point that the run meets",
            "square roots and powers at 0 have infinite slope; noEvent and smooth formulas near there help"));

    // All derivatives over time, as a result.
    Columns columns;
    columns.push_back(time_column());
    for (std::size_t k = 0; k < outputs.size(); ++k)
        for (std::size_t j = 0; j < n; ++j)
            columns.push_back({.name = fmt::format("d({})/d({})", name(k), runs->parameters()[j].path),
                               .description = command.normalised ? "relative to p/y" : ""});
    Trajectory table(columns);
    for (const SensitivityRow& row : outcome.rows) {
        std::vector<double> line = {row.time};
        for (std::size_t k = 0; k < outputs.size(); ++k)
            for (std::size_t j = 0; j < n; ++j) {
                const double d = row.derivatives[k * n + j];
                line.push_back(command.normalised ? normal(d, values[j], row.values[k], largest[k]) : d);
            }
        table.append(line);
    }
    Plot plot;
    plot.title = runs->model().name;
    plot.x_label = "time";
    plot.x_unit = "s";
    for (std::size_t c = 1; c < columns.size(); ++c)
        plot.curves.push_back({columns[ColumnIndex(c)].name, "", table.values(ColumnIndex(0)),
                               table.values(ColumnIndex(c)), false});
    if (!command.output.empty()) {
        const Problem trouble = is_picture(command.output) ? write_picture(plot, command.output)
                                                           : write_result(table, command.output);
        if (trouble) workspace.diagnostics.report(bad_option(*trouble));
    }
    if (command.json) {
        Json out = {{"model", runs->model().name},
                    {"status", finite ? "ok" : "not differentiable"},
                    {"derivatives", runs->inexact().empty() ? "exact" : "differences"},
                    {"time", outcome.end.time},
                    {"seconds", {{"derivatives", with_derivatives}, {"run", without}}}};
        Json parameters = Json::object(), ends = Json::object(), end = Json::object(),
             relative = Json::object();
        for (std::size_t j = 0; j < n; ++j) parameters[runs->parameters()[j].path] = values[j];
        for (std::size_t k = 0; k < outputs.size(); ++k) {
            ends[name(k)] = outcome.end.values[k];
            for (std::size_t j = 0; j < n; ++j) {
                const double d = outcome.end.derivatives[k * n + j];
                end[name(k)][runs->parameters()[j].path] = d;
                relative[name(k)][runs->parameters()[j].path] =
                    normal(d, values[j], outcome.end.values[k], largest[k]);
            }
        }
        out["parameters"] = parameters;
        out["values"] = ends;
        out["sensitivities"] = end;
        out["normalised"] = relative;
        Json along = Json::object();
        if (!table.empty())
            for (ColumnIndex c(0); c < columns.end_index(); ++c.value)
                along[columns[c].name] = table.values(c);
        out["trajectory"] = along;
        out["errors"] = diagnostics_json(workspace.diagnostics, workspace.text.sources(), Severity::Error);
        out["warnings"] =
            diagnostics_json(workspace.diagnostics, workspace.text.sources(), Severity::Warning);
        out["notes"] = diagnostics_json(workspace.diagnostics, workspace.text.sources(), Severity::Note);
        fmt::print("{}\n", out.dump(2));
        return workspace.diagnostics.has_errors() ? 1 : 0;
    }
    print_diagnostics(workspace.diagnostics, workspace.text.sources(), 0, command.quiet);
    if (!command.quiet) {
        if (!table.empty() && !is_picture(command.output) && plot.curves.size() <= 8) print_plot(plot);
        std::size_t width = 9;
        for (const OpenParameter& p : runs->parameters()) width = std::max(width, p.path.size());
        fmt::print("{}: derivatives at time {:.6g}\n", runs->model().name, outcome.end.time);
        for (std::size_t k = 0; k < outputs.size(); ++k) {
            fmt::print("  {} = {:.8g}\n", name(k), outcome.end.values[k]);
            fmt::print("    {:<{}}  {:>15}  {:>15}  {:>12}\n", "by", width, "value", "derivative",
                       "relative");
            for (std::size_t j = 0; j < n; ++j) {
                const double d = outcome.end.derivatives[k * n + j];
                fmt::print("    {:<{}}  {:>15.8g}  {:>15.8g}  {:>12.5g}\n", runs->parameters()[j].path, width,
                           values[j], d, normal(d, values[j], outcome.end.values[k], largest[k]));
            }
        }
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
    c.flag("--steady", o->steady, "the model at rest: derivatives are zero, there is no run");
    c.flag("--normalised", o->normalised, "relative ones, (p/y) dy/dp, in files and pictures too");
    c.choice("--derivatives", o->derivatives, {"forward", "adjoint"},
             "forward in time, or backward: end values only, quick for many parameters (forward)");
    c.option("-o,--output", o->output,
             "derivatives over time as .csv or .mat, or a picture: .svg, .pdf, .png");
    c.footer(
        "Examples:\n"
        "  cutset sensitivity tanks.dym --of Tank1.h --to Tank1.Area,Pipe1.A --stop 200 -o s.csv\n"
        "  cutset sensitivity motor.dym --of omega --to J,\"omega(0)\" --json");
}

}  // namespace cutset::cli
