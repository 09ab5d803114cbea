// Conditions whose zero-crossing functions are zero: the side that they leave to.
#include "run/sides_at_zero.h"

#include "small_model.h"

namespace cutset {
namespace {

using test::SmallRun;

TEST(SidesAtZero, BothSidesPushBackSoItSlides) {
    SmallRun m("  local x\n  x' = 0.5 - sign(x)\n  x(0) = 0\n");
    EXPECT_EQ(m.begin().sliding.list().size(), 1u);
}

TEST(SidesAtZero, TheFlowTakesItsSide) {
    for (const char* flow : {"2", "-2"}) {
        SmallRun m(std::string("  local x\n  x' = ") + flow + " - sign(x)\n  x(0) = 0\n");
        RunParts& parts = m.begin();
        EXPECT_TRUE(parts.sliding.empty());
        EXPECT_EQ(parts.now.condition(0), flow[0] == '-' ? -1 : 1);
    }
}

TEST(SidesAtZero, WhatWasMovedOffZeroNoLongerSlides) {
    SmallRun m("  local x\n  x' = 0.5 - sign(x)\n  x(0) = 0\n");
    RunParts& parts = m.begin();
    ASSERT_FALSE(parts.sliding.empty());
    m.set("x", 1);
    parts.now.state.switches.largest[0] = 1;
    ASSERT_TRUE(parts.events.run()) << m.messages();
    EXPECT_TRUE(parts.sliding.empty());
    EXPECT_EQ(parts.now.condition(0), 1);
}

// x and v of x'' = -2*sign(x) - sign(v) come to zero at one instant, and stay.
TEST(SidesAtZero, SeveralAreHeldTogether) {
    SmallRun m("  local x v\n  x' = v\n  v' = -2*sign(x) - sign(v)\n  x(0) = 0\n  v(0) = 0\n");
    RunParts& parts = m.begin();
    ASSERT_TRUE(parts.equations.evaluate());
    EXPECT_NEAR(parts.now.derivatives()[0], 0, 1e-12);
    EXPECT_NEAR(parts.now.derivatives()[1], 0, 1e-12);
}

// x < y whose sides are equal at the start takes the side that they move to.
TEST(SidesAtZero, EqualSidesLookAhead) {
    for (const char* slope : {"1", "-1"}) {
        SmallRun m(std::string("  local x y z\n  x' = ") + slope +
                   "\n  y' = 0\n  z = if x < y then 1 else 2\n  x(0) = 0\n  y(0) = 0\n");
        m.begin();
        EXPECT_EQ(m.value("z"), slope[0] == '-' ? 1 : 2);
    }
    SmallRun m("  local x y z\n  x' = 0\n  y' = 0\n  z = if x < y then 1 else 2\n  x(0) = 0\n  y(0) = 0\n");
    m.begin();
    EXPECT_EQ(m.value("z"), 2) << "where they stay equal it is false";
}

}  // namespace
}  // namespace cutset
