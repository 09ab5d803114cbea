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

// One request after the other in the words of the question; what it needs of the model is added to the
// experiment.
class ControlPoser {
  public:
    ControlPoser(const OptimizeRequest& request, Workspace& workspace, Experiment experiment)
        : request_(request),
          workspace_(workspace),
          diagnostics_(workspace.diagnostics),
          experiment_(std::move(experiment)) {}

    std::optional<ControlTask> pose() {
        if (!sort_over(request_, workspace_, experiment_, sought_, task_.question.inputs))
            return std::nullopt;
        add_objective();
        add_horizon();
        check_numbers();
        if (diagnostics_.has_errors() || !translate()) return std::nullopt;
        name_sought();
        add_bounds();
        set_options();
        if (diagnostics_.has_errors()) return std::nullopt;
        return std::move(task_);
    }

  private:
    // The objective and the conditions.
    void add_objective() {
        const bool maximize = request_.minimize.empty();
        task_.question.maximize = maximize;
        add_quantity(workspace_, experiment_, maximize ? "--maximize" : "--minimize",
                     maximize ? request_.maximize : request_.minimize, "#objective");
        open_.outputs.push_back("#objective");
        for (const std::string& text : request_.subject) add("--subject", text, false);
        for (const std::string& text : request_.end) add("--end", text, true);
        for (const Magnitude& m : separate_magnitudes(experiment_, "#objective", maximize)) add(m);
    }

    void add(const std::string& option, const std::string& text, bool at_end) {
        const std::string quantity = fmt::format("#condition{}", task_.question.conditions.size() + 1);
        const auto condition = add_condition(workspace_, experiment_, option, text, quantity);
        if (!condition) return;
        ControlCondition c;
        c.text = condition->text;
        c.output = open_.outputs.size();
        c.range = {condition->lower, condition->upper};
        c.at_end = at_end || condition->at_end;
        open_.outputs.push_back(quantity);
        task_.question.conditions.push_back(std::move(c));
    }

    void add(const Magnitude& m) {
        GoalRange range;
        if (m.is_absolute) range.lower = 0;
        range.guess = 1;
        sought_.insert(sought_.begin() + std::ptrdiff_t(task_.question.inputs++), {m.input, range});
        for (const std::string& margin : m.margins) {
            ControlCondition c;
            c.text = margin + " >= 0";
            c.output = open_.outputs.size();
            c.range = {0, unlimited};
            c.added = true;
            open_.outputs.push_back(margin);
            task_.question.conditions.push_back(std::move(c));
        }
    }

    // Where it is missing, the length of the run that the model's file proposes.
    void add_horizon() {
        OptimizeRequest with_line = request_;
        apply_experiment_line(workspace_.text, with_line, diagnostics_);
        ControlQuestion& question = task_.question;
        question.start = with_line.start.value_or(0);
        if (!request_.horizon.empty()) {
            if (const auto range = parse_horizon(request_.horizon, diagnostics_)) {
                question.duration = {range->lower.value_or(0), range->upper.value_or(unlimited)};
                if (!range->lower && range->upper) question.duration.lower = 1e-3 * *range->upper;
                question.duration_guess = range->guess;
            }
        } else if (with_line.stop) {
            question.duration = {*with_line.stop - question.start, *with_line.stop - question.start};
        } else {
            diagnostics_.report(
                bad_option("optimal control needs a horizon",
                           "give its length, --horizon 10, or bounds of a free one, --horizon T=0.1:2"));
        }
    }

    void check_numbers() {
        if (request_.degree < 1 || request_.degree > 8)
            diagnostics_.report(bad_option("--degree: expected a number from 1 to 8"));
        if (request_.intervals < 1 || request_.intervals > 100000)
            diagnostics_.report(bad_option("--intervals: expected a number from 1 to 100000"));
        if (request_.rounds < 0) diagnostics_.report(bad_option("--rounds: expected a number from 0 on"));
        if (request_.tolerance && !(*request_.tolerance > 0))
            diagnostics_.report(bad_option("--tolerance: expected a positive number"));
    }

    bool translate() {
        for (const Over& o : sought_) open_.paths.push_back(o.path);
        open_.start = sought_.size() > task_.question.inputs;
        open_.time = task_.question.start;
        TranslationQuestion asked;
        asked.model = request_.model;
        asked.experiment = std::move(experiment_);
        asked.transform = transform_options(request_, workspace_.text);
        asked.jacobian = JacobianKind::States;
        asked.open = std::move(open_);
        const auto translation = Translator(workspace_).translate(asked, diagnostics_);
        if (translation) task_.program = translation->program;
        return translation.has_value();
    }

    // What is sought, in the order of the Program: an array has one for each element.
    void name_sought() {
        const FlatModel& model = task_.program->partition->model;
        const std::vector<VariableIndex>& by = task_.program->linearized->by;
        std::size_t next = 0;
        for (const Over& o : sought_) {
            const std::string path = plain_path(o.path);
            for (std::size_t first = next; next < by.size(); ++next) {
                const std::string name = model.path(by[next]);
                if (name != path && !(name.starts_with(path + "[")) && next > first) break;
                if (next > first && name == path) break;
                task_.question.open.push_back({o.range.lower, o.range.upper, o.range.guess});
                task_.names.push_back(name);
                if (name == path) {
                    ++next;
                    break;
                }
            }
        }
    }

    void add_bounds() {
        const FlatModel& model = task_.program->partition->model;
        const std::vector<VariableIndex>& states = task_.program->partition->states;
        for (const std::string& text : request_.bounds) {
            const auto bound = parse_over("--bounds", text, diagnostics_);
            if (!bound) continue;
            const auto found = find_variables(model, plain_path(bound->path));
            if (found.empty() || std::find(states.begin(), states.end(), found[0]) == states.end()) {
                diagnostics_.report(bad_option(
                    fmt::format("--bounds: {} is no state of the model", bound->path),
                    found.empty()
                        ? did_you_mean(nearest_path(model, bound->path))
                        : fmt::format("write --subject \"{} < …\" for other variables", bound->path)));
                continue;
            }
            for (VariableIndex v : found)
                task_.question.bounds.push_back(
                    {v, {bound->range.lower.value_or(-unlimited), bound->range.upper.value_or(unlimited)}});
        }
    }

    void set_options() {
        ControlOptions& how = task_.options;
        how.intervals = std::size_t(request_.intervals);
        how.stages = std::size_t(request_.degree);
        how.rounds = std::size_t(request_.rounds);
        how.most_intervals = std::max<std::size_t>(1000, 2 * how.intervals);
        how.tolerance = request_.tolerance.value_or(1e-6);
        how.points = std::size_t(std::clamp(request_.points.value_or(1001), 2.0, 1e6));
        how.exact_hessian = request_.exact_hessian;
        how.allow_external = request_.allow_external;
        how.optimizer.max_iterations = std::size_t(std::max(1, request_.max_iterations));
        if (!request_.guess.empty()) how.guess = read_result(request_.guess, diagnostics_);
    }

    const OptimizeRequest& request_;
    Workspace& workspace_;
    Diagnostics& diagnostics_;
    Experiment experiment_;
    std::vector<Over> sought_;  // inputs, then parameters and initial values
    OpenQuantities open_;
    ControlTask task_;
};

}  // namespace

std::optional<ControlTask> control_task(const OptimizeRequest& request, Workspace& workspace,
                                        Experiment experiment) {
    return ControlPoser(request, workspace, std::move(experiment)).pose();
}

}  // namespace cutset
