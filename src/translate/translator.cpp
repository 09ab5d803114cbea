#include "translate/translator.h"

#include <utility>

#include "base/stopwatch.h"
#include "transform/choose_known.h"
#include "transform/loose_ends.h"
#include "translate/equilibrium_start.h"
#include "translate/messages.h"
#include "translate/open_quantities.h"
#include "translate/translate_mode.h"
#include "translate/vary.h"

namespace cutset {

bool may_have_other_values(const Experiment& experiment, const TransformOptions& transform) {
    return transform.initial == InitialMode::Given && experiment.knowns.empty() &&
           experiment.unknowns.empty();
}

void Translation::prepare(SimulateOptions& run) const {
    run.given = given;
    run.given_starts = given_starts;
    run.translate_mode = translate_mode;
}

std::optional<Translation> Translator::translate(const TranslationQuestion& question,
                                                 Diagnostics& diagnostics) {
    if (cache_ && cache_->has_same_text()) return cache_->take_same_text();
    if (diagnostics.has_errors()) return std::nullopt;
    if (question.transform.initial == InitialMode::Steady && question.run)
        return translate_at_equilibrium(*this, question, diagnostics);
    Diagnostics own;  // of no concern where the question is asked again for one set of values
    const auto done = [&](std::optional<Translation> result) {
        for (const Diagnostic& d : own.all()) diagnostics.report(d);
        return result;
    };

    // text → FlatModel, in which the quantities that a run gives are parameters.
    std::optional<FlatModel> flat = flatten(question.model, experiment_of(question), own);
    if (!flat) return done(std::nullopt);
    const bool other_values =
        question.other_values && may_have_other_values(question.experiment, question.transform);
    ProgramQuestion asked{question.transform, question.jacobian, {}, {}};
    asked.transform.remember_decisions = other_values;
    std::optional<VariedParameters> varied;
    if (other_values && !question.varied.empty()) {
        varied = vary(*flat, question);
        if (!varied) return translate(for_these_values(question), diagnostics);
        asked.given = varied->all();
    }
    if (question.open && !open_quantities(*flat, *question.open, asked, own, times_))
        return done(std::nullopt);
    std::optional<WrittenStarts> starts;
    if (other_values) starts.emplace(*flat);

    // FlatModel → Partition, unless the flat model of an earlier text was the same, at least in part.
    RequestCache::Earlier earlier;
    if (cache_) earlier = cache_->find_earlier_text(*flat, question, asked.transform, times_);
    if (earlier.translation) return done(std::move(earlier.translation));
    const std::size_t messages = own.all().size();
    std::optional<Partition> sorted = earlier.partition
                                          ? std::move(earlier.partition)
                                          : sort_equations(std::move(*flat), asked.transform, own, &times_);
    if (!sorted) return done(std::nullopt);
    if (cache_ && own.all().size() > messages) cache_->forget_identity();  // they may speak of values
    if (varied && !varied->fit(*sorted)) return translate(for_these_values(question), diagnostics);

    // Partition → Program.
    Translation made =
        cutset::translate(std::make_shared<const Partition>(std::move(*sorted)), asked, &times_);
    made.provenance = earlier.provenance;
    if (asked.derivatives && !made.program->linearized) {
        own.report(translate_messages::no_derivative(made.model().name));
        return done(std::nullopt);
    }
    if (varied) made.varied = std::move(varied->parameters);
    if (other_values) {
        made.valid.emplace(made.partition(), varied ? asked.given : parameters_of(*made.partition()));
        made.start_is_held = held_starts(*made.partition(), *starts);
    }
    return done(std::move(made));
}

std::optional<FlatModel> Translator::collect(const std::string& model, const Experiment& experiment,
                                             Diagnostics& diagnostics) const {
    if (diagnostics.has_errors()) return std::nullopt;
    return text_.instantiate(model, experiment, diagnostics);
}

std::optional<FlatModel> Translator::flatten(const std::string& model, const Experiment& experiment,
                                             Diagnostics& diagnostics) const {
    const Stopwatch watch(&times_.instantiate);
    std::optional<FlatModel> flat = collect(model, experiment, diagnostics);
    if (!flat) return std::nullopt;
    choose_known(*flat, diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
    settle_loose_ends(*flat);
    return flat;
}

std::shared_ptr<const Partition> Translator::partition(const std::string& model, const Experiment& experiment,
                                                       const TransformOptions& options,
                                                       Diagnostics& diagnostics) const {
    std::optional<FlatModel> flat = flatten(model, experiment, diagnostics);
    if (!flat) return nullptr;
    std::optional<Partition> sorted = sort_equations(std::move(*flat), options, diagnostics, &times_);
    return sorted ? std::make_shared<const Partition>(std::move(*sorted)) : nullptr;
}

std::optional<Translation> translate(FlatModel flat, const ProgramQuestion& question,
                                     Diagnostics& diagnostics, StageTimes* times) {
    std::optional<Partition> sorted = sort_equations(std::move(flat), question.transform, diagnostics, times);
    if (!sorted) return std::nullopt;
    Translation made = translate(std::make_shared<const Partition>(std::move(*sorted)), question, times);
    made.provenance.kind = Provenance::Kind::Text;
    return made;
}

std::optional<Partition> sort_equations(FlatModel flat, const TransformOptions& options,
                                        Diagnostics& diagnostics, StageTimes* times) {
    const Stopwatch watch(times ? &times->sort : nullptr);
    return transform(std::move(flat), options, diagnostics);
}

Translation translate(std::shared_ptr<const Partition> partition, const ProgramQuestion& question,
                      StageTimes* times) {
    const Stopwatch watch(times ? &times->generate : nullptr);
    Translation made;
    made.program =
        std::make_shared<const Program>(generate(std::move(partition), question.jacobian, question.given,
                                                 question.derivatives ? &*question.derivatives : nullptr));
    made.provenance.kind = Provenance::Kind::OtherTranslation;
    return made;
}

std::optional<Experiment> Translator::open(Workspace& workspace, const ModelRequest& request,
                                           std::optional<TranslationCache> cache) {
    if (cache) {
        cache_ = std::make_shared<RequestCache>(std::move(*cache), request);
        if (cache_->find_same_text(workspace)) return Experiment{};
    }
    return open_model(request, workspace);
}

KeepingOnDisk Translator::keep(const Workspace& workspace, const Translation& translation) const {
    return cache_ ? cache_->keep(workspace, translation) : KeepingOnDisk();
}

}  // namespace cutset
