// Growth that a long step of an implicit method would not see limits the steps.
#include "run/fast_growth.h"

#include "small_model.h"

namespace cutset {
namespace {

using test::SmallRun;
using Kind = FastGrowth::Finding::Kind;

FastGrowth::Finding look(SmallRun& m) {
    RunParts& parts = m.begin();
    parts.growth.set_tolerances(1e-4, std::vector<double>(m.program->layout.state.size(), 1e-6));
    parts.growth.started();
    EXPECT_TRUE(parts.growth.watches());
    std::vector<double> x;
    for (const Slot s : m.program->layout.state) x.push_back(parts.now.values[s]);
    return parts.growth.look(0, x);
}

TEST(FastGrowth, AFastModeFromATinySeedLimitsTheStep) {
    SmallRun m("  local x\n  x' = 1e6*x + 1e-6\n  x(0) = 0\n");
    const FastGrowth::Finding found = look(m);
    EXPECT_EQ(found.kind, Kind::Limited);
    EXPECT_NEAR(found.rate, 1e6, 1e3);
    EXPECT_NEAR(found.longest, 0.25e-6, 1e-9);
}

TEST(FastGrowth, WhatDecaysOrGrowsSlowlyDoesNot) {
    SmallRun decays("  local x\n  x' = 1 - 1e6*x\n  x(0) = 0\n");
    EXPECT_EQ(look(decays).kind, Kind::Nothing);
    SmallRun slow("  local x\n  x' = 2*x + 1e-6\n  x(0) = 0\n");
    EXPECT_EQ(look(slow).kind, Kind::Nothing);
}

TEST(FastGrowth, LookingLeavesNoTrace) {
    SmallRun m("  local x\n  x' = 1e6*x + 1e-6\n  x(0) = 0.5\n");
    look(m);
    EXPECT_EQ(m.value("x"), 0.5);
    EXPECT_FALSE(m.run->parts().now.stop);
}

}  // namespace
}  // namespace cutset
