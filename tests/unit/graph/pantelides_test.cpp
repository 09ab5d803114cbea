#include "graph/pantelides.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>

namespace cutset::graph {
namespace {

using Rounds = std::vector<std::vector<std::uint32_t>>;
using Counts = std::vector<std::uint32_t>;

DerivativeStructure structure(std::size_t variables, std::vector<std::vector<Occurrence>> equations) {
    DerivativeStructure s;
    s.highest.assign(variables, 0);
    s.counts.assign(variables, true);
    for (const auto& equation : equations)
        for (const Occurrence& o : equation) s.highest[o.variable] = std::max(s.highest[o.variable], o.order);
    s.equations = std::move(equations);
    return s;
}

TEST(Pantelides, LeavesAnOrdinaryDifferentialEquationAlone) {
    // x' = -x, y = x
    const auto d = pantelides(structure(2, {{{0, 1}, {0, 0}}, {{1, 0}, {0, 0}}}), 10);
    EXPECT_TRUE(d.complete);
    EXPECT_TRUE(d.rounds.empty());
    EXPECT_EQ(d.equation, (Counts{0, 0}));
    EXPECT_EQ(d.variable, (Counts{1, 0}));
}

TEST(Pantelides, DifferentiatesTheLengthOfAPendulumTwice) {
    // x'' = -T·x, y'' = -T·y - g, x² + y² = L²; variables x, y, T
    const auto d =
        pantelides(structure(3, {{{0, 2}, {0, 0}, {2, 0}}, {{1, 2}, {1, 0}, {2, 0}}, {{0, 0}, {1, 0}}}), 10);
    EXPECT_TRUE(d.complete);
    EXPECT_EQ(d.rounds, (Rounds{{2}, {2}}));
    EXPECT_EQ(d.equation, (Counts{0, 0, 2}));
    EXPECT_EQ(d.variable, (Counts{2, 2, 0}));
}

TEST(Pantelides, FindsThePendulumOfFirstOrder) {
    // Pantelides' own example: x' = u, y' = v, u' = -T·x, v' = -T·y - g, x² + y² = L²; variables x, y, u, v,
    // T.
    const auto d = pantelides(structure(5, {{{0, 1}, {2, 0}},
                                            {{1, 1}, {3, 0}},
                                            {{2, 1}, {4, 0}, {0, 0}},
                                            {{3, 1}, {4, 0}, {1, 0}},
                                            {{0, 0}, {1, 0}}}),
                              10);
    EXPECT_TRUE(d.complete);
    EXPECT_EQ(d.equation, (Counts{1, 1, 0, 0, 2}));
    EXPECT_EQ(d.variable, (Counts{2, 2, 1, 1, 0}));
}

TEST(Pantelides, FollowsAChainOfDerivatives) {
    // x1 = f(t), x2 = x1', x3 = x2', … : the first is differentiated n - 1 times.
    constexpr std::uint32_t n = 6;
    std::vector<std::vector<Occurrence>> equations = {{{0, 0}}};
    for (std::uint32_t i = 1; i < n; ++i) equations.push_back({{i, 0}, {i - 1, 1}});
    const auto d = pantelides(structure(n, equations), 10);
    EXPECT_TRUE(d.complete);
    EXPECT_EQ(d.equation, (Counts{5, 4, 3, 2, 1, 0}));
    EXPECT_EQ(d.variable, (Counts{5, 4, 3, 2, 1, 0}));
}

TEST(Pantelides, TreatsAllConstraintsOfARoundTogether) {
    // Pendulums beside each other take as many rounds as one.
    std::vector<std::vector<Occurrence>> equations;
    for (std::uint32_t i = 0; i < 50; ++i) {
        equations.push_back({{3 * i, 2}, {3 * i, 0}, {3 * i + 2, 0}});
        equations.push_back({{3 * i + 1, 2}, {3 * i + 1, 0}, {3 * i + 2, 0}});
        equations.push_back({{3 * i, 0}, {3 * i + 1, 0}});
    }
    const auto d = pantelides(structure(150, equations), 10);
    EXPECT_TRUE(d.complete);
    ASSERT_EQ(d.rounds.size(), 2u);
    EXPECT_EQ(d.rounds[0].size(), 50u);
    EXPECT_EQ(d.rounds[1], d.rounds[0]);
}

TEST(Pantelides, CountsADerivativeThatIsThereAnyway) {
    // v = x' is a link between two names of one chain: only x = u(t) is left, and x'' has to be determined.
    DerivativeStructure s = structure(1, {{{0, 0}}});
    s.highest[0] = 1;
    const auto d = pantelides(s, 10);
    EXPECT_TRUE(d.complete);
    EXPECT_EQ(d.equation, (Counts{1}));
    EXPECT_EQ(d.variable, (Counts{1}));
}

TEST(Pantelides, GivesUpOnASingularSystem) {
    // Two equations for x alone, none for y: no derivative helps.
    const auto d = pantelides(structure(2, {{{0, 0}}, {{0, 0}}}), 7);
    EXPECT_FALSE(d.complete);
    EXPECT_EQ(d.rounds.size(), 7u);
}

TEST(Pantelides, LeavesAnUnderdeterminedSystemAlone) {
    const auto d = pantelides(structure(2, {{{0, 1}, {1, 0}}}), 7);
    EXPECT_FALSE(d.complete);
    EXPECT_TRUE(d.rounds.empty());
}

TEST(Pantelides, IgnoresVariablesThatAreKnown) {
    DerivativeStructure s = structure(2, {{{0, 1}, {1, 3}}});
    s.counts[1] = false;
    const auto d = pantelides(s, 7);
    EXPECT_TRUE(d.complete);
    EXPECT_EQ(d.equation, (Counts{0}));
}

}  // namespace
}  // namespace cutset::graph
