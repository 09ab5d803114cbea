// Equilibria and operating points.
#include "run/equilibrium.h"

#include <cmath>

#include "run/operating_point.h"
#include "small_model.h"

namespace cutset {
namespace {

using test::SmallModel;

constexpr const char* pendulum =
    "  local a w\n  a' = w\n  w' = -9.81*sin(a) - 0.1*w\n  a(0) = 2\n  w(0) = 0\n";

TEST(Equilibrium, ThePendulumComesToHang) {
    SmallModel m(pendulum);
    const auto found = find_equilibrium(*m.program, m.options);
    ASSERT_TRUE(found);
    EXPECT_NEAR(std::sin(found->values[m.variable("a").value]), 0, 1e-6);
    EXPECT_GT(std::cos(found->values[m.variable("a").value]), 0);
    EXPECT_EQ(found->growth, 0);
}

TEST(Equilibrium, InitializationTellsHowFastDisturbancesGrow) {
    SmallModel m("  local x\n  x' = 3*x\n  x(0) = 0\n");
    const auto found = initialize_run(*m.program, m.options);
    ASSERT_TRUE(found);
    EXPECT_NEAR(found->growth, 3, 1e-6);
    EXPECT_TRUE(is_near_initial_values(*m.program->partition, found->values));
}

TEST(Equilibrium, TheEndOfARunListsWhatIsHeld) {
    SmallModel m("  local x\n  x' = 0.5 - sign(x)\n  x(0) = -0.1\n");
    const auto end = end_of_run(*m.program, m.options);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->held.size(), 1u);
    EXPECT_NEAR(end->values[m.variable("x").value], 0, 1e-9);
}

TEST(OperatingPoint, TheMatrixIsThatOfTheLinearisedMotion) {
    SmallModel m("  local x y\n  x' = y\n  y' = -4*x - 3*y\n  x(0) = 0\n  y(0) = 0\n");
    Diagnostics diagnostics;
    const auto point = operating_point(*m.program, m.options, nullptr, diagnostics);
    ASSERT_TRUE(point);
    ASSERT_EQ(point->matrix.rows(), 2);
    EXPECT_NEAR(point->matrix.trace(), -3, 1e-6);
    EXPECT_NEAR(point->matrix(0, 0) * point->matrix(1, 1) - point->matrix(0, 1) * point->matrix(1, 0), 4,
                1e-6);
    EXPECT_EQ(judge(*point).stability, Stability::Stable);
}

}  // namespace
}  // namespace cutset
