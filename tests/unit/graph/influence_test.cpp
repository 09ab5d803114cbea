#include "graph/influence.h"

#include <gtest/gtest.h>

namespace cutset::graph {
namespace {

using List = std::vector<std::uint32_t>;

Digraph make(const std::vector<List>& successors) {
    Digraph g;
    for (const List& list : successors) g.add_node(list);
    return g;
}

TEST(Influence, ShortestPathsPreferEdgesOfLengthZero) {
    // 0 → 1 costs 1; 0 → 2 → 3 → 1 costs nothing.
    const Digraph g = make({{1, 2}, {4}, {3}, {1}, {}, {0}});
    const std::vector<std::uint8_t> lengths{1, 0, 1, 0, 0, 0};
    EXPECT_EQ(shortest_paths(g, lengths, List{0}), (List{0, 0, 0, 0, 1, not_reached}));
}

TEST(Influence, ReachedAlongCycles) {
    const Digraph g = make({{1}, {0}, {3}, {}});
    EXPECT_EQ(reached_from(g, List{0}), (std::vector<bool>{true, true, false, false}));
    EXPECT_EQ(reached_from(g, List{2}), (std::vector<bool>{false, false, true, true}));
}

TEST(Influence, ReversedRemembersEdges) {
    const Digraph g = make({{1, 2}, {2}, {}});
    List edges;
    const Digraph back = reversed(g, &edges);
    EXPECT_EQ(back.start, (List{0, 0, 1, 3}));
    EXPECT_EQ(back.adjacent, (List{0, 0, 1}));
    EXPECT_EQ(edges, (List{0, 1, 2}));
}

}  // namespace
}  // namespace cutset::graph
