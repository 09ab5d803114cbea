// cutset optimize with inputs among what is sought.
#include "operations/collocation/optimal_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/json.h"
#include "ir/find_variables.h"
#include "operations/estimation/goal.h"
#include "operations/estimation/optimize_messages.h"
#include "output/console.h"
#include "output/curves.h"
#include "output/diagnostics_json.h"
#include "results/reader.h"
#include "results/writer.h"
#include "runs/optimize.h"
#include "transform/leave_open.h"

namespace cutset::cli {

namespace {

// The question as the command line puts it, and the Program for it.
struct ControlTask {
    std::shared_ptr<const Program> program;
    ControlQuestion question;
    ControlOptions options;
    std::vector<std::string> names;  // of what is open, in the order of the Program
};

// What is sought, inputs first. Inputs without a value get one, which says nothing.
bool sort_over(const OptimizeCommand& command, Workspace& workspace, Experiment& experiment,
               std::vector<Over>& sought, std::size_t& inputs) {
    Experiment open = experiment;
    open.open = true;
    const auto flat = workspace.flatten(command.model, open);
    if (!flat) return false;
    const std::vector<VariableIndex> all = inputs_of(*flat);
    std::vector<Over> others;
    for (const std::string& text : command.over) {
        const auto over = parse_over("--over", text, workspace.diagnostics);
        if (!over) continue;
        const std::string path = plain_path(over->path);
        std::vector<VariableIndex> found = find_variables(*flat, path);
        if (found.size() == 1 && std::find(all.begin(), all.end(), found[0]) == all.end()) found.clear();
        if (found.empty()) {
            others.push_back(*over);
            continue;
        }
        for (VariableIndex v : found) {
            sought.push_back({flat->path(v), over->range});
            const std::string name = flat->path(v);
            const bool given =
                std::any_of(experiment.inputs.begin(), experiment.inputs.end(),
                            [&](const Experiment::Setting& s) { return plain_path(s.path) == name; }) ||
                std::any_of(experiment.input_files.begin(), experiment.input_files.end(),
                            [&](const Experiment::InputFile& f) { return plain_path(f.path) == name; });
            tree::Expression zero;
            if (!given) experiment.inputs.push_back({name, zero});
        }
    }
    inputs = sought.size();
    sought.insert(sought.end(), others.begin(), others.end());
    return !workspace.diagnostics.has_errors();
}

std::optional<ControlTask> prepare(const OptimizeCommand& command, Workspace& workspace,
                                   Experiment experiment) {
    Diagnostics& diagnostics = workspace.diagnostics;
    ControlTask result;
    std::vector<Over> sought;
    if (!sort_over(command, workspace, experiment, sought, result.question.inputs)) return std::nullopt;

    // The objective and the conditions.
    const bool maximize = command.minimize.empty();
    const std::string option = maximize ? "--maximize" : "--minimize";
    Workspace::OpenQuestion open;
    add_quantity(workspace, experiment, option, maximize ? command.maximize : command.minimize, "#objective");
    open.outputs.push_back("#objective");
    const auto add = [&](const std::string& name, const std::string& text, bool at_end) {
        const std::string quantity = fmt::format("#condition{}", result.question.conditions.size() + 1);
        const auto condition = add_condition(workspace, experiment, name, text, quantity);
        if (!condition) return;
        ControlCondition c;
        c.text = condition->text;
        c.output = open.outputs.size();
        c.range = {condition->lower, condition->upper};
        c.at_end = at_end || condition->at_end;
        open.outputs.push_back(quantity);
        result.question.conditions.push_back(std::move(c));
    };
    for (const std::string& text : command.subject) add("--subject", text, false);
    for (const std::string& text : command.end) add("--end", text, true);
    result.question.maximize = maximize;

    // The horizon; where it is missing, the length of the run that the model's file proposes.
    OptimizeCommand with_line = command;
    std::string problem;
    if (!apply_experiment_line(workspace.experiment_line(), with_line, problem))
        diagnostics.report(bad_option("the experiment line of " + command.file + ": " + problem));
    result.question.start = with_line.start.value_or(0);
    if (!command.horizon.empty()) {
        if (const auto range = parse_horizon(command.horizon, diagnostics)) {
            result.question.duration = {range->lower.value_or(0), range->upper.value_or(unlimited)};
            if (!range->lower && range->upper) result.question.duration.lower = 1e-3 * *range->upper;
            result.question.duration_guess = range->guess;
        }
    } else if (with_line.stop) {
        result.question.duration = {*with_line.stop - result.question.start,
                                    *with_line.stop - result.question.start};
    } else {
        diagnostics.report(
            bad_option("optimal control needs a horizon",
                       "give its length, --horizon 10, or bounds of a free one, --horizon T=0.1:2"));
    }
    if (command.degree < 1 || command.degree > 8)
        diagnostics.report(bad_option("--degree: expected a number from 1 to 8"));
    if (command.intervals < 1 || command.intervals > 100000)
        diagnostics.report(bad_option("--intervals: expected a number from 1 to 100000"));
    if (command.rounds < 0) diagnostics.report(bad_option("--rounds: expected a number from 0 on"));
    if (command.tolerance && !(*command.tolerance > 0))
        diagnostics.report(bad_option("--tolerance: expected a positive number"));
    if (diagnostics.has_errors()) return std::nullopt;

    for (const Over& o : sought) open.open.push_back(o.path);
    open.start = sought.size() > result.question.inputs;
    open.time = result.question.start;
    open.jacobian = JacobianKind::States;
    result.program = workspace.open_program(command.model, std::move(experiment),
                                            transform_options(command, workspace), open);
    if (!result.program) return std::nullopt;
    const FlatModel& model = result.program->partition->model;
    const std::vector<VariableIndex>& by = result.program->linearized->by;
    std::size_t next = 0;
    for (const Over& o : sought) {
        // An array has one for each element.
        const std::string path = plain_path(o.path);
        for (std::size_t first = next; next < by.size(); ++next) {
            const std::string name = model.path(by[next]);
            if (name != path && !(name.starts_with(path + "[")) && next > first) break;
            if (next > first && name == path) break;
            result.question.open.push_back({o.range.lower, o.range.upper, o.range.guess});
            result.names.push_back(name);
            if (name == path) {
                ++next;
                break;
            }
        }
    }
    for (const std::string& text : command.bounds) {
        const auto bound = parse_over("--bounds", text, diagnostics);
        if (!bound) continue;
        const auto found = find_variables(model, plain_path(bound->path));
        const std::vector<VariableIndex>& states = result.program->partition->states;
        if (found.empty() || std::find(states.begin(), states.end(), found[0]) == states.end()) {
            diagnostics.report(bad_option(
                fmt::format("--bounds: {} is no state of the model", bound->path),
                found.empty() ? suggestion(bound->path, variable_paths(*result.program->partition))
                              : fmt::format("write --subject \"{} < …\" for other variables", bound->path)));
            continue;
        }
        for (VariableIndex v : found)
            result.question.bounds.push_back(
                {v, {bound->range.lower.value_or(-unlimited), bound->range.upper.value_or(unlimited)}});
    }

    ControlOptions& how = result.options;
    how.intervals = std::size_t(command.intervals);
    how.stages = std::size_t(command.degree);
    how.rounds = std::size_t(command.rounds);
    how.most_intervals = std::max<std::size_t>(1000, 2 * how.intervals);
    how.tolerance = command.tolerance.value_or(1e-6);
    how.points = std::size_t(std::clamp(command.points.value_or(1001), 2.0, 1e6));
    how.exact_hessian = command.exact_hessian;
    how.allow_external = command.allow_external;
    Diagnostics ignored;
    if (const auto run = experiment_options(with_line, ignored)) how.optimizer.interrupt = run->interrupt;
    how.optimizer.max_iterations = std::size_t(std::max(1, command.max_iterations));
    if (!command.guess.empty()) how.guess = read_result(command.guess, diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
    return result;
}

Json as_json(const ControlTask& p, const ControlOutcome& found, const Workspace& workspace,
             const std::string& output) {
    Json out = {{"model", p.program->partition->model.name},
                {"status", optimizer_status_name(found.status)},
                {"message", found.message},
                {"objective", Json(found.objective)},
                {"residual", Json(found.violation)},
                {"stationarity", Json(found.stationarity)},
                {"error", Json(found.error)},
                {"hessian", found.exact_hessian ? "exact" : "approximate"},
                {"intervals", found.rounds.back().intervals},
                {"horizon", found.solution.duration},
                {"result", output}};
    std::size_t iterations = 0;
    out["rounds"] = Json::array();
    for (const ControlOutcome::Round& r : found.rounds) {
        iterations += r.iterations;
        out["rounds"].push_back({{"intervals", r.intervals},
                                 {"iterations", r.iterations},
                                 {"objective", Json(r.objective)},
                                 {"error", Json(r.error)}});
    }
    out["iterations"] = iterations;
    Json values = Json::object(), at_end = Json::object();
    for (std::size_t i = 0; i < found.solution.parameters.size(); ++i)
        values[p.names[p.question.inputs + i]] = found.solution.parameters[i];
    if (!p.question.duration.fixed()) values["T"] = found.solution.duration;
    const Trajectory& t = found.trajectory;
    if (t.rows() > 0)
        for (ColumnIndex c(1); c < t.columns().end_index(); ++c.value)
            if (t.columns()[c].kind == ColumnKind::Continuous)
                at_end[t.columns()[c].name] = Json(t.value(c, t.rows() - 1));
    out["values"] = std::move(values);
    out["end"] = std::move(at_end);
    out["violation"] = out["residual"];
    out["constraints"] = Json::array();
    for (std::size_t i = 0; i < found.conditions.size(); ++i)
        out["constraints"].push_back({{"text", p.question.conditions[i].text},
                                      {"place", p.question.conditions[i].at_end ? "end" : "path"},
                                      {"value", Json(found.conditions[i].value)},
                                      {"time", Json(found.conditions[i].time)},
                                      {"multiplier", Json(found.conditions[i].multiplier)},
                                      {"active", found.conditions[i].active}});
    out["errors"] = diagnostics_json(workspace.diagnostics, workspace.sources, Severity::Error);
    out["warnings"] = diagnostics_json(workspace.diagnostics, workspace.sources, Severity::Warning);
    return out;
}

void print(const OptimizeCommand& command, const ControlTask& p, const ControlOutcome& found,
           const std::string& output) {
    const bool maximize = p.question.maximize;
    fmt::print("{}: {}, {} = {:.8g}\n", p.program->partition->model.name, optimizer_status_name(found.status),
               maximize ? command.maximize : command.minimize, found.objective);
    if (!p.question.duration.fixed()) fmt::print("  horizon {:.8g}\n", found.solution.duration);
    for (std::size_t i = 0; i < found.solution.parameters.size(); ++i)
        fmt::print("  {} = {:.8g}\n", p.names[p.question.inputs + i], found.solution.parameters[i]);
    if (!found.conditions.empty())
        fmt::print("  condition                        value         multiplier\n");
    for (std::size_t i = 0; i < found.conditions.size(); ++i) {
        const ControlOutcome::Condition& c = found.conditions[i];
        const bool at_end = p.question.conditions[i].at_end;
        std::string text = p.question.conditions[i].text;
        if (at_end && text.find("@end") == std::string::npos) text += " at the end";
        fmt::print("  {:<32} {:<13.6g} {:<12.5g}{}\n", text, c.value, c.multiplier,
                   at_end     ? ""
                   : c.active ? fmt::format(" active, for example at time {:.4g}", c.time)
                              : fmt::format(" not active, nearest at time {:.4g}", c.time));
    }
    for (const ControlOutcome::Round& r : found.rounds)
        fmt::print("  {:>5} intervals: {:.8g} after {} iterations, states to {:.1e}\n", r.intervals,
                   r.objective, r.iterations, r.error);
    fmt::print("  conditions violated by {:.1e}, stationary to {:.1e}, {} second derivatives\n",
               found.violation, found.stationarity, found.exact_hessian ? "exact" : "approximate");
    if (!output.empty()) fmt::print("  {} rows in {}\n", found.trajectory.rows(), output);
}

std::vector<std::string> default_curves(const ControlTask& p) {
    std::vector<std::string> names(
        p.names.begin(), p.names.begin() + std::ptrdiff_t(std::min<std::size_t>(p.question.inputs, 2)));
    for (VariableIndex v : shown_states(*p.program->partition))
        if (names.size() < 5) names.push_back(p.program->partition->model.path(v));
    return names;
}

}  // namespace

int optimize_inputs(const OptimizeCommand& command, Workspace& workspace, Experiment experiment) {
    auto prepared = prepare(command, workspace, std::move(experiment));
    if (!prepared) return finish_refused(workspace, command);
    const std::size_t printed =
        command.json ? 0 : print_diagnostics(workspace.diagnostics, workspace.sources, 0, command.quiet);
    set_stage("optimal control");
    catch_interrupt();
    const auto found =
        optimal_control(prepared->program, prepared->question, prepared->options, workspace.diagnostics);
    release_interrupt();
    if (!found) return finish(workspace, command, printed);
    const bool usable = found->trajectory.rows() > 0;
    std::string output =
        command.output.empty() ? prepared->program->partition->model.name + ".csv" : command.output;
    // What is no optimum never takes the place of a result that may be one.
    const bool optimum = found->status <= OptimizerStatus::Acceptable;
    const bool kept = !optimum && (command.output.empty() || std::filesystem::exists(output));
    if (kept && usable)
        workspace.diagnostics.report(optimize_messages::not_written(command.output.empty() ? "" : output));
    if (!usable || kept) output.clear();
    if (!output.empty())
        if (const Problem trouble = write_result(found->trajectory, output)) {
            workspace.diagnostics.report(bad_option(*trouble));
            output.clear();
        }
    std::vector<std::string> curves = command.plot;
    if (curves.empty() && !command.quiet && !command.json) curves = default_curves(*prepared);
    for (const std::string& name : select_columns(found->trajectory.columns(), curves).unknown)
        workspace.diagnostics.report(
            bad_option("--plot: the result has no variable " + name,
                       suggestion(name, variable_paths(*prepared->program->partition))));
    if (command.json) {
        fmt::print("{}\n", as_json(*prepared, *found, workspace, output).dump(2));
        return workspace.diagnostics.has_errors() ? 1 : 0;
    }
    if (!command.quiet) {
        if (usable && !workspace.diagnostics.has_errors())
            print_curves(found->trajectory, curves, prepared->program->partition->model.name);
        print(command, *prepared, *found, output);
    }
    std::fflush(stdout);
    return finish(workspace, command, printed);
}

}  // namespace cutset::cli
