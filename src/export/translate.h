// A model that is ready to run, as a program or document in another language.
#pragma once

#include <optional>
#include <string>

#include "run/simulate.h"

namespace cutset {

enum class TargetLanguage { C, Fortran, Simnon, Latex };

// The defaults of the translated program are those of `run`. Iterated unknowns of the start get the values
// found here as guesses, where the start can be computed. Nothing when the language cannot express the model;
// then it was reported. `source`: the file it came from, for the heading.
std::optional<std::string> translate_program(const Program& program, TargetLanguage language,
                                             const SimulateOptions& run, const std::string& source,
                                             Diagnostics& diagnostics);

}  // namespace cutset
