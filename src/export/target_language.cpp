#include "export/target_language.h"

#include <algorithm>

#include "base/diagnostic.h"

namespace cutset {

namespace {

constexpr TargetLanguageEntry languages[] = {
    {TargetLanguage::C, "c", "C", ExportedStage::SortedEquations},
    {TargetLanguage::Fortran, "fortran", "Fortran", ExportedStage::SortedEquations},
    {TargetLanguage::Simnon, "simnon", "Simnon", ExportedStage::SortedEquations},
    {TargetLanguage::Latex, "latex", "LaTeX", ExportedStage::SortedEquations},
    {TargetLanguage::Modelica, "modelica", "Modelica", ExportedStage::Classes},
    {TargetLanguage::Omola, "omola", "Omola", ExportedStage::Classes},
};

}  // namespace

std::span<const TargetLanguageEntry> target_languages() {
    return languages;
}

const TargetLanguageEntry& entry_of(TargetLanguage language) {
    const auto* const found =
        std::ranges::find(languages, language, [](const TargetLanguageEntry& e) { return e.language; });
    CUTSET_ASSERT(found != std::end(languages));
    return *found;
}

std::optional<TargetLanguage> target_language(std::string_view name) {
    const auto* const found =
        std::ranges::find(languages, name, [](const TargetLanguageEntry& e) { return e.name; });
    if (found == std::end(languages)) return std::nullopt;
    return found->language;
}

}  // namespace cutset
