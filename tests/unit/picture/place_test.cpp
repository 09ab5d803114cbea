#include "picture/place.h"

#include <gtest/gtest.h>

#include <random>

namespace cutset::picture {

namespace {

struct Graph {
    std::vector<PlaceBlock> blocks;
    std::vector<PlaceLine> lines;
};

PlaceLine random_line(std::mt19937& random, const std::vector<PlaceBlock>& blocks, std::uint32_t from,
                      std::uint32_t to) {
    const auto end = [&](std::uint32_t i, bool leaving) {
        const double w = blocks[i].width / 2, h = blocks[i].height / 2;
        switch (random() % 6) {
            case 0:
                return std::pair(Spot{0, h}, Side::Top);
            case 1:
                return std::pair(Spot{0, -h}, Side::Bottom);
            default:
                return leaving ? std::pair(Spot{w, 0}, Side::Right) : std::pair(Spot{-w, 0}, Side::Left);
        }
    };
    const auto [a, sa] = end(from, true);
    const auto [b, sb] = end(to, false);
    return {from, to, a, b, sa, sb, random() % 2 == 0};
}

Graph random_graph(unsigned seed, std::uint32_t n) {
    std::mt19937 random(seed);
    Graph g;
    for (std::uint32_t i = 0; i < n; ++i)
        g.blocks.push_back({20.0 + 2 * (random() % 12), 10.0 + 2 * (random() % 14), std::nullopt});
    for (std::uint32_t k = 0; k < 2 * n; ++k) {
        const auto from = static_cast<std::uint32_t>(random() % n);
        const auto to = static_cast<std::uint32_t>(random() % n);
        g.lines.push_back(random_line(random, g.blocks, from, to));
    }
    return g;
}

Box box_of(const PlaceBlock& b, Spot at) {
    return {at.x - b.width / 2, at.y - b.height / 2, at.x + b.width / 2, at.y + b.height / 2};
}

void expect_apart(const Graph& g, const std::vector<Spot>& spots) {
    for (std::size_t i = 0; i < spots.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const Box a = box_of(g.blocks[i], spots[i]), b = box_of(g.blocks[j], spots[j]);
            const bool apart = a.left > b.right || b.left > a.right || a.bottom > b.top || b.bottom > a.top;
            ASSERT_TRUE(apart) << i << " and " << j;
        }
}

}  // namespace

TEST(Place, BlocksDoNotOverlap) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        const Graph g = random_graph(seed, 1 + seed);
        expect_apart(g, place(g.blocks, g.lines));
    }
}

TEST(Place, IsRepeatable) {
    const Graph g = random_graph(7, 40);
    EXPECT_EQ(place(g.blocks, g.lines), place(g.blocks, g.lines));
}

// Whatever is added at the end, joined or loose: all others stay.
TEST(Place, OneMoreBlockMovesNoOther) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        std::mt19937 random(seed + 1000);
        Graph g = random_graph(seed, 25);
        for (std::uint32_t i = 0; i < 10; ++i) {
            const std::vector<Spot> before = place(g.blocks, g.lines);
            const auto added = static_cast<std::uint32_t>(g.blocks.size());
            g.blocks.push_back({30, 20, std::nullopt});
            for (unsigned k = random() % 4; k > 0; --k) {
                const auto other = static_cast<std::uint32_t>(random() % added);
                const bool out = random() % 2 == 0;
                g.lines.push_back(random_line(random, g.blocks, out ? added : other, out ? other : added));
            }
            std::vector<Spot> after = place(g.blocks, g.lines);
            after.resize(before.size());
            // A loose block that is joined now may move; those here were joined or stay loose.
            std::vector<bool> joined(before.size());
            for (std::size_t l = 0; l < g.lines.size(); ++l)
                for (std::uint32_t end : {g.lines[l].from, g.lines[l].to})
                    if (end < added && (g.lines[l].from == added || g.lines[l].to == added))
                        joined[end] = true;
            std::vector<bool> was_loose(before.size(), true);
            for (const PlaceLine& l : g.lines)
                if (l.from != added && l.to != added) was_loose[l.from] = was_loose[l.to] = false;
            const bool loose_joined = [&] {
                for (std::size_t b = 0; b < before.size(); ++b)
                    if (joined[b] && was_loose[b]) return true;
                return false;
            }();
            for (std::size_t b = 0; b < before.size(); ++b)
                if (!was_loose[b] || !loose_joined) {
                    EXPECT_EQ(before[b], after[b]) << "seed " << seed << " block " << b;
                }
        }
    }
}

TEST(Place, ChainsRunToTheRight) {
    std::vector<PlaceBlock> blocks(5);
    std::vector<PlaceLine> lines;
    for (std::uint32_t i = 0; i + 1 < 5; ++i)
        lines.push_back({i, i + 1, {15, 0}, {-15, 0}, Side::Right, Side::Left, true});
    const std::vector<Spot> spots = place(blocks, lines);
    for (std::size_t i = 0; i + 1 < 5; ++i) {
        EXPECT_LT(spots[i].x, spots[i + 1].x);
        EXPECT_EQ(spots[i].y, spots[i + 1].y);
    }
}

// Beside blocks that somebody placed, in their frame.
TEST(Place, NewcomersStandInTheFrame) {
    std::vector<PlaceBlock> blocks(4);
    blocks[0].at = Spot{40, 60};
    blocks[1].at = Spot{160, 60};
    const Box frame{0, 0, 220, 120};
    const std::vector<PlaceLine> lines{{0, 2, {15, 0}, {-15, 0}, Side::Right, Side::Left, true}};
    const std::vector<Spot> spots = place(blocks, lines, frame);
    EXPECT_EQ(spots[0], (Spot{40, 60}));
    EXPECT_EQ(spots[1], (Spot{160, 60}));
    for (const std::size_t i : {2, 3}) {
        const Box b = box_of(blocks[i], spots[i]);
        EXPECT_GE(b.left, 0);
        EXPECT_LE(b.right, 220);
        EXPECT_GE(b.bottom, 0);
        EXPECT_LE(b.top, 120);
    }
    EXPECT_GT(spots[2].x, 40);
    EXPECT_LT(spots[2].x, 160);
    expect_apart({blocks, lines}, spots);
}

}  // namespace cutset::picture
