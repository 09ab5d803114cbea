// Events that come without end are recognized by their number, their pace and what they do.
#include "run/event_storm.h"

#include "small_model.h"

namespace cutset {
namespace {

using test::SmallRun;

bool has_code(const Diagnostics& diagnostics, const std::string& code) {
    for (const Diagnostic& d : diagnostics.all())
        if (d.code == code) return true;
    return false;
}

TEST(EventStorm, EventsAtOneInstantEndTheRun) {
    SmallRun m("  local x\n  discrete n=0\n  x' = 1\n  x(0) = 0\n  when x > 0.5 then new(n) = 1 end\n");
    RunParts& parts = m.begin();
    const std::size_t fired[] = {0};
    parts.now.state.counts.last_fired = 0;
    std::size_t counted = 0;
    while (counted < 100'000 && parts.storm.count(0.5, fired)) ++counted;
    EXPECT_EQ(counted, 1999u);
    EXPECT_EQ(m.diagnostics.error_count(), 1u) << m.messages();
}

TEST(EventStorm, EventsThatMakeProgressDoNot) {
    SmallRun m("  local x\n  discrete n=0\n  x' = 1\n  x(0) = 0\n  when x > 0.5 then new(n) = 1 end\n");
    RunParts& parts = m.begin();
    const std::size_t fired[] = {0};
    for (int k = 0; k < 5000; ++k) ASSERT_TRUE(parts.storm.count(k * 1e-4, fired)) << k;
    EXPECT_EQ(m.diagnostics.error_count(), 0u) << m.messages();
}

TEST(EventStorm, AKinkThatFollowsRoundingIsWatchedNoMore) {
    SmallRun m("  local x\n  x' = 1 - abs(x)\n  x(0) = 0\n");
    RunParts& parts = m.begin();
    ASSERT_EQ(m.program->partition->switches.size(), 1u);
    ASSERT_TRUE(m.program->partition->switches[0].kink);
    const std::size_t fired[] = {0};
    for (int k = 0; k < 101; ++k) {
        EXPECT_FALSE(parts.now.state.switches.muted[0]) << k;
        ASSERT_TRUE(parts.storm.count(0.25, fired));
    }
    EXPECT_TRUE(parts.now.state.switches.muted[0]);
}

TEST(EventStorm, InstantsThatPileUpAreNamed) {
    SmallRun m(
        "  local h v\n  h' = v\n  v' = -9.81\n  h(0) = 1\n  v(0) = 0\n"
        "  when h < 0 then reinit(v, -0.5*pre(v)) end\n");
    m.options.stop = 3;
    m.begin();
    EXPECT_FALSE(m.run->integrate());
    EXPECT_NEAR(m.run->summary().time, 3 * std::sqrt(2 / 9.81), 1e-2);
    EXPECT_TRUE(has_code(m.diagnostics, "events-accumulate")) << m.messages();
}

}  // namespace
}  // namespace cutset
