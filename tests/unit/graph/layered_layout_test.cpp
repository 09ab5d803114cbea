#include "graph/layered_layout.h"

#include <gtest/gtest.h>

#include "random_graph.h"

namespace cutset::graph {
namespace {

using Edges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

bool apart(const LayeredLayout& l, const std::vector<LayeredBox>& boxes, std::size_t i, std::size_t j) {
    const auto &a = l.boxes[i], &b = l.boxes[j];
    return a.left + boxes[i].width <= b.left + 1e-9 || b.left + boxes[j].width <= a.left + 1e-9 ||
           a.top + boxes[i].height <= b.top + 1e-9 || b.top + boxes[j].height <= a.top + 1e-9;
}

TEST(LayeredLayout, SourcesStandBeforeWhatTheyLeadTo) {
    // 0 → 1 → 2 → 4, and 3 → 2: 3 is a source in the column of 1; 4 the last.
    std::vector<LayeredBox> boxes(5, {20, 10});
    boxes[3].first = boxes[4].last = true;
    const LayeredLayout l = layered_layout(boxes, {{0, 1}, {1, 2}, {2, 4}, {3, 2}}, {30, 5});
    EXPECT_EQ(l.boxes[3].left, l.boxes[1].left);
    EXPECT_EQ(l.boxes[0].left, 0);
    EXPECT_EQ(l.boxes[4].left, 3 * 50);
    EXPECT_EQ(l.width, 3 * 50 + 20);
}

TEST(LayeredLayout, NoCrossingWhereNoneIsNeeded) {
    // Two chains given crosswise.
    const std::vector<LayeredBox> boxes(4, {20, 10});
    const LayeredLayout l = layered_layout(boxes, {{0, 3}, {1, 2}});
    EXPECT_EQ(l.boxes[0].top < l.boxes[1].top, l.boxes[3].top < l.boxes[2].top);
    EXPECT_EQ(l.boxes[0].top, l.boxes[3].top);
}

TEST(LayeredLayout, BoxesNeverOverlapAndEdgesGoToTheRight) {
    testing::Random random(7);
    for (int round = 0; round < 30; ++round) {
        const std::uint32_t n = 2 + std::uint32_t(random.below(25));
        std::vector<LayeredBox> boxes;
        for (std::uint32_t i = 0; i < n; ++i)
            boxes.push_back({10.0 + double(random.below(40)), 10.0 + double(random.below(60))});
        Edges edges;
        for (std::uint32_t i = 1; i < n; ++i)
            for (int k = 0; k < 2; ++k)
                if (random.below(3) > 0) edges.emplace_back(std::uint32_t(random.below(i)), i);
        const LayeredLayout l = layered_layout(boxes, edges);
        for (std::uint32_t i = 0; i < n; ++i) {
            EXPECT_GE(l.boxes[i].top, -1e-9);
            EXPECT_LE(l.boxes[i].top + boxes[i].height, l.height + 1e-9);
            for (std::uint32_t j = 0; j < i; ++j) EXPECT_TRUE(apart(l, boxes, i, j)) << i << " " << j;
        }
        for (std::size_t e = 0; e < edges.size(); ++e)
            for (std::size_t k = 1; k < l.edges[e].size(); ++k)
                EXPECT_LE(l.edges[e][k - 1].first, l.edges[e][k].first);
    }
}

}  // namespace
}  // namespace cutset::graph
