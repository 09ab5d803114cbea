// The values of conditions at an instant.
#include "run/switches.h"

#include "small_model.h"

namespace cutset {
namespace {

using test::SmallRun;

TEST(SwitchStructure, StateAndTimeEventsAreTold) {
    SmallRun m(
        "  local x y\n  x' = if x > 2 then -1 else 1\n  y' = if time > 0.5 then 1 else 0\n  x(0) = 0\n  y(0) "
        "= 0\n");
    const SwitchStructure s(*m.program, true);
    EXPECT_EQ(s.state.size(), 1u);
    EXPECT_EQ(s.time.size(), 1u);
    EXPECT_TRUE(s.in_loops.empty());
    EXPECT_TRUE(s.branch.empty());
    EXPECT_TRUE(s.repeatable);
    for (char acts : s.acts) EXPECT_TRUE(acts);
    EXPECT_FALSE(SwitchStructure(*m.program, false).repeatable);
}

TEST(SwitchStructure, AConditionInALoopIsFound) {
    SmallRun m("  local x y\n  x' = y\n  y + y**3 = if y > 0 then x else 2*x\n  x(0) = 1\n");
    const SwitchStructure s(*m.program, true);
    ASSERT_EQ(s.state.size(), 1u);
    EXPECT_EQ(s.in_loops, s.state);
    EXPECT_EQ(s.uncertain, s.state);
    EXPECT_EQ(s.loops.size(), 1u);
}

struct Relation : SmallRun {
    RunParts& parts;
    Relation() : SmallRun("  local x\n  x' = if x < 2 then 1 else -1\n  x(0) = 0\n"), parts(begin()) {}
    void at(double x) {
        set("x", x);
        ASSERT_TRUE(parts.equations.evaluate() && parts.now.run_section(program->crossings));
    }
};

TEST(Switches, AValueFollowsTheZeroCrossingFunction) {
    Relation m;
    m.at(1);
    EXPECT_EQ(m.parts.switches.value(0), 1);
    m.at(3);
    EXPECT_EQ(m.parts.switches.value(0), 0);
}

TEST(Switches, AnOffsetCountsAsPartOfTheFunction) {
    Relation m;
    m.at(2);
    EXPECT_EQ(m.parts.switches.value(0), 0);
    m.parts.now.state.switches.offset[0] = -1e-9;
    EXPECT_EQ(m.parts.switches.value(0), 1);
}

TEST(Switches, WhatWasLocatedCountsUntilTheFunctionMoves) {
    Relation m;
    m.at(2);
    m.parts.switches.force(0, 1);
    EXPECT_TRUE(m.parts.switches.is_forced(0));
    EXPECT_EQ(m.parts.switches.value(0), 1);
    EXPECT_EQ(m.parts.now.condition(0), 1);
    m.at(2.5);
    EXPECT_FALSE(m.parts.switches.is_forced(0));
    EXPECT_EQ(m.parts.switches.value(0), 0);
}

TEST(Switches, NearZeroIsMeasuredByTheSizesMet) {
    Relation m;
    m.at(2 + 1e-7);
    EXPECT_FALSE(m.parts.switches.near_zero(0));
    m.parts.now.state.switches.largest[0] = 1e3;
    EXPECT_TRUE(m.parts.switches.near_zero(0));
    m.parts.now.state.switches.muted[0] = true;
    EXPECT_FALSE(m.parts.switches.near_zero(0));
}

TEST(Switches, ATimeEventChangesAtItsInstant) {
    SmallRun m("  local y\n  y' = if time > 0.5 then 1 else 0\n  y(0) = 0\n");
    RunParts& parts = m.begin();
    const auto value_at = [&](double t) {
        parts.now.values[m.program->layout.time] = t;
        EXPECT_TRUE(parts.equations.evaluate() && parts.now.run_section(m.program->crossings));
        return parts.switches.value(0);
    };
    const double before = value_at(0.4), at = value_at(0.5), after = value_at(0.6);
    EXPECT_NE(before, at);
    EXPECT_EQ(at, after);
}

}  // namespace
}  // namespace cutset
