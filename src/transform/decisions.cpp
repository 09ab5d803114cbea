#include "transform/decisions.h"

#include <algorithm>
#include <cmath>

#include "transform/modular_gradient.h"

namespace cutset {

namespace {

// A chain of inner assignments that each combine several unknowns of the loop amplifies errors, in a
// diffusion line by (2 + √3)^length; longer ones are cut by tearing one more variable. Terms with the factor
// ±1 amplify nothing by themselves: in sums, such as those of forces along an arm, the number of ways in
// which an unknown depends on the torn ones is a bound. Where factors are known, so is a bound of the growth.
// An exponential of what was computed by another one (diodes in a network) grows beyond any: its argument is
// torn.
constexpr std::uint32_t longest_chain = 8;
constexpr double most_ways = 5000, most_growth = 5000;

bool is_number(Expr e) {
    return e && e->is_number();
}

// |e/divisor|, or 1 where it is not known.
double slope_ratio(Expr e, Expr divisor, const ParametricValue& value_of) {
    if (!e || !divisor || e == divisor) return 1;
    const auto above = value_of(e), below = value_of(divisor);
    const double ratio = above && below ? std::abs(*above / *below) : 1;
    return std::isfinite(ratio) ? ratio : 1;
}

}  // namespace

std::pair<bool, double> outcome(const ValueDecision& d, const ParametricValue& value_of) {
    const auto x = value_of(d.of);
    if (!x || std::isnan(*x)) return {x.has_value(), -2};
    if (d.asked == ValueDecision::Asked::Number) return {true, *x};
    if (std::isinf(*x)) return {true, 2};
    if (d.asked == ValueDecision::Asked::Zero) return {true, *x == 0};
    return {true, (*x > 0) - (*x < 0)};
}

bool outcome(const ComparisonDecision& d, const ParametricValue& value_of) {
    const auto x = value_of(d.first), y = value_of(d.second);
    if (d.how == ComparisonDecision::How::Equal) return x == y;
    return x && y && !(std::abs(*x - *y) > 1e-12 * std::max(std::abs(*x), std::abs(*y)));
}

std::vector<std::uint32_t> outcome(const ChainDecision& d, const ParametricValue& value_of) {
    std::vector<double> ways(d.unknowns, 1), growth(d.unknowns, 1);
    std::vector<std::uint32_t> level(d.unknowns, 0), found;
    std::vector<bool> is_exponent(d.unknowns), exponential(d.unknowns);
    for (std::size_t edge = 0; edge < d.exponents.size(); ++edge)
        if (d.exponents[edge]) is_exponent[d.adjacent[edge]] = true;
    for (std::uint32_t i = 0; i < d.assignments.size(); ++i) {
        const auto [equation, unknown] = d.assignments[i];
        const std::uint32_t begin = d.start[equation], end = d.start[equation + 1];
        Expr divisor = nullptr;
        for (std::uint32_t edge = begin; edge < end; ++edge)
            if (d.adjacent[edge] == unknown) divisor = d.slopes[edge];
        bool grows = false;  // by an exponential
        double sum = 0, grown = 0;
        std::uint32_t deepest = 0;
        for (std::uint32_t edge = begin; edge < end; ++edge) {
            const std::uint32_t v = d.adjacent[edge];
            if (v == unknown) continue;
            const double factor =
                d.only_scales[equation] ? 1 : slope_ratio(d.slopes[edge], divisor, value_of);
            sum += ways[v];
            grows = grows || exponential[v] || d.exponents[edge];
            grown += std::max(1.0, factor) * growth[v];
            const bool plain = end - begin == 2 || (d.is_linear[equation] && is_number(divisor) &&
                                                    is_number(d.slopes[edge]) && factor == 1);
            deepest = std::max(deepest, level[v] + (plain ? 0 : 1));
        }
        if ((deepest > longest_chain || sum > most_ways || grown > most_growth ||
             (grows && is_exponent[unknown])) &&
            d.has_residual[equation]) {
            found.push_back(i);
        } else {
            ways[unknown] = sum;
            growth[unknown] = grown;
            level[unknown] = deepest;
            exponential[unknown] = grows;
        }
    }
    return found;
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> outcome(const PivotDecision& d,
                                                               const ParametricValue& value_of) {
    const auto value = [&](Expr e) { return e ? value_of(e) : std::nullopt; };
    std::optional<std::pair<std::uint32_t, std::uint32_t>> pivot;
    double best = 0;
    for (std::uint32_t i = 0; i < d.matrix.size(); ++i) {
        if (d.row_done[i]) continue;
        double largest = 0;  // of the row as given: pivots are compared relative to it
        for (Expr e : d.matrix[i]) largest = std::max(largest, std::abs(value(e).value_or(0)));
        for (std::uint32_t j = 0; j < d.matrix.size(); ++j) {
            if (d.column_done[j]) continue;
            const auto entry = value(d.matrix[i][j]);
            if (!entry || !std::isfinite(*entry) || largest == 0) continue;
            // Entries that are exact numbers make the shortest formulas.
            const double size = std::abs(*entry) / largest * (is_number(d.matrix[i][j]) ? 2 : 1);
            if (size > best) {
                best = size;
                pivot.emplace(i, j);
            }
        }
    }
    if (best < 1e-9) pivot.reset();
    return pivot;
}

bool outcome(const RankDecision& d, const ParametricValue& value_of) {
    using Residue = std::optional<std::uint64_t>;
    const auto residue = [&](Expr e) -> Residue {
        const auto x = value_of(e);
        return x && std::isfinite(*x) ? Residue(modulo_prime(simple_rational(*x))) : std::nullopt;
    };
    NodeMap<Residue> residues;
    for (Expr e : d.parametric) residues.insert(e, residue(e));
    const auto known = [&](Expr e) -> Residue {
        if (const Residue* found = residues.find(e)) return *found;
        if (!e->is_number()) return std::nullopt;
        const Residue result = residue(e);
        residues.insert(e, result);
        return result;
    };
    ModularGradient gradient(known, has_slope);
    return rank_of_gradients(gradient, d.residuals, d.unknowns).dependencies.empty();
}

namespace {

bool any(const std::vector<Expr>& list, FunctionRef<bool(Expr)> by) {
    return std::any_of(list.begin(), list.end(), [&](Expr e) { return e && by(e); });
}
bool is_concerned(const ValueDecision& d, FunctionRef<bool(Expr)> by) {
    return by(d.of);
}
bool is_concerned(const ComparisonDecision& d, FunctionRef<bool(Expr)> by) {
    return by(d.first) || by(d.second);
}
bool is_concerned(const ChainDecision& d, FunctionRef<bool(Expr)> by) {
    return any(d.slopes, by);
}
bool is_concerned(const PivotDecision& d, FunctionRef<bool(Expr)> by) {
    return std::any_of(d.matrix.begin(), d.matrix.end(), [&](const auto& row) { return any(row, by); });
}
bool is_concerned(const RankDecision& d, FunctionRef<bool(Expr)> by) {
    return any(d.parametric, by);
}

// Calls `visit` with each of the lists.
template <class Visit>
void for_each_list(const Decisions& d, Visit visit) {
    visit(d.values);
    visit(d.comparisons);
    visit(d.chains);
    visit(d.pivots);
    visit(d.ranks);
}

}  // namespace

bool hold(const Decisions& decisions, const ParametricValue& value_of) {
    bool all = true;
    for_each_list(decisions, [&](const auto& list) {
        all = all && std::all_of(list.begin(), list.end(),
                                 [&](const auto& d) { return outcome(d, value_of) == d.result; });
    });
    return all;
}

Decisions concerned(const Decisions& decisions, FunctionRef<bool(Expr)> by) {
    Decisions found;
    for_each_list(decisions, [&](const auto& list) {
        for (const auto& d : list)
            if (is_concerned(d, by)) found.add(d);
    });
    return found;
}

}  // namespace cutset
