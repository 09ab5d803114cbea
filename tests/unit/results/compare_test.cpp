#include "results/compare.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cutset {

namespace {

using Rows = std::vector<std::vector<double>>;

Trajectory make(std::vector<std::string> names, const Rows& rows) {
    Columns c;
    c.add(time_column());
    for (auto& n : names) c.add({n});
    Trajectory t(std::move(c));
    for (const auto& r : rows) t.append(r);
    return t;
}

}  // namespace

TEST(Compare, JudgesRelativeToTheRange) {
    const auto reference = make({"x"}, {{0, 1000}, {1, 1010}});
    EXPECT_TRUE(compare(make({"x"}, {{0, 1000.005}, {1, 1010}}), reference).passed);
    const auto c = compare(make({"x"}, {{0, 1000.02}, {1, 1010}}), reference);
    EXPECT_FALSE(c.passed);
    ASSERT_EQ(c.variables.size(), 1u);
    EXPECT_NEAR(c.variables[0].error, 0.02, 1e-12);
    EXPECT_EQ(c.variables[0].range, 10);
    EXPECT_EQ(c.variables[0].time, 0);
    EXPECT_NE(to_text(c).find("BAD"), std::string::npos);
}

TEST(Compare, JudgesConstantsByTheirSizeAndZeroAbsolutely) {
    EXPECT_TRUE(compare(make({"x"}, {{0, 100.05}, {1, 100.05}}), make({"x"}, {{0, 100}, {1, 100}})).passed);
    EXPECT_FALSE(compare(make({"x"}, {{0, 100.2}, {1, 100}}), make({"x"}, {{0, 100}, {1, 100}})).passed);
    EXPECT_TRUE(compare(make({"x"}, {{0, 5e-4}, {1, 0}}), make({"x"}, {{0, 0}, {1, 0}})).passed);
    EXPECT_FALSE(compare(make({"x"}, {{0, 5e-3}, {1, 0}}), make({"x"}, {{0, 0}, {1, 0}})).passed);
}

TEST(Compare, InterpolatesTheResult) {
    Rows dense;
    for (int i = 0; i <= 1000; ++i) dense.push_back({i * 1e-3, std::sin(i * 1e-3)});
    EXPECT_TRUE(
        compare(make({"x"}, dense), make({"x"}, {{0, 0}, {0.3337, std::sin(0.3337)}, {1, std::sin(1)}}))
            .passed);
}

TEST(Compare, AllowsAJumpToMoveWithinTheTube) {
    const auto reference = make({"x"}, {{0, 0}, {1, 0}, {1, 5}, {1.005, 5}, {2, 5}});
    const auto shifted = [](double d) { return make({"x"}, {{0, 0}, {1 + d, 0}, {1 + d, 5}, {2, 5}}); };
    EXPECT_TRUE(compare(shifted(0), reference).passed);
    EXPECT_TRUE(compare(shifted(1e-4), reference).passed);
    EXPECT_TRUE(compare(shifted(-1e-4), reference).passed);
    EXPECT_FALSE(compare(shifted(1e-2), reference).passed);
    CompareOptions wide;
    wide.tube = 2e-2;
    EXPECT_TRUE(compare(shifted(1e-2), reference, wide).passed);
}

TEST(Compare, FailsOnMissingNamesShortRunsAndNan) {
    const auto reference = make({"x", "y"}, {{0, 0, 1}, {1, 1, 1}});
    auto c = compare(make({"x"}, {{0, 0}, {1, 1}}), reference);
    EXPECT_FALSE(c.passed);
    EXPECT_EQ(c.missing, std::vector<std::string>{"y"});
    CompareOptions lenient;
    lenient.missing_is_failure = false;
    EXPECT_TRUE(compare(make({"x"}, {{0, 0}, {1, 1}}), reference, lenient).passed);
    c = compare(make({"x", "y"}, {{0, 0, 1}, {0.5, 0.5, 1}}), reference);
    EXPECT_FALSE(c.passed);
    EXPECT_NE(c.problem.find("ends at 0.5"), std::string::npos);
    EXPECT_FALSE(compare(make({"x", "y"}, {{0, 0, 1}, {1, NAN, 1}}), reference).passed);
    EXPECT_FALSE(compare(make({"z"}, {{0, 0}, {1, 1}}), make({"q"}, {{0, 0}, {1, 1}}), lenient).passed);
    EXPECT_FALSE(compare(make({"x"}, {{0, 0}}), reference).passed);
}

TEST(Compare, ParametersOfTheReferenceAreNotMissingWhereTheResultHasNone) {
    Columns columns;
    columns.add(time_column());
    columns.add({"x"});
    const Columns without = columns;
    columns.add(parameter_column("k", 3));
    columns.add(parameter_column("m", 4));
    columns.add(parameter_column("X", 5));  // not x
    Columns other = without;
    other.add(parameter_column("m", 4));
    Trajectory reference(columns), none(without), one(other);
    for (Trajectory* t : {&reference, &none, &one})
        for (double time : {0.0, 1.0}) t->append(std::vector<double>{time, time});
    EXPECT_TRUE(compare(none, reference).passed);
    EXPECT_EQ(compare(one, reference).missing, std::vector<std::string>{"k"});
    EXPECT_FALSE(compare(one, reference).passed);
    CompareOptions named;
    named.only = {"x", "k"};
    EXPECT_FALSE(compare(none, reference, named).passed);
}

TEST(Compare, MapsNamesSignsAndTime) {
    CompareOptions o;
    o.names["x"] = {"a.x", -2, 1};
    o.time_factor = 10;
    EXPECT_TRUE(compare(make({"a.x"}, {{0, 0.5}, {0.1, -1}}), make({"x"}, {{0, 0}, {1, 3}}), o).passed);
    EXPECT_TRUE(
        compare(make({"Tank.Level"}, {{0, 1}, {1, 3}}), make({"tank.level"}, {{0, 1}, {1, 3}})).passed);
}

}  // namespace cutset
