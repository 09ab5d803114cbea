#include "operations/ensembles/ensemble.h"

#include <algorithm>

#include "base/stopwatch.h"
#include "ir/find_variables.h"
#include "native/code_store.h"
#include "native/messages.h"
#include "transform/choose_known.h"
#include "translate/served_values.h"
#include "translate/translate_mode.h"

namespace cutset {

namespace {

constexpr std::size_t most_known = 16;  // translations that are kept for further cases

tree::Expression number(double value) {
    tree::Expression e;
    e.kind = tree::ExpressionKind::Number;
    e.number = value;
    return e;
}

}  // namespace

struct Ensemble::Translation {
    Program program;
    std::shared_ptr<NativeEngine> machine_code;
    std::vector<std::vector<VariableIndex>> targets;  // by varied quantity: parameters it stands in
    bool shared = false;

    std::unordered_map<std::uint32_t, std::size_t> varied;  // by parameter: its number; looked up only
    std::optional<ServedValues> served;

    void prepare();
    bool serves(std::span<const double> values) const;
};

void Ensemble::Translation::prepare() {
    std::vector<VariableIndex> all;
    for (std::size_t i = 0; i < targets.size(); ++i)
        for (VariableIndex v : targets[i]) {
            varied[v.value] = i;
            all.push_back(v);
        }
    served.emplace(*program.partition, all);
}

bool Ensemble::Translation::serves(std::span<const double> values) const {
    return served->serves(
        [&](VariableIndex v) -> std::optional<double> { return values[varied.at(v.value)]; });
}

Ensemble::Ensemble(const Workspace& workspace, std::string model, Experiment experiment,
                   TransformOptions transform, SimulateOptions run, Engine engine,
                   std::vector<VariedQuantity> varied)
    : workspace_(workspace),
      model_(std::move(model)),
      experiment_(std::move(experiment)),
      transform_(std::move(transform)),
      run_(std::move(run)),
      engine_(engine),
      varied_(std::move(varied)),
      shareable_(transform_.initial == InitialMode::Given && experiment_.knowns.empty() &&
                 experiment_.unknowns.empty()) {
    transform_.remember_decisions = shareable_;
}

Experiment Ensemble::experiment_for(std::span<const double> values) const {
    Experiment e = experiment_;
    for (std::size_t i = 0; i < varied_.size(); ++i)
        (varied_[i].initial ? e.initials : e.parameters).push_back({varied_[i].path, number(values[i])});
    return e;
}

std::shared_ptr<const Ensemble::Translation> Ensemble::find(std::span<const double> values) {
    std::vector<std::shared_ptr<const Translation>> known;
    {
        const std::lock_guard lock(mutex_);
        known = known_;
    }
    for (const auto& t : known)
        if (t->serves(values)) return t;
    return nullptr;
}

std::shared_ptr<Ensemble::Translation> Ensemble::translate(std::span<const double> values,
                                                           Workspace::Times& times, Diagnostics& reported) {
    Diagnostics diagnostics;  // nobody's concern where another way is taken
    const auto done = [&](std::shared_ptr<Translation> t) {
        for (const Diagnostic& d : diagnostics.all()) reported.report(d);
        return t;
    };
    auto flat = [&] {
        const Stopwatch watch(&times.instantiate);
        auto made =
            instantiate(workspace_.classes, model_, experiment_for(values), workspace_.sources, diagnostics);
        if (made) choose_known(*made, diagnostics);
        return made;
    }();
    if (!flat) return done(nullptr);
    if (diagnostics.has_errors()) return done(nullptr);
    auto t = std::make_shared<Translation>();
    std::vector<VariableIndex> given, started;
    for (std::size_t i = 0; i < varied_.size(); ++i) {
        const std::string path = plain_path(varied_[i].path);
        const auto is_value = [&](Expr e) { return e && e->op == Op::Number && e->number == values[i]; };
        std::vector<VariableIndex>& targets = t->targets.emplace_back();
        if (!varied_[i].initial) {
            targets = find_variables(*flat, path);
            for (VariableIndex v : targets)
                if (flat->variables[v].variability != Variability::Parameter ||
                    !is_value(flat->variables[v].binding))
                    return translate_alone(values, times, reported);
        } else {
            // The number becomes a parameter of its own.
            const bool derivative = path.starts_with("der(") && path.ends_with(')');
            const auto variables = find_variables(*flat, derivative ? path.substr(4, path.size() - 5) : path);
            if (variables.empty()) return translate_alone(values, times, reported);
            if (!derivative) started.insert(started.end(), variables.begin(), variables.end());
            Variable p;
            p.name = flat->variables[variables[0]].name + "(0)";
            p.origin = flat->variables[variables[0]].origin;
            p.variability = Variability::Parameter;
            p.declared = VariableKind::Parameter;
            p.binding = flat->pool->number(values[i]);
            p.value = values[i];
            p.internal = true;
            const VariableIndex parameter = flat->variables.add(std::move(p));
            const Expr value = flat->pool->variable(parameter);
            for (VariableIndex v : variables) {
                Variable& variable = flat->variables[v];
                if (derivative) {
                    for (DerivativeStart& s : flat->derivative_starts)
                        if (s.variable == v && s.start.from_user) s.start.value = value;
                    continue;
                }
                if (!variable.start || !is_value(variable.start->value))
                    return translate_alone(values, times, reported);
                variable.start->value = value;
                if (variable.variability == Variability::Discrete && is_value(variable.binding))
                    variable.binding = value;
            }
            targets.push_back(parameter);
        }
        if (targets.empty()) return translate_alone(values, times, reported);
        given.insert(given.end(), targets.begin(), targets.end());
    }
    auto sorted = [&] {
        const Stopwatch watch(&times.sort);
        return transform(std::move(*flat), transform_, diagnostics);
    }();
    if (!sorted) return done(nullptr);
    // The further variable for an initial value must not touch what index reduction adds and chooses.
    // Of what is no state it is a guess, by which iterations are scaled.
    const bool guesses = std::any_of(started.begin(), started.end(), [&](VariableIndex v) {
        return std::find(sorted->states.begin(), sorted->states.end(), v) == sorted->states.end();
    });
    const bool reduced =
        guesses || sorted->index > 1 || !sorted->selections.empty() || !sorted->dependent.empty();
    if (reduced &&
        std::any_of(varied_.begin(), varied_.end(), [](const VariedQuantity& q) { return q.initial; }))
        return translate_alone(values, times, reported);
    const Stopwatch watch(&times.generate);
    t->program =
        generate(std::make_shared<const Partition>(std::move(*sorted)), jacobian_for(run_.solver), given);
    t->shared = true;
    t->prepare();
    return done(t);
}

// As for a single run, with nothing left open.
std::shared_ptr<Ensemble::Translation> Ensemble::translate_alone(std::span<const double> values,
                                                                 Workspace::Times& times,
                                                                 Diagnostics& diagnostics) {
    Workspace own;
    own.sources = workspace_.sources;
    own.classes = workspace_.classes;
    TransformOptions options = transform_;
    options.remember_decisions = false;
    auto program = own.program_to_run(model_, experiment_for(values), options, run_);
    for (const Diagnostic& d : own.diagnostics.all()) diagnostics.report(d);
    times.instantiate += own.times.instantiate;
    times.sort += own.times.sort;
    times.generate += own.times.generate;
    if (!program) return nullptr;
    auto t = std::make_shared<Translation>();
    t->program = std::move(*program);
    return t;
}

std::shared_ptr<const Ensemble::Translation> Ensemble::get(std::span<const double> values,
                                                           Diagnostics& diagnostics) {
    const bool share = shareable_ && !alone_;
    if (auto known = share ? find(values) : nullptr) return known;
    ++made_;
    Times times;
    const auto made = share ? translate(values, times.stages, diagnostics)
                            : translate_alone(values, times.stages, diagnostics);
    std::string problem;
    if (made) {
        const Stopwatch watch(&times.machine_code);
        made->machine_code = NativeEngine::make(made->program, engine_, problem, CodeStore::open());
    }
    {
        const std::lock_guard lock(mutex_);
        times_.stages.instantiate += times.stages.instantiate;
        times_.stages.sort += times.stages.sort;
        times_.stages.generate += times.stages.generate;
        times_.machine_code += times.machine_code;
    }
    if (!made) return nullptr;
    if (!problem.empty()) diagnostics.report(native_messages::no_machine_code(problem));
    if (made->shared) {
        const std::lock_guard lock(mutex_);
        if (known_.size() >= most_known) {
            count(*known_.back(), times_);
            known_.pop_back();
        }
        known_.insert(known_.begin(), made);
    }
    return made;
}

void Ensemble::count(const Translation& t, Times& times) const {
    if (!t.machine_code) return;
    times.machine_code += t.machine_code->waited_by_all();
    if (engine_ != Engine::Auto) return;
    const NativeStatistics n = t.machine_code->statistics();
    times.beside += n.load_seconds + n.plan_seconds + n.compile_seconds;
}

Ensemble::Times Ensemble::times() const {
    const std::lock_guard lock(mutex_);
    Times times = times_;
    for (const auto& t : known_) count(*t, times);
    return times;
}

std::shared_ptr<const Partition> Ensemble::partition(std::span<const double> values,
                                                     Diagnostics& diagnostics) {
    const auto t = get(values, diagnostics);
    return t ? t->program.partition : nullptr;
}

Ensemble::Case Ensemble::run(std::span<const double> values, RowSink& sink, Diagnostics& diagnostics) {
    Case result;
    const auto t = get(values, diagnostics);
    if (!t) return result;
    result.translated = true;
    SimulateOptions options = run_;
    options.machine_code = t->machine_code;
    if (!t->shared) options.translate_mode = translate_mode;
    for (std::size_t i = 0; i < t->targets.size(); ++i)
        for (VariableIndex v : t->targets[i]) options.given.emplace_back(v, values[i]);
    result.summary = simulate(t->program, options, sink, diagnostics);
    if (result.summary.needs_mode) alone_ = true;
    if (!t->shared) {
        const std::lock_guard lock(mutex_);
        count(*t, times_);
    }
    return result;
}

}  // namespace cutset
