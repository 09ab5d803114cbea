// Blanks around texts, upper and lower case.
#include "base/letters.h"

#include <gtest/gtest.h>

namespace cutset {
namespace {

TEST(Letters, BlanksAtBothEndsGo) {
    EXPECT_EQ(trimmed("  a b\t\r\n"), "a b");
    EXPECT_EQ(trimmed("a"), "a");
    EXPECT_EQ(trimmed(" \f\v "), "");
    EXPECT_EQ(trimmed(""), "");
}

TEST(Letters, OnlyThoseOfAsciiHaveCases) {
    EXPECT_EQ(upper_case("x1_ä{"), "X1_ä{");
    EXPECT_EQ(lower_case("X1_Ä["), "x1_Ä[");
}

TEST(Letters, AreComparedWithoutCase) {
    EXPECT_TRUE(equal_ignoring_case("Time", "tIME"));
    EXPECT_TRUE(equal_ignoring_case("", ""));
    EXPECT_FALSE(equal_ignoring_case("time", "times"));
    EXPECT_FALSE(equal_ignoring_case("@", "`"));  // 32 apart, as letters of both cases are
}

}  // namespace
}  // namespace cutset
