// NodeMap against the map of the standard library, as a hash table and as a list by age.
#include "expr/node_map.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace cutset {
namespace {

// Random insertions, replacements and erasures of nodes, of which one in `apart` is used.
void compare(std::size_t apart) {
    Pool pool;
    std::vector<Expr> nodes;
    for (std::uint32_t i = 0; i < 20'000; ++i) {
        const Expr e = pool.variable(VariableIndex(i));
        if (i % apart == 0) nodes.push_back(e);
    }
    std::mt19937 random(static_cast<unsigned>(apart));
    NodeMap<int> map;
    std::map<std::uint32_t, int> expected;
    for (int step = 0; step < 40'000; ++step) {
        const Expr e = nodes[random() % nodes.size()];
        switch (random() % 4) {
            case 0:
                if (map.contains(e)) {
                    map.erase(e);
                    expected.erase(e->id);
                }
                break;
            case 1:
                map.set(e, step);
                expected[e->id] = step;
                break;
            default:
                EXPECT_EQ(map.insert(e, step), expected.emplace(e->id, step).second);
                break;
        }
        ASSERT_EQ(map.size(), expected.size());
    }
    for (Expr e : nodes) {
        const auto at = expected.find(e->id);
        ASSERT_EQ(map.contains(e), at != expected.end());
        if (at != expected.end()) {
            EXPECT_EQ(map.at(e), at->second);
        }
    }
    map.clear();
    EXPECT_EQ(map.size(), 0u);
    for (Expr e : nodes) EXPECT_FALSE(map.contains(e));
    EXPECT_TRUE(map.insert(nodes[1], 7));
    EXPECT_EQ(map.at(nodes[1]), 7);
}

TEST(NodeMap, holds_most_nodes_of_a_pool) {
    compare(1);
}
TEST(NodeMap, holds_one_node_in_five) {
    compare(5);
}
TEST(NodeMap, holds_few_nodes_far_apart) {
    compare(500);
}

}  // namespace
}  // namespace cutset
