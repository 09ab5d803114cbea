// Initialization at an equilibrium (--initial steady). Where Newton's method finds none from the given
// initial values, or one that cannot last and that was not asked for, it is looked for by way of the motion
// (run/equilibrium.h): what the motion comes to are the initial values from which Newton's method begins
// again.
#pragma once

#include <optional>

#include "translate/translator.h"

namespace cutset {

// `question.run`: the run that is to begin there. Nothing when errors were reported.
std::optional<Translation> translate_at_equilibrium(Translator& translator,
                                                    const TranslationQuestion& question,
                                                    Diagnostics& diagnostics);

}  // namespace cutset
