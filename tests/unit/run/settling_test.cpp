// Conditions and equations that agree at an instant.
#include "run/settling.h"

#include "small_model.h"

namespace cutset {
namespace {

using test::SmallRun;

TEST(Settling, AChainOfConditionsSettles) {
    SmallRun m(
        "  local x a b c\n  x' = 0\n  x(0) = 0\n  a = if x > 1 then 1 else 0\n  b = if a > 0.5 then 1 else "
        "0\n"
        "  c = if b > 0.5 then 1 else 0\n");
    RunParts& parts = m.begin();
    m.set("x", 2);
    ASSERT_TRUE(parts.settling.settle(m.program->continuous)) << m.messages();
    EXPECT_EQ(m.value("c"), 1);
}

TEST(Settling, AContradictionIsReportedWithItsConditions) {
    SmallRun m("  local x a\n  x' = 0\n  x(0) = 0\n  a = if x + a > 1 then -1 else 1\n");
    RunParts& parts = m.begin();
    m.set("x", 1);  // a = 1 makes the condition true, a = -1 makes it false
    const double before = parts.now.condition(0);
    std::vector<std::size_t> involved;
    EXPECT_NE(parts.settling.settle_quietly(m.program->continuous, involved), Settling::Outcome::Done);
    EXPECT_EQ(parts.now.condition(0), before) << "as it was";
    EXPECT_FALSE(parts.settling.settle(m.program->continuous));
    ASSERT_FALSE(m.diagnostics.all().empty());
    EXPECT_EQ(m.diagnostics.all().back().severity, Severity::Error);
}

TEST(Settling, WhatIsLeftToOtherModesHasNoMessage) {
    SmallRun m("  local x a\n  x' = 0\n  x(0) = 0\n  a = if x + a > 1 then -1 else 1\n");
    RunParts& parts = m.begin();
    const std::size_t messages = m.diagnostics.all().size();
    m.set("x", 1);
    parts.now.other_modes = true;
    EXPECT_FALSE(parts.settling.settle(m.program->continuous));
    EXPECT_EQ(m.diagnostics.all().size(), messages);
}

TEST(Settling, ADiodeConductsOrBlocks) {
    SmallRun m("  local x i u\n  x' = 0\n  x(0) = -1\n  x = i + u\n  u = if i > 0 then 0.1*i else 100*i\n");
    RunParts& parts = m.begin();
    EXPECT_NEAR(m.value("i"), -1.0 / 101, 1e-12);
    m.set("x", 1.1);
    ASSERT_TRUE(parts.settling.settle(m.program->continuous)) << m.messages();
    EXPECT_NEAR(m.value("i"), 1, 1e-12);
}

}  // namespace
}  // namespace cutset
