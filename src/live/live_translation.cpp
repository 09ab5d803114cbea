#include "live/live_translation.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "ir/find_variables.h"
#include "native/code_store.h"
#include "native/messages.h"

namespace cutset {

tree::Expression number_expression(double value) {
    tree::Expression e;
    e.kind = tree::ExpressionKind::Number;
    e.number = value;
    return e;
}

LiveChanges::Input LiveChanges::Input::from(std::string text) {
    Input input{std::move(text), std::nullopt};
    char* end = nullptr;
    const double number = std::strtod(input.text.c_str(), &end);
    if (end != input.text.c_str() &&
        std::all_of<const char*>(end, input.text.c_str() + input.text.size(),
                                 [](unsigned char c) { return std::isspace(c); }))
        input.number = number;
    return input;
}

namespace {

// As the command line would say it. Nothing when an input cannot be read, with the reason reported.
std::optional<Experiment> experiment_with(const LiveSource& source, const LiveChanges& changes,
                                          Diagnostics& diagnostics) {
    Experiment e = source.experiment;
    for (const auto& [path, value] : changes.parameters)
        if (!path.ends_with(']')) e.parameters.push_back({path, number_expression(value)});
    for (const auto& [path, value] : changes.initials) e.initials.push_back({path, number_expression(value)});
    for (const auto& [path, input] : changes.inputs) {
        const auto is_it = [&, &p = path](const auto& other) { return plain_path(other.path) == p; };
        std::erase_if(e.inputs, is_it);
        std::erase_if(e.input_files, is_it);
        if (input.number) {
            e.inputs.push_back({path, number_expression(*input.number)});
            continue;
        }
        auto value = source.workspace->text.parse_expression("input " + path, input.text, diagnostics);
        if (!value) return std::nullopt;
        e.inputs.push_back({path, std::move(*value)});
    }
    return e;
}

bool same_inputs(const LiveChanges& a, const LiveChanges& b) {
    return a.inputs.size() == b.inputs.size() &&
           std::equal(a.inputs.begin(), a.inputs.end(), b.inputs.begin(), [](const auto& x, const auto& y) {
               if (x.first != y.first || x.second.number.has_value() != y.second.number.has_value())
                   return false;
               return x.second.number || x.second.text == y.second.text;
           });
}

}  // namespace

std::shared_ptr<LiveTranslation> LiveTranslation::make(const LiveSource& source, const LiveChanges& changes,
                                                       const SimulateOptions& run, Diagnostics& diagnostics) {
    std::optional<Experiment> experiment = experiment_with(source, changes, diagnostics);
    if (!experiment) return nullptr;
    TranslationQuestion question;
    question.model = source.model;
    question.experiment = std::move(*experiment);
    question.transform = source.transform;
    question.jacobian = jacobian_for(run.solver);
    question.other_values = true;
    question.run = &run;
    if (may_have_other_values(question.experiment, question.transform)) {
        OpenQuantities numbers;
        numbers.derivatives = false;
        numbers.time = run.start;
        for (const auto& [path, input] : changes.inputs)
            if (input.number) numbers.paths.push_back(path);
        if (!numbers.paths.empty()) question.open = std::move(numbers);
    }
    Diagnostics own;
    std::optional<Translation> translation = Translator(*source.workspace).translate(question, own);
    for (const Diagnostic& d : own.all()) diagnostics.report(d);
    if (!translation) return nullptr;
    auto t = std::make_shared<LiveTranslation>();
    t->engine_ = source.engine;
    t->made_with_ = changes;
    t->jacobian_ = question.jacobian;
    t->translation_ = std::move(*translation);
    for (VariableIndex v(0); v < t->model().variables.end_index(); ++v.value)
        t->names_.emplace(t->model().path(v), v);
    const auto& states = t->partition()->states;
    for (std::size_t i = 0; i < states.size(); ++i)
        t->derivatives_.emplace(derivative_name(t->model().path(states[i])), i);
    return t;
}

std::vector<VariableIndex> LiveTranslation::find(const std::string& path) const {
    if (const auto found = names_.find(path); found != names_.end()) return {found->second};
    return find_variables(model(), path);
}

std::optional<std::size_t> LiveTranslation::state_of(const std::string& derivative) const {
    const auto found = derivatives_.find(derivative);
    return found == derivatives_.end() ? std::nullopt : std::optional(found->second);
}

bool LiveTranslation::is_valid_for(const LiveChanges& changes) const {
    if (!same_inputs(changes, made_with_)) return false;
    if (!translation_.valid)
        return changes.parameters == made_with_.parameters && changes.initials == made_with_.initials &&
               std::all_of(changes.inputs.begin(), changes.inputs.end(), [&](const auto& input) {
                   return input.second.number == made_with_.inputs.at(input.first).number;
               });
    for (const auto& [path, value] : made_with_.parameters)
        if (!changes.parameters.contains(path)) return false;
    for (const auto& [path, value] : made_with_.initials)
        if (!changes.initials.contains(path)) return false;
    for (const auto& [path, value] : changes.initials) {
        const auto before = made_with_.initials.find(path);
        if (before != made_with_.initials.end() && before->second == value) continue;
        const auto variables = find(path);
        if (variables.empty() || std::any_of(variables.begin(), variables.end(), [&](VariableIndex v) {
                return !translation_.start_is_held[v.value];
            }))
            return false;
    }
    std::unordered_map<std::uint32_t, double> given;
    SimulateOptions options;
    apply(changes, options);
    for (const auto& [v, value] : options.given) given[v.value] = value;
    return translation_.valid->contain([&](VariableIndex v) -> std::optional<double> {
        const auto found = given.find(v.value);
        return found == given.end() ? std::nullopt : std::optional(found->second);
    });
}

void LiveTranslation::apply(const LiveChanges& changes, SimulateOptions& options) const {
    translation_.prepare(options);
    if (!translation_.valid) return;
    std::map<VariableIndex, double> given, starts;
    for (const auto& [path, input] : changes.inputs)
        if (input.number)
            for (VariableIndex v : find(path)) given[v] = *input.number;
    // An array before its elements.
    for (const auto& [path, value] : changes.parameters)
        for (VariableIndex v : find(path)) given[v] = value;
    for (const auto& [path, value] : changes.initials)
        for (VariableIndex v : find(path))
            if (translation_.start_is_held[v.value]) starts[v] = value;
    options.given.assign(given.begin(), given.end());
    options.given_starts.assign(starts.begin(), starts.end());
}

const LiveTranslation::Code& LiveTranslation::code(Solver solver, Diagnostics& diagnostics) {
    const JacobianKind kind = jacobian_for(solver);
    std::unique_ptr<Code>& made = code_[kind];
    if (made) return *made;
    made = std::make_unique<Code>();
    made->program =
        kind == jacobian_ ? translation_.program : translate(partition(), {.jacobian = kind}).program;
    std::string problem;
    made->machine_code = NativeEngine::make(*made->program, engine_, problem, CodeStore::open());
    if (!problem.empty()) diagnostics.report(native_messages::no_machine_code(problem));
    return *made;
}

}  // namespace cutset
