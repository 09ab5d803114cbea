#include "operations/collocation/control_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/bad_option.h"
#include "base/message_parts.h"
#include "ir/find_variables.h"
#include "operations/collocation/magnitudes.h"
#include "operations/estimation/goal.h"
#include "results/reader.h"
#include "transform/leave_open.h"
#include "translate/translator.h"

namespace cutset {

namespace {

// What is sought, inputs first. Inputs without a value get one, which says nothing.
bool sort_over(const OptimizeRequest& request, Workspace& workspace, Experiment& experiment,
               std::vector<Over>& sought, std::size_t& inputs) {
    Experiment open = experiment;
    open.open = true;
    const auto flat = Translator(workspace).flatten(request.model, open, workspace.diagnostics);
    if (!flat) return false;
    const std::vector<VariableIndex> all = inputs_of(*flat);
    std::vector<Over> others;
    for (const std::string& text : request.over) {
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

}  // namespace

std::optional<ControlTask> control_task(const OptimizeRequest& request, Workspace& workspace,
                                        Experiment experiment) {
    Diagnostics& diagnostics = workspace.diagnostics;
    ControlTask result;
    std::vector<Over> sought;
    if (!sort_over(request, workspace, experiment, sought, result.question.inputs)) return std::nullopt;

    // The objective and the conditions.
    const bool maximize = request.minimize.empty();
    const std::string option = maximize ? "--maximize" : "--minimize";
    OpenQuantities open;
    add_quantity(workspace, experiment, option, maximize ? request.maximize : request.minimize, "#objective");
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
    for (const std::string& text : request.subject) add("--subject", text, false);
    for (const std::string& text : request.end) add("--end", text, true);
    result.question.maximize = maximize;
    for (const Magnitude& m : separate_magnitudes(experiment, "#objective", maximize)) {
        GoalRange range;
        if (m.is_absolute) range.lower = 0;
        range.guess = 1;
        sought.insert(sought.begin() + std::ptrdiff_t(result.question.inputs++), {m.input, range});
        for (const std::string& margin : m.margins) {
            ControlCondition c;
            c.text = margin + " >= 0";
            c.output = open.outputs.size();
            c.range = {0, unlimited};
            c.added = true;
            open.outputs.push_back(margin);
            result.question.conditions.push_back(std::move(c));
        }
    }

    // The horizon; where it is missing, the length of the run that the model's file proposes.
    OptimizeRequest with_line = request;
    apply_experiment_line(workspace.text, with_line, diagnostics);
    result.question.start = with_line.start.value_or(0);
    if (!request.horizon.empty()) {
        if (const auto range = parse_horizon(request.horizon, diagnostics)) {
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
    if (request.degree < 1 || request.degree > 8)
        diagnostics.report(bad_option("--degree: expected a number from 1 to 8"));
    if (request.intervals < 1 || request.intervals > 100000)
        diagnostics.report(bad_option("--intervals: expected a number from 1 to 100000"));
    if (request.rounds < 0) diagnostics.report(bad_option("--rounds: expected a number from 0 on"));
    if (request.tolerance && !(*request.tolerance > 0))
        diagnostics.report(bad_option("--tolerance: expected a positive number"));
    if (diagnostics.has_errors()) return std::nullopt;

    for (const Over& o : sought) open.paths.push_back(o.path);
    open.start = sought.size() > result.question.inputs;
    open.time = result.question.start;
    TranslationQuestion asked;
    asked.model = request.model;
    asked.experiment = std::move(experiment);
    asked.transform = transform_options(request, workspace.text);
    asked.jacobian = JacobianKind::States;
    asked.open = std::move(open);
    const auto translation = Translator(workspace).translate(asked, diagnostics);
    if (!translation) return std::nullopt;
    result.program = translation->program;
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
    for (const std::string& text : request.bounds) {
        const auto bound = parse_over("--bounds", text, diagnostics);
        if (!bound) continue;
        const auto found = find_variables(model, plain_path(bound->path));
        const std::vector<VariableIndex>& states = result.program->partition->states;
        if (found.empty() || std::find(states.begin(), states.end(), found[0]) == states.end()) {
            diagnostics.report(bad_option(
                fmt::format("--bounds: {} is no state of the model", bound->path),
                found.empty() ? did_you_mean(nearest_path(model, bound->path))
                              : fmt::format("write --subject \"{} < …\" for other variables", bound->path)));
            continue;
        }
        for (VariableIndex v : found)
            result.question.bounds.push_back(
                {v, {bound->range.lower.value_or(-unlimited), bound->range.upper.value_or(unlimited)}});
    }

    ControlOptions& how = result.options;
    how.intervals = std::size_t(request.intervals);
    how.stages = std::size_t(request.degree);
    how.rounds = std::size_t(request.rounds);
    how.most_intervals = std::max<std::size_t>(1000, 2 * how.intervals);
    how.tolerance = request.tolerance.value_or(1e-6);
    how.points = std::size_t(std::clamp(request.points.value_or(1001), 2.0, 1e6));
    how.exact_hessian = request.exact_hessian;
    how.allow_external = request.allow_external;
    how.optimizer.max_iterations = std::size_t(std::max(1, request.max_iterations));
    if (!request.guess.empty()) how.guess = read_result(request.guess, diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
    return result;
}

}  // namespace cutset
