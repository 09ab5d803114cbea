// A state is a value: a copy takes the run back.
#include "run/run_state.h"

#include "small_model.h"

namespace cutset {
namespace {

using test::SmallRun;

constexpr const char* ball =
    "  local h v\n  discrete n=0\n  h' = v\n  v' = -9.81\n  h(0) = 1\n  v(0) = 0\n"
    "  when h < 0 then\n    reinit(v, -0.8*pre(v))\n    new(n) = pre(n) + 1\n  end\n";

TEST(RunState, ACopyTakesTheRunBack) {
    SmallRun m(ball);
    Instant& now = m.begin().now;
    const RunState before = now.state;
    m.set("h", -5);
    m.set("n", 7);
    now.condition(0) = 1;
    now.state.switches.offset[0] = 3;
    now.state.when_held[0] = true;
    now.state.next_output = 12;
    now.state = before;
    EXPECT_EQ(m.value("h"), 1);
    EXPECT_EQ(m.value("n"), 0);
    EXPECT_EQ(now.condition(0), 0);
    EXPECT_EQ(now.state.switches.offset[0], 0);
    EXPECT_FALSE(now.state.when_held[0]);
    EXPECT_EQ(now.state.next_output, 1u);
}

TEST(RunState, TheSameEventFromTheSameStateGivesTheSameBits) {
    SmallRun m(ball);
    RunParts& parts = m.begin();
    m.set("h", -1e-12);
    m.set("v", -4.4);
    ASSERT_TRUE(parts.equations.evaluate() && parts.now.run_section(m.program->crossings));
    parts.switches.force(0, 1);
    const RunState before = parts.now.state;
    ASSERT_TRUE(parts.events.run()) << m.messages();
    const std::vector<double> first(parts.now.values.values().begin(), parts.now.values.values().end());
    EXPECT_EQ(m.value("n"), 1);
    EXPECT_EQ(m.value("v"), 0.8 * 4.4);
    parts.now.state = before;
    ASSERT_TRUE(parts.events.run());
    EXPECT_TRUE(std::equal(first.begin(), first.end(), parts.now.values.values().begin()));
}

TEST(RunState, ResettingForgetsWhatConditionsRemember) {
    SwitchMemory switches;
    switches.reset(2);
    switches.forced.set(1, {1, 0.5});
    switches.offset[0] = 1;
    switches.muted[1] = true;
    switches.reset(3);
    EXPECT_TRUE(switches.forced.list().empty());
    EXPECT_EQ(switches.offset, std::vector<double>(3, 0.0));
    EXPECT_EQ(switches.muted, Flags(3, false));
    SlidingMemory sliding;
    sliding.reset(2);
    sliding.list = {1};
    sliding.on[1] = true;
    sliding.reset(2);
    EXPECT_TRUE(sliding.list.empty());
    EXPECT_EQ(sliding.on, Flags(2, false));
    EventCounts counts;
    counts.reset(2);
    EXPECT_EQ(counts.firings.size(), 4u);
    EXPECT_EQ(counts.kinks.size(), 2u);
}

}  // namespace
}  // namespace cutset
