#include "graph/row_matching.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "random_graph.h"

namespace cutset::graph {
namespace {

using Row = std::vector<std::uint32_t>;

// i1 = i2 + i3, v1 - vc = R1*i1, vc - v2 = R2*i2, vc - v3 = R3*i3
enum : std::uint32_t { i1, i2, i3, vc, v1, v2, v3 };
RowMatching star() {
    RowMatching m(7);
    for (const Row& row : {Row{i1, i2, i3}, Row{i1, vc, v1}, Row{i2, vc, v2}, Row{i3, vc, v3}})
        EXPECT_TRUE(m.add(row));
    return m;
}

TEST(RowMatching, PotentialsOfAStarCanBeGiven) {
    RowMatching m = star();
    for (std::uint32_t v : {v1, v2, v3}) EXPECT_TRUE(m.add(Row{v}));
    EXPECT_TRUE(m.is_complete());
    EXPECT_FALSE(m.add(Row{vc}));
    EXPECT_EQ(m.rows(), 7u);
}

TEST(RowMatching, AllCurrentsOfAStarAreOneTooMany) {
    RowMatching m = star();
    EXPECT_TRUE(m.add(Row{i1}));
    EXPECT_TRUE(m.add(Row{i2}));
    EXPECT_FALSE(m.add(Row{i3}));
    const SingularSet set = m.circuit(Row{i3});
    EXPECT_EQ(set.equations, (Row{0, 4, 5}));
    EXPECT_EQ(set.variables, (Row{i1, i2, i3}));
    EXPECT_TRUE(m.add(Row{v2}));
    EXPECT_TRUE(m.is_complete());
    // In place of v2 any potential, but no current.
    EXPECT_EQ(m.replacements(6), (Row{vc, v1, v2, v3}));
}

TEST(RowMatching, AnEmptyRowIsRefused) {
    RowMatching m(1);
    EXPECT_FALSE(m.add(Row{}));
    EXPECT_TRUE(m.circuit(Row{}).equations.empty());
}

// As many rows as a maximum matching has, and what is refused is refused for a reason.
TEST(RowMatching, AgreesWithMaximumMatching) {
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        testing::Random random(seed);
        const std::size_t equations = 1 + random.below(12), variables = 1 + random.below(12);
        BipartiteBuilder builder(variables);
        std::vector<Row> rows;
        for (std::size_t e = 0; e < equations; ++e) {
            Row row;
            for (std::uint32_t v = 0; v < variables; ++v)
                if (random.chance(0.2)) row.push_back(v);
            builder.add_equation(row);
            rows.push_back(row);
        }
        const Matching best = maximum_matching(std::move(builder).finish());
        RowMatching m(variables);
        for (const Row& row : rows) {
            if (m.add(row)) continue;
            const SingularSet set = m.circuit(row);
            EXPECT_EQ(set.equations.size(), set.variables.size());
            for (std::uint32_t e : set.equations)
                for (std::uint32_t v : m.row(e))
                    EXPECT_TRUE(std::binary_search(set.variables.begin(), set.variables.end(), v));
        }
        EXPECT_EQ(m.rows(), best.size);
        EXPECT_EQ(maximum_matching(m.incidence()).size, m.rows());
        // A row in place of another: matched exactly when it has one of the variables named.
        for (std::uint32_t r = 0; r < m.rows(); ++r) {
            const auto named = m.replacements(r);
            for (std::uint32_t v = 0; v < variables; ++v) {
                RowMatching other(variables);
                for (std::uint32_t k = 0; k < m.rows(); ++k) {
                    if (k == r) continue;
                    EXPECT_TRUE(other.add(m.row(k)));
                }
                const bool fits = other.add(Row{v});

                const bool listed = std::binary_search(named.begin(), named.end(), v);
                if (m.is_complete()) {
                    EXPECT_EQ(fits, listed);
                } else if (listed) {
                    EXPECT_TRUE(fits);
                }
            }
        }
    }
}

}  // namespace
}  // namespace cutset::graph
