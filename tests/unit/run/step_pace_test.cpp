// Steps that become short because a derivative jumps without an event.
#include "run/step_pace.h"

#include "small_model.h"

namespace cutset {
namespace {

using test::SmallRun;

// Is told to expect jumps, and does nothing else.
class ToldIntegrator : public Integrator {
  public:
    int told = 0;

    void expect_jumps() override { ++told; }
    void start(double, std::span<const double>, std::optional<double>) override {}
    StepResult step(double) override { return {}; }
    void interpolate(double, std::span<double>, std::span<double>) override {}
    double time() const override { return 0; }
    std::span<const double> state() const override { return {}; }
    double last_step() const override { return 0; }
    IntegratorStatistics statistics() const override { return {}; }
    std::string_view first_method() const override { return ""; }
    std::string failure_reason() const override { return ""; }
    std::optional<std::size_t> limiting_state() const override { return {}; }
    std::vector<double> weighted_errors() const override { return {}; }
};

// Many steps of that length, each from one side of zero to the other.
struct ShortSteps {
    RunParts& parts;
    ToldIntegrator integrator;
    double time = 0;
    double length = 1e-8;

    explicit ShortSteps(RunParts& p) : parts(p) { parts.pace.begin({1, 1e-6, {1e-6}}); }
    bool take(int count) {
        bool goes_on = true;
        for (int k = 0; k < count && goes_on; ++k) {
            const double from = time, side = k % 2 ? 1e-9 : -1e-9;
            parts.pace.before_step({-side});
            time += length;
            const std::vector<double> x = {side};
            goes_on = parts.pace.after_step(integrator, from, time, x);
        }
        return goes_on;
    }
};

constexpr int steps_of_window = 10000, looked_at = 40;

TEST(StepPace, TheEquationOfADerivative) {
    SmallRun m("  local x y\n  x' = y\n  y = 2*x\n  x(0) = 1\n");
    ASSERT_TRUE(m.program);
    const SolvedEquation* e = derivative_equation(*m.program->partition, m.variable("x"));
    ASSERT_TRUE(e);
    EXPECT_EQ(e->unknown, (Unknown{m.variable("x"), 1}));
    EXPECT_EQ(derivative_equation(*m.program->partition, m.variable("y")), nullptr);
}

TEST(StepPace, AJumpIsToldToTheMethodThenToTheUser) {
    SmallRun m("  local x\n  x' = noevent(if x < 0 then 1 else -1)\n  x(0) = 0.5\n");
    ShortSteps steps(m.begin());
    ASSERT_TRUE(steps.take(steps_of_window + looked_at));
    EXPECT_EQ(steps.integrator.told, 1);
    EXPECT_EQ(m.messages(), "") << "the method may cope with it";
    ASSERT_TRUE(steps.take(steps_of_window + looked_at));
    EXPECT_EQ(m.messages().find("derivative-jumps"), 0u) << m.messages();
}

TEST(StepPace, ASmoothSolutionMayHaveShortSteps) {
    SmallRun m("  local x\n  x' = 1000 - x\n  x(0) = 0.5\n");
    ShortSteps steps(m.begin());
    ASSERT_TRUE(steps.take(3 * (steps_of_window + looked_at)));
    EXPECT_EQ(steps.integrator.told, 0);
    EXPECT_EQ(m.messages(), "");
}

TEST(StepPace, LongStepsAreNotLookedAt) {
    SmallRun m("  local x\n  x' = noevent(if x < 0 then 1 else -1)\n  x(0) = 0.5\n");
    ShortSteps steps(m.begin());
    steps.length = 1e-5;
    ASSERT_TRUE(steps.take(3 * (steps_of_window + looked_at)));
    EXPECT_EQ(steps.integrator.told, 0);
}

}  // namespace
}  // namespace cutset
