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

class BoundaryPoser {
  public:
    BoundaryPoser(const BoundaryRequest& request, Workspace& workspace, Experiment experiment)
        : request_(request),
          workspace_(workspace),
          diagnostics_(workspace.diagnostics),
          experiment_(std::move(experiment)) {}

    std::optional<BoundaryTask> pose() {
        if (!set_interval()) return std::nullopt;
        for (const std::string& text : request_.at_start) add("--at-start", text, false);
        for (const std::string& text : request_.at_end) add("--at-end", text, true);
        for (const std::string& text : request_.boundary) add_both_ends(text);
        add_unknowns();
        if (!request_.continuation.empty()) add_continuation();
        check_numbers();
        if (diagnostics_.has_errors() || !translate() || !check_guesses()) return std::nullopt;
        set_options();
        return std::move(task_);
    }

  private:
    bool set_interval() {
        question_.from = request_.from.value_or(0);
        if (!request_.to)
            diagnostics_.report(collocation_messages::no_end_of_interval());
        else if (!(*request_.to > question_.from))
            diagnostics_.report(collocation_messages::empty_interval(question_.from, *request_.to));
        if (diagnostics_.has_errors()) return false;
        question_.to = *request_.to;
        return true;
    }

    std::size_t output(const std::string& quantity) {
        open_.outputs.push_back(quantity);
        return open_.outputs.size() - 1;
    }
    std::string next_condition() const {
        return fmt::format("#condition{}", question_.conditions.size() + 1);
    }

    void add(const std::string& option, const std::string& text, bool at_end) {
        const std::string quantity = next_condition();
        const auto condition = add_condition(workspace_, experiment_, option, text, quantity);
        if (!condition) return;
        if (condition->lower != condition->upper) {
            diagnostics_.report(collocation_messages::condition_not_an_equation(option, text));
            return;
        }
        BoundaryCondition c;
        c.text = condition->text + (at_end ? " at the end" : " at the start");
        (at_end ? c.at_end : c.at_start) = output(quantity);
        c.target = condition->lower;
        question_.conditions.push_back(std::move(c));
    }

    // A condition between values at the start and at the end.
    void add_both_ends(const std::string& text) {
        const auto goal =
            add_boundary(workspace_, experiment_, text, question_.from, question_.to, next_condition());
        if (!goal) return;
        BoundaryCondition c;
        c.text = goal->text;
        if (goal->at_start) c.at_start = output(*goal->at_start);
        if (goal->at_end) c.at_end = output(*goal->at_end);
        c.target = goal->target;
        question_.conditions.push_back(std::move(c));
    }

    void add_unknowns() {
        Sought sought = read_unknowns(request_.unknown, workspace_, experiment_);
        question_.free_starts = sought.starts;
        for (const std::string& text : request_.guess) add_guess(text, sought);
        open_.paths = sought.parameters;
        question_.sought = sought.parameters.size();
        question_.guess = sought.guesses;
    }

    void add_guess(const std::string& text, Sought& sought) {
        if (is_result_file(text)) {
            task_.options.guess = read_result(text, diagnostics_);
            return;
        }
        auto setting = parse_setting(workspace_.text, "--guess", text, diagnostics_);
        if (!setting) return;
        const auto parameter = std::find(sought.parameters.begin(), sought.parameters.end(), setting->path);
        if (parameter != sought.parameters.end()) {
            sought.guesses[std::size_t(parameter - sought.parameters.begin())] =
                number_of("--guess", text, diagnostics_);
            return;
        }
        const std::string quantity = fmt::format("#guess{}", question_.state_guesses.size() + 1);
        experiment_.quantities.push_back({quantity, std::move(setting->value)});
        question_.state_guesses.push_back({plain_path(setting->path), output(quantity)});
    }

    void add_continuation() {
        const auto over = parse_over("--continue", request_.continuation, diagnostics_);
        if (!over) return;
        if (!over->range.lower || !over->range.upper) {
            diagnostics_.report(collocation_messages::continuation_needs_both_ends());
            return;
        }
        open_.paths.push_back(over->path);
        question_.guess.push_back(over->range.lower);
        question_.continue_to = *over->range.upper;
    }

    void check_numbers() {
        if (request_.all) question_.solutions = 10;
        if (request_.solutions) question_.solutions = std::size_t(std::max(1, *request_.solutions));
        if (request_.tolerance && !(*request_.tolerance > 0))
            diagnostics_.report(collocation_messages::expected("--tolerance", "a positive number"));
        if (request_.intervals < 1 || request_.intervals > 5000)
            diagnostics_.report(collocation_messages::expected("--intervals", "a number from 1 to 5000"));
    }

    bool translate() {
        open_.start = !open_.paths.empty();
        open_.time = question_.from;
        TranslationQuestion asked;
        asked.model = request_.model;
        asked.experiment = std::move(experiment_);
        asked.transform = transform_options(request_, workspace_.text);
        asked.open = std::move(open_);
        const auto translation = Translator(workspace_).translate(asked, diagnostics_);
        if (!translation) return false;
        task_.program = translation->program;
        if (question_.guess.size() == task_.program->linearized->by.size()) return true;
        diagnostics_.report(collocation_messages::array_is_unknown());
        return false;
    }

    bool check_guesses() {
        const FlatModel& model = task_.program->partition->model;
        const auto& states = task_.program->partition->states;
        for (const auto& g : question_.state_guesses) {
            const auto found = find_variables(model, g.state);
            if (found.empty() || std::find(states.begin(), states.end(), found[0]) == states.end())
                diagnostics_.report(
                    collocation_messages::guess_of_no_state(g.state, nearest_variable(model, g.state)));
        }
        return !diagnostics_.has_errors();
    }

    void set_options() {
        task_.options.tolerance = request_.tolerance.value_or(1e-6);
        task_.options.intervals = std::size_t(request_.intervals);
        task_.options.points = std::size_t(std::clamp(request_.points.value_or(1001), 2.0, 1e6));
        task_.options.allow_external = request_.allow_external;
        task_.options.interrupt = request_.interrupt;
    }

    const BoundaryRequest& request_;
    Workspace& workspace_;
    Diagnostics& diagnostics_;
    Experiment experiment_;
    OpenQuantities open_;
    BoundaryTask task_;
    BoundaryQuestion& question_ = task_.question;
};

}  // namespace

std::optional<BoundaryTask> pose_boundary_value(const BoundaryRequest& request, Workspace& workspace,
                                                Experiment experiment) {
    return BoundaryPoser(request, workspace, std::move(experiment)).pose();
}

}  // namespace cutset
