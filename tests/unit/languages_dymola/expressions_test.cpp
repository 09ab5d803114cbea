#include <gtest/gtest.h>

#include "parsing.h"

namespace cutset::dymola {
namespace {

TEST(Expressions, PrecedenceFromWeakestToStrongest) {
    EXPECT_EQ(expression("a or b and not c < d + e * -f ** g"),
              "(a or (b and (not (c < (d + (e * (-(f ** g))))))))");
}

TEST(Expressions, PowersGoFromRightToLeft) {
    EXPECT_EQ(expression("a ** b ^ c"), "(a ** (b ** c))");
    EXPECT_EQ(expression("a ** -b"), "(a ** (-b))");
    EXPECT_EQ(expression("-a**2"), "(-(a ** 2))");
    EXPECT_EQ(expression("Vx**2 + Vy**2"), "((Vx ** 2) + (Vy ** 2))");
}

TEST(Expressions, ChainsAreOneNode) {
    EXPECT_EQ(expression("a - b + c"), "(a - b + c)");
    EXPECT_EQ(expression("-a + b"), "(-a + b)");
    EXPECT_EQ(expression("a / b * c / d"), "(a / b * c / d)");
    EXPECT_EQ(expression("a*-b"), "(a * (-b))");
    EXPECT_EQ(expression("a--b"), "(a - (-b))");
}

TEST(Expressions, Numbers) {
    EXPECT_EQ(expression("5"), "5");
    EXPECT_EQ(expression(".08"), "0.08");
    EXPECT_EQ(expression("5."), "5");
    EXPECT_EQ(expression("2.59E-4"), "0.000259");
    EXPECT_EQ(expression("180e-9"), "1.8e-07");
    EXPECT_EQ(expression("1e+3"), "1000");
    EXPECT_EQ(expression("1e-400"), "0");
    EXPECT_EQ(expression("1e400"), "number-out-of-range ");
    EXPECT_EQ(expression("1.2.3"), "malformed-number ");
    EXPECT_EQ(expression("5e"), "malformed-number ");
    EXPECT_EQ(expression("2x"), "malformed-number ");
}

TEST(Expressions, IfIsAnExpression) {
    EXPECT_EQ(expression("if v > 0 then v**2 else 0"), "(if (v > 0) then (v ** 2) else 0)");
    EXPECT_EQ(expression("2 * (if a = b then 1 elseif c then 2 else 3)"),
              "(2 * (if (a = b) then 1 elseif c then 2 else 3))");
    EXPECT_EQ(expression("if a then 1 else if b then 2 else 3"), "(if a then 1 elseif b then 2 else 3)");
    EXPECT_EQ(expression("if a then 1"), "if-needs-else ");
    EXPECT_EQ(expression("if a 1 else 2"), "missing-then ");
}

TEST(Expressions, Derivatives) {
    EXPECT_EQ(expression("x'"), "der1(x)");
    EXPECT_EQ(expression("x''*H"), "(der2(x) * H)");
    EXPECT_EQ(expression("a.x'"), "der1(a.x)");
    EXPECT_EQ(expression("x[2]'"), "der1(x[2])");
    EXPECT_EQ(expression("der(V*R)"), "der1((V * R))");
    EXPECT_EQ(expression("(V*R)'"), "der1((V * R))");
    EXPECT_EQ(expression("der2(x, x0, dx0)"), "der2(x, x0, dx0)");
    EXPECT_EQ(expression("der(x)'"), "der2(x)");
    EXPECT_EQ(expression("der(x, 1, 2)"), "derivative-arguments ");
    EXPECT_EQ(expression("x'''''''''"), "der9(x)");
    EXPECT_EQ(expression("der9(x)'"), "derivative-order ");
    EXPECT_EQ(expression("der + der2"), "(der + der2)");
}

TEST(Expressions, CallsAndSpecialForms) {
    EXPECT_EQ(expression("atan2(y, x)"), "atan2(y, x)");
    EXPECT_EQ(expression("max(a b c)"), "max(a, b, c)");
    EXPECT_EQ(expression("sin(a -b)"), "sin((a - b))");
    EXPECT_EQ(expression("sin (x)"), "sin(x)");
    EXPECT_EQ(expression("start()"), "start()");
    EXPECT_EQ(expression("sample(0, 0.1) or noevent(x > pre(y))"),
              "(sample(0, 0.1) or noevent((x > pre(y))))");
    EXPECT_EQ(expression("delay(x, T) + edge(b) + change(d)"), "(delay(x, T) + edge(b) + change(d))");
    EXPECT_EQ(expression("true and false"), "(true and false)");
    EXPECT_EQ(expression("min + max * time"), "(min + (max * time))");
}

TEST(Expressions, References) {
    EXPECT_EQ(expression("a::b[2].v"), "a::b[2].v");
    EXPECT_EQ(expression("s[i+1].T + A[1, n]"), "(s[(i + 1)].T + A[1, n])");
    EXPECT_EQ(expression("x [3]"), "x[3]");
    EXPECT_EQ(expression("(a + b)[2]"), "((a + b))[2]");
    EXPECT_EQ(expression("a.if"), "keyword-as-name ");
}

TEST(Expressions, ArraysInBrackets) {
    EXPECT_EQ(expression("[1, 2, 3]"), "[1, 2, 3]");
    EXPECT_EQ(expression("[1 -2 3]"), "[1, (-2), 3]");
    EXPECT_EQ(expression("[1 - 2, 3]"), "[(1 - 2), 3]");
    EXPECT_EQ(expression("[[1, 2], [3, 4]]"), "[[1, 2], [3, 4]]");
    EXPECT_EQ(expression("[1, 2; 3, 4]"), "[[1, 2], [3, 4]]");
    EXPECT_EQ(expression("(1, 2)"), "[1, 2]");
}

TEST(Expressions, RelationsInWords) {
    EXPECT_EQ(expression("a <> b and c <= d or not e >= f"), "(((a <> b) and (c <= d)) or (not (e >= f)))");
    EXPECT_EQ(expression("a < b < c"), "comparison-chain ");
    EXPECT_EQ(expression("a == b"), "foreign-operator ");
    EXPECT_EQ(expression("a != b"), "foreign-operator ");
    EXPECT_EQ(expression("a && b || !c"), "foreign-operator foreign-operator foreign-operator ");
}

TEST(Expressions, KeywordsInLowerOrUpperCase) {
    EXPECT_EQ(expression("IF A then b ELSE a"), "(if A then b else a)");
    EXPECT_EQ(expression("At + To"), "(At + To)");
}

TEST(Expressions, NothingOrTooMuchIsRefused) {
    EXPECT_EQ(expression(""), "incomplete-statement ");
    EXPECT_EQ(expression("1 2"), "unexpected ");
    EXPECT_EQ(expression("(1"), "unclosed-bracket ");
    EXPECT_EQ(expression("1)"), "unmatched-bracket ");
    EXPECT_EQ(expression("\"abc"), "unterminated-text ");
}

TEST(Expressions, LongChainsDoNotNest) {
    std::string text = "x";
    for (int i = 0; i < 100000; ++i) text += i % 2 ? " + x" : " - x";
    Sources sources;
    Diagnostics diagnostics;
    const auto e = parse_expression(sources, sources.add("e", text), diagnostics);
    ASSERT_TRUE(e);
    EXPECT_EQ(e->kind, tree::ExpressionKind::Sum);
    EXPECT_EQ(e->arguments.size(), 100001u);
    std::string signs(100000, '-');
    EXPECT_EQ(expression("y" + signs + "x"), "(y - (-x))");
    std::string nots;
    for (int i = 0; i < 100001; ++i) nots += "not ";
    EXPECT_EQ(expression(nots + "x"), "(not x)");
    std::string chain;
    for (int i = 0; i < 100000; ++i) chain += "if a then 1 else ";
    EXPECT_NE(parse_expression(sources, sources.add("c", chain + "2"), diagnostics), std::nullopt);
}

TEST(Expressions, DeepNestingIsRefusedWithTheFigure) {
    for (const char* open : {"(", "sin(", "x[", "a**", "if a then b else 2*if ", "[", "-("}) {
        std::string text;
        for (int i = 0; i < 100000; ++i) text += open;
        Sources sources;
        Diagnostics diagnostics;
        EXPECT_FALSE(parse_expression(sources, sources.add("e", text + "1"), diagnostics)) << open;
        ASSERT_FALSE(diagnostics.all().empty());
    }
    std::string fits(199, '('), close(199, ')');
    EXPECT_EQ(expression(fits + "1" + close), "1");
    std::string deep(201, '('), close_deep(201, ')');
    EXPECT_EQ(expression(deep + "1" + close_deep), "nesting-too-deep ");
    const Parsed p("model M\nx = " + deep + "1" + close_deep + "\nend\n");
    EXPECT_NE(p.messages().find("200"), std::string::npos);
}

}  // namespace
}  // namespace cutset::dymola
