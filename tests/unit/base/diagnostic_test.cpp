// Messages stay readable whatever the text is: long names, thousands of errors, bytes that are no characters.
#include "base/diagnostic.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/utf8.h"

namespace cutset {
namespace {

TEST(Diagnostics, ManyErrorsAreCountedAndNotAllKept) {
    Diagnostics d;
    for (int i = 0; i < 100'000; ++i) d.report({.code = "e", .message = fmt::format("error {}", i)});
    EXPECT_EQ(d.error_count(), 100'000u);
    ASSERT_EQ(d.all().size(), 201u);
    EXPECT_EQ(d.all()[199].message, "error 199");
    EXPECT_EQ(d.all().back().code, "more-errors");
    d.report({.severity = Severity::Warning, .code = "w", .message = "a warning"});
    d.report({.severity = Severity::Note, .code = "n", .message = "a note"});
    ASSERT_EQ(d.all().size(), 203u);
    EXPECT_EQ(d.all()[201].code, "w");
}

TEST(Diagnostics, LongTextsAreCutBetweenCharacters) {
    Diagnostics d;
    std::string name;
    while (name.size() < 1'000'000) name += "ä";
    d.report({.code = "e", .message = "x" + name, .details = {name}, .help = name});
    const Diagnostic& kept = d.all().front();
    for (const std::string& text : {kept.message, kept.details[0], kept.help}) {
        EXPECT_LT(text.size(), 2'010u);
        EXPECT_EQ(printable(text), text);  // no half characters
    }
}

TEST(Diagnostics, TheMarkerStandsUnderItsPlaceInLongLines) {
    for (const std::string filler : {"a", "ä", "\xFF"})
        for (std::size_t before : {0u, 10u, 78u, 79u, 80u, 81u, 300u, 100'000u}) {
            std::string text;
            for (std::size_t i = 0; i < before; ++i) text += filler;
            const auto at = static_cast<std::uint32_t>(text.size());
            text += "!";
            for (std::size_t i = 0; i < 500; ++i) text += filler;
            Sources sources;
            const SourceId id = sources.add("f", text + "\n");
            const std::string out =
                render({.code = "e", .where = {id, at, at + 1}, .message = "here"}, sources);
            EXPECT_LT(out.size(), 700u);
            EXPECT_EQ(printable(out), out);
            // Characters before the `!` of the second line and the `^` of the third.
            const std::size_t second = out.find('\n') + 1, third = out.find('\n', second) + 1;
            const auto characters = [](std::string_view part) {
                std::size_t n = 0;
                for (char c : part) n += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
                return n;
            };
            const std::string_view line = std::string_view(out).substr(second, third - second);
            const std::string_view marker = std::string_view(out).substr(third);
            ASSERT_NE(line.find('!'), std::string_view::npos);
            EXPECT_EQ(characters(line.substr(0, line.find('!'))), marker.find('^'))
                << filler << " " << before;
        }
}

TEST(Diagnostics, TerminalsSeeNoControlCharacters) {
    EXPECT_EQ(printable("a\x1b[31mb\tc\x7f\xC2\x9B"
                        "d"),
              "a [31mb c  d");
    EXPECT_EQ(printable("\xFF\xC3(\xE2\x82"), "??(??");
    EXPECT_EQ(printable("äπ\n…"), "äπ\n…");
}

}  // namespace
}  // namespace cutset
