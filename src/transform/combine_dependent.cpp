#include "transform/combine_dependent.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/strong_components.h"

namespace cutset::passes {
namespace {

constexpr std::size_t largest_loop = 300;
constexpr double zero_pivot = 1e-11;  // relative to the row as given
constexpr double varies = std::numeric_limits<double>::quiet_NaN();

struct Elimination {
    std::vector<std::uint32_t> rows;          // of the system
    std::vector<std::vector<Expr>> matrix;    // by row and derivative
    std::vector<std::vector<double>> values;  // of the matrix; `varies` where it is not a parameter
    std::vector<Expr> rests;
    std::vector<double> sizes;  // largest entry of each row as given
    std::vector<bool> is_pivot;
};

double value_or_varies(Analysis& a, Expr coefficient) {
    if (a.variation_of(coefficient) > Variation::Parametric) return varies;
    const auto value = a.values.ask(coefficient);
    return value && std::isfinite(*value) ? *value : varies;
}

// The rows of one loop in its derivatives; nothing when one is not linear in them.
std::optional<Elimination> describe(Analysis& a, const System& system, std::span<const std::uint32_t> loop,
                                    const std::vector<Expr>& derivatives) {
    Elimination result;
    for (std::uint32_t r : loop) {
        const Row& row = system.rows[r];
        const auto concerned = [&](Expr leaf) {
            return std::find(derivatives.begin(), derivatives.end(), leaf) != derivatives.end();
        };
        if (!row.residual) {
            for (Expr leaf : a.leaves({row.left, row.right}))
                if (concerned(leaf)) return std::nullopt;
            continue;
        }
        const auto leaves = a.leaves({row.residual});
        if (std::none_of(leaves.begin(), leaves.end(), concerned)) continue;
        const auto form = as_linear_form(a.pool(), row.residual, derivatives);
        if (!form) return std::nullopt;
        std::vector<double> values;
        double size = 0;
        for (Expr c : form->coefficients) {
            values.push_back(value_or_varies(a, c));
            if (!std::isnan(values.back())) size = std::max(size, std::abs(values.back()));
        }
        result.rows.push_back(r);
        result.matrix.push_back(form->coefficients);
        result.values.push_back(std::move(values));
        result.rests.push_back(form->rest);
        result.sizes.push_back(size);
        result.is_pivot.push_back(false);
    }
    return result;
}

// Gaussian elimination with pivots that are parameters, rows that must stay first. True when fewer rows than
// derivatives are left that contain derivatives: then those are dependent.
bool eliminate(Analysis& a, Elimination& e, std::size_t derivatives,
               const std::function<bool(std::uint32_t)>& may_replace) {
    Pool& pool = a.pool();
    std::vector<bool> used(derivatives);
    const auto is_zero = [&](std::size_t i, std::size_t j) {
        return std::abs(e.values[i][j]) <= zero_pivot * e.sizes[i];
    };
    while (true) {
        std::size_t p = 0, q = 0;
        double best = 0;
        for (std::size_t i = 0; i < e.rows.size(); ++i) {
            if (e.is_pivot[i]) continue;
            for (std::size_t j = 0; j < derivatives; ++j) {
                if (used[j] || std::isnan(e.values[i][j]) || is_zero(i, j)) continue;
                double size = std::abs(e.values[i][j]) / e.sizes[i];
                if (!may_replace(e.rows[i])) size *= 1e6;
                if (size > best) {
                    best = size;
                    p = i;
                    q = j;
                }
            }
        }
        if (best == 0) break;
        e.is_pivot[p] = used[q] = true;
        for (std::size_t i = 0; i < e.rows.size(); ++i) {
            if (e.is_pivot[i] || is_zero(i, q)) continue;
            const Expr factor = pool.divide(e.matrix[i][q], e.matrix[p][q]);
            for (std::size_t j = 0; j < derivatives; ++j) {
                if (used[j]) continue;
                e.matrix[i][j] = pool.subtract(e.matrix[i][j], pool.multiply(factor, e.matrix[p][j]));
                e.values[i][j] = value_or_varies(a, e.matrix[i][j]);
            }
            e.values[i][q] = 0;
            e.rests[i] = pool.subtract(e.rests[i], pool.multiply(factor, e.rests[p]));
        }
    }
    std::size_t rank = 0;
    for (std::size_t i = 0; i < e.rows.size(); ++i) {
        for (std::size_t j = 0; j < derivatives && !e.is_pivot[i]; ++j)
            if (!used[j] && !is_zero(i, j)) e.is_pivot[i] = true;
        rank += e.is_pivot[i];
    }
    return rank < derivatives;
}

}  // namespace

std::vector<Combination> find_combinations(Analysis& a, const System& system,
                                           const std::function<bool(std::uint32_t)>& may_replace) {
    std::vector<Combination> found;
    const graph::Components components = graph::strong_components(system.incidence, system.matching);
    for (std::size_t c = 0; c < components.size(); ++c) {
        const auto loop = components[c];
        if (loop.size() < 2 || loop.size() > largest_loop) continue;
        std::vector<Expr> derivatives;
        for (std::uint32_t r : loop) {
            const Expr leaf = system.columns[system.matching.variable_of_equation[r]];
            if (leaf->order > 0) derivatives.push_back(leaf);
        }
        if (derivatives.size() < 2) continue;
        auto elimination = describe(a, system, loop, derivatives);
        if (!elimination) continue;
        const Elimination given = *elimination;
        if (!eliminate(a, *elimination, derivatives.size(), may_replace)) continue;
        bool possible = true;
        for (std::size_t i = 0; i < elimination->rows.size(); ++i)
            possible = possible && (elimination->is_pivot[i] || may_replace(elimination->rows[i]));
        if (!possible) continue;
        for (const auto& row : given.matrix)
            for (Expr coefficient : row)
                if (a.variation_of(coefficient) <= Variation::Parametric) a.make_structural(coefficient);
        for (std::size_t i = 0; i < elimination->rows.size(); ++i)
            if (!elimination->is_pivot[i]) found.push_back({elimination->rows[i], elimination->rests[i]});
    }
    return found;
}

}  // namespace cutset::passes
