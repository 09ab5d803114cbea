// Rows of results.
#include "run/outputs.h"

#include <algorithm>

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

// A sink that follows one column.
struct FollowingRows : FollowingSink {
    explicit FollowingRows(std::string name) : wanted(std::move(name)) {}
    std::optional<std::string> begin(const Columns& columns) override {
        std::size_t place = 0;
        for (ColumnIndex c{0}; c < columns.end_index(); ++c.value) {
            if (!columns[c].stored()) continue;
            if (columns[c].name == wanted) column = place;
            ++place;
        }
        return std::nullopt;
    }
    std::vector<std::size_t> followed() const override { return {column}; }
    std::optional<std::string> row(std::span<const double> values) override {
        ++points;
        return between(values);
    }
    std::optional<std::string> between(std::span<const double> values) override {
        times.push_back(values[0]);
        highest = std::max(highest, values[column]);
        lowest = std::min(lowest, values[column]);
        return std::nullopt;
    }
    std::string wanted;
    std::size_t column = 0, points = 0;
    std::vector<double> times;
    double highest = -1e9, lowest = 1e9;
};

TEST(Outputs, AFollowedColumnHasItsExtremesHoweverFewPoints) {
    SmallRun m("  local x y\n  x'' = -x\n  x(0) = 1\n  y = 2*x + 1\n");
    m.options.stop = 100;
    m.options.points = 2;
    m.options.tolerance = 1e-9;
    FollowingRows rows("y");
    ASSERT_TRUE(m.program) << m.messages();
    const RunSummary summary = simulate(*m.program, m.options, rows, m.diagnostics);
    EXPECT_EQ(summary.outcome, RunOutcome::Finished) << m.messages();
    EXPECT_EQ(summary.rows, 2u);
    EXPECT_EQ(rows.points, 2u);
    EXPECT_NEAR(rows.highest, 3, 1e-7);
    EXPECT_NEAR(rows.lowest, -1, 1e-7);
    EXPECT_TRUE(std::is_sorted(rows.times.begin(), rows.times.end()));
    EXPECT_EQ(rows.times.back(), 100);
}

TEST(Outputs, AFollowedColumnOfAModelWithoutStatesTurnsBetweenItsPoints) {
    SmallRun m("  local y\n  y = cos(time - 0.4321)\n");
    m.options.points = 6;
    FollowingRows rows("y");
    ASSERT_TRUE(m.program) << m.messages();
    simulate(*m.program, m.options, rows, m.diagnostics);
    EXPECT_NEAR(rows.highest, 1, 1e-12) << m.messages();
}

}  // namespace
}  // namespace cutset
