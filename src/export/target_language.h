// The languages that a model can be written in, and from which stage of its translation each is made: this is
// the one list of them.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace cutset {

enum class TargetLanguage { C, Fortran, Simnon, Latex, Modelica, Omola };

// What the text is made from: the classes as they were written, or the sorted equations of a model that is
// ready to run.
enum class ExportedStage { Classes, SortedEquations };

struct TargetLanguageEntry {
    TargetLanguage language;
    const char* name;   // as in `cutset translate --to NAME`
    const char* title;  // as in messages
    ExportedStage stage;
};

std::span<const TargetLanguageEntry> target_languages();
const TargetLanguageEntry& entry_of(TargetLanguage language);
// None when no language has this name.
std::optional<TargetLanguage> target_language(std::string_view name);

}  // namespace cutset
