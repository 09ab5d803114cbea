#include "live/live_translation.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <utility>

#include "ir/find_variables.h"
#include "native/code_store.h"
#include "native/messages.h"
#include "transform/choose_known.h"
#include "transform/leave_open.h"

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
        auto value = source.workspace->parse_expression("input " + path, input.text, diagnostics);
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
    const std::size_t errors = diagnostics.error_count();
    const std::optional<Experiment> experiment = experiment_with(source, changes, diagnostics);
    if (!experiment) return nullptr;
    auto t = std::make_shared<LiveTranslation>();
    t->engine_ = source.engine;
    t->made_with_ = changes;
    t->shared_ = source.transform.initial == InitialMode::Given && experiment->knowns.empty() &&
                 experiment->unknowns.empty();
    if (!t->shared_) {
        Diagnostics others = std::exchange(source.workspace->diagnostics, {});
        auto program = source.workspace->program_to_run(source.model, *experiment, source.transform, run);
        std::swap(others, source.workspace->diagnostics);
        for (const Diagnostic& d : others.all()) diagnostics.report(d);
        if (!program) return nullptr;
        t->partition_ = program->partition;
    } else {
        if (!source.model.empty()) source.workspace->refer_to(source.model);
        auto flat = instantiate(source.workspace->classes, source.model, *experiment,
                                source.workspace->sources, diagnostics);
        if (!flat || diagnostics.error_count() > errors) return nullptr;
        choose_known(*flat, diagnostics);
        std::vector<std::string> open;
        for (const auto& [path, input] : changes.inputs)
            if (input.number) open.push_back(path);
        if (!open.empty()) leave_open(*flat, open, run.start, diagnostics);
        if (diagnostics.error_count() > errors) return nullptr;
        std::vector<bool> has_start;
        bool quantities = false;  // whose starts are made of those of others
        for (const Variable& v : flat->variables) {
            has_start.push_back(v.start.has_value());
            quantities = quantities || (v.internal && v.start);
        }
        TransformOptions options = source.transform;
        options.remember_decisions = true;
        auto sorted = transform(std::move(*flat), options, diagnostics);
        if (!sorted) return nullptr;
        t->partition_ = std::make_shared<const Partition>(std::move(*sorted));
        std::vector<VariableIndex> parameters;
        for (VariableIndex v : t->partition_->parameters)
            if (t->model().variables[v].variability == Variability::Parameter) parameters.push_back(v);
        t->served_.emplace(*t->partition_, parameters);
        t->start_is_held_ = quantities ? std::vector<bool>(t->model().variables.size())
                                       : held_starts(*t->partition_, has_start);
    }
    for (VariableIndex v(0); v < t->model().variables.end_index(); ++v.value)
        t->names_.emplace(t->model().path(v), v);
    for (std::size_t i = 0; i < t->partition_->states.size(); ++i)
        t->derivatives_.emplace(derivative_name(t->model().path(t->partition_->states[i])), i);
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

bool LiveTranslation::serves(const LiveChanges& changes) const {
    if (!same_inputs(changes, made_with_)) return false;
    if (!shared_)
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
        if (variables.empty() || std::any_of(variables.begin(), variables.end(),
                                             [&](VariableIndex v) { return !start_is_held_[v.value]; }))
            return false;
    }
    std::unordered_map<std::uint32_t, double> given;
    SimulateOptions options;
    apply(changes, options);
    for (const auto& [v, value] : options.given) given[v.value] = value;
    return served_->serves([&](VariableIndex v) -> std::optional<double> {
        const auto found = given.find(v.value);
        return found == given.end() ? std::nullopt : std::optional(found->second);
    });
}

void LiveTranslation::apply(const LiveChanges& changes, SimulateOptions& options) const {
    if (!shared_) return;
    std::map<VariableIndex, double> given, starts;
    for (const auto& [path, input] : changes.inputs)
        if (input.number)
            for (VariableIndex v : find(path)) given[v] = *input.number;
    // An array before its elements.
    for (const auto& [path, value] : changes.parameters)
        for (VariableIndex v : find(path)) given[v] = value;
    for (const auto& [path, value] : changes.initials)
        for (VariableIndex v : find(path))
            if (start_is_held_[v.value]) starts[v] = value;
    options.given.assign(given.begin(), given.end());
    options.given_starts.assign(starts.begin(), starts.end());
}

const LiveTranslation::Code& LiveTranslation::code(Solver solver, Diagnostics& diagnostics) {
    const JacobianKind kind = jacobian_for(solver);
    std::unique_ptr<Code>& made = code_[kind];
    if (made) return *made;
    made = std::make_unique<Code>();
    made->program = generate(partition_, kind);
    std::string problem;
    made->machine_code = NativeEngine::make(made->program, engine_, problem, CodeStore::open());
    if (!problem.empty()) diagnostics.report(native_messages::no_machine_code(problem));
    return *made;
}

}  // namespace cutset
