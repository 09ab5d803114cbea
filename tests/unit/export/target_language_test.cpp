// The list of languages that a model can be written in.
#include "export/target_language.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace cutset {
namespace {

TEST(TargetLanguages, AreFoundByTheirNames) {
    for (const TargetLanguageEntry& entry : target_languages()) {
        EXPECT_EQ(target_language(entry.name), entry.language) << entry.name;
        EXPECT_EQ(&entry_of(entry.language), &entry) << entry.name;
    }
    EXPECT_FALSE(target_language("pascal"));
    EXPECT_FALSE(target_language("C"));  // names are those of the command line
    EXPECT_FALSE(target_language(""));
}

TEST(TargetLanguages, AreListedOnce) {
    std::set<std::string> names;
    for (const TargetLanguageEntry& entry : target_languages())
        EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_EQ(names, (std::set<std::string>{"c", "fortran", "latex", "modelica", "omola", "simnon"}));
}

TEST(TargetLanguages, LanguagesOfClassesAreMadeFromClasses) {
    for (const TargetLanguageEntry& entry : target_languages())
        EXPECT_EQ(entry.stage == ExportedStage::Classes,
                  entry.language == TargetLanguage::Modelica || entry.language == TargetLanguage::Omola);
}

}  // namespace
}  // namespace cutset
