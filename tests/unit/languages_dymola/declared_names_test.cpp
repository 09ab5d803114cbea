#include "languages/dymola/declared_names.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/source.h"
#include "languages/dymola/parse.h"

namespace cutset::dymola {
namespace {

// What the parser finds at the level of the file must be found without it too.
void expect_all_found(const std::string& text, const std::string& name) {
    Sources sources;
    Diagnostics diagnostics;
    const auto file = parse_file(sources, sources.add(name, text), diagnostics);
    const DeclaredNames found = declared_names(text);
    const auto expect = [&](const std::string& declared) {
        EXPECT_TRUE(declared.empty() || std::binary_search(found.names.begin(), found.names.end(), declared))
            << declared << " in " << name;
    };
    for (const auto& c : file->classes) expect(c->name);
    for (const auto& f : file->functions) expect(f->name);
    for (const tree::Table& t : file->tables) expect(t.name);
    EXPECT_TRUE(file->libraries.empty() || found.libraries) << name;
}

TEST(DeclaredNames, AreThoseOfTheParserInEveryFileAtHand) {
    int files = 0;
    for (const char* folder : {"libraries", "examples", "tests"})
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(std::string(CUTSET_ROOT) + "/" + folder)) {
            if (entry.path().extension() != ".dym" && entry.path().extension() != ".case") continue;
            std::string problem;
            const auto text = read_file(entry.path().string(), problem);
            ASSERT_TRUE(text) << entry.path();
            expect_all_found(*text, entry.path().string());
            ++files;
        }
    EXPECT_GT(files, 100);
}

TEST(DeclaredNames, CommentsAndTextsAreSeenAsTheParserSeesThem) {
    const char* text =
        "{ model type a end } -- model type b end\n"
        "MODEL TYPE {the real one} c \"model type d\"\n"
        "  local s\n"
        "  s = 3--2  { not a comment } + 2\n"
        "end\n"
        "function\xC2\xA0"
        "f(x) returns y\n  y := x \"\" \nend\n"
        "table -- of numbers\n  t(x) linear ((0, 1), (1, 2))\n"
        "-- library \"x.dym\"\n";
    expect_all_found(text, "text");
    const DeclaredNames found = declared_names(text);
    EXPECT_EQ(found.names, (std::vector<std::string>{"c", "f", "t"}));
    EXPECT_FALSE(found.libraries);
    EXPECT_TRUE(declared_names("x\nLIBRARY \"x.dym\"").libraries);
    EXPECT_TRUE(declared_names("{ never closed\nmodel a\nend").names.empty());
    EXPECT_EQ(declared_names("s = \"never closed\nmodel a\nend").names, std::vector<std::string>{"a"});
    EXPECT_TRUE(declared_names("").names.empty());
}

}  // namespace
}  // namespace cutset::dymola
