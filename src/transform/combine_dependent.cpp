#include "transform/combine_dependent.h"

#include <algorithm>
#include <cmath>

#include "graph/strong_components.h"

namespace cutset::passes {
namespace {

constexpr std::size_t largest_loop = 300;
constexpr double zero_pivot = 1e-11;  // relative to the row as given

struct Elimination {
    std::vector<std::uint32_t> rows;          // of the system
    std::vector<std::vector<Expr>> matrix;    // by row and derivative
    std::vector<std::vector<double>> values;  // of the matrix
    std::vector<Expr> rests;
    std::vector<double> sizes;  // largest entry of each row as given
    std::vector<bool> is_pivot;
};

// The rows of one loop in its derivatives; nothing when some coefficient is not a parameter.
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
            if (a.variation_of(c) > Variation::Parametric) return std::nullopt;
            const auto value = a.value_of(c);
            if (!value || !std::isfinite(*value)) return std::nullopt;
            values.push_back(*value);
            size = std::max(size, std::abs(*value));
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

// Gaussian elimination by value, rows that must stay first; the number of pivots.
std::size_t eliminate(Analysis& a, Elimination& e, std::size_t derivatives,
                      const std::function<bool(std::uint32_t)>& may_replace) {
    Pool& pool = a.pool();
    std::vector<bool> used(derivatives);
    std::size_t rank = 0;
    while (true) {
        std::size_t p = 0, q = 0;
        double best = 0;
        for (std::size_t i = 0; i < e.rows.size(); ++i) {
            if (e.is_pivot[i] || e.sizes[i] == 0) continue;
            for (std::size_t j = 0; j < derivatives; ++j) {
                if (used[j]) continue;
                double size = std::abs(e.values[i][j]) / e.sizes[i];
                if (size < zero_pivot) continue;
                if (!may_replace(e.rows[i])) size *= 1e6;
                if (size > best) {
                    best = size;
                    p = i;
                    q = j;
                }
            }
        }
        if (best == 0) return rank;
        ++rank;
        e.is_pivot[p] = used[q] = true;
        for (std::size_t i = 0; i < e.rows.size(); ++i) {
            if (e.is_pivot[i] || std::abs(e.values[i][q]) <= zero_pivot * e.sizes[i]) continue;
            const Expr factor = pool.divide(e.matrix[i][q], e.matrix[p][q]);
            const double value = e.values[i][q] / e.values[p][q];
            for (std::size_t j = 0; j < derivatives; ++j) {
                if (used[j] && j != q) continue;
                e.matrix[i][j] = pool.subtract(e.matrix[i][j], pool.multiply(factor, e.matrix[p][j]));
                e.values[i][j] -= value * e.values[p][j];
            }
            e.values[i][q] = 0;
            e.rests[i] = pool.subtract(e.rests[i], pool.multiply(factor, e.rests[p]));
        }
    }
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
        if (eliminate(a, *elimination, derivatives.size(), may_replace) == derivatives.size()) continue;
        bool possible = true;
        for (std::size_t i = 0; i < elimination->rows.size(); ++i)
            possible = possible && (elimination->is_pivot[i] || may_replace(elimination->rows[i]));
        if (!possible) continue;
        for (const auto& row : given.matrix)
            for (Expr coefficient : row) a.make_structural(coefficient);
        for (std::size_t i = 0; i < elimination->rows.size(); ++i)
            if (!elimination->is_pivot[i]) found.push_back({elimination->rows[i], elimination->rests[i]});
    }
    return found;
}

}  // namespace cutset::passes
