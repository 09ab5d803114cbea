// When clauses at an event.
#include "run/when_clauses.h"

#include "small_model.h"

namespace cutset {
namespace {

using test::SmallRun;

TEST(WhenClauses, AConditionActsOnceWhenItBecomesTrue) {
    SmallRun m(
        "  local x\n  discrete n=0\n  x' = 1\n  x(0) = 0\n  when x > 1 then new(n) = pre(n) + 1 end\n");
    RunParts& parts = m.begin();
    EXPECT_EQ(m.value("n"), 0);
    m.set("x", 2);
    ASSERT_TRUE(parts.events.run()) << m.messages();
    EXPECT_EQ(m.value("n"), 1);
    ASSERT_TRUE(parts.events.run());
    EXPECT_EQ(m.value("n"), 1) << "it still holds";
    m.set("x", 0);
    ASSERT_TRUE(parts.events.run());
    m.set("x", 2);
    ASSERT_TRUE(parts.events.run());
    EXPECT_EQ(m.value("n"), 2);
}

TEST(WhenClauses, StatesAreSetAllTogether) {
    SmallRun m(
        "  local x y\n  x' = 0\n  y' = 0\n  x(0) = 1\n  y(0) = 2\n"
        "  when time > 0.5 then\n    reinit(x, y)\n    reinit(y, x)\n  end\n");
    RunParts& parts = m.begin();
    parts.now.values[m.program->layout.time] = 0.5;
    ASSERT_TRUE(parts.events.run()) << m.messages();
    EXPECT_EQ(m.value("x"), 2);
    EXPECT_EQ(m.value("y"), 1);
}

TEST(WhenClauses, OneClauseLeadsToAnotherAtTheSameInstant) {
    SmallRun m(
        "  local x\n  discrete a=0 b=0\n  x' = 1\n  x(0) = 0\n  when x > 1 then new(a) = 1 end\n"
        "  when a > 0.5 then new(b) = 5 end\n");
    RunParts& parts = m.begin();
    m.set("x", 2);
    ASSERT_TRUE(parts.events.run()) << m.messages();
    EXPECT_EQ(m.value("b"), 5);
}

TEST(WhenClauses, ClausesThatAskEachOtherWithoutEndAreReported) {
    SmallRun m(
        "  local x\n  discrete a=0\n  x' = 1\n  x(0) = 0\n"
        "  when x > 1 then reinit(x, 0) end\n  when x < 0.5 then reinit(x, 2) end\n");
    RunParts& parts = m.begin();
    m.set("x", 2);
    EXPECT_FALSE(parts.events.run());
    ASSERT_FALSE(m.diagnostics.all().empty());
    EXPECT_EQ(m.diagnostics.all().back().severity, Severity::Error);
}

TEST(WhenClauses, OneMadeTrueByAnotherActsAfterIt) {
    SmallRun m(
        "  local x\n  discrete busy=0 n=0\n  x' = 1\n  x(0) = 0\n"
        "  when busy < 0.5 then new(busy) = 1; new(n) = pre(n) + 1 end\n"
        "  when x > 1 then new(busy) = 0 end\n  when start() then new(busy) = 1 end\n");
    RunParts& parts = m.begin();
    m.set("x", 2);
    ASSERT_TRUE(parts.events.run()) << m.messages();
    EXPECT_EQ(m.value("busy"), 1);
    EXPECT_EQ(m.value("n"), 1);
}

TEST(WhenClauses, DifferentValuesForOneVariableStopTheRun) {
    SmallRun m(
        "  local x\n  discrete a=0\n  x' = 1\n  x(0) = 0\n"
        "  when x > 1 then new(a) = x end\n  when x > 1.5 then new(a) = 2*x end\n");
    RunParts& parts = m.begin();
    m.set("x", 2);
    EXPECT_FALSE(parts.events.run());
    ASSERT_FALSE(m.diagnostics.all().empty());
    EXPECT_EQ(m.diagnostics.all().back().code, "set-twice");
    EXPECT_EQ(m.diagnostics.all().back().related.size(), 1u);
}

TEST(WhenClauses, OfTheBranchesThatBecomeTrueTheFirstActs) {
    SmallRun m(
        "  local x\n  discrete a=0\n  x' = 1\n  x(0) = 0\n"
        "  when x > 1 then new(a) = 1\n  elsewhen x > 1.5 then new(a) = 2\n  elsewhen x > 3 then new(a) = 3\n"
        "  end\n");
    RunParts& parts = m.begin();
    m.set("x", 2);
    ASSERT_TRUE(parts.events.run()) << m.messages();
    EXPECT_EQ(m.value("a"), 1);
    m.set("x", 4);
    ASSERT_TRUE(parts.events.run()) << m.messages();
    EXPECT_EQ(m.value("a"), 3);
}

TEST(WhenClauses, NewValuesThatDependOnEachOtherAreSolvedFor) {
    SmallRun m(
        "  local x y\n  discrete a=0 b=0 c=2\n  x' = 1\n  x(0) = 0\n  y = 3*a\n"
        "  when x > 1 then\n    new(a) = y - 1\n    new(b) = 1 - new(b2)\n    new(c)**2 = 2\n  end\n"
        "  discrete b2=0\n  when x > 1 then new(b2) = 3*new(b) end\n");
    RunParts& parts = m.begin();
    m.set("x", 2);
    ASSERT_TRUE(parts.events.run()) << m.messages();
    EXPECT_DOUBLE_EQ(m.value("a"), 0.5);
    EXPECT_DOUBLE_EQ(m.value("b"), 0.25);
    EXPECT_DOUBLE_EQ(m.value("b2"), 0.75);
    EXPECT_DOUBLE_EQ(m.value("c"), 1.4142135623730951);
}

TEST(WhenClauses, TogetherOneMadeTrueByAnotherActsWithIt) {
    const std::string lines =
        "  local x\n  discrete a=0 b=0 c=0\n  boolean big\n  x' = 1\n  x(0) = 0\n"
        "  when big then new(c) = 100 + pre(a) end\n  when a > 0.5 then new(b) = 10 + pre(a) end\n"
        "  big = a > 0.5\n  when x > 1 then new(a) = pre(a) + 1 end\n";
    SmallRun after(lines), together(lines, InitialMode::Given, true);
    for (SmallRun* m : {&after, &together}) {
        RunParts& parts = m->begin();
        m->set("x", 2);
        ASSERT_TRUE(parts.events.run()) << m->messages();
        EXPECT_EQ(m->value("a"), 1);
    }
    EXPECT_EQ(after.value("b"), 11);
    EXPECT_EQ(after.value("c"), 101);
    EXPECT_EQ(together.value("b"), 10);
    EXPECT_EQ(together.value("c"), 100);
}

TEST(WhenClauses, TogetherOneThatActsIfItDoesNotIsReported) {
    SmallRun m(
        "  local x\n  discrete a=0\n  x' = 1\n  x(0) = 0\n  when x > 1 and a < 0.5 then new(a) = 1 end\n",
        InitialMode::Given, true);
    RunParts& parts = m.begin();
    m.set("x", 2);
    EXPECT_FALSE(parts.events.run());
    ASSERT_FALSE(m.diagnostics.all().empty());
    EXPECT_EQ(m.diagnostics.all().back().code, "when-cycle");
}

TEST(WhenClauses, TogetherThoseOfTheStartBelongToTheInitialization) {
    SmallRun m(
        "  local x\n  discrete a=0 b=0 c=0\n  x' = 1\n  x(0) = 0\n  when start() then new(a) = pre(a) + 5 "
        "end\n"
        "  when a > 1 then new(b) = 1 end\n  when sample(0, 10) then new(c) = pre(a) end\n",
        InitialMode::Given, true);
    m.begin();
    EXPECT_EQ(m.value("a"), 5);
    EXPECT_EQ(m.value("b"), 0) << "true since the initialization";
    EXPECT_EQ(m.value("c"), 5) << "clocks begin after it";
}

TEST(WhenClauses, TheStartIsOverWhenValuesBeforeFollow) {
    for (const bool together : {false, true}) {
        SmallRun m(
            "  boolean u v w\n  discrete n=0\n  local x\n  x' = 1\n  x(0) = 0\n  u = x > -1\n  v = pre(u)\n"
            "  w = pre(v)\n  when change(w) and not start() then new(n) = pre(n) + 1 end\n",
            InitialMode::Given, together);
        m.begin();
        EXPECT_EQ(m.value("w"), 1);
        EXPECT_EQ(m.value("n"), 1);
    }
}

TEST(WhenClauses, ExitsOfAModeAreCountedFromTheFirst) {
    SmallRun m(
        "  local x\n  discrete a=0\n  x' = 1\n  x(0) = 2\n  when x > 5 then new(a) = 1 end\n"
        "  when x > 1 then new(a) = 2 end\n");
    RunParts& parts = m.begin();
    EXPECT_FALSE(parts.whens.has_exits());
    parts.whens.set_exits(1);
    EXPECT_TRUE(parts.whens.has_exits());
    ASSERT_TRUE(parts.now.run_section(m.program->conditions));
    EXPECT_EQ(parts.whens.open_exits(parts.now.values), std::vector<std::size_t>{0});
}

}  // namespace
}  // namespace cutset
