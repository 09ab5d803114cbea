// Curves of solutions, against curves that are known.
#include "numerics/nonlinear/follow_curve.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cutset {
namespace {

// One equation f(z, p) = 0 with its derivatives.
struct OneEquation {
    double (*f)(double z, double p);
    double (*by_z)(double z, double p);
    double (*by_p)(double z, double p);
    double z = 0, p = 0;

    CurveProblem problem() {
        CurveProblem c;
        c.n = 1;
        c.pattern = {1, 2, {0, 1, 2}, {0, 0}};
        c.nominal = {1};
        c.residual = [this](std::span<const double> at, double q, std::span<double> r) {
            z = at[0];
            p = q;
            r[0] = f(z, p);
            return std::isfinite(r[0]);
        };
        c.jacobian = [this](std::span<double> values) {
            values[0] = by_p(z, p);
            values[1] = by_z(z, p);
            return true;
        };
        return c;
    }
};

// z³ - 3z = p from the lowest z on: folds at (-1, 2) and (1, -2).
TEST(FollowCurve, CubicTurnsTwice) {
    OneEquation e{[](double z, double p) { return z * z * z - 3 * z - p; },
                  [](double z, double) { return 3 * z * z - 3; }, [](double, double) { return -1.0; }};
    const CurveProblem c = e.problem();
    std::vector<CurvePoint> points, folds;
    const double z[] = {-2.355301397608};  // of p = -6
    const CurveResult result = follow_curve(c, z, {.from = -6, .to = 6}, [&](const CurvePoint& point) {
        (point.fold ? folds : points).push_back(point);
        EXPECT_NEAR(std::pow(point.z[0], 3) - 3 * point.z[0], point.p, 1e-8);
        return true;
    });
    EXPECT_EQ(result.end, CurveEnd::Reached);
    ASSERT_EQ(folds.size(), 2u);
    EXPECT_NEAR(folds[0].p, 2, 1e-9);
    EXPECT_NEAR(folds[0].z[0], -1, 1e-5);
    EXPECT_NEAR(folds[1].p, -2, 1e-9);
    EXPECT_NEAR(folds[1].z[0], 1, 1e-5);
    EXPECT_DOUBLE_EQ(points.front().p, -6);
    EXPECT_NEAR(points.back().p, 6, 1e-12);
    EXPECT_NEAR(points.back().z[0], 2.355301397608, 1e-9);
}

// z² = 1 - p: turns at p = 1 and comes back.
TEST(FollowCurve, ParabolaReturns) {
    OneEquation e{[](double z, double p) { return z * z + p - 1; }, [](double z, double) { return 2 * z; },
                  [](double, double) { return 1.0; }};
    const CurveProblem c = e.problem();
    std::vector<CurvePoint> points;
    const double z[] = {1};
    const CurveResult result = follow_curve(c, z, {.from = 0, .to = 5}, [&](const CurvePoint& point) {
        points.push_back(point);
        return true;
    });
    EXPECT_EQ(result.end, CurveEnd::Returned);
    EXPECT_NEAR(points.back().z[0], -1, 1e-9);
    EXPECT_NEAR(points.back().p, 0, 1e-12);
}

// z² + p² = 1 from p = -0.5 upwards: back below its first value.
TEST(FollowCurve, CircleReturns) {
    OneEquation e{[](double z, double p) { return z * z + p * p - 1; },
                  [](double z, double) { return 2 * z; }, [](double, double p) { return 2 * p; }};
    const CurveProblem c = e.problem();
    int folds = 0;
    const double z[] = {std::sqrt(1 - 0.25)};
    const CurveResult result = follow_curve(c, z, {.from = -0.5, .to = 3}, [&](const CurvePoint& point) {
        folds += point.fold;
        return true;
    });
    // p comes back below its first value: the end of the range.
    EXPECT_EQ(result.end, CurveEnd::Returned);
    EXPECT_EQ(folds, 1);
}

TEST(FollowCurve, EndsAtABound) {
    OneEquation e{[](double z, double p) { return z - p * p; }, [](double, double) { return 1.0; },
                  [](double, double p) { return -2 * p; }};
    CurveProblem c = e.problem();
    c.lower = {-1};
    c.upper = {4};
    double last = 0;
    const double z[] = {0};
    const CurveResult result = follow_curve(c, z, {.from = 0, .to = 10}, [&](const CurvePoint& point) {
        last = point.p;
        return true;
    });
    EXPECT_EQ(result.end, CurveEnd::Bound);
    EXPECT_NEAR(last, 2, 1e-6);
}

}  // namespace
}  // namespace cutset
