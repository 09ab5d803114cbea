// Factors by blocks against those found column by column, against their own definition, and where there are
// none.
#include "numerics/linear/block_factors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <complex>
#include <random>
#include <vector>

namespace cutset {
namespace {

template <class Scalar>
Scalar any(std::mt19937& random) {
    std::normal_distribution<double> normal;
    if constexpr (std::is_same_v<Scalar, double>)
        return normal(random);
    else
        return {normal(random), normal(random)};
}

template <class Scalar>
std::vector<Scalar> any_matrix(std::size_t n, std::mt19937& random) {
    std::vector<Scalar> a(n * n);
    for (Scalar& v : a) v = any<Scalar>(random);
    return a;
}

// The largest element of P A - L U.
template <class Scalar>
double error(std::size_t n, std::vector<Scalar> a, const std::vector<Scalar>& lu,
             const std::vector<int>& pivots) {
    for (std::size_t k = 0; k < n; ++k)
        for (std::size_t j = 0; j < n; ++j)
            std::swap(a[k + j * n], a[static_cast<std::size_t>(pivots[k] - 1) + j * n]);
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k <= j; ++k) {
            const Scalar u = lu[k + j * n];
            a[k + j * n] -= u;
            for (std::size_t i = k + 1; i < n; ++i) a[i + j * n] -= lu[i + k * n] * u;
        }
    double largest = 0;
    for (const Scalar& v : a) largest = std::max(largest, std::abs(v));
    return largest;
}

template <class Scalar>
class BlockFactors : public testing::Test {};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(BlockFactors, Scalars);

TYPED_TEST(BlockFactors, AreThoseFoundColumnByColumn) {
    std::mt19937 random(1);
    // below and above all sizes at which tiles, blocks and halves end
    for (const std::size_t n : {1, 2, 7, 8, 9, 16, 23, 24, 25, 31, 97, 130, 192, 200, 257, 300, 523}) {
        const auto a = any_matrix<TypeParam>(n, random);
        auto blocks = a, columns = a;
        std::vector<int> pivots(n), expected(n);
        EXPECT_EQ(factor_blocks(n, blocks.data(), pivots.data()), 0);
        EXPECT_EQ(factor_small(n, columns.data(), expected.data()), 0);
        EXPECT_EQ(pivots, expected) << n;
        double difference = 0;
        for (std::size_t i = 0; i < n * n; ++i)
            difference = std::max(difference, std::abs(blocks[i] - columns[i]));
        EXPECT_LT(difference, 1e-13 * static_cast<double>(n)) << n;
        EXPECT_LT(error(n, a, blocks, pivots), 1e-14 * static_cast<double>(n)) << n;
    }
}

TYPED_TEST(BlockFactors, SayWhichPivotIsZero) {
    constexpr std::size_t n = 150;
    std::mt19937 random(2);
    for (const std::size_t column : {0, 5, 74, 75, 149}) {
        auto a = any_matrix<TypeParam>(n, random);
        std::fill_n(a.begin() + static_cast<std::ptrdiff_t>(column * n), n, TypeParam(0));
        const auto given = a;
        std::vector<int> pivots(n);
        EXPECT_EQ(factor_blocks(n, a.data(), pivots.data()), static_cast<int>(column + 1));
        EXPECT_LT(error(n, given, a, pivots), 1e-11) << column;  // they are factors none the less
    }
}

TYPED_TEST(BlockFactors, OfMatricesWithFewElements) {
    constexpr std::size_t n = 140;
    std::mt19937 random(3);
    std::vector<TypeParam> a(n * n);
    for (std::size_t i = 0; i < n; ++i) {  // each row somewhere else, and one full column
        a[i + (i * 37 + 11) % n * n] = any<TypeParam>(random);
        a[i + 3 * n] += 1.0;
    }
    auto lu = a;
    std::vector<int> pivots(n);
    EXPECT_EQ(factor_blocks(n, lu.data(), pivots.data()), 0);
    EXPECT_LT(error(n, a, lu, pivots), 1e-13);
}

}  // namespace
}  // namespace cutset
