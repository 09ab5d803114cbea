// Newton's method with a sparse Jacobian.
#include <gtest/gtest.h>

#include <cmath>

#include "numerics/linear/matrix_lu.h"
#include "numerics/nonlinear/newton.h"

namespace cutset {
namespace {

SparsePattern tridiagonal(std::size_t n) {
    SparsePattern p{n, n, {0}, {}};
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = j > 0 ? j - 1 : 0; i <= j + 1 && i < n; ++i)
            p.row.push_back(static_cast<std::int64_t>(i));
        p.starts.push_back(static_cast<std::int64_t>(p.row.size()));
    }
    return p;
}

// u'' = exp(u) with u = 0 at both ends, in units that differ from row to row:
//     s_i (x_i-1 - 2 x_i + x_i+1 - h^2 exp(x_i)) = 0
NonlinearProblem bratu(std::size_t n, bool sparse) {
    NonlinearProblem p;
    p.n = n;
    const double h = 1 / static_cast<double>(n + 1);
    const auto unit = [](std::size_t i) { return std::pow(10.0, static_cast<double>(i % 13) - 6); };
    p.residual = [=](std::span<const double> x, std::span<double> f) {
        for (std::size_t i = 0; i < n; ++i)
            f[i] = unit(i) *
                   ((i > 0 ? x[i - 1] : 0) - 2 * x[i] + (i + 1 < n ? x[i + 1] : 0) - h * h * std::exp(x[i]));
        return true;
    };
    if (!sparse) return p;
    p.pattern = tridiagonal(n);
    p.jacobian = [=](std::span<const double> x, std::span<double> v) {
        std::size_t k = 0;
        for (std::size_t j = 0; j < n; ++j) {
            if (j > 0) v[k++] = unit(j - 1);
            v[k++] = unit(j) * (-2 - h * h * std::exp(x[j]));
            if (j + 1 < n) v[k++] = unit(j + 1);
        }
        return true;
    };
    return p;
}

TEST(SparseNewton, SameAsDense) {
    const std::size_t n = 60;
    std::vector<double> dense(n, 0.0), sparse(n, 0.0), quotients(n, 0.0);
    EXPECT_TRUE(solve_nonlinear(bratu(n, false), dense).converged());
    EXPECT_TRUE(solve_nonlinear(bratu(n, true), sparse).converged());
    NonlinearProblem without = bratu(n, true);
    without.jacobian = nullptr;
    EXPECT_TRUE(solve_nonlinear(without, quotients).converged());
    for (std::size_t i = 0; i < n; ++i) {
        EXPECT_NEAR(sparse[i], dense[i], 1e-12);
        EXPECT_NEAR(quotients[i], dense[i], 1e-12);
    }
}

TEST(SparseNewton, ThousandsOfUnknowns) {
    const std::size_t n = 20000;
    std::vector<double> x(n, 0.0);
    NonlinearSolver solver(bratu(n, true));
    const NonlinearResult& result = solver.newton(x);
    ASSERT_TRUE(result.converged());
    EXPECT_LT(result.iterations, 10);
    // u'' = exp(u), u(0) = u(1) = 0: u = ln(2 b^2 / cos^2(b (s - 1/2))) with b = cos(b/2) / sqrt 2... by
    // iteration: at the middle u = ln(2 b^2).
    double b = 0.6;
    for (int k = 0; k < 200; ++k) b = std::cos(b / 2) / std::sqrt(2.0);
    EXPECT_NEAR((x[n / 2] + x[n / 2 - 1]) / 2, std::log(2 * b * b), 1e-6);
}

// A singular Jacobian at the start, at x = 0: x_i^2 + small coupling = 1; needs steps of least squares.
TEST(SparseNewton, SingularStart) {
    for (std::size_t n : {40, 900}) {
        NonlinearProblem p;
        p.n = n;
        p.pattern = tridiagonal(n);
        p.residual = [n](std::span<const double> x, std::span<double> f) {
            // x_0 enters only squared
            for (std::size_t i = 0; i < n; ++i) f[i] = i == 0 ? x[0] * x[0] - 4 : x[i] - 0.5 * x[i - 1] - 1;
            return true;
        };
        p.jacobian = [n](std::span<const double> x, std::span<double> v) {
            std::size_t k = 0;
            for (std::size_t j = 0; j < n; ++j) {
                if (j > 0) v[k++] = 0;
                v[k++] = j == 0 ? 2 * x[0] : 1;
                if (j + 1 < n) v[k++] = -0.5;
            }
            return true;
        };
        std::vector<double> x(n, 0.0);
        const NonlinearResult result = solve_nonlinear(p, x);
        ASSERT_TRUE(result.converged()) << n;
        EXPECT_NEAR(std::abs(x[0]), 2, 1e-9);
        if (x[0] > 0) {
            EXPECT_NEAR(x[n - 1], 2, 1e-9);
        }
    }
}

// Without a solution: the unknown that is left open is named.
TEST(SparseNewton, SingularIsNamed) {
    for (std::size_t n : {40, 900}) {
        NonlinearProblem p;
        p.n = n;
        p.pattern = tridiagonal(n);
        // x_0 - x_1 = 0, x_i - x_i-1 = 0 but the last: x_n-1 - x_n-2 = 1 and x_n-2 - x_n-1 = 1.
        p.residual = [n](std::span<const double> x, std::span<double> f) {
            for (std::size_t i = 0; i + 1 < n; ++i) f[i] = x[i] - x[i + 1];
            f[n - 2] -= 1;
            f[n - 1] = x[n - 1] - x[n - 2] - 1;
            return true;
        };
        p.jacobian = [n](std::span<const double>, std::span<double> v) {
            std::size_t k = 0;
            for (std::size_t j = 0; j < n; ++j) {
                if (j > 0) v[k++] = -1;
                v[k++] = 1;
                if (j + 1 < n) v[k++] = j + 2 == n ? -1 : 0;
            }
            return true;
        };
        std::vector<double> x(n, 0.0);
        NonlinearSolver solver(p);
        const NonlinearResult& result = solver.newton(x);
        EXPECT_EQ(result.status, NonlinearStatus::Singular);
        EXPECT_TRUE(result.singular_column);
        EXPECT_EQ(result.rcond, 0);
    }
}

// An unknown on its bound stays there while the others move (least squares with a blocked column).
TEST(SparseNewton, Bounds) {
    for (std::size_t n : {30, 700}) {
        NonlinearProblem p = bratu(n, true);
        p.upper.assign(n, 0.0);
        p.lower.assign(n, -10.0);
        std::vector<double> x(n, 0.0), free(n, 0.0);
        ASSERT_TRUE(solve_nonlinear(p, x).converged());
        ASSERT_TRUE(solve_nonlinear(bratu(n, true), free).converged());
        for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(x[i], free[i], 1e-10);
    }
}

// Newton alone fails on this; the whole chain does not, dense or sparse. 0 = x_0^3 - 2 x_0 + 2 has a cycle
// 0, 1, 0, … and the other unknowns follow.
TEST(SparseNewton, WholeChain) {
    for (std::size_t n : {3, 50}) {
        NonlinearProblem p;
        p.n = n;
        p.pattern = tridiagonal(n);
        p.residual = [n](std::span<const double> x, std::span<double> f) {
            f[0] = std::atan(10 * (x[0] - 3)) + 0.01 * (x[0] - 3);
            for (std::size_t i = 1; i < n; ++i) f[i] = std::atan(10 * (x[i] - x[i - 1] - 1));
            return true;
        };
        p.jacobian = [n](std::span<const double> x, std::span<double> v) {
            const auto slope = [](double d) { return 10 / (1 + 100 * d * d); };
            std::size_t k = 0;
            for (std::size_t j = 0; j < n; ++j) {
                if (j > 0) v[k++] = 0;
                v[k++] = j == 0 ? slope(x[0] - 3) + 0.01 : slope(x[j] - x[j - 1] - 1);
                if (j + 1 < n) v[k++] = -slope(x[j + 1] - x[j] - 1);
            }
            return true;
        };
        std::vector<double> x(n, 0.0);
        const NonlinearResult result = solve_nonlinear(p, x);
        ASSERT_TRUE(result.converged()) << explain(result.status);
        for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(x[i], 3 + static_cast<double>(i), 1e-8);
    }
}

TEST(MatrixLu, ChoosesBySizeAndFill) {
    MatrixLu lu;
    lu.set_pattern(tridiagonal(3));
    EXPECT_TRUE(lu.dense());
    lu.set_pattern(tridiagonal(300));
    EXPECT_FALSE(lu.dense());
    lu.set_pattern(full_pattern(40));
    EXPECT_TRUE(lu.dense());
    // An arrow that points the wrong way for elimination in order is still sparse.
    SparsePattern arrow{100, 100, {0}, {}};
    for (std::int64_t j = 0; j < 100; ++j) {
        for (std::int64_t i = 0; i < 100; ++i)
            if (j == 0 || i == 0 || i == j) arrow.row.push_back(i);
        arrow.starts.push_back(static_cast<std::int64_t>(arrow.row.size()));
    }
    lu.set_pattern(arrow);
    EXPECT_FALSE(lu.dense());
    // Both give the same answers, also again after another pattern.
    for (std::size_t n : {3, 300}) {
        lu.set_pattern(tridiagonal(n));
        std::vector<double> values(lu.pattern().elements(), -1.0), b(n, 1.0);
        for (std::size_t j = 0; j < n; ++j)
            for (auto k = lu.pattern().starts[j]; k < lu.pattern().starts[j + 1]; ++k)
                if (lu.pattern().row[static_cast<std::size_t>(k)] == static_cast<std::int64_t>(j))
                    values[static_cast<std::size_t>(k)] = 3;
        ASSERT_TRUE(lu.factor(values));
        lu.solve(b);
        for (std::size_t i = 0; i < n; ++i) {
            const double sum = 3 * b[i] - (i > 0 ? b[i - 1] : 0) - (i + 1 < n ? b[i + 1] : 0);
            EXPECT_NEAR(sum, 1, 1e-14);
        }
        std::fill(values.begin(), values.end(), 0.0);
        EXPECT_FALSE(lu.factor(values));
        EXPECT_TRUE(lu.singular_column());
        EXPECT_TRUE(lu.singular_row());
        EXPECT_TRUE(lu.finite());
    }
}

}  // namespace
}  // namespace cutset
