// Zero crossings within a step: located by the integrator, or found afterwards.
#include "run/zero_crossings.h"

#include <cmath>

#include "small_model.h"

namespace cutset {
namespace {

using test::SmallRun;

// x(t) = sin(pi*t/2) over a step from 0 to 2 that an integrator took at once.
class SineStep : public Integrator {
  public:
    void start(double, std::span<const double>, std::optional<double>) override {}
    StepResult step(double) override { return {}; }
    void interpolate(double t, std::span<double> x, std::span<double>) override {
        x[0] = std::sin(1.5707963267948966 * t);
    }
    double time() const override { return 2; }
    std::span<const double> state() const override { return {}; }
    double last_step() const override { return 2; }
    IntegratorStatistics statistics() const override { return {}; }
    std::string_view first_method() const override { return "sine"; }
    std::string failure_reason() const override { return ""; }
    std::optional<std::size_t> limiting_state() const override { return {}; }
    std::vector<double> weighted_errors() const override { return {}; }
};

StepResult step_to_two() {
    StepResult step;
    step.from = 0;
    step.time = 2;
    return step;
}

TEST(ZeroCrossings, TwoCrossingsInOneStepAreFound) {
    SmallRun m("  local x\n  x' = if x > 0.5 then -1 else 1\n  x(0) = 0\n");
    RunParts& parts = m.begin();
    parts.crossings.watch();
    SineStep integrator;
    double reached = 2;
    std::vector<double> x{0};
    ASSERT_TRUE(parts.crossings.find_missed(integrator, step_to_two(), reached, x));
    EXPECT_NEAR(reached, 1.0 / 3, 1e-9) << "sin(pi*t/2) = 0.5";
    EXPECT_NEAR(x[0], 0.5, 1e-9);
    EXPECT_GE(x[0], 0.5) << "on the far side";
}

TEST(ZeroCrossings, NothingIsFoundWhereNothingCrosses) {
    SmallRun m("  local x\n  x' = if x > 1.5 then -1 else 1\n  x(0) = 0\n");
    RunParts& parts = m.begin();
    parts.crossings.watch();
    SineStep integrator;
    double reached = 2;
    std::vector<double> x{0};
    EXPECT_FALSE(parts.crossings.find_missed(integrator, step_to_two(), reached, x));
    EXPECT_EQ(reached, 2);
}

TEST(ZeroCrossings, ARootGivesTheConditionItsValueBeyond) {
    SmallRun m("  local x\n  x' = if x < 0.5 then 1 else -1\n  x(0) = 0\n");
    RunParts& parts = m.begin();
    parts.crossings.watch();
    ASSERT_EQ(parts.now.condition(0), 1);
    double g = 0;
    const double x = 0.25;
    ASSERT_EQ(parts.crossings.functions(0.1, {&x, 1}, {&g, 1}), 0);
    EXPECT_EQ(g, -0.25);
    const int rises = 1;
    parts.crossings.force({&rises, 1});
    EXPECT_EQ(parts.now.condition(0), 0);
    EXPECT_EQ(parts.crossings.fired(), std::vector<std::size_t>{0});
    EXPECT_TRUE(parts.switches.is_forced(0));
}

TEST(ZeroCrossings, AMutedConditionHasNoRoots) {
    SmallRun m("  local x\n  x' = if x < 0.5 then 1 else -1\n  x(0) = 0\n");
    RunParts& parts = m.begin();
    parts.now.state.switches.muted[0] = true;
    parts.crossings.watch();
    double g = 0;
    const double x = 0.75;
    ASSERT_EQ(parts.crossings.functions(0.1, {&x, 1}, {&g, 1}), 0);
    EXPECT_EQ(g, 1);
}

TEST(CrossingWatch, ABendNearZeroIsSeen) {
    CrossingWatch watch;
    watch.resize(1);
    watch.now = {0.1};
    watch.senses = {1};
    EXPECT_TRUE(watch.see({1}, {1}).bends) << "a parabola with its extreme inside";
    watch.now = {0.5};
    EXPECT_FALSE(watch.see({0}, {1}).bends) << "a line";
    watch.now = {-0.1};
    EXPECT_TRUE(watch.see({1}, {1}).opposed_in_middle);
}

}  // namespace
}  // namespace cutset
