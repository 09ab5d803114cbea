#include "graph/tearing.h"

#include <gtest/gtest.h>

#include "random_graph.h"

namespace cutset::graph {
namespace {

using testing::make_graph;
using testing::Random;
using List = std::vector<std::uint32_t>;

std::vector<Solvability> all_good(const Bipartite& g) {
    return std::vector<Solvability>(g.edges(), Solvability::Good);
}

Solvability at(const Bipartite& g, const std::vector<Solvability>& s, std::uint32_t e, std::uint32_t v) {
    for (std::uint32_t i = g.start[e]; i < g.start[e + 1]; ++i)
        if (g.adjacent[i] == v) return s[i];
    return Solvability::Never;
}

void expect_valid(const Bipartite& g, const std::vector<Solvability>& s, const Tearing& t,
                  Solvability least = Solvability::Good) {
    std::vector<char> known(g.variables, 0), used(g.equations, 0);
    for (std::uint32_t v : t.torn_variables) known[v] = 1;
    for (const InnerAssignment& a : t.assignments) {
        ASSERT_FALSE(known[a.variable]);
        ASSERT_FALSE(used[a.equation]);
        ASSERT_GE(at(g, s, a.equation, a.variable), least);
        for (std::uint32_t v : g.row(a.equation)) ASSERT_TRUE(v == a.variable || known[v]);
        known[a.variable] = used[a.equation] = 1;
    }
    for (std::uint32_t e : t.residual_equations) {
        ASSERT_FALSE(used[e]);
        used[e] = 1;
    }
    ASSERT_EQ(t.torn_variables.size() + t.assignments.size(), g.variables);
    ASSERT_EQ(t.residual_equations.size() + t.assignments.size(), g.equations);
}

// Whether all other variables can be computed one after the other once the variables in `torn` (bits) are
// known.
bool suffices(const Bipartite& g, const std::vector<Solvability>& s, std::uint32_t torn) {
    std::uint32_t known = torn;
    for (bool moved = true; moved;) {
        moved = false;
        for (std::uint32_t e = 0; e < g.equations; ++e) {
            std::uint32_t unknown = g.variables, count = 0;
            for (std::uint32_t v : g.row(e))
                if (!(known >> v & 1)) unknown = v, ++count;
            if (count == 1 && at(g, s, e, unknown) == Solvability::Good) known |= 1u << unknown, moved = true;
        }
    }
    return known == (1u << g.variables) - 1;
}

TEST(Tearing, LoopOfThree) {
    const Bipartite g = make_graph(3, {{0, 1}, {1, 2}, {2, 0}});
    const Tearing t = tear(g, all_good(g));
    expect_valid(g, all_good(g), t);
    EXPECT_EQ(t.torn_variables, List{0});
    EXPECT_EQ(t.residual_equations.size(), 1u);
}

TEST(Tearing, NonlinearVariableIsTorn) {
    // x0 appears nonlinearly everywhere.
    const Bipartite g = make_graph(3, {{0, 1}, {0, 2}, {0, 1, 2}});
    std::vector<Solvability> s = all_good(g);
    for (std::size_t i = 0; i < s.size(); ++i)
        if (g.adjacent[i] == 0) s[i] = Solvability::Never;
    const Tearing t = tear(g, s);
    expect_valid(g, s, t);
    EXPECT_EQ(t.torn_variables, List{0});
}

TEST(Tearing, AvoidIsUsedOnlyOnRequest) {
    const Bipartite g = make_graph(2, {{0, 1}, {0, 1}});
    const std::vector<Solvability> s(g.edges(), Solvability::Avoid);
    EXPECT_EQ(tear(g, s).torn_variables.size(), 2u);
    TearingOptions options;
    options.use_avoid = true;
    const Tearing t = tear(g, s, options);
    expect_valid(g, s, t, Solvability::Avoid);
    EXPECT_EQ(t.torn_variables.size(), 1u);
}

TEST(Tearing, ChosenVariablesStayTorn) {
    const Bipartite g = make_graph(3, {{0, 1}, {1, 2}, {2, 0}});
    TearingOptions options;
    options.chosen = {2};
    EXPECT_EQ(tear(g, all_good(g), options).torn_variables, List{2});
    options.chosen = {2, 1};
    const Tearing t = tear(g, all_good(g), options);
    expect_valid(g, all_good(g), t);
    EXPECT_EQ(t.torn_variables, (List{1, 2}));
}

TEST(Tearing, NearTheOptimumOnRandomSystems) {
    Random random(9);
    std::size_t ours = 0, best_sum = 0, worst = 0;
    for (int trial = 0; trial < 1500; ++trial) {
        const std::uint32_t n = 2 + random.below(7);
        std::vector<List> rows(n);
        for (std::uint32_t e = 0; e < n; ++e)
            for (std::uint32_t v = 0; v < n; ++v)
                if (v == e || random.chance(0.3)) rows[e].push_back(v);
        const Bipartite g = make_graph(n, rows);
        std::vector<Solvability> s(g.edges());
        for (auto& class_ : s)
            class_ = random.chance(0.3)   ? Solvability::Never
                     : random.chance(0.2) ? Solvability::Avoid
                                          : Solvability::Good;
        const Tearing t = tear(g, s);
        expect_valid(g, s, t);
        std::size_t best = n;
        for (std::uint32_t torn = 0; torn < 1u << n; ++torn)
            if (static_cast<std::size_t>(std::popcount(torn)) < best && suffices(g, s, torn))
                best = static_cast<std::size_t>(std::popcount(torn));
        EXPECT_GE(t.torn_variables.size(), best);
        ours += t.torn_variables.size();
        best_sum += best;
        worst = std::max(worst, t.torn_variables.size() - best);
    }
    EXPECT_LE(static_cast<double>(ours), 1.06 * static_cast<double>(best_sum)) << ours << " " << best_sum;
    EXPECT_LE(worst, 2u);
}

TEST(Tearing, LargeComponents) {
    // A ring, a diffusion line, a star with one hub, and a random sparse component.
    const std::uint32_t n = 100000;
    BipartiteBuilder ring(n), line(n), star(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        ring.add_equation(List{i, (i + 1) % n});
        List row{i};
        if (i > 0) row.push_back(i - 1);
        if (i + 1 < n) row.push_back(i + 1);
        line.add_equation(row);
    }
    List all(n);
    for (std::uint32_t i = 0; i < n; ++i) all[i] = i;
    star.add_equation(all);
    for (std::uint32_t i = 1; i < n; ++i) star.add_equation(List{0, i});
    Random random(10);
    const Bipartite ring_graph = std::move(ring).finish(), line_graph = std::move(line).finish(),
                    star_graph = std::move(star).finish(), sparse = testing::large_random_graph(random, n, 2);
    for (const Bipartite* g : {&ring_graph, &line_graph, &star_graph}) {
        const Tearing t = tear(*g, all_good(*g));
        expect_valid(*g, all_good(*g), t);
        EXPECT_EQ(t.torn_variables.size(), 1u);
    }
    const Tearing t = tear(sparse, all_good(sparse));
    expect_valid(sparse, all_good(sparse), t);
    EXPECT_LT(t.torn_variables.size(), n / 4);
    // Nothing solvable: everything is torn.
    const std::vector<Solvability> never(sparse.edges(), Solvability::Never);
    EXPECT_EQ(tear(sparse, never).torn_variables.size(), n);
}

}  // namespace
}  // namespace cutset::graph
