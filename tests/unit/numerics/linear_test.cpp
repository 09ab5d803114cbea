#include "numerics/linear/linear.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "numerics/linear/dense_decompositions.h"

namespace cutset {
namespace {

TEST(DenseLu, SolvesASmallSystem) {
    // [2 1; 1 3] x = [3; 5]
    DenseLu lu;
    ASSERT_TRUE(lu.factor(2, std::vector<double>{2, 1, 1, 3}));
    std::vector<double> b{3, 5};
    lu.solve(b);
    EXPECT_DOUBLE_EQ(b[0], 0.8);
    EXPECT_DOUBLE_EQ(b[1], 1.4);
    EXPECT_GT(lu.rcond(), 0.1);
}

TEST(DenseLu, EmptySystem) {
    DenseLu lu;
    ASSERT_TRUE(lu.factor(0, {}));
    lu.solve({});
    EXPECT_EQ(lu.rcond(), 1);
}

// A well-conditioned matrix spoiled by units: rows and columns multiplied by powers from 1e-12 to 1e12.
TEST(DenseLu, BadlyScaledMatrixKeepsFullAccuracy) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (std::size_t n : {2u, 5u, 20u, 60u}) {
        std::vector<double> a(n * n), x(n), b(n, 0.0);
        std::vector<double> row(n), column(n);
        for (std::size_t i = 0; i < n; ++i) {
            row[i] = std::pow(10.0, 12 * uniform(random));
            column[i] = std::pow(10.0, 12 * uniform(random));
            x[i] = uniform(random) / column[i];
        }
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t i = 0; i < n; ++i)
                a[i + j * n] =
                    row[i] * (uniform(random) + (i == j ? 3.0 * std::sqrt(double(n)) : 0)) * column[j];
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t i = 0; i < n; ++i) b[i] += a[i + j * n] * x[j];
        DenseLu lu;
        ASSERT_TRUE(lu.factor(n, a)) << n;
        EXPECT_GT(lu.rcond(), 1e-4);
        lu.solve(b);
        for (std::size_t i = 0; i < n; ++i)
            EXPECT_NEAR(b[i] * column[i], x[i] * column[i], 1e-13) << n << " " << i;
    }
}

TEST(DenseLu, TinyAndHugeScalars) {
    for (double a : {1e-300, 1e300, -4.9e-324, 3.0}) {
        DenseLu lu;
        ASSERT_TRUE(lu.factor(1, std::vector<double>{a}));
        std::vector<double> b{2 * a};
        lu.solve(b);
        EXPECT_DOUBLE_EQ(b[0], 2) << a;
    }
}

TEST(DenseLu, NamesTheColumnThatIsZero) {
    DenseLu lu;
    EXPECT_FALSE(lu.factor(3, std::vector<double>{1, 2, 4, 0, 0, 0, 7, 1, 3}));
    EXPECT_EQ(lu.singular_column(), 1u);
    EXPECT_EQ(lu.rcond(), 0);
}

TEST(DenseLu, NamesTheRowThatIsZero) {
    DenseLu lu;
    EXPECT_FALSE(lu.factor(3, std::vector<double>{1, 0, 4, 2, 0, 1, 7, 0, 3}));
    EXPECT_EQ(lu.singular_row(), 1u);
}

// 0.1 * 2 is not exactly 0.2 after elimination: the pivot is round-off, not a number to divide by.
TEST(DenseLu, DependentRowsUpToRoundoffAreSingular) {
    std::vector<double> a{0.3, 0.1, 0.9, 0.7, 0.7 / 3, 2.1, 1, 1.0 / 3, 5};  // row 0 = 3 * row 1
    DenseLu lu;
    EXPECT_FALSE(lu.factor(3, a));
    EXPECT_TRUE(lu.finite());
    ASSERT_TRUE(lu.singular_column());
}

// Ill-conditioned, but every pivot is known to some digits: solved, with the condition told.
TEST(DenseLu, HilbertMatrixIsNotCalledSingular) {
    std::size_t n = 8;
    std::vector<double> a(n * n), b(n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            a[i + j * n] = 1.0 / double(i + j + 1);
            b[i] += a[i + j * n];
        }
    DenseLu lu;
    ASSERT_TRUE(lu.factor(n, a));
    EXPECT_LT(lu.rcond(), 1e-8);
    lu.solve(b);
    for (double x : b) EXPECT_NEAR(x, 1, 1e-5);
}

TEST(DenseLu, NotFiniteIsToldApartFromSingular) {
    DenseLu lu;
    EXPECT_FALSE(lu.factor(2, std::vector<double>{1, 0, std::numeric_limits<double>::quiet_NaN(), 1}));
    EXPECT_FALSE(lu.finite());
    EXPECT_FALSE(lu.singular_column());
}

TEST(LeastNorm, UnderdeterminedSystem) {
    // x + y = 2 twice: the shortest solution is (1, 1).
    std::vector<double> a{1, 1, 1, 1}, b{2, 2};
    EXPECT_EQ(dense::least_squares(2, 2, a.data(), b.data(), 1e-12), 1);
    EXPECT_NEAR(b[0], 1, 1e-14);
    EXPECT_NEAR(b[1], 1, 1e-14);
}

// Rows of one size are not scaled: a pivot may be so small that its reciprocal overflows.
TEST(DenseLu, PivotsWithoutReciprocal) {
    for (std::size_t n : {1, 4, 6}) {
        DenseLu lu({.singular_when = DenseLu::SingularWhen::ExactZero, .refine = false});
        const std::span<double> a = lu.place(n);
        std::fill(a.begin(), a.end(), 0.0);
        for (std::size_t i = 0; i < n; ++i) a[i * (n + 1)] = 1e-310;
        ASSERT_TRUE(lu.factor_placed());
        std::vector<double> b(n, 2e-310);
        lu.solve(b);
        for (double x : b) EXPECT_NEAR(x, 2, 1e-12);
    }
}

}  // namespace
}  // namespace cutset
