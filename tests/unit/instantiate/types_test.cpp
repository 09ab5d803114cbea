#include "support.h"

using namespace cutset;
using namespace cutset::test;

TEST(Types, DeclaredAndShared) {
    const Flattened run(R"(
model m
  parameter boolean heated=true  integer n=3  (slow, fast) gear=fast
  boolean b
  local integer k  (slow, fast) other
  discrete (left, right) side = right
  b = time > n
  k = if b then 2*n else 0
  other = if b then gear else slow
  when b then
    new(side) = left
  end
end)");
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_TRUE(run.variable("heated").is_boolean());
    EXPECT_EQ(run.binding("heated"), "1");
    EXPECT_EQ(run.variable("n").type, ValueType::Integer);
    EXPECT_EQ(run.binding("gear"), "2");
    EXPECT_EQ(run.binding("side"), "2");
    EXPECT_EQ(run.variable("gear").enumeration, run.variable("other").enumeration);
    EXPECT_NE(run.variable("gear").enumeration, run.variable("side").enumeration);
    EXPECT_EQ(run.model->enumerations.size(), 2u);
}

// What equations determine is discrete if it changes at events only.
TEST(Types, DiscreteEquations) {
    const Flattened run(R"(
model m
  boolean a b free
  integer n
  discrete d e=5
  local x inferred watched
  x' = if a then 1 else e
  a = x < 1 or (pre(a) and x < 2)
  b = not a
  free = noevent(x > 3)
  n = int(2*x)
  d = if b then n else pre(d)
  inferred = x > 1
  watched = x > 2 and not pre(watched)
end)");
    ASSERT_TRUE(run.model) << run.messages();
    for (const char* name : {"a", "b", "n", "d", "watched"}) {
        EXPECT_EQ(run.variable(name).variability, Variability::Discrete) << name;
        EXPECT_TRUE(run.variable(name).by_equation) << name;
    }
    for (const char* name : {"free", "inferred", "x"})
        EXPECT_EQ(run.variable(name).variability, Variability::Continuous) << name;
    EXPECT_FALSE(run.variable("e").by_equation);
    EXPECT_EQ(run.model->discrete_equations.size(), 5u);
    EXPECT_EQ(run.model->equations.size(), 3u);
}

// A real variable beside a whole number follows from it, and not the other way round.
TEST(Types, RealFromWhole) {
    const Flattened run("model m\n integer n\n local x\n n = int(3*time)\n x = n\nend");
    ASSERT_TRUE(run.model) << run.messages();
    EXPECT_TRUE(run.variable("n").by_equation);
    EXPECT_EQ(run.variable("x").variability, Variability::Continuous);
    EXPECT_EQ(run.model->discrete_equations.size(), 1u);
}

TEST(Types, Errors) {
    expect_error("model m\n parameter integer n=2.5\n local x\n x = n\nend", "type-mismatch", "2:22",
                 {"declared here"});
    expect_error("model m\n parameter boolean b=1\n local x\n x = if b then 1 else 2\nend", "type-mismatch",
                 "2:22", {"declared here"});
    expect_error("model m\n integer n\n n = 0.5*time\nend", "type-mismatch", "3:2", {"declared here"});
    expect_error("model m\n (on, off) a\n local x\n a = on\n x = a\nend", "types-differ", "5:2");
    expect_error("model m\n (on, off) a\n local x\n a = on\n x = 2*a\nend", "literal-as-number", "5:8");
    expect_error("model m\n (on, off) a\n (off, on) b\n parameter p=on\n a = on\n b = on\nend",
                 "literal-of-several", "4:14");
}
