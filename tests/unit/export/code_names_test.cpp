// Identifiers made from paths.
#include "export/code_names.h"

#include <gtest/gtest.h>

namespace cutset {
namespace {

TEST(CodeNames, PathsBecomeIdentifiers) {
    CodeNames names(true, 60);
    EXPECT_EQ(names.make("Tank1.h"), "Tank1_h");
    EXPECT_EQ(names.make("B[3].x"), "B_3_x");
    EXPECT_EQ(names.make("3phase"), "v3phase");
    EXPECT_EQ(names.make("'"), "v");
    EXPECT_EQ(names.make("größe"), "gr_e");
}

TEST(CodeNames, EveryNameIsAnother) {
    CodeNames names(true, 60);
    EXPECT_EQ(names.make("a.b"), "a_b");
    EXPECT_EQ(names.make("a_b"), "a_b_2");
    EXPECT_EQ(names.make("a[b]"), "a_b_3");
    EXPECT_EQ(names.make("A.b"), "A_b");
}

TEST(CodeNames, CaseCountsWhereTheLanguageSaysSo) {
    CodeNames names(false, 60);
    EXPECT_EQ(names.make("a.b"), "a_b");
    EXPECT_EQ(names.make("A.B"), "A_B_2");
}

TEST(CodeNames, ReservedWordsGetANumber) {
    CodeNames sensitive(true, 60), insensitive(false, 60);
    sensitive.reserve("while double");
    insensitive.reserve("while double");
    EXPECT_EQ(sensitive.make("while"), "while_2");
    EXPECT_EQ(sensitive.make("While"), "While");
    EXPECT_EQ(insensitive.make("While"), "While_2");
}

TEST(CodeNames, LongNamesAreCutAndStayDifferent) {
    CodeNames names(true, 8);
    EXPECT_EQ(names.make("pressure_inlet"), "pressure");
    EXPECT_EQ(names.make("pressure_outlet"), "pressu_2");
    for (int i = 3; i < 12; ++i) EXPECT_LE(names.make("pressure").size(), 8u);
}

TEST(CodeNames, WithoutUnderscores) {
    CodeNames names(false, 30, false);
    EXPECT_EQ(names.make("Tank1.h"), "Tank1h");
    EXPECT_EQ(names.make("Tank1h"), "Tank1hn2");
}

}  // namespace
}  // namespace cutset
