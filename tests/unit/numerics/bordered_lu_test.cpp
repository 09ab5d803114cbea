// Singular systems by a border: what is open solves A z = 0, what agrees is solved, what contradicts is
// reported.
#include "numerics/linear/bordered_lu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace cutset {
namespace {

struct Matrix {
    std::size_t n;
    std::vector<double> full;  // by columns
    std::vector<double> times(std::span<const double> z) const {
        std::vector<double> b(n, 0.0);
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t i = 0; i < n; ++i) b[i] += full[j * n + i] * z[j];
        return b;
    }
};

// The sum of `rank` products of a column and a row of whole numbers, which rounding does not make regular.
Matrix random_matrix(std::size_t n, std::size_t rank, std::mt19937& random) {
    const auto number = [](std::mt19937& r) { return static_cast<double>(r() % 3) - 1; };
    Matrix a{n, std::vector<double>(n * n, 0.0)};
    for (std::size_t k = 0; k < rank; ++k) {
        std::vector<double> u(n), v(n);
        for (double& x : u) x = random() % 2 ? number(random) : 0;
        for (double& x : v) x = random() % 2 ? number(random) : 0;
        u[k] += 3;
        v[k] += 3;
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t i = 0; i < n; ++i) a.full[j * n + i] += u[i] * v[j];
    }
    return a;
}

TEST(BorderedLu, RandomMatricesOfEveryRank) {
    std::mt19937 random(7);
    for (std::size_t n : {1, 2, 3, 5, 9, 20, 60})
        for (std::size_t missing = 0; missing <= std::min<std::size_t>(n, 4); ++missing) {
            const Matrix a = random_matrix(n, n - missing, random);
            BorderedLu lu;
            lu.set_pattern(full_pattern(n));
            ASSERT_TRUE(lu.factor(a.full)) << n << " " << missing;
            ASSERT_EQ(lu.open().size(), missing) << n;
            for (std::size_t k = 0; k < missing; ++k) {
                for (double r : a.times(lu.direction(k))) EXPECT_NEAR(r, 0, 1e-10);
                EXPECT_NEAR(lu.direction(k)[lu.open()[k]], 1, 1e-12);
                const std::vector<double> y = lu.combination(k);
                ASSERT_EQ(y.size(), n);
                for (std::size_t j = 0; j < n; ++j) {
                    double sum = 0;
                    for (std::size_t i = 0; i < n; ++i) sum += y[i] * a.full[j * n + i];
                    EXPECT_NEAR(sum, 0, 1e-9);
                }
            }
            // Any right-hand side that has a solution, with the open unknowns as wanted.
            std::vector<double> z(n), chosen(missing, 0.5);
            for (double& x : z) x = std::cos(static_cast<double>(random() % 100));
            std::vector<double> b = a.times(z);
            const std::vector<double> right = b;
            lu.solve(b, chosen);
            const std::vector<double> again = a.times(b);
            for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(again[i], right[i], 1e-8);
            for (std::size_t k = 0; k < missing; ++k) EXPECT_NEAR(b[lu.open()[k]], 0.5, 1e-9);
        }
}

TEST(BorderedLu, BordersFollowTheMatrix) {
    BorderedLu lu;
    lu.set_pattern(full_pattern(2));
    ASSERT_TRUE(lu.factor(std::vector<double>{1, 2, 2, 4}));
    EXPECT_EQ(lu.open().size(), 1u);
    ASSERT_TRUE(lu.factor(std::vector<double>{1, 0, 0, 1}));
    EXPECT_EQ(lu.open().size(), 0u) << "regular again";
    ASSERT_TRUE(lu.factor(std::vector<double>{0, 0, 0, 0}));
    EXPECT_EQ(lu.open().size(), 2u);
    EXPECT_FALSE(lu.factor(std::vector<double>{NAN, 0, 0, 0}));
}

// A ladder of resistances that nothing grounds: sparse, one potential open.
TEST(BorderedLu, ALargeSparseOneIsOpenInOneDirection) {
    const std::size_t n = 3000;
    SparsePattern pattern;
    pattern.rows = pattern.columns = n;
    pattern.starts.push_back(0);
    std::vector<double> values;
    for (std::size_t j = 0; j < n; ++j) {
        const double neighbours = (j > 0) + (j + 1 < n);
        if (j > 0) pattern.row.push_back(static_cast<std::int64_t>(j - 1)), values.push_back(-1);
        pattern.row.push_back(static_cast<std::int64_t>(j)), values.push_back(neighbours);
        if (j + 1 < n) pattern.row.push_back(static_cast<std::int64_t>(j + 1)), values.push_back(-1);
        pattern.starts.push_back(static_cast<std::int64_t>(pattern.row.size()));
    }
    BorderedLu lu;
    lu.set_pattern(pattern);
    ASSERT_TRUE(lu.factor(values));
    ASSERT_EQ(lu.open().size(), 1u);
    for (double d : lu.direction(0)) EXPECT_NEAR(d, 1, 1e-9);
}

}  // namespace
}  // namespace cutset
