// Divisors that pass through zero between two rows or steps.
#include "run/poles.h"

#include "small_model.h"

namespace cutset {
namespace {

using test::SmallRun;

// A row at that time, with that value of x.
bool take_row(SmallRun& m, RunParts& parts, Poles& poles, std::size_t number, double time, double x) {
    parts.now.values[m.program->layout.time] = time;
    m.set("x", x);
    EXPECT_TRUE(parts.equations.evaluate()) << m.messages();
    return poles.look(parts.now.values, number);
}

TEST(Poles, ADerivativeEndsTheRun) {
    SmallRun m("  local x\n  x' = 1/x\n  x(0) = 1\n");
    RunParts& parts = m.begin();
    Poles poles(parts.now);
    EXPECT_TRUE(take_row(m, parts, poles, 1, 0.1, 0.5));
    EXPECT_FALSE(take_row(m, parts, poles, 2, 0.2, -0.5));
    EXPECT_EQ(m.messages().find("pole"), 0u) << m.messages();
}

TEST(Poles, AnotherVariableIsWarnedOf) {
    SmallRun m("  local x y\n  x' = -1\n  y = 1/x\n  x(0) = 1\n");
    RunParts& parts = m.begin();
    Poles poles(parts.now);
    EXPECT_TRUE(take_row(m, parts, poles, 1, 0.1, 0.5));
    EXPECT_TRUE(take_row(m, parts, poles, 2, 0.2, -0.5));
    EXPECT_TRUE(take_row(m, parts, poles, 3, 0.3, 0.5));
    EXPECT_EQ(m.diagnostics.all().size(), 1u) << "once: " << m.messages();
}

TEST(Poles, RowsOfAnEventMayJump) {
    SmallRun m("  local x\n  x' = 1/x\n  x(0) = 1\n");
    RunParts& parts = m.begin();
    Poles poles(parts.now);
    EXPECT_TRUE(take_row(m, parts, poles, 1, 0.1, 0.5));
    EXPECT_TRUE(take_row(m, parts, poles, 2, 0.1, -0.5)) << "at the same instant";
    EXPECT_EQ(m.messages(), "");
}

TEST(Poles, AZeroThatIsCancelledIsNone) {
    SmallRun m("  local x y\n  x' = -1\n  y = sin(x)/x\n  x(0) = 1\n");
    RunParts& parts = m.begin();
    Poles poles(parts.now);
    EXPECT_TRUE(take_row(m, parts, poles, 1, 0.1, 0.5));
    EXPECT_TRUE(take_row(m, parts, poles, 2, 0.2, -0.5));
    EXPECT_EQ(m.messages(), "");
}

TEST(Poles, AStepOverAPole) {
    SmallRun m("  local x\n  x' = 1/(x - 2)\n  x(0) = 1\n");
    RunParts& parts = m.begin();
    Poles poles(parts.now);
    EXPECT_TRUE(poles.look_at_step(0.1, std::vector{1.0}));
    EXPECT_FALSE(poles.look_at_step(0.2, std::vector{3.0}));
    EXPECT_EQ(m.messages().find("pole"), 0u) << m.messages();
    Poles after_event(parts.now);
    EXPECT_TRUE(after_event.look_at_step(0.1, std::vector{1.0}));
    after_event.forget_step();
    EXPECT_TRUE(after_event.look_at_step(0.1, std::vector{3.0}));
}

}  // namespace
}  // namespace cutset
