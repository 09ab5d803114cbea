#include "numerics/linear/sparse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace cutset {
namespace {

// The pattern of a dense matrix stored by columns, and its values.
template <class Scalar>
std::pair<SparsePattern, std::vector<Scalar>> sparse(std::size_t n, const std::vector<Scalar>& a) {
    SparsePattern p{n, n, {0}, {}};
    std::vector<Scalar> values;
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = 0; i < n; ++i) {
            if (a[i + j * n] == Scalar(0)) continue;
            p.row.push_back(static_cast<std::int64_t>(i));
            values.push_back(a[i + j * n]);
        }
        p.starts.push_back(static_cast<std::int64_t>(p.row.size()));
    }
    return {p, values};
}

// Sparse, with zeros on the diagonal and rows and columns in units that differ by 1e12.
std::vector<double> badly_scaled(std::size_t n, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> value(-1, 1);
    std::vector<double> a(n * n, 0.0), row(n), column(n);
    for (std::size_t i = 0; i < n; ++i) {
        row[i] = std::pow(10, 6 * value(random));
        column[i] = std::pow(10, 6 * value(random));
    }
    for (std::size_t i = 0; i < n; ++i) {
        a[i + (i + 1) % n * n] = 2 + value(random);
        for (int k = 0; k < 2; ++k) a[i + (random() % n) * n] = value(random);
    }
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i) a[i + j * n] *= row[i] * column[j];
    return a;
}

TEST(SparseLu, SolvesAsTheDenseOne) {
    for (std::size_t n : {1, 2, 7, 40, 150}) {
        const auto a = badly_scaled(n, static_cast<unsigned>(n));
        const auto [pattern, values] = sparse(n, a);
        DenseLu dense;
        SparseLu lu;
        ASSERT_TRUE(dense.factor(n, a));
        ASSERT_TRUE(lu.factor(pattern, values));
        std::vector<double> b(n), x(n);
        for (std::size_t i = 0; i < n; ++i) b[i] = x[i] = std::sin(static_cast<double>(i + 1));
        dense.solve(x);
        lu.solve(b);
        for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(b[i], x[i], 1e-9 * std::abs(x[i])) << n << ' ' << i;
        EXPECT_GT(lu.rcond(), 0.01 * dense.rcond());
        EXPECT_LT(lu.rcond(), 100 * dense.rcond());
    }
}

// A torus of m by m nodes with two unknowns each, which depend on each other and on those of four neighbours:
// most of the factors is filled in.
SparsePattern torus(std::size_t m) {
    const std::size_t n = 2 * m * m;
    SparsePattern p{n, n, {0}, {}};
    for (std::size_t node = 0; node < m * m; ++node)
        for (std::size_t unknown = 0; unknown < 2; ++unknown) {
            const std::size_t i = node / m, j = node % m;
            std::vector<std::int64_t> rows;
            for (const std::size_t other : {node, (i + 1) % m * m + j, (i + m - 1) % m * m + j,
                                            i * m + (j + 1) % m, i * m + (j + m - 1) % m})
                rows.push_back(static_cast<std::int64_t>(2 * other + unknown));
            rows.push_back(static_cast<std::int64_t>(2 * node + 1 - unknown));
            std::sort(rows.begin(), rows.end());
            p.row.insert(p.row.end(), rows.begin(), rows.end());
            p.starts.push_back(static_cast<std::int64_t>(p.row.size()));
        }
    return p;
}

// The values of a matrix, column by column: diagonal() where i == j, else other().
template <class Diagonal, class Other>
std::vector<double> values_of(const SparsePattern& p, Diagonal diagonal, Other other) {
    std::vector<double> a;
    for (std::size_t j = 0; j < p.columns; ++j)
        for (auto e = p.starts[j]; e < p.starts[j + 1]; ++e)
            a.push_back(static_cast<std::size_t>(p.row[static_cast<std::size_t>(e)]) == j ? diagonal()
                                                                                          : other());
    return a;
}

// The largest element of b - A x, by the largest of |A| |x|, for a right side by chance.
double residual_of_solution(SparseLu& lu, const SparsePattern& p, const std::vector<double>& a,
                            std::mt19937& random) {
    std::uniform_real_distribution<double> value(-1, 1);
    std::vector<double> rest(p.columns), sizes(p.columns, 0.0);
    for (double& v : rest) v = value(random);
    std::vector<double> x = rest;
    if (!lu.factor(p, a)) return std::numeric_limits<double>::infinity();
    lu.solve(x);
    for (std::size_t j = 0; j < p.columns; ++j)
        for (auto e = static_cast<std::size_t>(p.starts[j]); e < static_cast<std::size_t>(p.starts[j + 1]);
             ++e) {
            rest[static_cast<std::size_t>(p.row[e])] -= a[e] * x[j];
            sizes[static_cast<std::size_t>(p.row[e])] += std::abs(a[e] * x[j]);
        }
    double largest = 0, size = 0;
    for (const double v : rest) largest = std::max(largest, std::abs(v));
    for (const double v : sizes) size = std::max(size, v);
    return largest / size;
}

TEST(SparseLu, FactorsGridsAgainAndAgain) {
    const SparsePattern pattern = torus(24);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> value(-1, 1);
    SparseLu lu;
    for (int k = 0; k < 6; ++k) {
        // Couplings of all sizes: with the smallest, what is filled in is too small for normal numbers.
        const double coupling = std::pow(10, -8 * k);
        const auto a = values_of(
            pattern, [&] { return 3 + value(random); }, [&] { return coupling * value(random); });
        EXPECT_LT(residual_of_solution(lu, pattern, a, random), 1e-14) << k;
    }
    EXPECT_EQ(lu.full_factorizations(), 1);
}

// Pivots that have become bad, wherever they stand, are found; the next factors are right again.
TEST(SparseLu, GridsWithBadPivotsAreFactoredAnew) {
    const SparsePattern pattern = torus(16);
    std::mt19937 random(8);
    std::uniform_real_distribution<double> value(-1, 1);
    SparseLu lu;
    for (int k = 0; k < 20; ++k) {
        const auto a = values_of(
            pattern, [&] { return k % 2 == 1 && random() % 4 == 0 ? 0.0 : 4.0; },
            [&] { return value(random); });
        EXPECT_LT(residual_of_solution(lu, pattern, a, random), 1e-9) << k;
    }
}

TEST(SparseLu, NewValuesKeepTheAnalysis) {
    const std::size_t n = 60;
    SparseLu lu;
    auto a = badly_scaled(n, 5);
    for (int k = 0; k < 5; ++k) {
        for (double& v : a) v *= 1 + 0.01 * k;
        const auto [pattern, values] = sparse(n, a);
        ASSERT_TRUE(lu.factor(pattern, values));
        DenseLu dense;
        ASSERT_TRUE(dense.factor(n, a));
        std::vector<double> b(n, 1.0), x(n, 1.0);
        lu.solve(b);
        dense.solve(x);
        for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(b[i], x[i], 1e-9 * std::abs(x[i]));
    }
    EXPECT_EQ(lu.analyses(), 1);
    EXPECT_EQ(lu.full_factorizations(), 1);
    const auto [other, values] = sparse(n, badly_scaled(n, 6));
    EXPECT_TRUE(lu.factor(other, values));
    EXPECT_EQ(lu.analyses(), 2);
}

// A pivot that was good before may be next to nothing now.
TEST(SparseLu, ChangesPivotsThatBecameBad) {
    SparseLu lu({.singular_when = DenseLu::SingularWhen::ExactZero, .refine = false});
    const auto [pattern, good] = sparse(2, std::vector<double>{1, 0.5, 0.5, 1});
    ASSERT_TRUE(lu.factor(pattern, good));
    ASSERT_TRUE(lu.factor(std::vector<double>{1e-18, 1, 1, 1}));
    EXPECT_EQ(lu.full_factorizations(), 2);
    std::vector<double> b{1, 2};
    lu.solve(b);  // x + y = 2, y = 1
    EXPECT_NEAR(b[0], 1, 1e-15);
    EXPECT_NEAR(b[1], 1, 1e-15);
    // Also a pivot that is exactly zero now.
    ASSERT_TRUE(lu.factor(good));
    ASSERT_TRUE(lu.factor(std::vector<double>{0, 1, 1, 1}));
    b = {1, 2};
    lu.solve(b);
    EXPECT_EQ(b, (std::vector<double>{1, 1}));
}

TEST(SparseLu, NamesWhatIsSingular) {
    // The third column is empty; the second row has nothing left for it.
    SparseLu lu;
    auto [pattern, values] = sparse(3, std::vector<double>{1, 0, 0, 2, 0, 3, 0, 0, 0});
    EXPECT_FALSE(lu.factor(pattern, values));
    EXPECT_TRUE(lu.finite());
    EXPECT_EQ(lu.singular_column(), 2u);
    EXPECT_EQ(lu.singular_row(), 1u);
    EXPECT_EQ(lu.rcond(), 0);
    // Singular but for rounding: the third row is the sum of the others.
    std::vector<double> a{0.1, 0.7, 0.8, 0.3, 0.2, 0.5, 0.6, 0.7, 1.3};
    std::tie(pattern, values) = sparse(3, a);
    EXPECT_FALSE(lu.factor(pattern, values));
    EXPECT_TRUE(lu.singular_column());
    SparseLu lenient({.singular_when = DenseLu::SingularWhen::ExactZero, .refine = false});
    a[8] += 1e-9;  // not singular
    std::tie(pattern, values) = sparse(3, a);
    EXPECT_TRUE(lu.factor(pattern, values));
    EXPECT_TRUE(lenient.factor(pattern, values));
    // Not finite.
    values[1] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(lu.factor(pattern, values));
    EXPECT_FALSE(lu.finite());
    EXPECT_FALSE(lu.singular_column());
    // And well again.
    values[1] = 1;
    EXPECT_TRUE(lu.factor(values));
}

// Tiny numbers are not zeros when all of a row or column is tiny.
TEST(SparseLu, UnitsMakeNothingSingular) {
    SparseLu lu;
    const auto [pattern, values] = sparse(2, std::vector<double>{1e-200, 1e100, 2e-200, 1e100});
    ASSERT_TRUE(lu.factor(pattern, values));
    std::vector<double> b{3e-200, 2e100};
    lu.solve(b);
    EXPECT_NEAR(b[0], 1, 1e-14);
    EXPECT_NEAR(b[1], 1, 1e-14);
}

TEST(SparseLu, Complex) {
    using Complex = std::complex<double>;
    const std::size_t n = 30;
    std::vector<double> re = badly_scaled(n, 1);
    std::vector<Complex> a(n * n);
    for (std::size_t k = 0; k < n * n; ++k) a[k] = re[k] * Complex(1, 0.5 * std::cos(static_cast<double>(k)));
    const auto [pattern, values] = sparse(n, a);
    ComplexSparseLu lu;
    std::vector<Complex> x(n), b(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = Complex(1.0 + static_cast<double>(i), -2);
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i) b[i] += a[i + j * n] * x[j];
    for (int k = 0; k < 2; ++k) {
        ASSERT_TRUE(lu.factor(pattern, values));
        std::vector<Complex> solution = b;
        lu.solve(solution);
        // b itself is rounded where large terms cancel.
        for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(std::abs(solution[i] - x[i]), 0, 1e-3);
    }
    EXPECT_EQ(lu.full_factorizations(), 1);
    EXPECT_FALSE(lu.factor(SparsePattern{1, 1, {0, 1}, {0}}, std::vector<Complex>{0}));
    EXPECT_EQ(lu.singular_column(), 0u);
}

TEST(SparseLu, Empty) {
    SparseLu lu;
    EXPECT_TRUE(lu.factor(SparsePattern{0, 0, {0}, {}}, std::vector<double>{}));
    std::vector<double> b;
    lu.solve(b);
    EXPECT_EQ(lu.rcond(), 1);
}

}  // namespace
}  // namespace cutset
