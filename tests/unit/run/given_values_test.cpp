// Parameters and initial values that the options give.
#include "run/given_values.h"

#include <algorithm>

#include "small_model.h"

namespace cutset {
namespace {

using test::SmallRun;

constexpr const char* tank =
    "  parameter a=2 b=3*a\n  local x\n  discrete n=5\n  x' = b\n  x(0) = 1\n"
    "  when x > 100 then new(n) = 0 end\n";

TEST(GivenValues, WithoutAnyTheSectionsAreThoseOfTheProgram) {
    SmallRun m(tank);
    RunParts& parts = m.begin();
    EXPECT_EQ(&parts.given.parameters(), &m.program->parameters);
    EXPECT_EQ(&parts.given.initial(), &m.program->initial);
    EXPECT_FALSE(parts.given.is_start_given(m.variable("x")));
}

TEST(GivenValues, AParameterIsHeldAndOthersFollow) {
    SmallRun m(tank);
    ASSERT_TRUE(m.program);
    m.options.given = {{m.variable("a"), 7}};
    RunParts& parts = m.begin();
    EXPECT_NE(&parts.given.parameters(), &m.program->parameters);
    EXPECT_EQ(m.value("a"), 7);
    EXPECT_EQ(m.value("b"), 21);
}

TEST(GivenValues, InitialValuesAreHeld) {
    SmallRun m(tank);
    ASSERT_TRUE(m.program);
    m.options.given_starts = {{m.variable("x"), 4}, {m.variable("n"), 9}};
    std::sort(m.options.given_starts.begin(), m.options.given_starts.end());
    RunParts& parts = m.begin();
    EXPECT_TRUE(parts.given.is_start_given(m.variable("x")));
    EXPECT_FALSE(parts.given.is_start_given(m.variable("a")));
    EXPECT_EQ(m.value("x"), 4);
    EXPECT_EQ(m.value("n"), 9);
}

}  // namespace
}  // namespace cutset
