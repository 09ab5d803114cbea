// The event at an instant: clauses until nothing changes, then the equations.
#include "run/event_iteration.h"

#include "small_model.h"

namespace cutset {
namespace {

using test::SmallRun;

TEST(EventIteration, AClauseThatSetsAnotherOff) {
    SmallRun m(
        "  local x\n  discrete a=0 b=0 c=0\n  x' = 0\n  x(0) = 0\n"
        "  when x > 1 then new(a) = 1 end\n  when a > 0 then new(b) = 1 end\n"
        "  when b > 0 then new(c) = a + b end\n");
    RunParts& parts = m.begin();
    m.set("x", 2);
    ASSERT_TRUE(parts.events.run()) << m.messages();
    EXPECT_EQ(m.value("a"), 1);
    EXPECT_EQ(m.value("b"), 1);
    EXPECT_EQ(m.value("c"), 2);
    m.set("x", 3);
    ASSERT_TRUE(parts.events.run());
    EXPECT_EQ(m.value("c"), 2) << "no condition became true";
}

TEST(EventIteration, TheEquationsFollow) {
    SmallRun m(
        "  local x y\n  discrete n=1\n  x' = 0\n  x(0) = 0\n  y = n*(x + 1)\n"
        "  when x > 1 then new(n) = 10 end\n");
    RunParts& parts = m.begin();
    m.set("x", 2);
    ASSERT_TRUE(parts.events.run()) << m.messages();
    EXPECT_EQ(m.value("y"), 30);
}

TEST(EventIteration, WhatBecomesTrueForAMomentCounts) {
    SmallRun m(
        "  local x\n  discrete up=0 count=0\n  x' = 0\n  x(0) = 0\n"
        "  when x > 1 then new(up) = 1 end\n"
        "  when up > 0 then\n    new(up) = 0\n    new(count) = pre(count) + 1\n  end\n");
    RunParts& parts = m.begin();
    for (const double x : {2.0, 0.0, 2.0}) {
        m.set("x", x);
        ASSERT_TRUE(parts.events.run()) << m.messages();
    }
    EXPECT_EQ(m.value("count"), 2);
    EXPECT_EQ(m.value("up"), 0);
}

TEST(EventIteration, ClausesWithoutEndAreReported) {
    SmallRun m(
        "  local x\n  discrete n=0\n  x' = 0\n  x(0) = 0\n"
        "  when x > 1 then new(n) = 1 end\n  when n = 1 then new(n) = 2 end\n"
        "  when n = 2 then new(n) = 1 end\n");
    RunParts& parts = m.begin();
    m.set("x", 2);
    EXPECT_FALSE(parts.events.run());
    EXPECT_NE(m.messages(), "");
}

TEST(EventIteration, PreviousValuesAreThoseBeforeTheEvent) {
    SmallRun m(
        "  local x\n  discrete n=0 m=0\n  x' = 0\n  x(0) = 0\n"
        "  when x > 1 then\n    new(n) = pre(n) + 1\n    new(m) = pre(n)\n  end\n");
    RunParts& parts = m.begin();
    for (const double x : {2.0, 0.0, 2.0}) {
        m.set("x", x);
        ASSERT_TRUE(parts.events.run()) << m.messages();
    }
    EXPECT_EQ(m.value("n"), 2);
    EXPECT_EQ(m.value("m"), 1);
}

}  // namespace
}  // namespace cutset
