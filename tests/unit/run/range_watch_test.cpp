// Regions of validity and ranges of tables.
#include "run/range_watch.h"

#include "small_model.h"

namespace cutset {
namespace {

using test::SmallRun;

std::size_t times_reported(const SmallRun& m, const std::string& code) {
    std::size_t found = 0;
    for (const Diagnostic& d : m.diagnostics.all()) found += d.code == code;
    return found;
}

void visit(SmallRun& m, RunParts& parts, double x) {
    m.set("x", x);
    ASSERT_TRUE(parts.events.run()) << m.messages();
}

TEST(RangeWatch, LeavingARegionIsReportedOncePerVisit) {
    SmallRun m("  local x\n  x' = 0\n  x(0) = 0\n  valid x < 1\n");
    RunParts& parts = m.begin();
    EXPECT_EQ(times_reported(m, "validity"), 0u);
    visit(m, parts, 2);
    visit(m, parts, 3);
    EXPECT_EQ(times_reported(m, "validity"), 1u) << "the same visit";
    visit(m, parts, 0);
    visit(m, parts, 2);
    EXPECT_EQ(times_reported(m, "validity"), 2u);
    EXPECT_FALSE(parts.now.stop);
}

TEST(RangeWatch, StrictStops) {
    SmallRun m("  local x\n  x' = 0\n  x(0) = 0\n  valid x < 1\n");
    m.options.strict = true;
    RunParts& parts = m.begin();
    m.set("x", 2);
    parts.events.run();
    EXPECT_TRUE(parts.now.stop);
}

TEST(RangeWatch, ATableIsReportedOnce) {
    SmallRun m("  table f(x) = (0, 0), (1, 2)\n  local x y\n  x' = 0\n  x(0) = 0.5\n  y = f(x)\n");
    RunParts& parts = m.begin();
    EXPECT_EQ(m.value("y"), 1);
    for (const double x : {2.0, 0.5, 3.0}) {
        m.set("x", x);
        ASSERT_TRUE(parts.equations.evaluate());
        parts.ranges.check_tables(parts.now.values);
    }
    EXPECT_EQ(times_reported(m, "table-range"), 1u) << m.messages();
    parts.ranges.reset();
    ASSERT_TRUE(parts.equations.evaluate());
    parts.ranges.check_tables(parts.now.values);
    EXPECT_EQ(times_reported(m, "table-range"), 2u);
}

TEST(RangeWatch, RelationsOfEventsNeedNoLookAfterEachStep) {
    SmallRun events("  local x\n  x' = 0\n  x(0) = 0\n  valid x < 1 and not x < -1\n");
    EXPECT_FALSE(RangeWatch::needs_steps(*events.program->partition));
    SmallRun steps("  local x\n  x' = 0\n  x(0) = 0\n  valid noevent(x < 1)\n");
    EXPECT_TRUE(RangeWatch::needs_steps(*steps.program->partition));
}

}  // namespace
}  // namespace cutset
