// Derivatives and their Jacobian at the points that the integrator tries.
#include "run/right_hand_side.h"

#include "small_model.h"

namespace cutset {
namespace {

using test::SmallRun;

TEST(RightHandSide, DerivativesAtAPoint) {
    SmallRun m("  local x y\n  x' = y\n  y' = -4*x + time\n  x(0) = 1\n  y(0) = 0\n");
    RunParts& parts = m.begin();
    const bool x_first = parts.now.partition.states[0] == m.variable("x");
    const std::vector<double> at = x_first ? std::vector<double>{2, 3} : std::vector<double>{3, 2};
    std::vector<double> dx(2);
    ASSERT_EQ(parts.rhs.derivatives(0.5, at, dx), 0);
    EXPECT_EQ(dx[x_first ? 0 : 1], 3);
    EXPECT_EQ(dx[x_first ? 1 : 0], -7.5);
    EXPECT_TRUE(parts.rhs.plain());
}

TEST(RightHandSide, ThroughAnAlgebraicLoop) {
    SmallRun m("  local x z\n  x' = z\n  z**3 + z = x\n  x(0) = 10\n");
    RunParts& parts = m.begin();
    std::vector<double> dx(1);
    for (const double z : {2.0, -1.0, 3.0}) {
        ASSERT_EQ(parts.rhs.derivatives(0, std::vector{z * z * z + z}, dx), 0);
        EXPECT_NEAR(dx[0], z, 1e-10);
    }
}

TEST(RightHandSide, APointWithoutValueIsNoted) {
    SmallRun m("  local x\n  x' = sqrt(x)\n  x(0) = 1\n");
    RunParts& parts = m.begin();
    std::vector<double> dx(1);
    EXPECT_GT(parts.rhs.derivatives(0.25, std::vector{-1.0}, dx), 0) << "a shorter step may do";
    EXPECT_EQ(parts.rhs.bad().time, 0.25);
    EXPECT_EQ(parts.rhs.bad().states, std::vector{-1.0});
    EXPECT_EQ(m.messages(), "") << "only a failure of the integrator is reported";
    parts.rhs.forget_bad();
    EXPECT_TRUE(parts.rhs.bad().states.empty());
    ASSERT_EQ(parts.rhs.derivatives(0.25, std::vector{4.0}, dx), 0);
    EXPECT_EQ(dx[0], 2);
}

TEST(RightHandSide, WhileSlidingItIsNotPlain) {
    SmallRun m("  local x\n  x' = 0.5 - sign(x)\n  x(0) = 0\n");
    RunParts& parts = m.begin();
    ASSERT_FALSE(parts.sliding.empty());
    EXPECT_FALSE(parts.rhs.plain());
    std::vector<double> dx(1);
    ASSERT_EQ(parts.rhs.derivatives(0.1, std::vector{0.0}, dx), 0);
    EXPECT_NEAR(dx[0], 0, 1e-12);
}

}  // namespace
}  // namespace cutset
