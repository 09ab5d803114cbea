// A run that fails stands at its last good point.
#include "run/return_point.h"

#include "small_model.h"

namespace cutset {
namespace {

using test::SmallRun;

constexpr const char* counting =
    "  local x\n  discrete n=0\n  x' = 1\n  x(0) = 0\n  when x > 0.5 then new(n) = pre(n) + 1 end\n";

TEST(ReturnPoint, StatesAndTimeAreThoseOfTheLastGoodPoint) {
    SmallRun m(counting);
    m.options.keep_point = true;
    RunParts& parts = m.begin();
    const double x[] = {0.25};
    parts.good.keep(0.25, x);
    parts.now.values[m.program->layout.time] = 0.75;
    m.set("x", 0.75);
    m.set("n", 3);
    parts.good.go_back(false);
    EXPECT_EQ(parts.now.time(), 0.25);
    EXPECT_EQ(m.value("x"), 0.25);
    EXPECT_EQ(m.value("n"), 3) << "outside events discrete variables do not change";
    EXPECT_FALSE(parts.good.disturbed());
}

TEST(ReturnPoint, AfterAFailedEventDiscreteVariablesAreAsBefore) {
    SmallRun m(counting);
    m.options.keep_point = true;
    RunParts& parts = m.begin();
    const double x[] = {0.5};
    parts.good.keep(0.5, x);
    m.set("n", 3);
    parts.now.condition(0) = 1;
    parts.good.go_back(true);
    EXPECT_EQ(m.value("n"), 0);
    EXPECT_EQ(parts.now.condition(0), 0);
    EXPECT_TRUE(parts.good.disturbed());
}

TEST(ReturnPoint, NothingIsKeptUnlessAskedFor) {
    SmallRun m(counting);
    RunParts& parts = m.begin();
    const double x[] = {0.25};
    parts.good.keep(0.25, x);
    m.set("x", 0.75);
    parts.good.go_back(true);
    EXPECT_EQ(m.value("x"), 0.75);
    EXPECT_EQ(parts.good.time(), 0.25);
}

}  // namespace
}  // namespace cutset
