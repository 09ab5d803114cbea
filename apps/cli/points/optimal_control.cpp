// cutset optimize with inputs among what is sought.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/json.h"
#include "operations/collocation/control_request.h"
#include "operations/estimation/optimize_messages.h"
#include "output/console.h"
#include "output/curves.h"
#include "output/json_output.h"
#include "results/writer.h"
#include "runs/optimize.h"

namespace cutset::cli {

namespace {

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
    put_diagnostics(out, workspace.diagnostics, workspace.text.sources(), Notes::Left);
    return out;
}

void print(const OptimizeCommand& command, const ControlTask& p, const ControlOutcome& found,
           const std::string& output) {
    fmt::print("{}: {}, {} = {:.8g}\n", p.program->partition->model.name, optimizer_status_name(found.status),
               command.objective(), found.objective);
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
    const FlatModel& model = p.program->partition->model;
    const std::vector<VariableIndex>& open = p.program->linearized->by;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < p.question.inputs && names.size() < 2; ++i)
        if (!model.variables[open[i]].internal) names.push_back(p.names[i]);
    for (VariableIndex v : shown_states(*p.program->partition))
        if (names.size() < 5) names.push_back(model.path(v));
    return names;
}

}  // namespace

int optimize_inputs(const OptimizeCommand& command, Workspace& workspace, Experiment experiment) {
    auto prepared = control_task(command, workspace, std::move(experiment));
    if (!prepared) return finish_refused(workspace, command);
    prepared->options.optimizer.interrupt = interrupt_flag();
    const std::size_t printed =
        command.json ? 0
                     : print_diagnostics(workspace.diagnostics, workspace.text.sources(), 0, command.quiet);
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
        print_json(as_json(*prepared, *found, workspace, output));
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
