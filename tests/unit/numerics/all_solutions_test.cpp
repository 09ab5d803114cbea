// Several solutions, against systems whose solutions are known.
#include "numerics/nonlinear/all_solutions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cutset {
namespace {

NonlinearProblem scalar(double (*f)(double), double low, double high) {
    NonlinearProblem p;
    p.n = 1;
    p.residual = [f](std::span<const double> x, std::span<double> r) {
        r[0] = f(x[0]);
        return true;
    };
    p.lower = {low};
    p.upper = {high};
    return p;
}

std::vector<double> sorted(const std::vector<std::vector<double>>& solutions) {
    std::vector<double> x;
    for (const auto& s : solutions) x.push_back(s[0]);
    std::sort(x.begin(), x.end());
    return x;
}

TEST(AllSolutions, RootsOfSineWithinBounds) {
    const auto p = scalar([](double x) { return std::sin(x); }, -10, 10);
    const double guess[] = {1};
    const std::vector<double> x = sorted(all_solutions(p, guess));
    ASSERT_EQ(x.size(), 7u);
    for (int k = -3; k <= 3; ++k) EXPECT_NEAR(x[std::size_t(k + 3)], k * std::numbers::pi, 1e-9);
}

TEST(AllSolutions, DoubleRootIsFoundOnceAndPolesAreNot) {
    const auto p = scalar([](double x) { return (x - 1) * (x - 1) * (x + 2) / (x - 3); }, -5, 5);
    const double guess[] = {-4};
    const std::vector<double> x = sorted(all_solutions(p, guess));
    ASSERT_EQ(x.size(), 2u);
    EXPECT_NEAR(x[0], -2, 1e-9);
    EXPECT_NEAR(x[1], 1, 1e-4);
}

// x² + y² = 5, x y = 2: (1,2), (2,1), (-1,-2), (-2,-1).
TEST(AllSolutions, FourIntersections) {
    NonlinearProblem p;
    p.n = 2;
    p.residual = [](std::span<const double> x, std::span<double> r) {
        r[0] = x[0] * x[0] + x[1] * x[1] - 5;
        r[1] = x[0] * x[1] - 2;
        return true;
    };
    p.jacobian = [](std::span<const double> x, std::span<double> j) {
        j[0] = 2 * x[0];
        j[1] = x[1];
        j[2] = 2 * x[1];
        j[3] = x[0];
        return true;
    };
    const double guess[] = {1, 0.5};
    auto solutions = all_solutions(p, guess);
    std::sort(solutions.begin(), solutions.end());
    ASSERT_EQ(solutions.size(), 4u);
    const double expected[4][2] = {{-2, -1}, {-1, -2}, {1, 2}, {2, 1}};
    for (std::size_t k = 0; k < 4; ++k)
        for (std::size_t i = 0; i < 2; ++i) EXPECT_NEAR(solutions[k][i], expected[k][i], 1e-8);
    EXPECT_EQ(all_solutions(p, guess, {.most = 2}).size(), 2u);
}

// Brown's almost linear system with five unknowns: x = (1, …, 1), and (t, t, t, t, t^-4) with t = 0.91635….
TEST(AllSolutions, BrownsSystem) {
    NonlinearProblem p;
    p.n = 5;
    p.residual = [](std::span<const double> x, std::span<double> r) {
        double sum = 0, product = 1;
        for (double v : x) {
            sum += v;
            product *= v;
        }
        for (std::size_t i = 0; i < 4; ++i) r[i] = x[i] + sum - 6;
        r[4] = product - 1;
        return true;
    };
    const std::vector<double> guess(5, 0.5);
    const std::vector<double> x = sorted(all_solutions(p, guess));
    ASSERT_EQ(x.size(), 3u);  // the third has t = -0.579
    EXPECT_NEAR(x[0], -0.5790, 1e-4);
    EXPECT_NEAR(x[1], 0.9164, 1e-4);
    EXPECT_NEAR(x[2], 1, 1e-9);
}

}  // namespace
}  // namespace cutset
