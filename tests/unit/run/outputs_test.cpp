// Rows of results.
#include "run/outputs.h"

#include "small_model.h"

namespace cutset {
namespace {

using test::SmallRun;

TEST(Outputs, TheEndIsAlwaysAPoint) {
    SmallRun m("  local x\n  x' = 1\n  x(0) = 0\n");
    m.options.points = 5;
    Outputs& outputs = m.begin().outputs;
    EXPECT_EQ(outputs.count(), 5u);
    EXPECT_EQ(outputs.time(0), 0);
    EXPECT_EQ(outputs.time(1), 0.25);
    EXPECT_EQ(outputs.time(4), 1);
    m.options.step = 0.3;
    EXPECT_EQ(outputs.count(), 5u);
    EXPECT_EQ(outputs.time(3), 0.3 * 3);
    EXPECT_EQ(outputs.time(4), 1);
}

TEST(Outputs, ARunThatGoesOnWritesThePointsAfterIt) {
    SmallRun m("  local x\n  x' = 1\n  x(0) = 0\n");
    m.options.points = 11;
    RunParts& parts = m.begin();
    parts.outputs.begin_after(0.35);
    EXPECT_EQ(parts.now.state.next_output, 4u);
    parts.outputs.begin_after(0.4);
    EXPECT_EQ(parts.now.state.next_output, 5u) << "a point at that time has been written";
    EXPECT_FALSE(parts.outputs.is_due(0.45));
    EXPECT_TRUE(parts.outputs.is_due(0.5));
}

TEST(Outputs, AnEventHasTwoRows) {
    SmallRun m("  local x\n  x' = 1\n  x(0) = 0\n  when x > 0.35 then reinit(x, 0) end\n");
    m.options.points = 3;
    m.begin();
    ASSERT_TRUE(m.run->integrate()) << m.messages();
    std::size_t same = 0;
    const std::vector<double> t = m.rows.times();
    for (std::size_t i = 1; i < t.size(); ++i) same += t[i] == t[i - 1];
    EXPECT_EQ(same, m.run->summary().events);
    EXPECT_EQ(t.size(), 3 + 2 * m.run->summary().events);
    EXPECT_EQ(t.back(), 1);
}

TEST(Outputs, RowsHaveNoNegativeZeros) {
    SmallRun m("  local x\n  x' = 0\n  x(0) = 0\n");
    RunParts& parts = m.begin();
    m.set("x", -0.0);
    ASSERT_TRUE(parts.outputs.write_now());
    for (double v : m.rows.rows.back()) EXPECT_FALSE(v == 0 && std::signbit(v));
}

TEST(TrackedUnknowns, AreInterpolatedBetweenTheEndsOfTheStep) {
    SmallRun m("  local x\n  x' = 1\n  x(0) = 0\n");
    Instant& now = m.begin().now;
    const Slot slot = m.program->layout.variable[m.variable("x").value];
    TrackedUnknowns tracked;
    tracked.slots = {slot};
    tracked.before = {2};
    tracked.after = {4};
    tracked.set_between(now.values, 0.25);
    EXPECT_EQ(now.values[slot], 2.5);
    tracked.set_beginning(now.values);
    EXPECT_EQ(now.values[slot], 2);
}

}  // namespace
}  // namespace cutset
