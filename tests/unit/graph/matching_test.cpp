#include "graph/matching.h"

#include <gtest/gtest.h>

#include "random_graph.h"

namespace cutset::graph {
namespace {

using testing::make_graph;
using testing::Random;

void expect_consistent(const Bipartite& g, const Matching& m) {
    ASSERT_EQ(m.variable_of_equation.size(), g.equations);
    ASSERT_EQ(m.equation_of_variable.size(), g.variables);
    std::size_t size = 0;
    for (std::uint32_t e = 0; e < g.equations; ++e) {
        const std::uint32_t v = m.variable_of_equation[e];
        if (v == unmatched) continue;
        ++size;
        EXPECT_EQ(m.equation_of_variable[v], e);
        EXPECT_NE(std::find(g.row(e).begin(), g.row(e).end(), v), g.row(e).end());
    }
    EXPECT_EQ(size, m.size);
    for (std::uint32_t v = 0; v < g.variables; ++v)
        if (m.equation_of_variable[v] != unmatched) {
            EXPECT_EQ(m.variable_of_equation[m.equation_of_variable[v]], v);
        }
}

TEST(Matching, SmallSystem) {
    const Bipartite g = make_graph(3, {{0, 1}, {0}, {1, 2}});
    const Matching m = maximum_matching(g);
    expect_consistent(g, m);
    EXPECT_TRUE(m.is_perfect());
    EXPECT_EQ(m.variable_of_equation, (std::vector<std::uint32_t>{1, 0, 2}));
}

TEST(Matching, SingularSystemLeavesOneOut) {
    const Bipartite g = make_graph(3, {{0}, {0}, {1, 2}});
    const Matching m = maximum_matching(g);
    expect_consistent(g, m);
    EXPECT_EQ(m.size, 2u);
    EXPECT_FALSE(m.is_perfect());
}

TEST(Matching, EmptySystemIsPerfect) {
    EXPECT_TRUE(maximum_matching(Bipartite{}).is_perfect());
    EXPECT_FALSE(maximum_matching(make_graph(0, {{}})).is_perfect());
}

TEST(Matching, InitialPairsStayMatchedPerhapsWithAnotherPartner) {
    const Bipartite g = make_graph(3, {{0, 1}, {0}, {1, 2}});
    Matching start(3, 3);
    start.match(0, 0);
    const Matching m = maximum_matching(g, start);
    expect_consistent(g, m);
    EXPECT_TRUE(m.is_perfect());
}

TEST(Matching, AgreesWithBruteForce) {
    Random random(2);
    for (int trial = 0; trial < 2000; ++trial) {
        const Bipartite g =
            testing::random_graph(random, random.below(9), 1 + random.below(8), 0.1 + 0.4 * (trial % 5) / 4);
        const Matching m = maximum_matching(g);
        expect_consistent(g, m);
        EXPECT_EQ(m.size, testing::brute_matching_size(g, ~0u, ~0u)) << "trial " << trial;
    }
}

TEST(Matching, PreferenceClassesAreFilledInOrder) {
    Random random(3);
    for (int trial = 0; trial < 2000; ++trial) {
        const Bipartite g = testing::random_graph(random, random.below(8), 1 + random.below(8), 0.35);
        std::vector<std::uint8_t> preference(g.variables);
        for (auto& p : preference)
            p = random.chance(0.1) ? excluded_class : static_cast<std::uint8_t>(random.below(3));
        const Matching m = maximum_matching_by_preference(g, preference);
        expect_consistent(g, m);
        std::uint32_t allowed = 0;
        std::size_t matched = 0;
        for (std::uint8_t c = 0; c < 3; ++c) {
            for (std::uint32_t v = 0; v < g.variables; ++v)
                if (preference[v] == c) {
                    allowed |= 1u << v;
                    matched += m.equation_of_variable[v] != unmatched;
                }
            EXPECT_EQ(matched, testing::brute_matching_size(g, ~0u, allowed)) << "trial " << trial;
        }
        EXPECT_EQ(matched, m.size);
    }
}

TEST(Matching, PreferenceChoosesTheVariable) {
    const Bipartite g = make_graph(3, {{0, 1, 2}});
    const std::vector<std::uint8_t> preference{2, 0, 1};
    EXPECT_EQ(maximum_matching_by_preference(g, preference).variable_of_equation[0], 1u);
}

TEST(Matching, LongAugmentingPath) {
    // Equation i contains variables i and i + 1 and starts matched with i; the last equation contains
    // variable 0 only.
    const std::size_t n = 200000;
    BipartiteBuilder builder(n + 1);
    for (std::uint32_t e = 0; e < n; ++e) builder.add_equation(std::vector<std::uint32_t>{e, e + 1});
    builder.add_equation(std::vector<std::uint32_t>{0});
    const Bipartite g = std::move(builder).finish();
    Matching start(n + 1, n + 1);
    for (std::uint32_t e = 0; e < n; ++e) start.match(e, e);
    const Matching m = maximum_matching(g, start);
    EXPECT_TRUE(m.is_perfect());
    EXPECT_EQ(m.variable_of_equation[0], 1u);
}

TEST(Matching, LargeRandomSystems) {
    Random random(4);
    for (std::size_t extra : {1u, 2u, 3u, 6u}) {
        const Bipartite g = testing::large_random_graph(random, 200000, extra);
        EXPECT_TRUE(maximum_matching(g).is_perfect());
    }
}

TEST(Matching, LargeGridAndManyUnmatched) {
    // One variable shared by 100 000 equations: all but one stay unmatched.
    std::vector<std::vector<std::uint32_t>> rows(100000, {0});
    EXPECT_EQ(maximum_matching(make_graph(1, rows)).size, 1u);
    // Five-point star on a 400 x 400 grid.
    const std::uint32_t n = 400;
    BipartiteBuilder builder(n * n);
    for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t j = 0; j < n; ++j) {
            std::vector<std::uint32_t> row;
            if (i > 0) row.push_back((i - 1) * n + j);
            if (j > 0) row.push_back(i * n + j - 1);
            if (i + 1 < n) row.push_back((i + 1) * n + j);
            if (j + 1 < n) row.push_back(i * n + j + 1);
            builder.add_equation(row);  // the diagonal is missing: the matching must find neighbours
        }
    EXPECT_TRUE(maximum_matching(std::move(builder).finish()).is_perfect());
}

}  // namespace
}  // namespace cutset::graph
