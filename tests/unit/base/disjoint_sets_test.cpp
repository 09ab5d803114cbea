#include "base/disjoint_sets.h"

#include <gtest/gtest.h>

namespace cutset {
namespace {

TEST(DisjointSets, EachNumberIsASetAtFirst) {
    DisjointSets sets(3);
    EXPECT_EQ(sets.add(), 3u);
    ASSERT_EQ(sets.size(), 4u);
    for (std::uint32_t n = 0; n < 4; ++n) EXPECT_EQ(sets.root(n), n);
}

TEST(DisjointSets, TheRootOfTheFirstStays) {
    DisjointSets sets(5);
    EXPECT_TRUE(sets.join(3, 1));
    EXPECT_TRUE(sets.join(1, 4));
    EXPECT_EQ(sets.root(4), 3u);
    EXPECT_FALSE(sets.join(4, 3));
    EXPECT_EQ(sets.root(1), 3u);
    EXPECT_EQ(sets.root(0), 0u);
}

TEST(DisjointSets, TheLeastIsTheRoot) {
    DisjointSets sets(6);
    EXPECT_TRUE(sets.join_to_least(5, 2));
    EXPECT_TRUE(sets.join_to_least(4, 3));
    EXPECT_TRUE(sets.join_to_least(5, 4));
    EXPECT_FALSE(sets.join_to_least(3, 2));
    for (std::uint32_t n = 2; n < 6; ++n) EXPECT_EQ(sets.root(n), 2u);
}

// A chain joined end to end is deep once; looking up makes it flat.
TEST(DisjointSets, LongChains) {
    const std::uint32_t n = 100000;
    DisjointSets sets(n);
    for (std::uint32_t k = n - 1; k > 0; --k) sets.join(k - 1, k);
    for (std::uint32_t k = 0; k < n; ++k) ASSERT_EQ(sets.root(k), 0u);
}

}  // namespace
}  // namespace cutset
