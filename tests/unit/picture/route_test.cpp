#include "picture/route.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace cutset::picture {

namespace {

bool crosses(Spot a, Spot b, const Box& box) {
    constexpr double border = 0.5;
    return std::max(a.x, b.x) > box.left + border && std::min(a.x, b.x) < box.right - border &&
           std::max(a.y, b.y) > box.bottom + border && std::min(a.y, b.y) < box.top - border;
}

struct Scene {
    std::vector<Box> blocks;
    std::vector<RouteLine> lines;
};

// Blocks in a grid with some places left out, lines between their sides.
Scene random_scene(unsigned seed, int columns, int rows, int lines) {
    std::mt19937 random(seed);
    Scene s;
    for (int i = 0; i < columns; ++i)
        for (int j = 0; j < rows; ++j) {
            if (random() % 4 == 0) continue;
            const double x = 54.0 * i, y = -38.0 * j, w = 10 + random() % 6, h = 6 + random() % 5;
            s.blocks.push_back({x - w, y - h, x + w, y + h});
        }
    for (int k = 0; k < lines; ++k) {
        const auto end = [&] {
            const Box& b = s.blocks[random() % s.blocks.size()];
            const Spot m = b.middle();
            switch (random() % 4) {
                case 0:
                    return RouteEnd{{b.left, m.y}, Side::Left};
                case 1:
                    return RouteEnd{{b.right, m.y}, Side::Right};
                case 2:
                    return RouteEnd{{m.x, b.bottom}, Side::Bottom};
                default:
                    return RouteEnd{{m.x, b.top}, Side::Top};
            }
        };
        RouteLine line{end(), end(), {}, static_cast<std::uint32_t>(k)};
        if (!(line.from.at == line.to.at)) s.lines.push_back(line);
    }
    return s;
}

}  // namespace

TEST(Route, LinesAreUprightOrLevelAndAvoidBlocks) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        const Scene s = random_scene(seed, 4, 4, 20);
        const auto ways = route(s.blocks, s.lines);
        ASSERT_EQ(ways.size(), s.lines.size());
        for (std::size_t i = 0; i < ways.size(); ++i) {
            EXPECT_EQ(ways[i].front(), s.lines[i].from.at);
            EXPECT_EQ(ways[i].back(), s.lines[i].to.at);
            for (std::size_t k = 0; k + 1 < ways[i].size(); ++k) {
                const Spot a = ways[i][k], b = ways[i][k + 1];
                EXPECT_TRUE(a.x == b.x || a.y == b.y) << "seed " << seed << " line " << i << " point " << k;
                for (const Box& box : s.blocks) {
                    EXPECT_FALSE(crosses(a, b, box)) << "seed " << seed << " line " << i;
                }
            }
        }
    }
}

TEST(Route, IsRepeatable) {
    const Scene s = random_scene(3, 5, 5, 40);
    EXPECT_EQ(route(s.blocks, s.lines), route(s.blocks, s.lines));
}

TEST(Route, StraightWhereItCan) {
    const std::vector<Box> blocks{{0, 0, 30, 20}, {50, 0, 80, 20}};
    const std::vector<RouteLine> lines{{{{30, 10}, Side::Right}, {{50, 10}, Side::Left}, {}, 0}};
    EXPECT_EQ(route(blocks, lines)[0], (std::vector<Spot>{{30, 10}, {50, 10}}));
}

// Ends that face each other, however near they are.
TEST(Route, NearEndsNeedNoDetour) {
    for (const double gap : {1.0, 3.0, 6.0, 9.0, 9.5, 10.0, 12.0}) {
        const std::vector<Box> blocks{
            {0, 0, 30, 20}, {30 + gap, 0, 60 + gap, 20}, {0, 20 + gap, 30, 40 + gap}};
        const std::vector<RouteLine> level{{{{30, 10}, Side::Right}, {{30 + gap, 10}, Side::Left}, {}, 0}};
        EXPECT_EQ(route(blocks, level)[0], (std::vector<Spot>{{30, 10}, {30 + gap, 10}})) << gap;
        const std::vector<RouteLine> upright{{{{15, 20 + gap}, Side::Bottom}, {{15, 20}, Side::Top}, {}, 0}};
        EXPECT_EQ(route(blocks, upright)[0], (std::vector<Spot>{{15, 20 + gap}, {15, 20}})) << gap;
        const std::vector<RouteLine> step{{{{30, 6}, Side::Right}, {{30 + gap, 13}, Side::Left}, {}, 0}};
        const std::vector<Spot> way = route(blocks, step)[0];
        ASSERT_EQ(way.size(), 4u) << gap;
        EXPECT_TRUE(way[1].x > 30 && way[1].x < 30 + gap && way[1].x == way[2].x) << gap;
    }
}

// A thicket: each line across the whole picture. The number of steps is bounded, and so is the time.
TEST(Route, ManyLongLinesFindTheirWay) {
    const Scene s = random_scene(1, 20, 15, 600);
    const auto ways = route(s.blocks, s.lines);
    for (const auto& way : ways)
        for (std::size_t k = 0; k + 1 < way.size(); ++k)
            for (const Box& box : s.blocks) ASSERT_FALSE(crosses(way[k], way[k + 1], box));
}

TEST(Route, GoesByThePointsThatWereSet) {
    const std::vector<Box> blocks{{0, 0, 30, 20}, {80, 0, 110, 20}};
    const std::vector<RouteLine> lines{{{{30, 10}, Side::Right}, {{80, 10}, Side::Left}, {{56, 40}}, 0}};
    const std::vector<Spot> way = route(blocks, lines)[0];
    bool passes = false;
    for (std::size_t k = 0; k + 1 < way.size(); ++k)
        passes =
            passes || (std::min(way[k].x, way[k + 1].x) <= 56 && std::max(way[k].x, way[k + 1].x) >= 56 &&
                       std::min(way[k].y, way[k + 1].y) <= 40 && std::max(way[k].y, way[k + 1].y) >= 40);
    EXPECT_TRUE(passes);
}

// Two lines that would run on each other, of different nets.
TEST(Route, LinesOfTwoNetsAreMovedApart) {
    const std::vector<Box> blocks{{0, 0, 30, 20}, {0, 40, 30, 60}, {80, 100, 110, 120}, {80, 140, 110, 160}};
    const std::vector<RouteLine> lines{{{{30, 10}, Side::Right}, {{80, 110}, Side::Left}, {}, 0},
                                       {{{30, 50}, Side::Right}, {{80, 150}, Side::Left}, {}, 1}};
    const auto ways = route(blocks, lines);
    for (std::size_t k = 0; k + 1 < ways[0].size(); ++k)
        for (std::size_t m = 0; m + 1 < ways[1].size(); ++m) {
            const Spot a = ways[0][k], b = ways[0][k + 1], c = ways[1][m], d = ways[1][m + 1];
            const bool together = a.x == b.x && c.x == d.x && a.x == c.x &&
                                  std::min(std::max(a.y, b.y), std::max(c.y, d.y)) >
                                      std::max(std::min(a.y, b.y), std::min(c.y, d.y));
            EXPECT_FALSE(together);
        }
}

}  // namespace cutset::picture
