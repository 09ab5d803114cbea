#include "graph/modular_rank.h"

#include <gtest/gtest.h>

namespace cutset::graph {
namespace {

using modular::negate;
using modular::of_double;
using List = std::vector<std::uint32_t>;

TEST(Modular, Arithmetic) {
    for (double v : {3.0, 0.1, -2.5e-7, 1e300}) {
        const std::uint64_t a = of_double(v);
        EXPECT_EQ(modular::multiply(a, modular::inverse(a)), 1u) << v;
        EXPECT_EQ(modular::add(a, of_double(-v)), 0u) << v;
    }
    EXPECT_EQ(modular::multiply(of_double(0.125), 8), 1u);
    EXPECT_EQ(modular::multiply(of_double(6), of_double(7)), 42u);
    EXPECT_EQ(modular::power(2, 61), 1u);
    EXPECT_NE(modular::random(1), modular::random(2));
}

TEST(ModularRank, Dependencies) {
    // Row 3 = row 0 + 2·row 1.
    const std::vector<ModularRow> rows{
        {{0, 1}, {1, 2}}, {{1, 3}, {2, 1}}, {{2, 5}}, {{0, 1}, {1, 8}, {2, 2}}};
    const ModularRank r = modular_rank(rows, 3);
    EXPECT_TRUE(r.complete);
    EXPECT_EQ(r.rank, 3u);
    ASSERT_EQ(r.dependencies.size(), 1u);
    EXPECT_EQ(r.dependencies[0], (List{0, 1, 3}));
}

TEST(ModularRank, EmptyRowsAndZeros) {
    const ModularRank r = modular_rank({{}, {{0, 0}}, {{0, 1}, {1, negate(1)}}, {{1, 1}, {0, negate(1)}}}, 2);
    EXPECT_EQ(r.rank, 1u);
    EXPECT_EQ(r.dependencies, (std::vector<List>{{0}, {1}, {2, 3}}));
}

// Rows of a random matrix of known rank: products of a tall and a wide factor.
TEST(ModularRank, ProductOfFactors) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const std::size_t n = 12, k = 1 + seed % 9;
        std::vector<ModularRow> rows(n);
        for (std::uint32_t i = 0; i < n; ++i)
            for (std::uint32_t j = 0; j < n; ++j) {
                std::uint64_t sum = 0;
                for (std::uint64_t l = 0; l < k; ++l)
                    sum = modular::add(
                        sum, modular::multiply(modular::random(seed * 10007 + i * 101 + l),
                                               modular::random(seed * 7919 + j * 103 + l + 5000000)));
                rows[i].emplace_back(j, sum);
            }
        const ModularRank r = modular_rank(rows, n);
        EXPECT_EQ(r.rank, k);
        EXPECT_EQ(r.dependencies.size(), n - k);
    }
}

TEST(ModularRank, GivesUpWhenTheEffortIsSpent) {
    std::vector<ModularRow> rows(40);
    for (std::uint32_t i = 0; i < 40; ++i)
        for (std::uint32_t j = 0; j < 40; ++j) rows[i].emplace_back(j, modular::random(i * 40 + j));
    EXPECT_FALSE(modular_rank(rows, 40, 100).complete);
    EXPECT_EQ(modular_rank(rows, 40).rank, 40u);
}

}  // namespace
}  // namespace cutset::graph
