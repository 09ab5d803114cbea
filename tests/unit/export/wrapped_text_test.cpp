// Long lines of generated text.
#include "export/wrapped_text.h"

#include <gtest/gtest.h>

#include <sstream>

namespace cutset {
namespace {

TEST(WrappedText, ShortLinesStayAsTheyAre) {
    EXPECT_EQ(wrapped("x = 1;", 20, "", "    "), "x = 1;\n");
}

TEST(WrappedText, LinesBreakAtBlanks) {
    EXPECT_EQ(wrapped("x = a + b + c + d;", 10, "", "  "), "x = a + b\n  + c + d;\n");
    EXPECT_EQ(wrapped("x = a + b + c + d", 10, " &", "  "), "x = a + b &\n  + c + d\n");
}

TEST(WrappedText, TextInQuotesIsNotBroken) {
    EXPECT_EQ(wrapped("f(\"one two three\", 1);", 10, "", "  "), "f(\"one two three\",\n  1);\n");
    EXPECT_EQ(wrapped("f('one two three', 1)", 10, " &", "  ", '\''), "f( &\n  'one two three', &\n  1)\n");
}

TEST(WrappedText, WhereNoBlankIsALineBreaksAfterAnOperator) {
    EXPECT_EQ(wrapped("x=aaaa*bbbb*cccc", 8, "&", ""), "x=aaaa*&\nbbbb*&\ncccc\n");
    EXPECT_EQ(wrapped("aaaaaaaa**2", 9, "&", ""), "aaaaaaaa**2\n");  // ** is one operator
}

TEST(WrappedText, NothingIsLostInVeryLongLines) {
    std::string line, found;
    for (int i = 0; i < 20'000; ++i) line += "+ a" + std::to_string(i) + " ";
    line += "+ 1";
    std::istringstream lines(wrapped(line, 100, "", "  "));
    for (std::string part; std::getline(lines, part);) {
        EXPECT_LE(part.size(), 100u);
        if (!found.empty()) part.replace(0, 2, " ");
        found += part;
    }
    EXPECT_EQ(found, line);
}

}  // namespace
}  // namespace cutset
