// Initialization of a run.
#include "run/initialization.h"

#include "small_model.h"

namespace cutset {
namespace {

using test::SmallRun;

TEST(Initialization, InitialEquationsAreSolved) {
    SmallRun m("  local x y\n  x' = -x\n  y + y**3 = x\n  x(0) = 2\n");
    m.begin();
    EXPECT_EQ(m.value("x"), 2);
    EXPECT_NEAR(m.value("y"), 1, 1e-12);
    EXPECT_EQ(m.run->parts().now.values[m.program->layout.derivative[0]], -2);
}

TEST(Initialization, ConditionsAgreeWithTheValues) {
    SmallRun m("  local x y\n  x' = 0\n  x(0) = 3\n  y = if x > 2 then 10 else 20\n");
    m.begin();
    EXPECT_EQ(m.value("y"), 10);
}

TEST(Initialization, ATrueConditionDoesNotActAtTheStart) {
    SmallRun m("  local x\n  discrete n=0\n  x' = 0\n  x(0) = 3\n  when x > 2 then new(n) = 1 end\n");
    m.begin();
    EXPECT_EQ(m.value("n"), 0);
    EXPECT_TRUE(m.run->parts().now.state.when_held[0]);
}

TEST(Initialization, AFailureNamesTheEquation) {
    SmallRun m("  local x y\n  x' = y\n  x(0) = -1\n  y**2 = x\n");
    EXPECT_FALSE(m.make().begin());
    ASSERT_FALSE(m.diagnostics.all().empty());
    EXPECT_EQ(m.diagnostics.all().back().severity, Severity::Error);
}

TEST(GivenValues, AreTakenInsteadOfThoseOfTheProgram) {
    SmallRun m("  parameter p=1\n  local x\n  x' = p\n  x(0) = 2\n");
    m.options.given = {{m.variable("p"), 5}};
    m.options.given_starts = {{m.variable("x"), 7}};
    const GivenValues given(*m.program, m.options);
    EXPECT_TRUE(given.is_start_given(m.variable("x")));
    EXPECT_FALSE(given.is_start_given(m.variable("p")));
    m.begin();
    EXPECT_EQ(m.value("p"), 5);
    EXPECT_EQ(m.value("x"), 7);
    EXPECT_EQ(parameter_values(*m.program, m.options)[m.variable("p").value], 5);
}

}  // namespace
}  // namespace cutset
