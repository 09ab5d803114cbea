// Decimated curves contain the extremes of all rows, and rows that are dropped leave nothing behind.
#include "studio/result_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace cutset::studio {
namespace {

Columns two_columns() {
    Columns columns;
    columns.push_back(time_column());
    columns.push_back({.name = "x"});
    columns.push_back(alias_column("y", ColumnIndex(1), true));
    columns.push_back(parameter_column("p", 3));
    return columns;
}

TEST(ResultStore, PixelsHaveFirstLeastGreatestAndLast) {
    std::mt19937 random(1);
    std::uniform_real_distribution<double> values(-1, 1);
    ResultStore store(two_columns());
    std::vector<double> x;
    for (int i = 0; i < 20000; ++i) {
        x.push_back(values(random));
        store.append(std::vector<double>{double(i), x.back()});
    }
    for (const auto& [t0, t1] : {std::pair(0.0, 19999.0), std::pair(123.0, 15000.5), std::pair(17.0, 9000.0)})
        for (const std::size_t pixels : {1, 7, 100, 500}) {
            const CurvePoints points = store.curve(ColumnIndex(1), t0, t1, pixels);
            ASSERT_FALSE(points.exact);
            EXPECT_LE(points.time.size(), 4 * pixels);
            EXPECT_TRUE(std::is_sorted(points.time.begin(), points.time.end()));
            const auto first = x.begin() + std::ptrdiff_t(std::ceil(t0)),
                       last = x.begin() + std::ptrdiff_t(t1) + 1;
            // One row beside the interval belongs to it at either end.
            const auto from = first == x.begin() ? first : first - 1, to = last == x.end() ? last : last + 1;
            EXPECT_EQ(*std::min_element(points.value.begin(), points.value.end()),
                      *std::min_element(from, to));
            EXPECT_EQ(*std::max_element(points.value.begin(), points.value.end()),
                      *std::max_element(from, to));
            for (std::size_t i = 0; i < points.time.size(); ++i)
                EXPECT_EQ(points.value[i], x[std::size_t(points.time[i])]);
            const CurvePoints opposite = store.curve(ColumnIndex(2), t0, t1, pixels);
            EXPECT_EQ(*std::max_element(opposite.value.begin(), opposite.value.end()),
                      -*std::min_element(from, to));
        }
}

TEST(ResultStore, FewRowsAreExact) {
    ResultStore store(two_columns());
    for (int i = 0; i < 10; ++i) store.append(std::vector<double>{double(i), double(i * i)});
    const CurvePoints points = store.curve(ColumnIndex(1), 2.5, 5.5, 100);
    EXPECT_TRUE(points.exact);
    EXPECT_EQ(points.time, (std::vector<double>{2, 3, 4, 5, 6}));
}

TEST(ResultStore, DroppedRowsLeaveThePyramid) {
    ResultStore store(two_columns());
    for (int i = 0; i < 4096; ++i) store.append(std::vector<double>{double(i), i == 4095 ? 1e9 : 0.0});
    EXPECT_EQ(store.curve(ColumnIndex(1), 0, 4096, 4).value.back(), 1e9);
    store.drop_last();
    store.append(std::vector<double>{4095, -2});
    const CurvePoints points = store.curve(ColumnIndex(1), 0, 4096, 4);
    EXPECT_EQ(*std::max_element(points.value.begin(), points.value.end()), 0);
    EXPECT_EQ(*std::min_element(points.value.begin(), points.value.end()), -2);
}

TEST(ResultStore, NotANumberIsNoExtreme) {
    ResultStore store(two_columns());
    const double none = std::numeric_limits<double>::quiet_NaN();
    for (int i = 0; i < 1000; ++i) store.append(std::vector<double>{double(i), i == 500 ? 7 : none});
    const CurvePoints points = store.curve(ColumnIndex(1), 0, 1000, 3);
    EXPECT_EQ(std::count(points.value.begin(), points.value.end(), 7), 1);
}

TEST(ResultStore, ParametersThatAreSetInBetweenAreHeld) {
    ResultStore store(two_columns());
    for (int i = 0; i < 3; ++i) store.append(std::vector<double>{double(i), 0});
    Columns next = two_columns();
    next[ColumnIndex(3)].value = 5;
    ASSERT_TRUE(store.go_on(next));
    for (int i = 2; i < 5; ++i) store.append(std::vector<double>{double(i), 0});
    const ColumnIndex p(3);
    EXPECT_EQ(store.at(std::vector{p}, 1, Side::After)[0], 3);
    EXPECT_EQ(store.at(std::vector{p}, 2, Side::Before)[0], 3);
    EXPECT_EQ(store.at(std::vector{p}, 2, Side::After)[0], 5);
    const Trajectory copy = store.copy();
    EXPECT_EQ(copy.values(p), (std::vector<double>{3, 3, 3, 5, 5, 5}));
    Columns other = two_columns();
    other.push_back({.name = "z"});
    EXPECT_FALSE(store.go_on(other));
}

TEST(CompareRuns, TheGreatestRelativeDifferenceIsFirst) {
    Columns columns;
    columns.push_back(time_column());
    for (const char* name : {"a", "b", "c"}) columns.push_back({.name = name});
    Trajectory one(columns), two(columns);
    for (int i = 0; i <= 10; ++i) {
        one.append(std::vector<double>{double(i), 1000, 1, 5});
        two.append(std::vector<double>{double(i), 1010, i == 4 ? 2.0 : 1.0, 5});
    }
    const RunComparison found = compare_runs(one, two, -INFINITY, INFINITY, 10);
    ASSERT_EQ(found.differences.size(), 2U);
    EXPECT_EQ(found.equal, 1U);
    EXPECT_EQ(found.differences[0].path, "b");
    EXPECT_EQ(found.differences[0].at, 4);
    EXPECT_EQ(found.differences[0].relative, 0.5);
    EXPECT_EQ(found.differences[1].difference, 10);
}

}  // namespace
}  // namespace cutset::studio
