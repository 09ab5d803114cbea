// A model that is ready to run, as a program or document in another language.
#pragma once

#include <optional>
#include <string>

#include "export/target_language.h"
#include "run/simulate.h"

namespace cutset {

// `language` is one that is made from sorted equations. The defaults of the program are those of `run`.
// Iteration variables of the initialization get the values found here as guesses, where it can be computed.
// None when the language cannot express the model; then it was reported. `source`: the file it came from, for
// the heading.
std::optional<std::string> export_program(const Program& program, TargetLanguage language,
                                          const SimulateOptions& run, const std::string& source,
                                          Diagnostics& diagnostics);

}  // namespace cutset
