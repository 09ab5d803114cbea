#include "base/foreign_words.h"

#include <gtest/gtest.h>

namespace cutset {
namespace {

TEST(ForeignWords, KnowDecimalCommas) {
    EXPECT_EQ(decimal_comma("p=1,5", 3), "1.5");
    EXPECT_EQ(decimal_comma("p=1,5", 4), "1.5");
    EXPECT_EQ(decimal_comma("p=12,50*x", 5), "12.50");
    EXPECT_EQ(decimal_comma("p=1, 5", 3), "");
    EXPECT_EQ(decimal_comma("p=1.2,5", 5), "");
    EXPECT_EQ(decimal_comma("p=a,5", 3), "");
    EXPECT_EQ(decimal_comma(",5", 0), "");
    EXPECT_EQ(decimal_comma("15", 1), "");
    EXPECT_EQ(decimal_comma("1,5", 9), "");
    EXPECT_EQ(decimal_comma("", 0), "");
}

TEST(ForeignWords, KnowLettersBehindNumbers) {
    EXPECT_EQ(stuck_letters_help("1k"), "write `1e3` for the prefix, `1*k` for a product");
    EXPECT_EQ(stuck_letters_help("2u"), "write `2e-6` for the prefix, `2*u` for a product");
    EXPECT_EQ(stuck_letters_help("2x1"), "if a product is meant, write `2*x1`");
    for (const char* other : {"5e", "1.2.3", "12", "", "x"})
        EXPECT_EQ(stuck_letters_help(other), "") << other;
}

TEST(ForeignWords, KnowFunctions) {
    EXPECT_EQ(foreign_function_help("TG", "der(x)"), "write tan(x)");
    EXPECT_EQ(foreign_function_help("diff", "x'"), "a derivative is written x'");
    EXPECT_EQ(foreign_function_help("pow", "x'", "x**y"), "a power is written x**y");
    EXPECT_EQ(foreign_function_help("sin", "x'"), "");
}

}  // namespace
}  // namespace cutset
