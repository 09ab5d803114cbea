// Elimination of intermediate quantities against dense solution of the whole.
#include "numerics/linear/schur_complement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "numerics/linear/linear.h"

namespace cutset {
namespace {

struct Case {
    std::size_t rows, columns, inner;
    std::vector<SchurComplement::Element> elements;
    std::vector<double> values;
};

// T - F E⁻¹ P, dense by rows.
std::vector<double> dense(const Case& c) {
    const std::size_t n = c.columns + c.inner;
    std::vector<double> all((c.rows + c.inner) * n, 0);
    for (std::size_t i = 0; i < c.elements.size(); ++i)
        all[c.elements[i].row * n + c.elements[i].column] += c.values[i];
    std::vector<double> e(c.inner * c.inner), result(c.rows * c.columns);
    for (std::size_t r = 0; r < c.inner; ++r)
        for (std::size_t k = 0; k < c.inner; ++k) e[k * c.inner + r] = all[(c.rows + r) * n + c.columns + k];
    DenseLu lu;
    if (c.inner > 0) EXPECT_TRUE(lu.factor(c.inner, e));
    for (std::size_t column = 0; column < c.columns; ++column) {
        std::vector<double> z(c.inner);
        for (std::size_t r = 0; r < c.inner; ++r) z[r] = -all[(c.rows + r) * n + column];
        if (c.inner > 0) lu.solve(z);
        for (std::size_t r = 0; r < c.rows; ++r) {
            double sum = all[r * n + column];
            for (std::size_t k = 0; k < c.inner; ++k) sum += all[r * n + c.columns + k] * z[k];
            result[r * c.columns + column] = sum;
        }
    }
    return result;
}

void expect_equal(const Case& c) {
    SchurComplement schur(c.elements, c.rows, c.columns, c.inner);
    std::vector<double> found(schur.pattern().elements());
    ASSERT_TRUE(schur.evaluate(c.values, found));
    std::vector<double> expected = dense(c);
    for (std::size_t column = 0; column < c.columns; ++column)
        for (auto i = schur.pattern().starts[column]; i < schur.pattern().starts[column + 1]; ++i) {
            double& e = expected[std::size_t(schur.pattern().row[std::size_t(i)]) * c.columns + column];
            EXPECT_NEAR(found[std::size_t(i)], e, 1e-9 * (1 + std::abs(e)));
            e = 0;
        }
    // What is not in the pattern is zero.
    for (double e : expected) EXPECT_NEAR(e, 0, 1e-12);
}

TEST(SchurComplement, random_systems) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> value(-1, 1);
    for (int trial = 0; trial < 200; ++trial) {
        Case c{1 + random() % 6, 1 + random() % 6, random() % 12, {}, {}};
        for (std::uint32_t row = 0; row < c.rows + c.inner; ++row)
            for (std::uint32_t column = 0; column < c.columns + c.inner; ++column) {
                const bool diagonal =
                    row >= c.rows && column >= c.columns && row - c.rows == column - c.columns;
                if (!diagonal && random() % 4 != 0) continue;
                c.elements.push_back({row, column});
                c.values.push_back(diagonal ? 3 + value(random) : value(random));
            }
        expect_equal(c);
    }
}

// The diagonal of E may be empty: 0 = 2 k + z2, 0 = k + 4 z1.
TEST(SchurComplement, permuted_rows) {
    expect_equal({1, 1, 2, {{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}}, {1, 1, 2, 1, 1, 4}});
}

// Long chains of assignments do not make the result dense.
TEST(SchurComplement, stays_sparse) {
    const std::uint32_t n = 1000;
    Case c{n, n, n, {}, {}};
    for (std::uint32_t i = 0; i < n; ++i) {
        c.elements.push_back({i, n + i});  // y_i = z_i, z_i = k_i - k_(i+1)
        c.values.push_back(1);
        c.elements.push_back({n + i, n + i});
        c.values.push_back(-1);
        c.elements.push_back({n + i, i});
        c.values.push_back(1);
        if (i + 1 < n) {
            c.elements.push_back({n + i, i + 1});
            c.values.push_back(-1);
        }
    }
    SchurComplement schur(c.elements, c.rows, c.columns, c.inner);
    EXPECT_EQ(schur.pattern().elements(), 2 * n - 1);
}

TEST(SchurComplement, singular) {
    SchurComplement schur(std::vector<SchurComplement::Element>{{0, 1}, {1, 0}, {1, 1}}, 1, 1, 1);
    std::vector<double> found(schur.pattern().elements());
    EXPECT_FALSE(schur.evaluate(std::vector<double>{1, 1, 0}, found));
    EXPECT_EQ(schur.singular(), 0u);
}

}  // namespace
}  // namespace cutset
