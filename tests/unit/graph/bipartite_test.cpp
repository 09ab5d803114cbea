#include "graph/bipartite.h"

#include <gtest/gtest.h>

#include "random_graph.h"

namespace cutset::graph {
namespace {

using testing::make_graph;
using testing::Random;

std::vector<std::uint32_t> list(std::span<const std::uint32_t> row) {
    return {row.begin(), row.end()};
}

TEST(Bipartite, KeepsRowsInTheOrderGivenAndEachVariableOnce) {
    const Bipartite g = make_graph(4, {{2, 0, 2}, {}, {3, 1, 0}});
    EXPECT_EQ(g.equations, 3u);
    EXPECT_EQ(g.variables, 4u);
    EXPECT_EQ(g.edges(), 5u);
    EXPECT_EQ(list(g.row(0)), (std::vector<std::uint32_t>{2, 0}));
    EXPECT_TRUE(g.row(1).empty());
    EXPECT_EQ(list(g.row(2)), (std::vector<std::uint32_t>{3, 1, 0}));
}

TEST(Bipartite, TransposeListsTheEquationsOfAVariable) {
    const Bipartite t = make_graph(4, {{2, 0}, {}, {3, 1, 0}}).transpose();
    EXPECT_EQ(t.equations, 4u);
    EXPECT_EQ(t.variables, 3u);
    EXPECT_EQ(list(t.row(0)), (std::vector<std::uint32_t>{0, 2}));
    EXPECT_EQ(list(t.row(1)), (std::vector<std::uint32_t>{2}));
    EXPECT_EQ(list(t.row(2)), (std::vector<std::uint32_t>{0}));
}

TEST(Bipartite, EmptyGraph) {
    const Bipartite g;
    EXPECT_EQ(g.transpose().equations, 0u);
    EXPECT_EQ(make_graph(3, {}).transpose().equations, 3u);
}

TEST(Bipartite, TransposeTwiceSortsTheRows) {
    Random random(1);
    for (int trial = 0; trial < 50; ++trial) {
        const Bipartite g = testing::random_graph(random, random.below(9), 1 + random.below(9), 0.3);
        const Bipartite back = g.transpose().transpose();
        EXPECT_EQ(back.start, g.start);
        EXPECT_EQ(back.adjacent, g.adjacent);  // random_graph gives ascending rows
    }
}

}  // namespace
}  // namespace cutset::graph
