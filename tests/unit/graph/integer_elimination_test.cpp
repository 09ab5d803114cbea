#include "graph/integer_elimination.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "random_graph.h"

namespace cutset::graph {
namespace {

using testing::Random;
using List = std::vector<std::uint32_t>;
using Terms = IntegerTerms;

const EliminatedVariable* find(const Elimination& e, std::uint32_t variable) {
    for (const EliminatedVariable& v : e.eliminated)
        if (v.variable == variable) return &v;
    return nullptr;
}

IntegerSystem make_system(std::size_t unknowns, std::size_t knowns, std::vector<IntegerRow> rows,
                          std::vector<std::uint8_t> preference = {}) {
    return {unknowns, knowns, std::move(preference), std::move(rows)};
}

TEST(IntegerElimination, AliasChainWithSigns) {
    // v0 = v1, v1 + v2 = 0, v2 = v3
    const Elimination e = eliminate(
        make_system(4, 0, {{{{0, 1}, {1, -1}}, {}}, {{{1, 1}, {2, 1}}, {}}, {{{2, 1}, {3, -1}}, {}}}));
    ASSERT_EQ(e.eliminated.size(), 3u);
    EXPECT_EQ(find(e, 0), nullptr);  // the first stays
    EXPECT_EQ(find(e, 1)->value, (IntegerRow{{{0, 1}}, {}}));
    EXPECT_EQ(find(e, 2)->value, (IntegerRow{{{0, -1}}, {}}));
    EXPECT_EQ(find(e, 3)->value, (IntegerRow{{{0, -1}}, {}}));
}

TEST(IntegerElimination, ThePreferredVariableStays) {
    const Elimination e =
        eliminate(make_system(3, 0, {{{{0, 1}, {1, -1}}, {}}, {{{1, 1}, {2, 1}}, {}}}, {0, 0, 3}));
    ASSERT_EQ(e.eliminated.size(), 2u);
    EXPECT_EQ(find(e, 0)->value, (IntegerRow{{{2, -1}}, {}}));
    EXPECT_EQ(find(e, 1)->value, (IntegerRow{{{2, -1}}, {}}));
}

TEST(IntegerElimination, TwoProtectedAliasesKeepTheirEquation) {
    // u = x, u = y with x, y protected: u goes, x = y stays an equation.
    const Elimination e = eliminate(make_system(3, 0, {{{{0, 1}, {1, -1}}, {}}, {{{0, 1}, {2, -1}}, {}}},
                                                {0, never_eliminate, never_eliminate}));
    ASSERT_EQ(e.eliminated.size(), 1u);
    EXPECT_EQ(e.eliminated[0].variable, 0u);
    EXPECT_EQ(e.outcome[1 - e.eliminated[0].row], RowOutcome::Ordinary);
}

TEST(IntegerElimination, ValuesDoNotUseRowsThatStayEquations) {
    // x = 0, x = u, u + y = 0 with x, y protected. Whichever row gives u, the other two must stay and say the
    // rest: u = -y together with the row u + y = 0 would say the same twice and lose u = x.
    const Elimination e =
        eliminate(make_system(3, 0, {{{{0, 1}}, {}}, {{{0, 1}, {1, -1}}, {}}, {{{1, 1}, {2, 1}}, {}}},
                              {never_eliminate, 0, never_eliminate}));
    ASSERT_EQ(e.eliminated.size(), 1u);
    const EliminatedVariable& u = e.eliminated[0];
    EXPECT_EQ(u.variable, 1u);
    if (u.row == 1) {
        EXPECT_TRUE(u.value == (IntegerRow{{{0, 1}}, {}}) || u.value == IntegerRow{});
    } else {
        EXPECT_EQ(u.row, 2u);
        EXPECT_EQ(u.value, (IntegerRow{{{2, -1}}, {}}));
    }
}

TEST(IntegerElimination, ConstantsGoThroughSums) {
    // v0 = 3 k0, v1 = 0 (written 2 v1 = 0), v0 + v1 - v2 = 0, v2 = v3
    const Elimination e = eliminate(make_system(
        4, 1,
        {{{{0, 1}}, {{0, -3}}}, {{{1, 2}}, {}}, {{{0, 1}, {1, 1}, {2, -1}}, {}}, {{{2, 1}, {3, -1}}, {}}}));
    ASSERT_EQ(e.eliminated.size(), 4u);
    EXPECT_EQ(find(e, 0)->value, (IntegerRow{{}, {{0, 3}}}));
    EXPECT_EQ(find(e, 1)->value, (IntegerRow{{}, {}}));
    EXPECT_EQ(find(e, 2)->value, (IntegerRow{{}, {{0, 3}}}));
    EXPECT_EQ(find(e, 3)->value, (IntegerRow{{}, {{0, 3}}}));
}

TEST(IntegerElimination, NonUnitCoefficientStaysAnEquation) {
    const Elimination e = eliminate(make_system(2, 1, {{{{0, 2}, {1, -3}}, {}}, {{{0, 2}}, {{0, 1}}}}));
    EXPECT_EQ(e.outcome, (std::vector<RowOutcome>{RowOutcome::Ordinary, RowOutcome::Ordinary}));
    EXPECT_TRUE(e.eliminated.empty());
    EXPECT_EQ(e.undecided, 0u);
}

TEST(IntegerElimination, DependentAndContradictoryRowsNameTheirOrigin) {
    // v0 = v1, v1 = v2, v0 = v2, v3 = k0, v3 = v0, v0 = k1
    const Elimination e = eliminate(make_system(4, 2,
                                                {{{{0, 1}, {1, -1}}, {}},
                                                 {{{1, 1}, {2, -1}}, {}},
                                                 {{{0, 1}, {2, -1}}, {}},
                                                 {{{3, 1}}, {{0, -1}}},
                                                 {{{3, 1}, {0, -1}}, {}},
                                                 {{{0, 1}}, {{1, -1}}}}));
    EXPECT_EQ(std::count(e.outcome.begin(), e.outcome.end(), RowOutcome::Dependent), 1);
    ASSERT_EQ(e.contradictions.size(), 1u);
    Terms left = e.contradictions[0].knowns;
    ASSERT_EQ(left.size(), 2u);
    EXPECT_EQ(left[0].coefficient, -left[1].coefficient);
    for (std::uint32_t r = 0; r < 6; ++r) {
        if (e.outcome[r] == RowOutcome::Dependent) {
            EXPECT_EQ(e.origin(r), (List{0, 1, 2}));
        }
        if (e.outcome[r] == RowOutcome::Contradiction) {
            EXPECT_EQ(e.origin(r), (List{3, 4, 5}));
        }
    }
}

TEST(IntegerElimination, EquationsWithoutUnknowns) {
    const Elimination e = eliminate(make_system(1, 1, {{{}, {}}, {{{0, 1}, {0, -1}}, {}}, {{}, {{0, 2}}}}));
    EXPECT_EQ(e.outcome, (std::vector<RowOutcome>{RowOutcome::Dependent, RowOutcome::Dependent,
                                                  RowOutcome::Contradiction}));
    EXPECT_EQ(e.contradictions[0].knowns, (Terms{{0, 1}}));
    EXPECT_EQ(e.origin(2), List{2});
}

TEST(IntegerElimination, OverflowLeavesTheRowUndecided) {
    const std::int64_t big = std::int64_t{1} << 62;
    const Elimination e =
        eliminate(make_system(2, 0, {{{{0, big - 1}, {1, 5}}, {}}, {{{0, big - 3}, {1, 7}}, {}}}));
    EXPECT_TRUE(e.eliminated.empty());
    EXPECT_EQ(e.undecided, 1u);
}

TEST(IntegerElimination, LongSumsStayEquations) {
    // v_i = v_{i-1} + k_i: values may have at most five terms.
    IntegerSystem s = make_system(40, 41, {{{{0, 1}}, {{0, -1}}}});
    for (std::uint32_t i = 1; i < 40; ++i) s.rows.push_back({{{i, 1}, {i - 1, -1}}, {{i, -1}}});
    EliminationOptions options;
    options.max_terms = 5;
    const Elimination e = eliminate(s, options);
    EXPECT_GT(e.eliminated.size(), 25u);
    EXPECT_LT(e.eliminated.size(), 40u);
    for (const EliminatedVariable& v : e.eliminated)
        EXPECT_LE(v.value.unknowns.size() + v.value.knowns.size(), 5u);
    EXPECT_EQ(std::count(e.outcome.begin(), e.outcome.end(), RowOutcome::Dependent), 0);
    EXPECT_EQ(eliminate(s).eliminated.size(), 40u);
}

TEST(IntegerElimination, LargeCoefficientsStayInTheirEquations) {
    // 10 v0 = v1 + v2: v1 by v0 and v2 would have the coefficient 10. v3 = 10 v4 is a mere scale; v5 = v6 -
    // v7.
    const IntegerSystem s = make_system(
        8, 0, {{{{0, 10}, {1, -1}, {2, -1}}, {}}, {{{3, 1}, {4, -10}}, {}}, {{{5, 1}, {6, -1}, {7, 1}}, {}}});
    EliminationOptions options;
    options.max_coefficient = 1;
    const Elimination e = eliminate(s, options);
    EXPECT_EQ(e.outcome, (std::vector{RowOutcome::Ordinary, RowOutcome::Pivot, RowOutcome::Pivot}));
    EXPECT_EQ(eliminate(s).eliminated.size(), 3u);
}

// ---- random systems against linear algebra modulo a prime ----

constexpr std::int64_t modulus = 1000003;

std::int64_t power(std::int64_t base, std::int64_t exponent) {
    std::int64_t result = 1;
    for (; exponent; exponent >>= 1, base = base * base % modulus)
        if (exponent & 1) result = result * base % modulus;
    return result;
}

std::size_t rank(std::vector<std::vector<std::int64_t>> rows) {
    std::size_t rank = 0;
    const std::size_t columns = rows.empty() ? 0 : rows[0].size();
    for (std::size_t c = 0; c < columns && rank < rows.size(); ++c) {
        std::size_t p = rank;
        while (p < rows.size() && rows[p][c] % modulus == 0) ++p;
        if (p == rows.size()) continue;
        std::swap(rows[p], rows[rank]);
        const std::int64_t inverse = power((rows[rank][c] % modulus + modulus) % modulus, modulus - 2);
        for (std::size_t r = rank + 1; r < rows.size(); ++r) {
            const std::int64_t f = rows[r][c] % modulus * inverse % modulus;
            for (std::size_t k = c; k < columns; ++k)
                rows[r][k] = (rows[r][k] - f * (rows[rank][k] % modulus)) % modulus;
        }
        ++rank;
    }
    return rank;
}

std::vector<std::int64_t> dense(const IntegerSystem& s, const IntegerRow& row, bool with_knowns = true) {
    std::vector<std::int64_t> result(s.unknowns + (with_knowns ? s.knowns : 0), 0);
    for (const IntegerTerm& t : row.unknowns) result[t.column] += t.coefficient;
    if (with_knowns)
        for (const IntegerTerm& t : row.knowns) result[s.unknowns + t.column] += t.coefficient;
    return result;
}

void check(const IntegerSystem& s, const Elimination& e, bool aliases_complete) {
    ASSERT_EQ(e.outcome.size(), s.rows.size());
    ASSERT_EQ(e.undecided, 0u);
    std::vector<std::vector<std::int64_t>> given, unknown_part, found;
    for (const IntegerRow& row : s.rows) {
        given.push_back(dense(s, row));
        unknown_part.push_back(dense(s, row, false));
    }
    std::map<std::uint32_t, const IntegerRow*> value;
    std::set<std::uint32_t> pivot_rows;
    for (const EliminatedVariable& v : e.eliminated) {
        EXPECT_TRUE(value.emplace(v.variable, &v.value).second);
        EXPECT_TRUE(pivot_rows.insert(v.row).second);
        EXPECT_EQ(e.outcome[v.row], RowOutcome::Pivot);
        EXPECT_NE(s.preference[v.variable], never_eliminate);
        found.push_back(dense(s, v.value));
        found.back()[v.variable] -= 1;
    }
    for (const EliminatedVariable& v : e.eliminated)
        for (const IntegerTerm& t : v.value.unknowns) EXPECT_FALSE(value.count(t.column));
    std::size_t superfluous = 0;
    for (std::uint32_t r = 0; r < s.rows.size(); ++r) {
        if (e.outcome[r] == RowOutcome::Ordinary) found.push_back(given[r]);
        EXPECT_EQ(e.outcome[r] == RowOutcome::Pivot, pivot_rows.count(r) == 1);
        if (e.outcome[r] != RowOutcome::Dependent && e.outcome[r] != RowOutcome::Contradiction) continue;
        ++superfluous;
        // The origin is a circuit: dependent, but not when any row is left out.
        const List origin = e.origin(r);
        EXPECT_TRUE(std::binary_search(origin.begin(), origin.end(), r));
        for (std::size_t without = 0; without <= origin.size(); ++without) {
            std::vector<std::vector<std::int64_t>> rows;
            for (std::size_t i = 0; i < origin.size(); ++i)
                if (i != without) rows.push_back(unknown_part[origin[i]]);
            EXPECT_EQ(rank(rows), origin.size() - 1);
        }
    }
    EXPECT_EQ(superfluous, s.rows.size() - rank(unknown_part));
    for (const ContradictoryRow& c : e.contradictions) {
        EXPECT_EQ(e.outcome[c.row], RowOutcome::Contradiction);
        EXPECT_FALSE(c.knowns.empty());
        found.push_back(dense(s, IntegerRow{{}, c.knowns}));
    }
    // The same solutions: both sets of rows span the same space.
    const std::size_t full = rank(given);
    EXPECT_EQ(rank(found), full);
    found.insert(found.end(), given.begin(), given.end());
    EXPECT_EQ(rank(found), full);

    if (!aliases_complete) return;
    // No ordinary row is an alias or a constant in disguise.
    for (std::uint32_t r = 0; r < s.rows.size(); ++r) {
        if (e.outcome[r] != RowOutcome::Ordinary) continue;
        std::vector<std::int64_t> row = given[r];
        for (const auto& [v, its] : value) {
            const std::int64_t c = std::exchange(row[v], 0);
            for (const IntegerTerm& t : its->unknowns) row[t.column] += c * t.coefficient;
            for (const IntegerTerm& t : its->knowns) row[s.unknowns + t.column] += c * t.coefficient;
        }
        std::size_t unknowns = 0, knowns = 0, removable = 0;
        std::int64_t factor = 0;
        for (std::int64_t c : row) factor = std::gcd(factor, c);
        for (std::size_t c = 0; c < row.size(); ++c) {
            if (row[c] == 0) continue;
            c < s.unknowns ? ++unknowns : ++knowns;
            if (c < s.unknowns && std::abs(row[c]) == factor && s.preference[c] != never_eliminate)
                ++removable;
        }
        EXPECT_FALSE(unknowns + knowns <= 2 && removable > 0) << "row " << r;
    }
}

TEST(IntegerElimination, RandomSystems) {
    Random random(11);
    for (int trial = 0; trial < 4000; ++trial) {
        const bool with_other_coefficients = trial % 4 == 0, with_protected = trial % 2 == 0;
        IntegerSystem s;
        s.unknowns = 1 + random.below(9);
        s.knowns = 1 + random.below(3);
        for (std::size_t v = 0; v < s.unknowns; ++v)
            s.preference.push_back(with_protected && random.chance(0.25)
                                       ? never_eliminate
                                       : static_cast<std::uint8_t>(random.below(3)));
        const std::size_t rows = random.below(11);
        for (std::size_t r = 0; r < rows; ++r) {
            IntegerRow row;
            const std::uint32_t length = 1 + random.below(random.chance(0.6) ? 2 : 4);
            for (std::uint32_t i = 0; i < length; ++i) {
                std::int64_t c = random.chance(0.5) ? 1 : -1;
                if (with_other_coefficients && random.chance(0.2)) c *= 2 + random.below(2);
                row.unknowns.push_back({random.below(s.unknowns), c});
            }
            if (random.chance(0.2))
                row.knowns.push_back({random.below(s.knowns), random.chance(0.5) ? 1 : -1});
            s.rows.push_back(row);
        }
        check(s, eliminate(s), !with_other_coefficients);
        EliminationOptions aliases_only;
        aliases_only.max_terms = 1;
        check(s, eliminate(s, aliases_only), false);
        if (HasFailure()) FAIL() << "trial " << trial;
    }
}

// ---- large systems ----

// Node equations of a network: each branch current leaves one node and enters another.
IntegerSystem node_equations(std::uint32_t nodes,
                             const std::vector<std::pair<std::uint32_t, std::uint32_t>>& branches) {
    IntegerSystem s;
    s.unknowns = branches.size();
    s.rows.resize(nodes);
    for (std::uint32_t b = 0; b < branches.size(); ++b) {
        s.rows[branches[b].first].unknowns.push_back({b, 1});
        s.rows[branches[b].second].unknowns.push_back({b, -1});
    }
    return s;
}

void expect_one_dependent(const IntegerSystem& s) {
    const Elimination e = eliminate(s);
    EXPECT_EQ(e.undecided, 0u);
    EXPECT_EQ(std::count(e.outcome.begin(), e.outcome.end(), RowOutcome::Dependent), 1);
    EXPECT_EQ(std::count(e.outcome.begin(), e.outcome.end(), RowOutcome::Contradiction), 0);
    for (std::uint32_t r = 0; r < s.rows.size(); ++r)
        if (e.outcome[r] == RowOutcome::Dependent) {
            EXPECT_EQ(e.origin(r).size(), s.rows.size());
        }
}

TEST(IntegerElimination, RedundantNodeOfAGrid) {
    const std::uint32_t n = 316;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> branches;
    for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t j = 0; j < n; ++j) {
            if (i + 1 < n) branches.push_back({i * n + j, (i + 1) * n + j});
            if (j + 1 < n) branches.push_back({i * n + j, i * n + j + 1});
        }
    expect_one_dependent(node_equations(n * n, branches));
}

TEST(IntegerElimination, RedundantNodeOfRandomAndHubNetworks) {
    const std::uint32_t n = 100000;
    Random random(12);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> branches;
    for (std::uint32_t i = 1; i < n; ++i) branches.push_back({random.below(i), i});
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t a = random.below(n), b = random.below(n);
        if (a != b) branches.push_back({a, b});
    }
    expect_one_dependent(node_equations(n, branches));
    branches.clear();
    for (std::uint32_t i = 2; i < n; ++i) {  // a line with every node tied to two hubs
        branches.push_back({0, i});
        branches.push_back({i, 1});
        if (i > 2) branches.push_back({i - 1, i});
    }
    expect_one_dependent(node_equations(n, branches));
}

TEST(IntegerElimination, GroundedNetworkHasNoDependentNode) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> branches;
    const std::uint32_t n = 50000;
    for (std::uint32_t i = 0; i < n; ++i)
        branches.push_back({i, (i + 1) % n}), branches.push_back({i, (i + 7) % n});
    IntegerSystem s = node_equations(n, branches);
    s.rows[17].unknowns.push_back({static_cast<std::uint32_t>(s.unknowns++), 1});
    const Elimination e = eliminate(s);
    EXPECT_EQ(e.undecided, 0u);
    EXPECT_EQ(std::count(e.outcome.begin(), e.outcome.end(), RowOutcome::Dependent), 0);
}

TEST(IntegerElimination, LargeAliasSystems) {
    const std::uint32_t n = 100000;
    Random random(13);
    for (int shape = 0; shape < 3; ++shape) {
        IntegerSystem s;
        s.unknowns = n;
        s.knowns = 1;
        for (std::uint32_t i = 1; i < n; ++i) {
            const std::uint32_t other = shape == 0 ? i - 1 : shape == 1 ? 0 : random.below(i);
            s.rows.push_back({{{i, 1}, {other, i % 3 ? -1 : 1}}, {}});
        }
        s.rows.push_back({{{n / 2, 1}}, {{0, -1}}});  // a constant for the whole
        const Elimination e = eliminate(s);
        EXPECT_EQ(e.undecided, 0u);
        EXPECT_EQ(e.eliminated.size(), n) << shape;
        for (const EliminatedVariable& v : e.eliminated) {
            EXPECT_TRUE(v.value.unknowns.empty());
            EXPECT_EQ(v.value.knowns.size(), 1u);
        }
    }
}

}  // namespace
}  // namespace cutset::graph
