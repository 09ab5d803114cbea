// cutset optimize, where parameters are sought.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/json.h"
#include "linear/linear_output.h"
#include "model/parameter_text.h"
#include "operations/estimation/optimize.h"
#include "operations/estimation/optimize_messages.h"
#include "output/console.h"
#include "output/curves.h"
#include "output/json_output.h"
#include "results/writer.h"
#include "runs/optimize.h"

namespace cutset::cli {

const char* optimizer_status_name(OptimizerStatus status) {
    switch (status) {
        case OptimizerStatus::Solved:
            return "optimal";
        case OptimizerStatus::Acceptable:
            return "acceptable";
        case OptimizerStatus::Infeasible:
            return "infeasible";
        case OptimizerStatus::Unbounded:
            return "unbounded";
        case OptimizerStatus::Limit:
            return "limit";
        case OptimizerStatus::Interrupted:
            return "interrupted";
        case OptimizerStatus::Undefined:
            return "undefined";
        case OptimizerStatus::Failed:
            return "failed";
    }
    return "";
}

namespace {

Json optimum_json(const OptimizeResult& r, const OptimizeCommand& command, const std::string& options) {
    Json values = Json::object(), bounds = Json::array(), limits = Json::array();
    for (const OptimizedValue& v : r.values) {
        values[v.parameter.path] = v.value;
        bounds.push_back({{"parameter", v.parameter.path},
                          {"value", v.value},
                          {"before", v.before},
                          {"lower", number_json(v.lower)},
                          {"upper", number_json(v.upper)},
                          {"active", v.at_lower || v.at_upper},
                          {"influence", v.acts},
                          {"multiplier", v.multiplier}});
    }
    for (const OptimizedLimit& l : r.limits) {
        Json one = {{"text", l.text},   {"value", number_json(l.value)},
                    {"bound", l.bound}, {"active", l.active},
                    {"kept", l.kept},   {"multiplier", l.multiplier}};
        if (l.time) one["time"] = *l.time;
        limits.push_back(std::move(one));
    }
    Json out = {{"model", r.model->model().name},
                {"status", optimizer_status_name(r.status)},
                {"message", r.message},
                {"values", values},
                {"objective", number_json(r.objective)},
                {"objectiveText", command.objective()},
                {"parameters", bounds},
                {"constraints", limits},
                {"violation", r.violation},
                {"iterations", r.iterations},
                {"runs", r.runs},
                {"method", r.method},
                {"derivatives", r.derivatives},
                {"options", options}};
    if (r.objective_known_before) out["before"] = number_json(r.before);
    if (!r.starts.empty()) {
        Json starts = Json::array();
        for (double v : r.starts) starts.push_back(number_json(v));
        out["starts"] = starts;
    }
    return out;
}

void print_result(const OptimizeResult& r, const OptimizeCommand& command, const std::string& options) {
    const std::string& objective = command.objective();
    const bool stopped = r.status == OptimizerStatus::Interrupted || r.status == OptimizerStatus::Limit;
    const char* word = r.status <= OptimizerStatus::Acceptable ? "optimum"
                       : stopped                               ? "no optimum yet; best values"
                                                               : "no optimum; last values";
    fmt::print("{}: {} after {} iterations, {} runs ({}{})\n", r.model->model().name, word, r.iterations,
               r.runs, r.method, r.derivatives.empty() ? "" : ", derivatives " + r.derivatives);
    std::string before;
    if (r.objective_known_before) before = fmt::format("   before {:.6g}", r.before);
    fmt::print("  {} = {:.8g}{}\n", objective, r.objective, before);
    std::size_t width = 0;
    for (const OptimizedValue& v : r.values) width = std::max(width, v.parameter.path.size());
    for (const OptimizedValue& v : r.values) {
        std::string remark;
        if (!v.acts)
            remark = "   no influence";
        else if (v.at_lower || v.at_upper)
            remark = fmt::format("   at its {} bound{}", v.at_lower ? "lower" : "upper",
                                 v.multiplier != 0 ? fmt::format(", multiplier {:.4g}", v.multiplier) : "");
        fmt::print("  {:<{}} = {:<14.8g} before {:.6g}{}\n", v.parameter.path, width, v.value, v.before,
                   remark);
    }
    for (const OptimizedLimit& l : r.limits) {
        const std::string place = l.time ? fmt::format(" at time {:.4g}", *l.time) : "";
        fmt::print("  {}: {:.6g}{}{}\n", l.text, l.value, place,
                   !l.kept    ? ", NOT KEPT"
                   : l.active ? fmt::format(", active, multiplier {:.4g}", l.multiplier)
                              : "");
    }
    if (!r.starts.empty()) {
        std::string list;
        for (double v : r.starts) list += std::isfinite(v) ? fmt::format(" {:.6g}", v) : " -";
        fmt::print("  starts:{}\n", list);
    }
    if (r.status <= OptimizerStatus::Acceptable || stopped) fmt::print("  options: {}\n", options);
}

// Curves before and after, on the same axes.
std::optional<Plot> comparison(const Trajectory& before, const Trajectory& after,
                               const std::vector<std::string>& names, Diagnostics& diagnostics) {
    auto plot = make_plot(after, names, diagnostics);
    if (!plot) return std::nullopt;
    Diagnostics quiet;
    if (before.empty()) return plot;
    const auto first = make_plot(before, names, quiet);
    if (!first) return plot;
    for (const Curve& curve : first->curves) {
        plot->curves.push_back(curve);
        plot->curves.back().label += " before";
    }
    return plot;
}

}  // namespace

int optimize_parameters(const OptimizeCommand& given, Workspace& workspace, Experiment experiment) {
    OptimizeCommand command = given;
    Diagnostics ignored;                                      // reported below
    apply_experiment_line(workspace.text, command, ignored);  // its curves
    auto settings = optimize_settings(given, workspace, std::move(experiment));
    if (!settings) return finish_refused(workspace, command);
    settings->runs.run.interrupt = interrupt_flag();

    catch_interrupt();
    set_stage("the optimisation", true);
    const auto result = cutset::optimize_parameters(workspace, *settings);
    release_interrupt();
    if (!result) {
        const int status = finish(workspace, command);
        return was_interrupted() ? 130 : status;
    }
    std::vector<double> values, before;
    std::vector<OpenParameter> parameters;
    for (const OptimizedValue& v : result->values) {
        values.push_back(v.value);
        before.push_back(v.before);
        parameters.push_back(v.parameter);
    }
    const std::string options = option_text(parameters, values);
    const bool moves = !settings->runs.start_only && result->model->has_states();
    if (moves && (!command.output.empty() || (!command.plot.empty() && !command.json))) {
        TrajectorySink first, last;
        Diagnostics quiet;
        result->model->simulate(before, first, quiet);
        result->model->simulate(values, last, quiet);
        const Trajectory best = shown(last.kept);
        if (!command.plot.empty())
            if (auto plot = comparison(shown(first.kept), best, command.plot, workspace.diagnostics)) {
                plot->title = result->model->model().name;
                if (is_picture(command.output)) {
                    if (const auto trouble = write_picture(*plot, command.output))
                        workspace.diagnostics.report(bad_option(*trouble));
                } else if (!command.json && !command.quiet) {
                    print_plot(*plot);
                }
            }
        if (is_picture(command.output) && command.plot.empty())
            workspace.diagnostics.report(
                bad_option("-o " + command.output + ": say with --plot what to draw"));
        const bool optimum = result->status <= OptimizerStatus::Acceptable;
        if (!optimum && !command.output.empty() && !is_picture(command.output) &&
            std::filesystem::exists(command.output))
            workspace.diagnostics.report(optimize_messages::not_written(command.output));
        else if (!command.output.empty() && !is_picture(command.output))
            if (const auto trouble = write_result(best, command.output))
                workspace.diagnostics.report(bad_option(*trouble));
    }
    if (command.json) {
        Json out = optimum_json(*result, command, options);
        put_diagnostics(out, workspace.diagnostics, workspace.text.sources(), Notes::Added);
        print_json(out);
    } else {
        print_diagnostics(workspace.diagnostics, workspace.text.sources(), 0, command.quiet);
        if (!command.quiet) print_result(*result, command, options);
    }
    if (was_interrupted()) return 130;
    return result->status <= OptimizerStatus::Acceptable && !workspace.diagnostics.has_errors() ? 0 : 1;
}

}  // namespace cutset::cli
