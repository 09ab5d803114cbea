#include "session/command_text.h"

#include <gtest/gtest.h>

#include "session/arithmetic.h"
#include "session/display.h"
#include "session/picture.h"

namespace cutset {
namespace {

std::string joined(std::string_view text) {
    std::string out;
    for (const CommandToken& token : command_tokens(text)) out += (out.empty() ? "" : "|") + token.text;
    return out;
}

TEST(CommandText, BlanksAreNeededOnlyBetweenWords) {
    EXPECT_EQ(joined("SIMU 0 25/SIM1"), "SIMU|0|25|/|SIM1");
    EXPECT_EQ(joined("PLOT V(U)"), "PLOT|V|(|U|)");
    EXPECT_EQ(joined("SIMU -2.5 2.5-MARK"), "SIMU|-2.5|2.5|-|MARK");
    EXPECT_EQ(joined("PAR BETA[SYST]:-1E-6"), "PAR|BETA|[|SYST|]|:|-1E-6");
    EXPECT_EQ(joined("INIT Tank1::h:2"), "INIT|Tank1::h|:|2");
    EXPECT_EQ(joined("PLOT s[3].x a.b"), "PLOT|s|[|3|]|.x|a.b");
    EXPECT_EQ(joined("WRITE 'a b' X"), "WRITE|a b|X");
}

TEST(CommandText, ADoubleQuoteBeginsAComment) {
    EXPECT_EQ(without_comment("  PLOT U   \" SEE FIGURE 1"), "PLOT U");
    EXPECT_EQ(without_comment("WRITE 'a \" b'"), "WRITE 'a \" b'");
    EXPECT_EQ(without_comment("\" DON'T"), "");
    EXPECT_EQ(without_comment("TURN MACOM OFF    \" DON'T ECHO"), "TURN MACOM OFF");
}

TEST(CommandText, OptionsAndFilesAreFoundWithAndWithoutBlanks) {
    std::optional<Diagnostic> problem;
    for (const char* text : {"10 20 0.02 - MARK CONT/SIM2", "10 20 0.02-MARK-CONT /SIM2",
                             "10 20 0.02/SIM2 -MARK CONT", "10 20 0.02-CONT/SIM2-MARK"}) {
        const auto o = split_options(text, {"CONT", "MARK"}, true, problem);
        ASSERT_TRUE(o) << text;
        EXPECT_EQ(o->arguments, "10 20 0.02") << text;
        EXPECT_TRUE(o->has("MARK") && o->has("CONT")) << text;
        EXPECT_EQ(o->file, "SIM2") << text;
    }
    EXPECT_FALSE(split_options("0 1 -MARQ", {"CONT", "MARK"}, true, problem));
    EXPECT_EQ(problem->help, "did you mean -MARK?");
    std::vector<std::string> words;
    const auto p = split_path_options("SYS runs/a-b.t CONN-EDIT", {"EDIT"}, words, problem);
    ASSERT_TRUE(p);
    EXPECT_EQ(words, (std::vector<std::string>{"SYS", "runs/a-b.t", "CONN"}));
    EXPECT_TRUE(p->has("EDIT"));
}

TEST(CommandText, AbbreviationsAreUniqueOrOfTheManual) {
    const std::vector<std::string> words = {"STORE", "STOP", "SIMU", "LIST", "LOG", "STATE"};
    EXPECT_EQ(choose_word("sim", words).index, 2u);
    EXPECT_FALSE(choose_word("STO", words).index);
    EXPECT_EQ(choose_word("STO", words).candidates.size(), 2u);
    EXPECT_EQ(choose_word("L", words, 4).index, 3u);
    EXPECT_FALSE(choose_word("L", words).index);
}

double compute(std::string_view text) {
    std::optional<Diagnostic> problem;
    const auto name = [](TokenReader& tokens, std::optional<Diagnostic>& trouble) -> std::optional<double> {
        if (*tokens.word() == "K") return 3.0;
        trouble = Diagnostic{};
        return std::nullopt;
    };
    const auto value = evaluate_arithmetic(text, name, problem);
    EXPECT_EQ(value.has_value(), !problem.has_value());
    return value.value_or(-999);
}

TEST(Arithmetic, FollowsTheUsualRules) {
    EXPECT_EQ(compute("1 + 2*3"), 7);
    EXPECT_EQ(compute("K -1"), 2);
    EXPECT_EQ(compute("K-1"), 2);
    EXPECT_EQ(compute("-2^2"), -4);
    EXPECT_EQ(compute("2*-K"), -6);
    EXPECT_EQ(compute("2^-1"), 0.5);
    EXPECT_EQ(compute("8/2/2"), 2);
    EXPECT_EQ(compute("-(1-K)*2"), 4);
    EXPECT_EQ(compute("MAX(K, 2) + MOD(7, 4) + SIGN(-3) + INT(-2.7)"), 3);
    EXPECT_EQ(compute("LOG(100) + LOG10(10)"), 3);
    EXPECT_EQ(compute("log(100)"), -999);
    EXPECT_EQ(in_small_letters("SIN(2*TIME) + K*LOG(x)"), "sin(2*time) + K*log10(x)");
    EXPECT_EQ(compute("1/0"), -999);
    EXPECT_EQ(compute("(1"), -999);
    EXPECT_EQ(compute("1 2"), -999);
    EXPECT_EQ(compute(""), -999);
    EXPECT_EQ(compute("Q"), -999);
    EXPECT_EQ(compute(std::string(100000, '(')), -999);
}

TEST(Display, NumbersAreWrittenAsInTheManual) {
    EXPECT_EQ(six_digits(2.23021), "2.23021");
    EXPECT_EQ(six_digits(0.711), "0.711000");
    EXPECT_EQ(six_digits(0.25), "0.250000");
    EXPECT_EQ(six_digits(0), "0.000000");
    EXPECT_EQ(six_digits(1), "1.00000");
    EXPECT_EQ(six_digits(-2.941212), "-2.94121");
    EXPECT_EQ(six_digits(1e10), "1.00000E10");
    EXPECT_EQ(short_number(2.23021), "2.23");
    EXPECT_EQ(short_number(0.711), "0.711");
    EXPECT_EQ(short_number(1), "1.");
    EXPECT_EQ(short_number(0), "0.");
    EXPECT_EQ(short_number(0.08), "0.08");
    EXPECT_EQ(short_number(1234.5), "1234.5");
    EXPECT_EQ(short_number(1e10), "1.E10");
    EXPECT_EQ(short_number(1e-6), "1.E-6");
}

TEST(Picture, ScalesAreStandardised) {
    const auto scale = [](double low, double high) {
        const PlotRange r = standard_scale(low, high);
        return std::pair(r.low, r.high);
    };
    EXPECT_EQ(scale(0, 25), std::pair(0.0, 25.0));
    EXPECT_EQ(scale(-5, 5), std::pair(-5.0, 5.0));
    EXPECT_EQ(scale(-8, 8), std::pair(-8.0, 8.0));
    const PlotRange r = standard_scale(-0.1, 2.5);
    EXPECT_NEAR(r.low, -0.2, 1e-12);
    EXPECT_NEAR(r.high, 2.6, 1e-12);
    const PlotRange s = standard_scale(0, 1000);
    EXPECT_EQ(s.low, 0);
    EXPECT_EQ(s.high, 1000);
}

}  // namespace
}  // namespace cutset
