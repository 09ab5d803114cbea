#include "operations/collocation/boundary_request.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/split_names.h"
#include "ir/find_variables.h"
#include "operations/collocation/collocation_messages.h"
#include "operations/estimation/goal.h"
#include "results/reader.h"
#include "translate/experiment_text.h"
#include "translate/translator.h"

namespace cutset {

namespace {

bool is_result_file(const std::string& text) {
    return text.ends_with(".csv") || text.ends_with(".mat") || text.ends_with(".txt");
}

std::string without_blanks(std::string text) {
    std::erase(text, ' ');
    return text;
}

// The number of NAME=NUMBER.
std::optional<double> number_of(const std::string& option, const std::string& text,
                                Diagnostics& diagnostics) {
    const std::string number = without_blanks(text.substr(text.find('=') + 1));
    double value = 0;
    const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (problem == std::errc() && end == number.data() + number.size() && std::isfinite(value)) return value;
    diagnostics.report(collocation_messages::name_and_number_expected(option, text));
    return std::nullopt;
}

std::string nearest_variable(const FlatModel& model, const std::string& name) {
    std::vector<std::string> paths;
    for (VariableIndex v{0}; v < model.variables.end_index(); ++v.value) paths.push_back(model.path(v));
    return nearest_name(name, paths);
}

// What is sought: parameters, and initial values that the model gives but that are guesses only.
struct Sought {
    std::vector<std::string> parameters, starts;
    std::vector<std::optional<double>> guesses;  // of the parameters
};

Sought read_unknowns(const std::vector<std::string>& texts, Workspace& workspace, Experiment& experiment) {
    Sought result;
    for (const std::string& list : texts)
        for (const std::string& text : split_names(list)) {
            const std::size_t equal = text.find('=');
            std::string path = without_blanks(text.substr(0, equal));
            const bool start = path.ends_with("(0)");
            if (start) path.resize(path.size() - 3);
            if (!start && equal == std::string::npos) {
                result.parameters.push_back(path);
                result.guesses.emplace_back();
                continue;
            }
            std::optional<double> value;
            if (equal != std::string::npos) {
                auto setting = parse_setting(workspace.text, "--unknown", path + "=" + text.substr(equal + 1),
                                             workspace.diagnostics);
                if (!setting) continue;
                if (start) {
                    experiment.initials.push_back(std::move(*setting));
                } else {
                    value = number_of("--unknown", text, workspace.diagnostics);
                }
            }
            if (start) {
                result.starts.push_back(path);
            } else {
                result.parameters.push_back(path);
                result.guesses.push_back(value);
            }
        }
    return result;
}

}  // namespace

std::optional<BoundaryTask> pose_boundary_value(const BoundaryRequest& command, Workspace& workspace,
                                                Experiment experiment) {
    Diagnostics& diagnostics = workspace.diagnostics;
    BoundaryTask result;
    BoundaryQuestion& question = result.question;
    question.from = command.from.value_or(0);
    if (!command.to)
        diagnostics.report(collocation_messages::no_end_of_interval());
    else if (!(*command.to > question.from))
        diagnostics.report(collocation_messages::empty_interval(question.from, *command.to));
    if (diagnostics.has_errors()) return std::nullopt;
    question.to = *command.to;

    OpenQuantities open;
    const auto output = [&](const std::string& quantity) {
        open.outputs.push_back(quantity);
        return open.outputs.size() - 1;
    };
    const auto add = [&](const std::string& option, const std::string& text, bool at_end) {
        const std::string quantity = fmt::format("#condition{}", question.conditions.size() + 1);
        const auto condition = add_condition(workspace, experiment, option, text, quantity);
        if (!condition) return;
        if (condition->lower != condition->upper) {
            diagnostics.report(collocation_messages::condition_not_an_equation(option, text));
            return;
        }
        BoundaryCondition c;
        c.text = condition->text + (at_end ? " at the end" : " at the start");
        (at_end ? c.at_end : c.at_start) = output(quantity);
        c.target = condition->lower;
        question.conditions.push_back(std::move(c));
    };
    for (const std::string& text : command.at_start) add("--at-start", text, false);
    for (const std::string& text : command.at_end) add("--at-end", text, true);
    for (const std::string& text : command.boundary) {
        const auto goal = add_boundary(workspace, experiment, text, question.from, question.to,
                                       fmt::format("#condition{}", question.conditions.size() + 1));
        if (!goal) continue;
        BoundaryCondition c;
        c.text = goal->text;
        if (goal->at_start) c.at_start = output(*goal->at_start);
        if (goal->at_end) c.at_end = output(*goal->at_end);
        c.target = goal->target;
        question.conditions.push_back(std::move(c));
    }

    Sought sought = read_unknowns(command.unknown, workspace, experiment);
    question.free_starts = sought.starts;
    for (const std::string& text : command.guess) {
        if (is_result_file(text)) {
            result.options.guess = read_result(text, diagnostics);
            continue;
        }
        auto setting = parse_setting(workspace.text, "--guess", text, workspace.diagnostics);
        if (!setting) continue;
        const auto parameter = std::find(sought.parameters.begin(), sought.parameters.end(), setting->path);
        if (parameter != sought.parameters.end()) {
            sought.guesses[std::size_t(parameter - sought.parameters.begin())] =
                number_of("--guess", text, diagnostics);
            continue;
        }
        const std::string quantity = fmt::format("#guess{}", question.state_guesses.size() + 1);
        experiment.quantities.push_back({quantity, std::move(setting->value)});
        question.state_guesses.push_back({plain_path(setting->path), output(quantity)});
    }
    open.paths = sought.parameters;
    question.sought = sought.parameters.size();
    question.guess = sought.guesses;
    if (!command.continuation.empty()) {
        if (const auto over = parse_over("--continue", command.continuation, diagnostics)) {
            if (!over->range.lower || !over->range.upper)
                diagnostics.report(collocation_messages::continuation_needs_both_ends());
            else {
                open.paths.push_back(over->path);
                question.guess.push_back(over->range.lower);
                question.continue_to = *over->range.upper;
            }
        }
    }
    if (command.all) question.solutions = 10;
    if (command.solutions) question.solutions = std::size_t(std::max(1, *command.solutions));
    if (command.tolerance && !(*command.tolerance > 0))
        diagnostics.report(collocation_messages::expected("--tolerance", "a positive number"));
    if (command.intervals < 1 || command.intervals > 5000)
        diagnostics.report(collocation_messages::expected("--intervals", "a number from 1 to 5000"));
    if (diagnostics.has_errors()) return std::nullopt;
    open.start = !open.paths.empty();
    open.time = question.from;
    TranslationQuestion asked;
    asked.model = command.model;
    asked.experiment = std::move(experiment);
    asked.transform = transform_options(command, workspace.text);
    asked.open = std::move(open);
    const auto translation = Translator(workspace).translate(asked, diagnostics);
    if (!translation) return std::nullopt;
    result.program = translation->program;
    if (question.guess.size() != result.program->linearized->by.size()) {
        diagnostics.report(collocation_messages::array_is_unknown());
        return std::nullopt;
    }
    const FlatModel& model = result.program->partition->model;
    for (const auto& g : question.state_guesses) {
        const auto found = find_variables(model, g.state);
        const auto& states = result.program->partition->states;
        if (found.empty() || std::find(states.begin(), states.end(), found[0]) == states.end())
            diagnostics.report(
                collocation_messages::guess_of_no_state(g.state, nearest_variable(model, g.state)));
    }
    if (diagnostics.has_errors()) return std::nullopt;
    result.options.tolerance = command.tolerance.value_or(1e-6);
    result.options.intervals = std::size_t(command.intervals);
    result.options.points = std::size_t(std::clamp(command.points.value_or(1001), 2.0, 1e6));
    result.options.allow_external = command.allow_external;
    result.options.interrupt = command.interrupt;
    return result;
}

}  // namespace cutset
