#include "translate/equilibrium_start.h"

#include "run/equilibrium.h"
#include "translate/vary.h"

namespace cutset {

namespace {

// The model with these initial values of what moves.
void start_at(FlatModel& flat, const std::vector<double>& values) {
    for (VariableIndex v(0); v < flat.variables.end_index(); ++v.value) {
        Variable& variable = flat.variables[v];
        if (variable.variability != Variability::Continuous || variable.is_boolean()) continue;
        const Origin origin = variable.start ? variable.start->origin : variable.origin;
        variable.start = Start{flat.pool->number(values[v.value]), origin};
    }
}

// By way of the motion; nothing where that leads to nothing better than what was `found` already.
std::optional<Translation> translate_after_motion(Translator& translator, const TranslationQuestion& steady,
                                                  const SimulateOptions& run,
                                                  const std::optional<Equilibrium>& found,
                                                  Diagnostics& diagnostics) {
    TranslationQuestion moving = steady;
    moving.transform.initial = InitialMode::Given;
    Diagnostics quiet;
    const std::optional<Translation> motion = translator.translate(moving, quiet);
    const std::optional<Equilibrium> rest = motion ? find_equilibrium(*motion->program, run) : std::nullopt;
    if (!rest || (found && rest->growth > 0)) return std::nullopt;
    std::optional<FlatModel> flat = translator.flatten(steady.model, steady.experiment, diagnostics);
    if (!flat) return std::nullopt;
    const FlatModel before = *flat;
    start_at(*flat, rest->values);
    const ProgramQuestion question{steady.transform, steady.jacobian, {}, {}};
    Diagnostics own;
    std::optional<Translation> second = translate(*flat, question, own);
    // What any value would do for stays where it starts.
    const auto free = second ? starts_that_hold(*second->partition(), before) : std::vector<VariableIndex>();
    if (!free.empty()) {
        for (VariableIndex v : free) flat->variables[v].start = before.variables[v].start;
        own = {};
        second = translate(std::move(*flat), question, own);
    }
    for (const Diagnostic& d : own.all()) diagnostics.report(d);
    if (!second) return std::nullopt;
    const std::optional<Equilibrium> start = initialize_run(*second->program, run);
    if (!start || (found && start->growth > 0)) return std::nullopt;
    return second;
}

}  // namespace

std::optional<Translation> translate_at_equilibrium(Translator& translator,
                                                    const TranslationQuestion& question,
                                                    Diagnostics& diagnostics) {
    const auto report = [&](const Diagnostics& of_the_chosen) {
        for (const Diagnostic& d : of_the_chosen.all()) diagnostics.report(d);
    };
    const SimulateOptions& run = *question.run;
    TranslationQuestion directly = for_these_values(question);
    directly.run = nullptr;
    Diagnostics of_first, of_second;
    std::optional<Translation> first = translator.translate(directly, of_first);
    if (first) {
        const std::optional<Equilibrium> found = initialize_run(*first->program, run);
        const bool lasts =
            found && (found->growth == 0 || is_near_initial_values(*first->partition(), found->values));
        if (!lasts)
            if (auto second = translate_after_motion(translator, directly, run, found, of_second)) {
                report(of_second);
                return second;
            }
    }
    report(of_first);
    return first;
}

}  // namespace cutset
