#include "control/least_squares.h"

#include <gtest/gtest.h>

#include <cmath>

namespace cutset {
namespace {

TEST(StudentQuantile, TableValues) {
    EXPECT_NEAR(student_quantile(0.95, 1), 12.7062047, 1e-5);
    EXPECT_NEAR(student_quantile(0.95, 5), 2.5705818, 1e-6);
    EXPECT_NEAR(student_quantile(0.95, 10), 2.2281389, 1e-6);
    EXPECT_NEAR(student_quantile(0.95, 100), 1.9839715, 1e-6);
    EXPECT_NEAR(student_quantile(0.99, 30), 2.7499957, 1e-6);
}

LeastSquaresProblem unbounded_problem(Eigen::VectorXd start) {
    LeastSquaresProblem p;
    p.start = start;
    p.lower = Eigen::VectorXd::Constant(start.size(), -std::numeric_limits<double>::infinity());
    p.upper = -p.lower;
    p.sizes = start.cwiseAbs().cwiseMax(1e-12);
    return p;
}

// Misra1a of the reference data of NIST: y = b1 (1 - exp(-b2 x)), with certified values.
const double misra_y[] = {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02,
                          44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78};
const double misra_x[] = {77.6,  114.9, 141.1, 190.8, 239.9, 289.0, 332.8,
                          378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0};

bool misra(const Eigen::VectorXd& b, Eigen::VectorXd& r, Eigen::MatrixXd* j) {
    r.resize(14);
    if (j) j->resize(14, 2);
    for (Eigen::Index i = 0; i < 14; ++i) {
        const double e = std::exp(-b[1] * misra_x[i]);
        r[i] = b[0] * (1 - e) - misra_y[i];
        if (j) {
            (*j)(i, 0) = 1 - e;
            (*j)(i, 1) = b[0] * misra_x[i] * e;
        }
    }
    return true;
}

TEST(LeastSquares, CertifiedValues) {
    LeastSquaresProblem p = unbounded_problem(Eigen::Vector2d(500, 0.0001));
    p.evaluate = misra;
    const LeastSquaresResult r = solve_least_squares(p);
    EXPECT_EQ(r.status, LeastSquaresStatus::Converged);
    EXPECT_NEAR(r.parameters[0], 2.3894212918e2, 2e-5);
    EXPECT_NEAR(r.parameters[1], 5.5015643181e-4, 5e-11);
    EXPECT_NEAR(r.sum_of_squares, 1.2455138894e-1, 1e-9);
    const Uncertainty u = uncertainty(r, r.parameters.cwiseAbs(), false);
    EXPECT_EQ(u.freedom, 12u);
    EXPECT_NEAR(u.deviation[0], 2.7070075241, 1e-5);
    EXPECT_NEAR(u.deviation[1], 7.2668688436e-6, 1e-11);
    EXPECT_TRUE(u.undetermined.empty());
}

TEST(LeastSquares, StaysInBounds) {
    LeastSquaresProblem p = unbounded_problem(Eigen::Vector2d(210, 0.0006));
    p.evaluate = misra;
    p.upper[0] = 220;
    const LeastSquaresResult r = solve_least_squares(p);
    EXPECT_EQ(r.parameters[0], 220);
    EXPECT_TRUE(r.at_bound[0]);
    EXPECT_FALSE(r.at_bound[1]);
    // The best b2 for b1 = 220: there the derivative by it is zero.
    EXPECT_LT(std::abs(r.jacobian.col(1).dot(r.residuals)),
              1e-6 * r.jacobian.col(1).norm() * r.residuals.norm());
}

TEST(LeastSquares, TellsWhatCannotBeToldApart) {
    // y = a b x with a b = 6
    LeastSquaresProblem p = unbounded_problem(Eigen::Vector3d(1, 1, 1));
    p.evaluate = [](const Eigen::VectorXd& v, Eigen::VectorXd& r, Eigen::MatrixXd* j) {
        r.resize(10);
        if (j) *j = Eigen::MatrixXd::Zero(10, 3);
        for (Eigen::Index i = 0; i < 10; ++i) {
            const double x = static_cast<double>(i + 1);
            r[i] = v[0] * v[1] * x - 6 * x + 0.01 * ((i * 7) % 5 - 2);
            if (j) {
                (*j)(i, 0) = v[1] * x;
                (*j)(i, 1) = v[0] * x;
            }
        }
        return true;
    };
    const LeastSquaresResult r = solve_least_squares(p);
    EXPECT_NEAR(r.parameters[0] * r.parameters[1], 6, 0.01);
    const Uncertainty u = uncertainty(r, r.parameters.cwiseAbs(), false);
    ASSERT_EQ(u.undetermined.size(), 1u);
    EXPECT_NEAR(std::abs(u.undetermined[0][0]), std::sqrt(0.5), 1e-6);
    EXPECT_NEAR(u.undetermined[0][0], -u.undetermined[0][1], 1e-6);
    EXPECT_TRUE(std::isinf(u.deviation[0]));
    ASSERT_EQ(u.idle.size(), 1u);
    EXPECT_EQ(u.idle[0], 2u);
}

}  // namespace
}  // namespace cutset
