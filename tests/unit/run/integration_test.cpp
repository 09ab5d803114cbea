// The steps of a run, and the parts that watch them.
#include "run/integration.h"

#include <cmath>

#include "run/mode_changes.h"
#include "run/tolerances.h"
#include "small_model.h"

namespace cutset {
namespace {

using test::KeptRows;
using test::SmallModel;
using test::SmallRun;

TEST(Integration, AnEventIsLocatedAndTheRunGoesOn) {
    SmallRun m(
        "  local h v\n  h' = v\n  v' = -2\n  h(0) = 1\n  v(0) = 0\n  when h < 0 then reinit(v, -pre(v)) "
        "end\n");
    m.options.stop = 2.5;
    m.begin();
    ASSERT_TRUE(m.run->integrate()) << m.messages();
    EXPECT_EQ(m.run->summary().outcome, RunOutcome::Finished);
    EXPECT_EQ(m.run->summary().events, 1u);
    EXPECT_NEAR(m.value("h"), 2 * 1.5 - 1.5 * 1.5, 1e-5) << "thrown up with 2 at time 1";
}

TEST(Integration, AnInterruptionStandsAtAGoodPoint) {
    SmallRun m("  local x\n  x' = 1\n  x(0) = 0\n");
    const std::atomic<bool> interrupt = true;
    m.options.interrupt = &interrupt;
    m.options.keep_point = true;
    m.begin();
    EXPECT_TRUE(m.run->integrate());
    EXPECT_EQ(m.run->summary().outcome, RunOutcome::Interrupted);
    const RunPoint point = m.run->point();
    EXPECT_NEAR(point.values[m.variable("x").value], point.time, 1e-12);
}

TEST(Integration, AFailureIsReportedWithItsTime) {
    SmallRun m("  local x\n  x' = x**2\n  x(0) = 1\n");  // infinite at time 1
    m.options.stop = 2;
    m.begin();
    EXPECT_FALSE(m.run->integrate());
    EXPECT_NEAR(m.run->summary().time, 1, 0.01);
    EXPECT_GT(m.diagnostics.error_count(), 0u);
}

TEST(Run, GoingOnFromAPointNeedsNothingElse) {
    const std::string text =
        "  local x\n  discrete n=0\n  x' = 1 - x\n  x(0) = 0\n  when sample(0.3, 0.3) then new(n) = pre(n) + "
        "1 end\n";
    SmallModel whole(text), parts(text);
    KeptRows rows;
    std::optional<RunPoint> end, middle;
    whole.options.stop = parts.options.stop = 2;
    ASSERT_EQ(simulate(*whole.program, whole.options, rows, whole.diagnostics, end).outcome,
              RunOutcome::Finished);
    SimulateOptions first = parts.options;
    first.stop = 1;
    simulate(*parts.program, first, rows, parts.diagnostics, middle);
    ASSERT_TRUE(middle);
    EXPECT_EQ(middle->time, 1);
    std::optional<RunPoint> last;
    simulate_from(*parts.program, parts.options, *middle, rows, parts.diagnostics, last);
    ASSERT_TRUE(end && last);
    EXPECT_EQ(last->values[parts.variable("n").value], end->values[whole.variable("n").value]);
    EXPECT_NEAR(last->values[parts.variable("x").value], end->values[whole.variable("x").value], 1e-6);
}

TEST(EventStorm, EventsThatPileUpEndTheRun) {
    SmallRun m(
        "  local h v\n  h' = v\n  v' = -9.81\n  h(0) = 1\n  v(0) = 0\n  when h < 0 then reinit(v, "
        "-0.5*pre(v)) end\n");
    m.options.stop = 5;
    m.begin();
    EXPECT_FALSE(m.run->integrate());
    ASSERT_FALSE(m.diagnostics.all().empty());
    EXPECT_LT(m.run->summary().time, 1.5);
}

TEST(RangeWatch, LeavingAnInputOfConditionsNeedsNoSteps) {
    SmallModel m("  local x\n  x' = 1\n  x(0) = 0\n");
    EXPECT_FALSE(RangeWatch::needs_steps(*m.program->partition));
}

TEST(StepPace, SmoothRunsAreLeftAlone) {
    SmallRun m("  local x y\n  x' = y\n  y' = -x\n  x(0) = 1\n  y(0) = 0\n");
    m.options.stop = 10;
    m.begin();
    ASSERT_TRUE(m.run->integrate()) << m.messages();
    EXPECT_NEAR(m.value("x"), std::cos(10.0), 1e-4);
    EXPECT_TRUE(m.diagnostics.all().empty()) << m.messages();
}

TEST(StepPace, TheEquationOfADerivativeIsFound) {
    SmallModel m("  local x\n  x' = 1 - x\n  x(0) = 0\n");
    const Partition& partition = *m.program->partition;
    ASSERT_NE(derivative_equation(partition, m.variable("x")), nullptr);
    EXPECT_EQ(derivative_equation(partition, m.variable("x"))->unknown.order, 1u);
}

TEST(Trial, AFailedEventLeavesTheStateBeforeIt) {
    SmallRun m("  local x a\n  x' = 0\n  x(0) = 0\n  a = if x + a > 1 then -1 else 1\n");
    RunParts& parts = m.begin();
    parts.now.other_modes = true;
    m.set("x", 1);
    const double condition = parts.now.condition(0);
    EXPECT_FALSE(m.run->trial().event());
    EXPECT_TRUE(m.run->trial().wants_mode());
    ASSERT_TRUE(m.run->trial().before());
    EXPECT_EQ(m.run->trial().before()->values[m.program->layout.switches[0]], condition);
}

TEST(Tolerances, AreMeasuredByTheSizesOfStates) {
    SmallRun m("  local x y\n  x' = 1\n  y' = 1\n  x(0) = 50\n  y(0) = 0\n");
    RunParts& parts = m.begin();
    const Tolerances t = choose_tolerances(parts.now, parts.given);
    ASSERT_EQ(t.absolute.size(), 2u);
    const std::vector<VariableIndex>& states = m.program->partition->states;
    for (std::size_t i = 0; i < 2; ++i)
        EXPECT_EQ(t.absolute[i], t.relative * (states[i] == m.variable("x") ? 50 : 1));
    EXPECT_LT(t.relative, m.options.tolerance);
}

}  // namespace
}  // namespace cutset
