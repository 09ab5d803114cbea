#include "graph/dulmage_mendelsohn.h"

#include <gtest/gtest.h>

#include "random_graph.h"

namespace cutset::graph {
namespace {

using testing::make_graph;
using testing::Random;
using List = std::vector<std::uint32_t>;

TEST(DulmageMendelsohn, ThreeParts) {
    // Equations 0, 1 fight over variable 0; equation 2 has variables 2, 3 for itself; equation 3 and variable
    // 1 are well.
    const Bipartite g = make_graph(4, {{0}, {0}, {2, 3, 1}, {1}});
    const Matching m = maximum_matching(g);
    const CoarseDecomposition d = dulmage_mendelsohn(g, m);
    EXPECT_EQ(d.part_of_equation, (std::vector<Part>{Part::Over, Part::Over, Part::Under, Part::Well}));
    EXPECT_EQ(d.part_of_variable, (std::vector<Part>{Part::Over, Part::Well, Part::Under, Part::Under}));
}

TEST(DulmageMendelsohn, EquationWithoutVariablesIsASetOfItsOwn) {
    const Bipartite g = make_graph(1, {{0}, {}});
    const auto sets = overdetermined_sets(g, maximum_matching(g));
    ASSERT_EQ(sets.size(), 1u);
    EXPECT_EQ(sets[0].equations, List{1});
    EXPECT_TRUE(sets[0].variables.empty());
}

TEST(DulmageMendelsohn, ExchangeFindsTheSmallerSet) {
    // 0: a, 1: a b, 2: b, 3: a. The matching (1-a, 2-b) makes equation 0 look like a conflict of three
    // equations.
    const Bipartite g = make_graph(2, {{0}, {0, 1}, {1}, {0}});
    Matching m(4, 2);
    m.match(1, 0);
    m.match(2, 1);
    EXPECT_EQ(minimal_overdetermined_set(g, m, 0).equations, (List{0, 3}));
    const auto sets = overdetermined_sets(g, m);
    ASSERT_EQ(sets.size(), 2u);
    EXPECT_EQ(sets[0].equations, (List{0, 3}));
    EXPECT_EQ(sets[1].equations, (List{1, 2, 3}));
}

TEST(DulmageMendelsohn, UnmatchedVariable) {
    // x0 and x1 occur only together, in equation 0.
    const Bipartite g = make_graph(4, {{0, 1, 2}, {2}, {2, 3}});
    const auto sets = underdetermined_sets(g, maximum_matching(g));
    ASSERT_EQ(sets.size(), 1u);
    EXPECT_EQ(sets[0].variables, (List{0, 1}));
    EXPECT_EQ(sets[0].equations, List{0});
}

std::uint32_t bits(const List& list) {
    std::uint32_t result = 0;
    for (std::uint32_t i : list) result |= 1u << i;
    return result;
}

void expect_minimal(const Bipartite& g, const SingularSet& set) {
    EXPECT_EQ(set.equations.size(), set.variables.size() + 1);
    const std::uint32_t all = bits(set.equations);
    EXPECT_EQ(testing::brute_matching_size(g, all, ~0u), set.variables.size());
    for (std::uint32_t e : set.equations)
        EXPECT_EQ(testing::brute_matching_size(g, all & ~(1u << e), ~0u), set.variables.size());
}

TEST(DulmageMendelsohn, SetsAreMinimalOnRandomSystems) {
    Random random(5);
    int found = 0;
    for (int trial = 0; trial < 1500; ++trial) {
        const Bipartite g = testing::random_graph(random, 1 + random.below(9), 1 + random.below(7), 0.25);
        const Matching m = maximum_matching(g);
        const auto over = overdetermined_sets(g, m);
        EXPECT_EQ(over.size(), g.equations - m.size);
        found += static_cast<int>(over.size());
        for (const SingularSet& set : over) expect_minimal(g, set);
        for (std::size_t i = 0; i < over.size(); ++i)
            for (std::size_t j = 0; j < i; ++j) EXPECT_NE(over[i].equations, over[j].equations);
        for (std::uint32_t e = 0; e < g.equations; ++e)
            if (m.variable_of_equation[e] == unmatched) {
                const SingularSet set = minimal_overdetermined_set(g, m, e);
                EXPECT_TRUE(std::binary_search(set.equations.begin(), set.equations.end(), e));
                expect_minimal(g, set);
            }
        const Bipartite t = g.transpose();
        const auto under = underdetermined_sets(g, m);
        EXPECT_EQ(under.size(), g.variables - m.size);
        for (const SingularSet& set : under) expect_minimal(t, SingularSet{set.variables, set.equations});

        // An equation is in the over-determined part when the matching gets no smaller without it.
        const CoarseDecomposition d = dulmage_mendelsohn(g, m);
        for (std::uint32_t e = 0; e < g.equations; ++e)
            EXPECT_EQ(d.part_of_equation[e] == Part::Over,
                      testing::brute_matching_size(g, ~(1u << e), ~0u) == m.size);
        for (std::uint32_t v = 0; v < g.variables; ++v)
            EXPECT_EQ(d.part_of_variable[v] == Part::Under,
                      testing::brute_matching_size(g, ~0u, ~(1u << v)) == m.size);
    }
    EXPECT_GT(found, 1000);
}

TEST(DulmageMendelsohn, LargeSystems) {
    // A chain: equation i has variables i - 1 and i, one equation too many at the end.
    const std::uint32_t n = 100000;
    BipartiteBuilder builder(n);
    builder.add_equation(List{0});
    for (std::uint32_t i = 1; i < n; ++i) builder.add_equation(List{i - 1, i});
    builder.add_equation(List{n - 1});
    const Bipartite chain = std::move(builder).finish();
    const auto sets = overdetermined_sets(chain, maximum_matching(chain));
    ASSERT_EQ(sets.size(), 1u);
    EXPECT_EQ(sets[0].equations.size(), n + 1);

    // Many conflicts in a large connected system: the number given out is limited, and so is the effort.
    Random random(6);
    BipartiteBuilder wide(n);
    for (std::uint32_t i = 0; i < 2 * n; ++i) wide.add_equation(List{random.below(n), random.below(n)});
    const Bipartite g = std::move(wide).finish();
    EXPECT_EQ(overdetermined_sets(g, maximum_matching(g)).size(), 20u);
}

}  // namespace
}  // namespace cutset::graph
