// Symbolic steps: what they give, and what they must not hide.
#include <gtest/gtest.h>

#include "operations/symbolic/symbolic_steps.h"

namespace cutset {
namespace {

class SymbolicTest : public ::testing::Test {
  protected:
    std::optional<SymbolicSystem> after(const std::string& expression,
                                        const std::vector<SymbolicStep>& steps) {
        auto system = symbolic_system(expression, sources_, diagnostics_);
        if (!system || !apply_steps(steps, *system, sources_, diagnostics_)) return std::nullopt;
        return system;
    }
    std::string text(const SymbolicSystem& s, Expr e) { return to_text(e, s.printer()); }
    std::string said() const {
        std::string all;
        for (const Diagnostic& d : diagnostics_.all()) all += d.message + "\n";
        return all;
    }

    Sources sources_;
    Diagnostics diagnostics_;
};

TEST_F(SymbolicTest, BothBranchesOfASquareAreListed) {
    const auto s = after("x**2 = a", {{SymbolicStepKind::SolveFor, "x"}});
    ASSERT_TRUE(s) << said();
    EXPECT_EQ(s->branches().size(), 2u);
}

TEST_F(SymbolicTest, AnAssumptionChoosesTheBranch) {
    const auto s =
        after("x**2 = a", {{SymbolicStepKind::Assume, "x > 0, a > 0"}, {SymbolicStepKind::SolveFor, "x"}});
    ASSERT_TRUE(s) << said();
    ASSERT_EQ(s->equations().size(), 1u);
    EXPECT_EQ(text(*s, s->equations()[0].right), "sqrt(a)");
}

TEST_F(SymbolicTest, WhatWasDividedByIsACondition) {
    const auto s = after("a*x = b", {{SymbolicStepKind::SolveFor, "x"}});
    ASSERT_TRUE(s) << said();
    ASSERT_EQ(s->conditions().size(), 1u);
    EXPECT_NE(text(*s, s->conditions()[0]).find("a"), std::string::npos);
}

TEST_F(SymbolicTest, AnExpressionIsDifferentiatedAndSimplified) {
    const auto s = after("sin(x)**2 + cos(x)**2",
                         {{SymbolicStepKind::Differentiate, "x"}, {SymbolicStepKind::Simplify, ""}});
    ASSERT_TRUE(s) << said();
    EXPECT_EQ(text(*s, s->expression()), "0");
}

TEST_F(SymbolicTest, ExpandAndFactor) {
    const auto expanded = after("(x + 1)*(x + 2)", {{SymbolicStepKind::Expand, ""}});
    ASSERT_TRUE(expanded) << said();
    EXPECT_EQ(text(*expanded, expanded->expression()), "3*x + x^2 + 2");
    const auto factored = after("a*x + a*y", {{SymbolicStepKind::Factor, ""}});
    ASSERT_TRUE(factored) << said();
    EXPECT_EQ(text(*factored, factored->expression()), "a*(x + y)");
}

TEST_F(SymbolicTest, AFailedStepIsReportedAndLeavesTheSystem) {
    auto system = symbolic_system("x = 3*y", sources_, diagnostics_);
    ASSERT_TRUE(system);
    const Expr before = system->equations()[0].right;
    EXPECT_FALSE(apply_steps({{SymbolicStepKind::SolveFor, "z"}}, *system, sources_, diagnostics_));
    EXPECT_EQ(diagnostics_.error_count(), 1u);
    EXPECT_EQ(system->equations()[0].right, before);
}

TEST_F(SymbolicTest, AnEquationWithoutRealSolutionIsSaidToHaveNone) {
    const auto s = after("x**2 = -1", {{SymbolicStepKind::SolveFor, "x"}});
    ASSERT_TRUE(s) << said();
    ASSERT_EQ(s->verdicts().size(), 1u);
    EXPECT_FALSE(s->verdicts()[0].every);
}

}  // namespace
}  // namespace cutset
