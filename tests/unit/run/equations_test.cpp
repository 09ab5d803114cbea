// The continuous equations at an instant.
#include "run/equations.h"

#include "small_model.h"

namespace cutset {
namespace {

using test::SmallRun;

TEST(Equations, GiveDerivativesAndAlgebraicVariables) {
    SmallRun m("  local x y\n  x' = 2*y\n  y = x + time\n  x(0) = 1\n");
    RunParts& parts = m.begin();
    m.set("x", 5);
    parts.now.values[m.program->layout.time] = 0.5;
    ASSERT_TRUE(parts.equations.evaluate());
    EXPECT_EQ(m.value("y"), 5.5);
    EXPECT_EQ(parts.now.derivatives()[0], 11);
}

TEST(Equations, WhatIsNotedIsKnownUntilAnInputChanges) {
    SmallRun m(
        "  local x y\n  discrete n=1\n  x' = n*y\n  y = x\n  x(0) = 1\n"
        "  when x > 100 then new(n) = 2 end\n");
    RunParts& parts = m.begin();
    ASSERT_TRUE(parts.equations.evaluate());
    parts.equations.note();
    EXPECT_TRUE(parts.equations.known());
    m.set("x", 2);
    EXPECT_FALSE(parts.equations.known());
    m.set("x", 1);
    EXPECT_TRUE(parts.equations.known());
    m.set("n", 2);
    EXPECT_FALSE(parts.equations.known());
}

TEST(Equations, AFailureIsReportedUnlessAskedQuietly) {
    SmallRun m("  local x z\n  x' = z\n  z**2 = x\n  guess z = 1\n  x(0) = 1\n");
    RunParts& parts = m.begin();
    m.set("x", -1);
    EXPECT_FALSE(parts.equations.run_quietly(m.program->continuous));
    EXPECT_EQ(m.messages(), "");
    EXPECT_FALSE(parts.equations.evaluate());
    EXPECT_EQ(m.messages().find("loop-failed"), 0u) << m.messages();
}

TEST(Equations, DerivativesThatAreNotFinite) {
    SmallRun m("  local x y\n  x' = y\n  y = 1/x\n  x(0) = 1\n");
    RunParts& parts = m.begin();
    EXPECT_TRUE(parts.equations.derivatives_finite());
    m.set("x", 0);
    EXPECT_FALSE(parts.equations.evaluate());
    EXPECT_EQ(m.messages().find("not-finite"), 0u) << m.messages();
}

}  // namespace
}  // namespace cutset
