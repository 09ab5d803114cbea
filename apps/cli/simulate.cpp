// cutset simulate: from a file to curves and a result file.
#include "operations/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "console.h"
#include "curves.h"
#include "diagnostics_json.h"
#include "native/engine.h"
#include "native/messages.h"
#include "results/writer.h"

namespace cutset::cli {

namespace {

std::atomic<bool> interrupted{false};

extern "C" void on_interrupt(int) {
    interrupted = true;
    std::signal(SIGINT, SIG_DFL);  // a second Ctrl-C ends the program at once
}

// Streams all columns to the file and keeps those to be plotted.
class FileSink : public RowSink {
  public:
    FileSink(std::unique_ptr<ResultWriter> writer, std::vector<std::string> wanted)
        : writer_(std::move(writer)), wanted_(std::move(wanted)) {}

    std::optional<std::string> begin(const Columns& columns) override {
        if (auto problem = writer_->begin(columns)) return problem;
        selection_ = select_columns(columns, wanted_);
        kept = Trajectory(selection_.columns);
        kept_row_.resize(selection_.stored.size());
        return std::nullopt;
    }
    std::optional<std::string> row(std::span<const double> values) override {
        for (std::size_t i = 0; i < kept_row_.size(); ++i) kept_row_[i] = values[selection_.stored[i]];
        kept.append(kept_row_);
        return writer_->append(values);
    }
    std::optional<std::string> finish() { return writer_->finish(); }
    const std::vector<std::string>& unknown() const { return selection_.unknown; }

    Trajectory kept;

  private:
    std::unique_ptr<ResultWriter> writer_;
    std::vector<std::string> wanted_;
    ColumnSelection selection_;
    std::vector<double> kept_row_;
};

Diagnostic bad_option(std::string message, std::string help = {}) {
    Diagnostic d;
    d.code = "bad-option";
    d.message = std::move(message);
    d.help = std::move(help);
    return d;
}

// The experiment, or nothing with the reason reported.
std::optional<SimulateOptions> experiment_options(const SimulateCommand& command, Diagnostics& diagnostics) {
    SimulateOptions o;
    o.start = command.start.value_or(0);
    o.stop = command.stop.value_or(o.start + 10);
    if (command.points && *command.points >= 2 && *command.points <= 1e8)
        o.points = static_cast<std::size_t>(*command.points);
    o.step = command.step;
    o.every_step = command.every_step;
    o.tolerance = command.tolerance.value_or(1e-6);
    o.absolute = command.absolute;
    if (!command.solver.empty()) o.solver = command.solver;
    o.local_tolerance = command.local_tolerance;
    o.step_size = command.step_size;
    o.max_step = command.max_step;
    if (command.step_control == "standard") o.step_control = StepControl::Standard;
    o.strict = command.strict;
    o.states_only = command.states;
    o.allow_external = command.allow_external;
    o.interrupt = &interrupted;
    const std::size_t before = diagnostics.error_count();
    if (!std::isfinite(o.start) || !std::isfinite(o.stop) || !(o.stop > o.start))
        diagnostics.report(bad_option(fmt::format("--stop {} must lie after --start {}", o.stop, o.start)));
    if (command.points &&
        !(*command.points >= 2 && *command.points <= 1e8 && *command.points == std::floor(*command.points)))
        diagnostics.report(bad_option("--points must be a whole number from 2 to 1e8"));
    if (o.step && !(*o.step > 0)) diagnostics.report(bad_option("--step must be above 0"));
    if (o.step && *o.step > 0 && (o.stop - o.start) / *o.step > 1e8)
        diagnostics.report(
            bad_option(fmt::format("--step {} would write {:.3g} rows; at most 1e8 are written", *o.step,
                                   (o.stop - o.start) / *o.step)));
    if (!(o.tolerance > 0 && o.tolerance < 1))
        diagnostics.report(bad_option("--tolerance must lie between 0 and 1, for example 1e-6"));
    if (o.absolute && !(*o.absolute > 0)) diagnostics.report(bad_option("--absolute must be above 0"));
    if (o.local_tolerance && !(*o.local_tolerance > 0 && *o.local_tolerance < 1))
        diagnostics.report(bad_option("--local-tolerance must lie between 0 and 1, for example 1e-8"));
    const auto methods = integrator_list();
    const auto method = std::find_if(methods.begin(), methods.end(),
                                     [&](const IntegratorDescription& d) { return d.name == o.solver; });
    if (method == methods.end()) {
        std::string list;
        for (const IntegratorDescription& d : methods)
            list += (list.empty() ? "" : ", ") + std::string(d.name);
        diagnostics.report(bad_option(fmt::format("--solver {}: there is no such integrator", o.solver),
                                      "choose one of " + list));
    } else if (o.step_size && !method->fixed_step) {
        diagnostics.report(
            bad_option(fmt::format("--step-size: the solver {} chooses its steps itself", o.solver),
                       "add --solver rk4 or --solver euler; --step is the distance of output "
                       "instants"));
    } else if (!command.step_control.empty() && o.solver != "dopri" && o.solver != "auto") {
        diagnostics.report(
            bad_option(fmt::format("--step-control: the solver {} has no choice of step controls", o.solver),
                       "add --solver dopri"));
    }
    if (o.max_step && !(*o.max_step > 0)) diagnostics.report(bad_option("--max-step must be above 0"));
    if (o.step_size && !(*o.step_size > 0 && std::isfinite(*o.step_size)))
        diagnostics.report(bad_option("--step-size must be above 0"));
    if (o.step_size && *o.step_size > 0 && (o.stop - o.start) / *o.step_size > 1e10)
        diagnostics.report(
            bad_option(fmt::format("--step-size {} would take {:.3g} steps; at most 1e10 are taken",
                                   *o.step_size, (o.stop - o.start) / *o.step_size)));
    if (diagnostics.error_count() > before) return std::nullopt;
    return o;
}

Engine engine_of(const SimulateCommand& command) {
    if (command.engine == "native") return Engine::Native;
    return command.engine == "interpret" ? Engine::Interpret : Engine::Auto;
}

std::vector<std::string> default_plot(const Partition& partition) {
    std::vector<std::string> names;
    auto add = [&](VariableIndex v) {
        if (names.size() < 4) names.push_back(partition.model.path(v));
    };
    for (VariableIndex v : shown_states(partition)) add(v);
    for (VariableIndex v{0}; names.empty() && v < partition.model.variables.end_index(); ++v.value)
        if (partition.model.variables[v].top_output) add(v);
    for (VariableIndex v{0}; v < partition.model.variables.end_index() && names.empty(); ++v.value)
        if (partition.model.variables[v].variability == Variability::Continuous) add(v);
    return names;
}

const char* outcome_name(RunOutcome outcome) {
    switch (outcome) {
        case RunOutcome::Finished:
            return "finished";
        case RunOutcome::Terminated:
            return "terminated";
        case RunOutcome::Interrupted:
            return "interrupted";
        case RunOutcome::Failed:
            return "failed";
    }
    return "";
}

// "dopri, cvode from t = 0.013 (stiff)".
std::string solver_text(const RunSummary& s) {
    constexpr std::size_t most_shown = 4;
    std::string text = s.first_method;
    for (std::size_t i = 0; i < std::min(s.switches.size(), most_shown); ++i)
        text += fmt::format(", {} from t = {:.4g} ({})", s.switches[i].to, s.switches[i].time,
                            s.switches[i].reason);
    if (s.switches.size() > most_shown)
        text += fmt::format(" and {} more changes", s.switches.size() - most_shown);
    return text;
}

nlohmann::json statistics_json(const RunSummary& s) {
    nlohmann::json switches = nlohmann::json::array();
    for (const SolverSwitch& change : s.switches)
        switches.push_back(
            {{"time", change.time}, {"from", change.from}, {"to", change.to}, {"reason", change.reason}});
    return {{"solver", s.first_method},
            {"switches", std::move(switches)},
            {"steps", s.integrator.steps},
            {"rejected", s.integrator.error_test_failures},
            {"notConverged", s.integrator.convergence_failures},
            {"evaluations", s.integrator.rhs_evaluations},
            {"jacobians", s.integrator.jacobians},
            {"newtonIterations", s.integrator.newton_iterations},
            {"rootEvaluations", s.integrator.root_evaluations},
            {"restarts", s.integrator.restarts}};
}

// The steps that the integrator tried, to a file like a result.
class StepsFile {
  public:
    Problem open(const std::string& path) {
        Problem problem;
        writer_ = make_writer(path, problem);
        if (!writer_) return problem;
        Columns columns;
        columns.push_back(time_column());
        columns.push_back({.name = "step", .unit = "s", .description = "its length"});
        columns.push_back({.name = "error", .description = "in units of the tolerance"});
        columns.push_back({.name = "accepted", .description = "1, or 0 for a step that was tried again"});
        return writer_->begin(columns);
    }
    void write(const TriedStep& s) {
        const double row[] = {s.time, s.size, s.error, s.accepted ? 1.0 : 0.0};
        if (!problem_) problem_ = writer_->append(row);
    }
    Problem finish() {
        Problem last = writer_ ? writer_->finish() : std::nullopt;
        return problem_ ? problem_ : last;
    }

  private:
    std::unique_ptr<ResultWriter> writer_;
    Problem problem_;
};

void print_statistics(const RunSummary& s) {
    fmt::print(
        stderr,
        "  steps {}, evaluations {}, Jacobians {}, Newton iterations {}, error test failures {}, convergence "
        "failures {}, events {}\n",
        s.integrator.steps, s.integrator.rhs_evaluations, s.integrator.jacobians,
        s.integrator.newton_iterations, s.integrator.error_test_failures, s.integrator.convergence_failures,
        s.events);
    if (s.loop_solutions || s.loop_factorisations)
        fmt::print(stderr, "  loops: nonlinear {} times with {} iterations, linear factored {} times\n",
                   s.loop_solutions, s.loop_iterations, s.loop_factorisations);
}

}  // namespace

int simulate(const SimulateCommand& given) {
    SimulateCommand command = given;
    Workspace workspace;
    auto experiment = open_model(command, workspace);
    if (!experiment) return finish(workspace, command);
    std::string problem;
    if (!apply_experiment_line(workspace.experiment_line(), command, problem)) {
        workspace.diagnostics.report(bad_option("the experiment line of " + command.file + ": " + problem));
        return finish(workspace, command);
    }
    const auto options = experiment_options(command, workspace.diagnostics);
    if (!options) {
        finish(workspace, command);
        return 2;
    }
    const auto program =
        workspace.program_to_run(command.model, *experiment, transform_options(command, workspace), *options);
    if (!program) return finish(workspace, command);
    const std::size_t printed =
        command.json ? 0 : print_diagnostics(workspace.diagnostics, workspace.sources, 0, command.quiet);

    const std::string output =
        command.output.empty() ? program->partition->model.name + ".csv" : command.output;
    Problem writer_problem;
    auto writer = make_writer(output, writer_problem);
    if (!writer) {
        workspace.diagnostics.report(bad_option(*writer_problem));
        return finish(workspace, command, printed);
    }
    std::vector<std::string> wanted = command.plot;
    if (wanted.empty() && !command.quiet && !command.json) wanted = default_plot(*program->partition);
    FileSink sink(std::move(writer), wanted);

    SimulateOptions run = *options;
    std::optional<ProgressBar> bar(std::in_place, run.start, run.stop, !command.quiet);
    run.progress = [&](double t) { bar->show(t); };
    StepsFile steps;
    if (!command.steps.empty()) {
        if (const auto trouble = steps.open(command.steps)) {
            workspace.diagnostics.report(bad_option(*trouble));
            return finish(workspace, command, printed);
        }
        run.tried_step = [&](const TriedStep& s) { steps.write(s); };
    }
    std::string engine_problem;
    run.machine_code = NativeEngine::make(*program, engine_of(command), engine_problem);
    if (!engine_problem.empty())
        workspace.diagnostics.report(native_messages::no_machine_code(engine_problem));
    std::signal(SIGINT, on_interrupt);
    const RunSummary summary = cutset::simulate(*program, run, sink, workspace.diagnostics);
    std::signal(SIGINT, SIG_DFL);
    const auto& reported = workspace.diagnostics.all();
    const bool known = !reported.empty() && reported.back().code == "result-file";
    if (auto trouble = sink.finish(); trouble && !known) workspace.diagnostics.report(bad_option(*trouble));
    if (const auto trouble = steps.finish()) workspace.diagnostics.report(bad_option(*trouble));
    bar.reset();

    for (const std::string& name : sink.unknown())
        workspace.diagnostics.report(bad_option("--plot: the result has no variable " + name,
                                                suggestion(name, variable_paths(*program->partition))));
    if (command.json) {
        nlohmann::json out = {{"model", program->partition->model.name},
                              {"outcome", outcome_name(summary.outcome)},
                              {"time", summary.time},
                              {"rows", summary.rows},
                              {"events", summary.events},
                              {"steps", summary.integrator.steps},
                              {"evaluations", summary.integrator.rhs_evaluations},
                              {"statistics", statistics_json(summary)},
                              {"result", output}};
        out["errors"] = diagnostics_json(workspace.diagnostics, workspace.sources, Severity::Error);
        out["warnings"] = diagnostics_json(workspace.diagnostics, workspace.sources, Severity::Warning);
        out["notes"] = diagnostics_json(workspace.diagnostics, workspace.sources, Severity::Note);
        fmt::print("{}\n", out.dump(2));
    } else {
        print_diagnostics(workspace.diagnostics, workspace.sources, printed, command.quiet);
        if (!wanted.empty() && summary.rows > 1)
            print_curves(sink.kept, wanted, program->partition->model.name);
        if (command.statistics) print_statistics(summary);
        if (!command.quiet) {
            if (summary.rows > 0)
                fmt::print("{}: {} at time {:.6g}, {} rows in {}; solver: {}\n",
                           program->partition->model.name, outcome_name(summary.outcome), summary.time,
                           summary.rows, output, solver_text(summary));
            else
                fmt::print("{}: no result\n", program->partition->model.name);
        }
    }
    if (summary.outcome == RunOutcome::Interrupted) return 130;
    return workspace.diagnostics.has_errors() || summary.outcome == RunOutcome::Failed ? 1 : 0;
}

bool apply_experiment_line(const std::vector<std::string>& words, SimulateCommand& options,
                           std::string& problem) {
    for (std::size_t i = 0; i < words.size(); i += 2) {
        const std::string& option = words[i];
        if (i + 1 == words.size()) {
            problem = option + " has no value";
            return false;
        }
        const std::string& value = words[i + 1];
        auto number = [&](std::optional<double>& target) {
            char* end = nullptr;
            const double v = std::strtod(value.c_str(), &end);
            if (end == value.c_str() || *end) return false;
            if (!target) target = v;
            return true;
        };
        bool good = true;
        if (option == "--start") {
            good = number(options.start);
        } else if (option == "--stop") {
            good = number(options.stop);
        } else if (option == "--step") {
            if (!options.points) good = number(options.step);
        } else if (option == "--points") {
            std::optional<double> n;
            good = number(n) && *n >= 2;
            if (good && !options.points && !options.step) options.points = *n;
        } else if (option == "--tolerance") {
            good = number(options.tolerance);
        } else if (option == "--absolute") {
            good = number(options.absolute);
        } else if (option == "--solver") {
            if (options.solver.empty()) options.solver = value;
        } else if (option == "--local-tolerance") {
            good = number(options.local_tolerance);
        } else if (option == "--max-step") {
            good = number(options.max_step);
        } else if (option == "--step-size") {
            good = number(options.step_size);
        } else if (option == "--plot") {
            if (options.plot.empty() && !options.quiet && !options.json) options.plot = split_names(value);
        } else if (option == "--set" || option == "--init" || option == "--input" || option == "--known" ||
                   option == "--unknown" || option == "--tear" ||
                   (option == "--initial" && (value == "given" || value == "steady" || value == "jump"))) {
            // read by open_model
        } else {
            problem = option +
                      " cannot be given there; only --start --stop --points --step --tolerance --absolute "
                      "--local-tolerance --solver --step-size --max-step --plot --set --init --input --known "
                      "--unknown "
                      "--tear --initial can";
            return false;
        }
        if (!good) {
            problem = option + " " + value + " is not a number that fits";
            return false;
        }
    }
    return true;
}

}  // namespace cutset::cli
