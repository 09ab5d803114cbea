#include "numerics/linear/backward_elimination.h"

#include <gtest/gtest.h>

#include <random>

namespace cutset {
namespace {

// [A B F; C E G; P Q T-I] at random, by columns, with the full matrix that is left when u and z are
// eliminated one after the other.
struct RandomRelation {
    std::size_t n, implicit, computed;
    SparsePattern pattern;
    std::vector<double> elements, expected;

    RandomRelation(std::size_t n, std::size_t implicit, std::size_t computed, std::mt19937& random)
        : n(n), implicit(implicit), computed(computed) {
        std::uniform_real_distribution<double> number(-1, 1);
        const std::size_t kept = n + implicit, all = kept + computed;
        std::vector<double> full(all * all, 0.0);
        pattern.rows = pattern.columns = all;
        pattern.starts.push_back(0);
        for (std::size_t c = 0; c < all; ++c) {
            for (std::size_t r = 0; r < all; ++r) {
                double value = 0;
                if (r < kept || c < r) value = number(random) > 0.3 ? number(random) : 0;
                if (r == c && r >= n) value = r < kept ? 5 : -1;
                if (value == 0) continue;
                full[c * all + r] = value;
                pattern.row.push_back(static_cast<std::int64_t>(r));
                elements.push_back(value);
            }
            pattern.starts.push_back(static_cast<std::int64_t>(pattern.row.size()));
        }
        for (std::size_t k = all; k-- > n;)
            for (std::size_t r = 0; r < k; ++r) {
                const double times = full[k * all + r] / full[k * all + k];
                for (std::size_t c = 0; c < k; ++c) full[c * all + r] -= times * full[c * all + k];
            }
        for (std::size_t c = 0; c < n; ++c)
            for (std::size_t r = 0; r < n; ++r) expected.push_back(full[c * all + r]);
    }
};

TEST(BackwardElimination, LeavesWhatEliminationOneByOneLeaves) {
    std::mt19937 random(1);
    for (std::size_t n : {1, 3, 12})
        for (std::size_t implicit : {0, 1, 6})
            for (std::size_t computed : {0, 1, 20}) {
                const RandomRelation relation(n, implicit, computed, random);
                BackwardElimination elimination(relation.pattern, n, computed);
                std::vector<double> full(n * n, 7.0);
                for (int round = 0; round < 2; ++round) {  // nothing is left of the one before
                    ASSERT_TRUE(elimination.evaluate(relation.elements, full));
                    for (std::size_t k = 0; k < full.size(); ++k)
                        EXPECT_NEAR(full[k], relation.expected[k], 1e-9 * (1 + std::abs(full[k])))
                            << n << " " << implicit << " " << computed;
                }
            }
}

TEST(BackwardElimination, TellsWhenAnUnknownIsNotDetermined) {
    // y = u, 0 = x + z - u, z = u
    const SparsePattern pattern{3, 3, {0, 1, 4, 6}, {1, 0, 1, 2, 1, 2}};
    BackwardElimination elimination(pattern, 1, 1);
    double full = 0;
    EXPECT_FALSE(elimination.evaluate(std::vector<double>{1, 1, -1, 1, 1, -1}, {&full, 1}));
    EXPECT_TRUE(elimination.evaluate(std::vector<double>{1, 1, -2, 1, 1, -1}, {&full, 1}));
    EXPECT_EQ(full, 1);
}

// A product of sums: one row to follow for ten columns. Many rows that use one sum: a column will do.
TEST(BackwardElimination, PaysWhereFewRowsMustBeFollowed) {
    const auto pays = [](std::size_t rows, std::size_t columns) {
        const std::size_t n = std::max(rows, columns);
        SparsePattern pattern{n + 1, n + 1, {0}, {}};
        for (std::size_t c = 0; c < n; ++c) {
            if (c < columns) pattern.row.push_back(static_cast<std::int64_t>(n));
            pattern.starts.push_back(static_cast<std::int64_t>(pattern.row.size()));
        }
        for (std::size_t r = 0; r < rows; ++r) pattern.row.push_back(static_cast<std::int64_t>(r));
        pattern.row.push_back(static_cast<std::int64_t>(n));
        pattern.starts.push_back(static_cast<std::int64_t>(pattern.row.size()));
        return BackwardElimination(pattern, n, 1).pays();
    };
    EXPECT_TRUE(pays(1, 10));
    EXPECT_FALSE(pays(10, 10));
    EXPECT_FALSE(pays(20, 1));
}

}  // namespace
}  // namespace cutset
