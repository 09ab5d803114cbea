#include "operations/ensembles/ensemble.h"

#include <algorithm>

#include "base/stopwatch.h"
#include "native/code_store.h"
#include "native/messages.h"
#include "translate/translator.h"

namespace cutset {

namespace {

constexpr std::size_t most_known = 16;  // translations that are kept for further cases

}  // namespace

struct Ensemble::Ready {
    Translation translation;
    std::shared_ptr<NativeEngine> machine_code;
    std::unordered_map<std::uint32_t, std::size_t> varied;  // by parameter: its number; looked up only

    explicit Ready(Translation made) : translation(std::move(made)) {
        for (std::size_t i = 0; i < translation.varied.size(); ++i)
            for (VariableIndex v : translation.varied[i]) varied[v.value] = i;
    }
    bool shared() const { return translation.valid.has_value(); }
    bool is_valid_for(std::span<const double> values) const {
        return translation.valid->contain([&](VariableIndex v) -> std::optional<double> {
            const auto found = varied.find(v.value);
            return found == varied.end() ? std::nullopt : std::optional(values[found->second]);
        });
    }
};

Ensemble::Ensemble(const Workspace& workspace, std::string model, Experiment experiment,
                   TransformOptions transform, SimulateOptions run, Engine engine,
                   std::vector<VariedQuantity> varied)
    : workspace_(workspace), run_(std::move(run)), engine_(engine) {
    question_.model = std::move(model);
    question_.experiment = std::move(experiment);
    question_.transform = std::move(transform);
    question_.jacobian = jacobian_for(run_.solver);
    question_.varied = std::move(varied);
    question_.other_values = true;
    question_.run = &run_;
}

std::shared_ptr<const Ensemble::Ready> Ensemble::find(std::span<const double> values) {
    std::vector<std::shared_ptr<const Ready>> known;
    {
        const std::lock_guard lock(mutex_);
        known = known_;
    }
    for (const auto& t : known)
        if (t->is_valid_for(values)) return t;
    return nullptr;
}

std::shared_ptr<const Ensemble::Ready> Ensemble::get(std::span<const double> values,
                                                     Diagnostics& diagnostics) {
    const bool share = !alone_;
    if (auto known = share ? find(values) : nullptr) return known;
    ++made_;
    Times times;
    TranslationQuestion question = question_;
    question.values.assign(values.begin(), values.end());
    question.other_values = share;
    Diagnostics own;
    std::optional<Translation> translation =
        Translator(workspace_.text, times.stages).translate(question, own);
    for (const Diagnostic& d : own.all()) diagnostics.report(d);
    std::shared_ptr<Ready> made;
    std::string problem;
    if (translation) {
        made = std::make_shared<Ready>(std::move(*translation));
        const Stopwatch watch(&times.machine_code);
        made->machine_code =
            NativeEngine::make(*made->translation.program, engine_, problem, CodeStore::open());
    }
    {
        const std::lock_guard lock(mutex_);
        times_.stages.add(times.stages);
        times_.machine_code += times.machine_code;
    }
    if (!made) return nullptr;
    if (!problem.empty()) diagnostics.report(native_messages::no_machine_code(problem));
    if (made->shared()) {
        const std::lock_guard lock(mutex_);
        if (known_.size() >= most_known) {
            count(*known_.back(), times_);
            known_.pop_back();
        }
        known_.insert(known_.begin(), made);
    }
    return made;
}

void Ensemble::count(const Ready& ready, Times& times) const {
    if (!ready.machine_code) return;
    times.machine_code += ready.machine_code->waited_by_all();
    if (engine_ != Engine::Auto) return;
    const NativeStatistics n = ready.machine_code->statistics();
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
    return t ? t->translation.partition() : nullptr;
}

Ensemble::Case Ensemble::run(std::span<const double> values, RowSink& sink, Diagnostics& diagnostics) {
    Case result;
    const auto t = get(values, diagnostics);
    if (!t) return result;
    result.translated = true;
    SimulateOptions options = run_;
    t->translation.prepare(options);
    options.machine_code = t->machine_code;
    if (t->shared()) options.translate_mode = nullptr;  // a mode is translated with all values
    for (std::size_t i = 0; i < t->translation.varied.size(); ++i)
        for (VariableIndex v : t->translation.varied[i]) options.given.emplace_back(v, values[i]);
    result.summary = simulate(*t->translation.program, options, sink, diagnostics);
    if (result.summary.needs_mode) alone_ = true;
    if (!t->shared()) {
        const std::lock_guard lock(mutex_);
        count(*t, times_);
    }
    return result;
}

}  // namespace cutset
