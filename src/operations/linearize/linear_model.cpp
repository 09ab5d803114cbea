#include "operations/linearize/linear_model.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/stopwatch.h"
#include "ir/find_variables.h"
#include "operations/linearize/linearize_messages.h"
#include "results/reader.h"
#include "run/equilibrium.h"
#include "transform/leave_open.h"
#include "translate/translator.h"

namespace cutset {

namespace {

std::optional<double> time_in(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

bool ends_with(const std::string& text, std::string_view ending) {
    return text.size() > ending.size() && std::string_view(text).ends_with(ending);
}

// Keeps the last row.
class LastRow : public RowSink {
  public:
    std::optional<std::string> begin(const Columns& columns) override {
        kept = Trajectory(columns);
        columns_ = columns;
        return std::nullopt;
    }
    std::optional<std::string> row(std::span<const double> values) override {
        last_.assign(values.begin(), values.end());
        return std::nullopt;
    }
    void finish() {
        if (!last_.empty()) kept.append(last_);
    }
    Trajectory kept;

  private:
    Columns columns_;
    std::vector<double> last_;
};

OperatingPoint point_of(const FlatModel& model, const Equilibrium& rest, double time, PointKind kind) {
    OperatingPoint point;
    point.kind = kind;
    point.time = time;
    for (VariableIndex v(0); v.value < rest.values.size(); ++v.value)
        point.values.emplace(model.path(v), rest.values[v.value]);
    return point;
}

OperatingPoint point_of(const Trajectory& data, double time, PointKind kind) {
    OperatingPoint point;
    point.kind = kind;
    point.time = time;
    for (ColumnIndex c(0); c < data.columns().end_index(); ++c.value)
        point.values.emplace(data.columns()[c].name, data.interpolate(c, time));
    return point;
}

void refuse_delays(const FlatModel& flat, Diagnostics& diagnostics) {
    for (const Equation& e : flat.equations) {
        Expr delay = nullptr;
        for (Expr side : {e.left, e.right})
            for_each_node(side, [&](Expr node) {
                if (node->op == Op::Delay && !delay) delay = node;
            });
        if (delay) return diagnostics.report(linearize_messages::has_delay(flat, e, delay));
    }
}

// What `when sample(…)` clauses set.
std::vector<VariableIndex> sampled_variables(const FlatModel& model) {
    std::vector<VariableIndex> sampled;
    for (const WhenClause& when : model.whens) {
        if (!is_sampled(when)) continue;
        for (const WhenAction& action : when.actions)
            if (const auto* assign = std::get_if<WhenAssign>(&action))
                if (std::find(sampled.begin(), sampled.end(), assign->target) == sampled.end())
                    sampled.push_back(assign->target);
    }
    return sampled;
}

// Inputs that are not given are held at 0, or at their initial value.
void give_missing_inputs(Workspace& workspace, LinearQuestion& question) {
    Experiment open = question.experiment;
    open.open = true;
    const std::optional<FlatModel> flat =
        Translator(workspace).collect(question.model, open, workspace.diagnostics);
    if (!flat) return;
    refuse_delays(*flat, workspace.diagnostics);
    std::vector<bool> given(flat->variables.size(), false);
    for (const Equation& e : flat->equations)
        if (const auto input = input_given(e)) given[input->value] = true;
    for (const Known& known : flat->knowns) given[known.variable.value] = true;
    for (VariableIndex v : flat->freed) given[v.value] = true;
    std::vector<std::string> taken;
    for (VariableIndex v : inputs_of(*flat)) {
        if (given[v.value]) continue;
        tree::Expression value;
        value.kind = tree::ExpressionKind::Number;
        const auto& start = flat->variables[v].start;
        if (start && start->value->op == Op::Number)
            value.number = start->value->number;
        else
            taken.push_back(flat->path(v));
        question.experiment.inputs.push_back({flat->path(v), std::move(value)});
    }
    if (!taken.empty()) workspace.diagnostics.report(linearize_messages::input_taken_zero(taken));
}

// The translation whose run, or initialization, gives the point.
std::optional<Translation> translation_of(Workspace& workspace, const LinearQuestion& question,
                                          const SimulateOptions& run, InitialMode initial,
                                          Diagnostics& diagnostics) {
    TranslationQuestion asked;
    asked.model = question.model;
    asked.experiment = question.experiment;
    asked.transform = question.transform;
    asked.transform.initial = initial;
    asked.jacobian = jacobian_for(run.solver);
    asked.run = &run;
    return Translator(workspace).translate(asked, diagnostics);
}

std::optional<OperatingPoint> steady_point(Workspace& workspace, const LinearQuestion& question,
                                           Diagnostics& diagnostics) {
    const auto translation =
        translation_of(workspace, question, question.run, InitialMode::Steady, diagnostics);
    if (!translation) return std::nullopt;
    const auto rest = initialize_run(*translation->program, question.run, diagnostics);
    if (!rest || diagnostics.has_errors()) return std::nullopt;
    return point_of(translation->model(), *rest, question.run.start, PointKind::Steady);
}

std::optional<OperatingPoint> start_point(Workspace& workspace, const LinearQuestion& question,
                                          Diagnostics& diagnostics) {
    const auto translation =
        translation_of(workspace, question, question.run, question.transform.initial, diagnostics);
    if (!translation) return std::nullopt;
    const auto rest = initialize_run(*translation->program, question.run, diagnostics);
    if (!rest) return std::nullopt;
    return point_of(translation->model(), *rest, question.run.start, PointKind::Start);
}

std::optional<OperatingPoint> point_at_time(Workspace& workspace, const LinearQuestion& question,
                                            double time) {
    SimulateOptions run = question.run;
    run.stop = time;
    run.points = 2;
    if (time == run.start) return start_point(workspace, question, workspace.diagnostics);
    const auto translation =
        translation_of(workspace, question, run, question.transform.initial, workspace.diagnostics);
    if (!translation) return std::nullopt;
    translation->prepare(run);
    LastRow sink;
    const RunSummary summary = simulate(*translation->program, run, sink, workspace.diagnostics);
    if (summary.outcome == RunOutcome::Interrupted || workspace.diagnostics.has_errors()) return std::nullopt;
    sink.finish();
    if (sink.kept.empty()) return std::nullopt;
    return point_of(sink.kept, sink.kept.time(0), PointKind::Time);
}

std::optional<OperatingPoint> point_from_json(Workspace& workspace, const std::string& file) {
    std::ifstream in(file);
    const nlohmann::json data = in ? nlohmann::json::parse(in, nullptr, false) : nlohmann::json();
    if (!in) {
        workspace.diagnostics.report(linearize_messages::bad_point(file, "the file cannot be read"));
        return std::nullopt;
    }
    if (!data.is_object() || !data.contains("values") || !data["values"].is_object()) {
        workspace.diagnostics.report(
            linearize_messages::bad_point(file, "it is not a JSON object with the key values"));
        return std::nullopt;
    }
    OperatingPoint point;
    point.kind = PointKind::File;
    if (data.contains("time") && data["time"].is_number()) point.time = data["time"].get<double>();
    for (const auto& [name, value] : data["values"].items())
        if (value.is_number()) point.values.emplace(name, value.get<double>());
    return point;
}

std::optional<OperatingPoint> point_from_file(Workspace& workspace, const std::string& text) {
    const std::size_t at = text.rfind('@');
    std::optional<double> time;
    if (at != std::string::npos) time = time_in(std::string_view(text).substr(at + 1));
    const std::string file = time ? text.substr(0, at) : text;
    if (ends_with(file, ".json")) return point_from_json(workspace, file);
    const std::optional<Trajectory> data = read_result(file, workspace.diagnostics);
    if (!data) return std::nullopt;
    if (data->empty()) {
        workspace.diagnostics.report(linearize_messages::bad_point(text, "it has no rows"));
        return std::nullopt;
    }
    const double first = data->time(0), last = data->time(data->rows() - 1);
    if (time && (*time < first || *time > last)) {
        workspace.diagnostics.report(linearize_messages::bad_point(text, "its times do not reach there"));
        return std::nullopt;
    }
    return point_of(*data, time.value_or(last), PointKind::File);
}

// Values by variable of another translation of the same model; NaN where the point has none.
std::vector<double> values_for(const FlatModel& model, const OperatingPoint& point) {
    std::vector<double> values(model.variables.size(), NAN);
    for (VariableIndex v(0); v < model.variables.end_index(); ++v.value)
        if (const auto found = point.values.find(model.path(v)); found != point.values.end())
            values[v.value] = found->second;
    return values;
}

bool has_states(const Partition& partition, const std::vector<double>& values, const OperatingPoint& point,
                Diagnostics& diagnostics) {
    std::vector<std::string> missing;
    for (VariableIndex v : shown_states(partition))
        if (std::isnan(values[v.value])) missing.push_back(partition.model.path(v));
    if (missing.empty()) return true;
    diagnostics.report(linearize_messages::point_lacks(point.file, missing));
    return false;
}

// The numbers, among what is open, of the inputs asked for.
std::vector<std::size_t> chosen_inputs(const FlatModel& model, const std::vector<VariableIndex>& open,
                                       const std::vector<std::string>& names) {
    std::vector<std::size_t> chosen;
    if (names.empty()) {
        for (std::size_t i = 0; i < open.size(); ++i) chosen.push_back(i);
        return chosen;
    }
    std::vector<std::string> paths;
    for (const std::string& name : names) paths.push_back(plain_path(name));
    for (const std::vector<VariableIndex>& variables : find_variables(model, paths))
        for (VariableIndex v : variables)
            for (std::size_t i = 0; i < open.size(); ++i)
                if (open[i] == v && std::find(chosen.begin(), chosen.end(), i) == chosen.end())
                    chosen.push_back(i);
    return chosen;
}

std::shared_ptr<const Program> program_for(Workspace& workspace, const LinearQuestion& question,
                                           double time) {
    TranslationQuestion asked;
    asked.model = question.model;
    asked.experiment = question.experiment;
    asked.transform = question.transform;
    asked.transform.initial = InitialMode::Given;
    OpenQuantities open;
    open.paths = question.inputs;
    open.outputs = question.outputs;
    open.inputs = true;
    open.time = time;
    asked.open = std::move(open);
    const auto translation = Translator(workspace).translate(asked, workspace.diagnostics);
    return translation ? translation->program : nullptr;
}

// Of a model without outputs, the states are.
void show_states(Linearization& linear) {
    if (!linear.outputs.empty()) return;
    const auto n = Eigen::Index(linear.states.size());
    linear.outputs = linear.states;
    linear.y = linear.x;
    linear.C.resize(n, n);
    linear.C.setIdentity();
    linear.D.resize(n, linear.B.cols());
}

std::optional<Linearization> descriptor_model(Workspace& workspace, const LinearQuestion& question,
                                              ModelFunctions& functions,
                                              const std::vector<std::size_t>& inputs) {
    Experiment experiment = question.experiment;
    experiment.open = true;
    std::optional<FlatModel> flat =
        Translator(workspace).flatten(question.model, experiment, workspace.diagnostics);
    if (!flat) return std::nullopt;
    const LinearizedEquations& equations = *functions.program().linearized;
    const FlatModel& sorted = functions.model();
    std::vector<std::string> open;
    for (VariableIndex v : equations.by) open.push_back(sorted.path(v));
    const auto opened = leave_open(*flat, open, functions.time(), workspace.diagnostics);
    if (workspace.diagnostics.has_errors() || !functions.complete()) return std::nullopt;
    DescriptorQuestion descriptor{*flat, {}, equations.of, functions.time(), {}};
    for (std::size_t i : inputs) descriptor.inputs.push_back(opened[i]);
    // Variables keep their numbers when a model is sorted; derivatives are found by their names.
    std::unordered_map<std::string, VariableIndex> by_name;
    for (VariableIndex v(flat->variables.size()); v < sorted.variables.end_index(); ++v.value)
        by_name.emplace(sorted.path(v), v);
    std::vector<std::optional<std::size_t>> state(sorted.variables.size());
    for (std::size_t i = 0; i < functions.states(); ++i) state[functions.state_variable(i).value] = i;
    descriptor.value = [&](VariableIndex v, std::uint32_t order) -> std::optional<double> {
        if (order == 0) return functions.value(v);
        std::string name = sorted.path(v);
        VariableIndex lower = v;
        for (std::uint32_t i = 0; i < order; ++i) {
            const auto number = state[lower.value];
            name = derivative_name(name);
            const auto found = by_name.find(name);
            if (i + 1 == order) {
                if (number) return functions.derivatives()[*number];
                return found == by_name.end() ? 0 : functions.value(found->second);
            }
            if (found == by_name.end()) return 0;
            lower = found->second;
        }
        return 0;
    };
    return descriptor_form(descriptor, workspace.diagnostics);
}

}  // namespace

std::optional<OperatingPoint> find_operating_point(Workspace& workspace, LinearQuestion& question) {
    give_missing_inputs(workspace, question);
    if (workspace.diagnostics.has_errors()) return std::nullopt;
    const std::string& at = question.at;
    if (at.starts_with("time=")) {
        const auto time = time_in(std::string_view(at).substr(5));
        if (!time || *time < question.run.start) {
            workspace.diagnostics.report(linearize_messages::bad_point(
                at, time ? "that is before the start of the run" : "the time is not a number"));
            return std::nullopt;
        }
        return point_at_time(workspace, question, *time);
    }
    if (at == "start") return start_point(workspace, question, workspace.diagnostics);
    if (at == "steady") return steady_point(workspace, question, workspace.diagnostics);
    if (!at.empty()) {
        auto point = point_from_file(workspace, at);
        if (point) point->file = at;
        return point;
    }
    Diagnostics tried;
    std::optional<OperatingPoint> point = steady_point(workspace, question, tried);
    if (point) {
        for (const Diagnostic& d : tried.all()) workspace.diagnostics.report(d);
        return point;
    }
    point = start_point(workspace, question, workspace.diagnostics);
    std::string reason;
    for (const Diagnostic& d : tried.all())
        if (d.severity == Severity::Error && reason.empty()) reason = d.message;
    if (point) workspace.diagnostics.report(linearize_messages::no_steady_state(reason));
    return point;
}

std::optional<LinearModel> linear_model(Workspace& workspace, LinearQuestion question) {
    const std::optional<OperatingPoint> point = find_operating_point(workspace, question);
    if (!point) return std::nullopt;
    const auto program = program_for(workspace, question, point->time);
    if (!program) return std::nullopt;
    const FlatModel& model = program->partition->model;
    LinearModel result;
    std::optional<Stopwatch> watch(std::in_place, &result.seconds);
    ModelFunctions functions(program);
    std::vector<double> p = functions.present_parameters();
    const std::vector<double> values = values_for(model, *point);
    const std::vector<VariableIndex>& open = program->linearized->by;
    for (std::size_t i = 0; i < open.size(); ++i)
        if (!std::isnan(values[open[i].value])) p[i] = values[open[i].value];
    if (!has_states(*program->partition, values, *point, workspace.diagnostics)) return std::nullopt;
    if (!functions.set_parameters(p) || !functions.take(point->time, values)) {
        if (auto d = functions.failure()) workspace.diagnostics.report(std::move(*d));
        return std::nullopt;
    }
    const std::vector<std::size_t> inputs = chosen_inputs(model, open, question.inputs);
    auto linear = question.descriptor ? descriptor_model(workspace, question, functions, inputs)
                                      : linearize(functions, inputs, workspace.diagnostics);
    if (!linear) return std::nullopt;
    show_states(*linear);
    if (!question.descriptor && linear->states.empty())
        workspace.diagnostics.report(linearize_messages::no_states(model.name));
    if (const auto sampled = sampled_variables(model); !sampled.empty())
        workspace.diagnostics.report(linearize_messages::sampled_are_held(model, sampled));
    watch.reset();
    result.linear = std::move(*linear);
    result.point = *point;
    return result;
}

std::optional<SymbolicModel> symbolic_linear_model(Workspace& workspace, LinearQuestion question) {
    give_missing_inputs(workspace, question);
    if (workspace.diagnostics.has_errors()) return std::nullopt;
    const auto program = program_for(workspace, question, question.run.start);
    if (!program) return std::nullopt;
    std::vector<VariableIndex> inputs;
    for (std::size_t i : chosen_inputs(program->partition->model, program->linearized->by, question.inputs))
        inputs.push_back(program->linearized->by[i]);
    const std::vector<VariableIndex>& outputs = program->linearized->of;
    auto formulas =
        linearize_symbolically(*program->partition, inputs,
                               outputs.empty() ? program->partition->states : outputs, workspace.diagnostics);
    if (!formulas) return std::nullopt;
    return SymbolicModel{program->partition, std::move(*formulas)};
}

}  // namespace cutset
