// Conditions held where their zero-crossing functions are zero.
#include "run/sliding.h"

#include "small_model.h"

namespace cutset {
namespace {

using test::SmallRun;

TEST(Sliding, TheMixtureHoldsTheFunctionAtZero) {
    SmallRun m("  local x\n  x' = 0.5 - sign(x)\n  x(0) = 0\n");
    RunParts& parts = m.begin();
    ASSERT_EQ(parts.sliding.list().size(), 1u) << "both sides push back";
    const std::size_t i = parts.sliding.list()[0];
    ASSERT_TRUE(parts.equations.evaluate());
    EXPECT_NEAR(parts.sliding.mixture(i), 0.5, 1e-12);
    EXPECT_NEAR(parts.sliding.margin(i), 0.75, 1e-12);
    EXPECT_EQ(parts.now.values[m.program->layout.derivative[0]], 0);
}

TEST(Sliding, ARelationIsMixedByItsWeight) {
    SmallRun m("  local x y\n  x' = y\n  y = if x < 0 then 3 else -1\n  x(0) = 0\n");
    RunParts& parts = m.begin();
    ASSERT_EQ(parts.sliding.list().size(), 1u);
    ASSERT_TRUE(parts.equations.evaluate());
    EXPECT_NEAR(parts.sliding.mixture(0), 0.25, 1e-12) << "weight of the true side";
    EXPECT_NEAR(m.value("y"), 0, 1e-12) << "the mean value of the relay";
}

TEST(Sliding, EndingTakesTheNearestSide) {
    SmallRun m("  local x\n  x' = 0.9 - sign(x)\n  x(0) = 0\n");
    RunParts& parts = m.begin();
    ASSERT_FALSE(parts.sliding.empty());
    const std::size_t i = parts.sliding.list()[0];
    ASSERT_TRUE(parts.equations.evaluate());
    parts.switches.end_sliding(i);
    EXPECT_TRUE(parts.sliding.empty());
    EXPECT_FALSE(parts.sliding.holds(i));
    EXPECT_EQ(parts.now.condition(i), 1);
    EXPECT_TRUE(parts.now.state.switches.left[i]);
}

TEST(Sliding, NothingIsHeldWhereTheFlowGoesThrough) {
    SmallRun m("  local x\n  x' = 2 - sign(x)\n  x(0) = 0\n");
    EXPECT_TRUE(m.begin().sliding.empty());
    EXPECT_EQ(m.run->parts().now.condition(0), 1) << "it leaves upward";
}

}  // namespace
}  // namespace cutset
