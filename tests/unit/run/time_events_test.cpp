// Clocks, instants, breakpoints and delays.
#include "run/time_events.h"

#include "small_model.h"

namespace cutset {
namespace {

using test::SmallRun;

constexpr const char* sampled =
    "  local x\n  discrete n=0\n  x' = 1\n  x(0) = 0\n  when sample(0, 0.1) then new(n) = pre(n) + 1 end\n";

TEST(TimeEvents, AClockTicksAtItsPeriod) {
    SmallRun m(sampled);
    RunParts& parts = m.begin();
    EXPECT_EQ(m.value("n"), 1) << "the tick at the start";
    EXPECT_NEAR(parts.times.next(), 0.1, 1e-15);
    parts.now.values[m.program->layout.time] = parts.times.next();
    ASSERT_TRUE(parts.events.run());
    EXPECT_EQ(m.value("n"), 2);
    EXPECT_NEAR(parts.times.next(), 0.2, 1e-15);
}

TEST(TimeEvents, AClockWithOtherParametersGoesOnAfterThisInstant) {
    SmallRun m(sampled);
    RunParts& parts = m.begin();
    parts.now.values[m.program->layout.time] = 0.55;
    ASSERT_TRUE(parts.times.start_clocks());
    parts.times.continue_clocks({{0, 0.1, 6}});
    EXPECT_NEAR(parts.times.next(), 0.6, 1e-15);
    parts.times.continue_clocks({{0, 0.25, 3}});
    EXPECT_NEAR(parts.times.next(), 0.6, 1e-15) << "the first tick of its own after 0.55";
}

TEST(TimeEvents, ARelationOfTheTimeIsAnInstant) {
    SmallRun m("  local x\n  x' = if time > 0.25 then 1 else 0\n  x(0) = 0\n");
    RunParts& parts = m.begin();
    EXPECT_NEAR(parts.times.next(), 0.25, 1e-15);
    parts.now.values[m.program->layout.time] = 0.3;
    EXPECT_EQ(parts.times.next(), never);
}

TEST(TimeEvents, AJumpComesOutOfADelay) {
    SmallRun m("  local x y\n  x' = 1\n  x(0) = 0\n  y = delay(x, 0.5)\n");
    RunParts& parts = m.begin();
    parts.now.state.delays.record(0, 0.1, 0);
    parts.now.state.delays.record(0, 0.1, 1);
    EXPECT_NEAR(parts.times.next(), 0.6, 1e-15);
    parts.now.values[m.program->layout.time] = 0.6;
    parts.times.pass_delayed_jumps();
    EXPECT_EQ(parts.times.next(), never);
}

TEST(TimeEvents, SameInstantIsUpToRounding) {
    EXPECT_TRUE(same_instant(0.1 + 0.2, 0.3));
    EXPECT_FALSE(same_instant(0.3, 0.3 + 1e-9));
    EXPECT_FALSE(same_instant(never, never));
}

}  // namespace
}  // namespace cutset
