#include "numerics/nonlinear/root1d.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cutset {
namespace {

std::optional<double> root_between(double a, double b, const std::function<double(double)>& f,
                                   int* count = nullptr) {
    auto counted = [&](double x) {
        if (count) ++*count;
        return f(x);
    };
    return find_root(counted, {a, b, f(a), f(b)});
}

TEST(Brent, SmoothFunctionInFewEvaluations) {
    int count = 0;
    auto root = root_between(
        0, 2, [](double x) { return std::cos(x) - x; }, &count);
    ASSERT_TRUE(root);
    EXPECT_NEAR(*root, 0.73908513321516064, 1e-15);
    EXPECT_LT(count, 12);
}

TEST(Brent, FlatAndSteepFunctions) {
    EXPECT_NEAR(root_between(-1, 4, [](double x) { return std::pow(x - 1, 9); }).value(), 1, 1e-10);
    EXPECT_NEAR(root_between(-1, 1, [](double x) { return std::expm1(500 * (x - 0.3)); }).value(), 0.3,
                1e-14);
    EXPECT_NEAR(root_between(0, 1, [](double x) { return x < 0.123 ? -1.0 : 1.0; }).value(), 0.123, 1e-15);
}

TEST(Brent, RootAtAnEndAndReversedBracket) {
    EXPECT_EQ(root_between(0, 1, [](double x) { return x; }), 0.0);
    EXPECT_EQ(root_between(-1, 0, [](double x) { return x; }), 0.0);
    EXPECT_NEAR(root_between(3, 1, [](double x) { return x * x - 2; }).value(), std::sqrt(2.0), 1e-15);
}

TEST(Brent, NoBracketOrNotFinite) {
    EXPECT_FALSE(root_between(1, 2, [](double x) { return x; }));
    EXPECT_FALSE(root_between(
        -1, 2, [](double x) { return x > -1 && x < 2 ? std::numeric_limits<double>::quiet_NaN() : x; }));
}

}  // namespace
}  // namespace cutset
