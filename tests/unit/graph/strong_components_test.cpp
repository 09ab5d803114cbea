#include "graph/strong_components.h"

#include <gtest/gtest.h>

#include "random_graph.h"

namespace cutset::graph {
namespace {

using testing::make_graph;
using testing::Random;
using List = std::vector<std::uint32_t>;

std::vector<List> lists(const Components& c) {
    std::vector<List> result;
    for (std::size_t i = 0; i < c.size(); ++i) result.emplace_back(c[i].begin(), c[i].end());
    return result;
}

TEST(StrongComponents, OrderOfComputation) {
    // 0: x0 from x1, x2; 1: x1 from x2; 2 and 3: a loop in x2, x3.
    const Bipartite g = make_graph(4, {{0, 1, 2}, {1, 2}, {2, 3}, {2, 3}});
    Matching m(4, 4);
    for (std::uint32_t i = 0; i < 4; ++i) m.match(i, i);
    EXPECT_EQ(lists(strong_components(g, m)), (std::vector<List>{{2, 3}, {1}, {0}}));
}

TEST(StrongComponents, VariablesWithoutEquationAreKnown) {
    const Bipartite g = make_graph(3, {{0, 2}, {0, 1}});
    Matching m(2, 3);
    m.match(0, 0);
    m.match(1, 1);
    EXPECT_EQ(lists(strong_components(g, m)), (std::vector<List>{{0}, {1}}));
}

TEST(StrongComponents, DigraphCycle) {
    Digraph g;
    g.add_node(List{1});
    g.add_node(List{2, 3});
    g.add_node(List{0});
    g.add_node(List{});
    g.add_node(List{4, 0});
    g.add_node(List{3});
    const Components c = strong_components(g);
    EXPECT_EQ(lists(c), (std::vector<List>{{3}, {0, 1, 2}, {4}, {5}}));
    EXPECT_FALSE(is_cyclic(g, c[0]));
    EXPECT_TRUE(is_cyclic(g, c[1]));
    EXPECT_TRUE(is_cyclic(g, c[2]));
    EXPECT_FALSE(is_cyclic(g, c[3]));
    EXPECT_EQ(cycle_in(g, c[1]), (List{0, 1, 2}));
    EXPECT_EQ(cycle_in(g, c[2]), (List{4}));
}

TEST(StrongComponents, AgreesWithReachability) {
    Random random(7);
    for (int trial = 0; trial < 1000; ++trial) {
        const std::uint32_t n = 1 + random.below(9);
        Digraph g;
        std::vector<std::vector<char>> reach(n, std::vector<char>(n, 0));
        for (std::uint32_t i = 0; i < n; ++i) {
            List successors;
            for (std::uint32_t j = 0; j < n; ++j)
                if (random.chance(0.18)) successors.push_back(j), reach[i][j] = 1;
            g.add_node(successors);
        }
        const auto edge = reach;
        for (std::uint32_t k = 0; k < n; ++k)
            for (std::uint32_t i = 0; i < n; ++i)
                for (std::uint32_t j = 0; j < n; ++j) reach[i][j] |= reach[i][k] & reach[k][j];
        const Components c = strong_components(g);
        std::vector<std::size_t> component_of(n, n);
        for (std::size_t i = 0; i < c.size(); ++i)
            for (std::uint32_t node : c[i]) component_of[node] = i;
        for (std::uint32_t i = 0; i < n; ++i)
            for (std::uint32_t j = 0; j < n; ++j) {
                EXPECT_EQ(component_of[i] == component_of[j], i == j || (reach[i][j] && reach[j][i]));
                if (reach[i][j]) {
                    EXPECT_LE(component_of[j], component_of[i]);
                }
            }
        for (std::size_t i = 0; i < c.size(); ++i) {
            EXPECT_EQ(is_cyclic(g, c[i]), reach[c[i][0]][c[i][0]] != 0);
            if (!is_cyclic(g, c[i])) continue;
            const List cycle = cycle_in(g, c[i]);
            for (std::size_t k = 0; k < cycle.size(); ++k)
                EXPECT_TRUE(edge[cycle[k]][cycle[(k + 1) % cycle.size()]]);
        }
    }
}

TEST(StrongComponents, BlockTriangularOnRandomSystems) {
    Random random(8);
    for (std::size_t n : {5u, 50u, 100000u}) {
        const Bipartite g = testing::large_random_graph(random, n, n > 1000 ? 1 : 2);
        const Matching m = maximum_matching(g);
        ASSERT_TRUE(m.is_perfect());
        const Components c = strong_components(g, m);
        ASSERT_EQ(c.members.size(), n);
        std::vector<std::size_t> component_of(n);
        for (std::size_t i = 0; i < c.size(); ++i)
            for (std::uint32_t e : c[i]) component_of[e] = i;
        for (std::uint32_t e = 0; e < n; ++e)
            for (std::uint32_t v : g.row(e))
                EXPECT_LE(component_of[m.equation_of_variable[v]], component_of[e]);
    }
}

TEST(StrongComponents, DeepChainAndLargeLoop) {
    const std::uint32_t n = 1000000;
    Digraph chain;
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t next = i + 1;
        chain.add_node(std::span(&next, i + 1 < n ? 1 : 0));
    }
    const Components c = strong_components(chain);
    ASSERT_EQ(c.size(), n);
    EXPECT_EQ(c[0][0], n - 1);
    chain.start.back() += 1;
    chain.adjacent.push_back(0);
    EXPECT_EQ(strong_components(chain).size(), 1u);
}

}  // namespace
}  // namespace cutset::graph
