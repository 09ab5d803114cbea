#include "transform/dependent_starts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "transform/messages.h"

namespace cutset::passes {
namespace {

constexpr double rounding = 1e-12;  // of the terms that were added: what is left of a cancelled coefficient
constexpr double agreement = 1e-9;  // the same of a right side: literals rarely have more digits
constexpr std::size_t most_terms = 2'000'000;

struct LinearRow {
    std::map<std::uint32_t, double> terms;  // by id of the unknown
    double rest = 0, size = 0;              // Σ terms + rest = 0; the largest summand of rest
    std::map<std::uint32_t, double> of;     // the equations that it is combined from, with their factors
};

// Nothing when the equation is not linear with known coefficients.
std::optional<LinearRow> linear_row(Analysis& a, EquationIndex e) {
    const Equation& equation = a.model().initial_equations[e];
    if (equation.left->boolean) return std::nullopt;
    Pool& pool = a.pool();
    const Expr residual = pool.subtract(equation.left, equation.right);
    const auto found = a.leaves({residual});
    const std::vector<Expr> leaves(found.begin(), found.end());
    LinearRow row;
    Substitution zero(pool);
    for (Expr leaf : leaves) {
        const Variable& v = a.model().variables[leaf->variable()];
        const bool unknown = v.variability == Variability::Continuous || v.free_parameter || v.start_open;
        if (!unknown) continue;
        Expr coefficient;
        try {
            coefficient = differentiate(pool, residual, leaf);
        } catch (const std::domain_error&) {
            return std::nullopt;
        }
        if (a.variation_of(coefficient) > Variation::Parametric) return std::nullopt;
        const auto value = a.values.ask(coefficient);
        if (!value || !std::isfinite(*value)) return std::nullopt;
        if (*value != 0) row.terms[leaf->id] = *value;
        zero.replace(leaf, pool.number(0));
    }
    const Expr rest = zero.empty() ? residual : zero(residual);
    if (a.variation_of(rest) > Variation::Parametric) return std::nullopt;
    const auto value = a.values.ask(rest);
    if (!value || !std::isfinite(*value)) return std::nullopt;
    row.rest = *value;
    row.size = std::abs(*value);
    row.of[e.value] = 1;
    return row;
}

}  // namespace

std::vector<bool> dependent_initial_equations(Analysis& a, std::size_t written, Diagnostics& diagnostics) {
    std::vector<bool> superfluous(written);
    std::map<std::uint32_t, LinearRow> pivots;  // by id of the unknown that the row is solved for
    std::size_t work = 0;
    for (EquationIndex e(0); e.value < written && work < most_terms; ++e.value) {
        std::optional<LinearRow> row = linear_row(a, e);
        if (!row || row->terms.empty()) continue;
        double largest = 0;
        for (const auto& [id, value] : row->terms) largest = std::max(largest, std::abs(value));
        // Rows are reduced in the order of the unknowns; what a row brings in stands behind its pivot.
        for (auto term = row->terms.begin(); term != row->terms.end();) {
            const auto pivot = pivots.find(term->first);
            if (pivot == pivots.end()) {
                ++term;
                continue;
            }
            const double factor = term->second;
            const std::uint32_t id = term->first;
            work += pivot->second.terms.size() + pivot->second.of.size();
            for (const auto& [other, value] : pivot->second.terms) {
                double& sum = row->terms[other];
                const double part = factor * value;
                const double before = std::max(std::abs(sum), std::abs(part));
                sum -= part;
                if (std::abs(sum) <= rounding * std::max(before, largest)) sum = 0;
            }
            row->rest -= factor * pivot->second.rest;
            row->size = std::max(row->size, std::abs(factor) * pivot->second.size);
            for (const auto& [equation, value] : pivot->second.of) row->of[equation] -= factor * value;
            row->terms.erase(id);
            std::erase_if(row->terms, [](const auto& t) { return t.second == 0; });
            term = row->terms.upper_bound(id);
        }
        if (!row->terms.empty()) {
            // The first unknown as the pivot keeps the order; it is not to be divided by when it is tiny.
            const double first = row->terms.begin()->second;
            if (std::abs(first) <= 1e-9 * largest) continue;
            for (auto& [id, value] : row->terms) value /= first;
            for (auto& [equation, value] : row->of) value /= first;
            row->rest /= first;
            row->size /= std::abs(first);
            pivots.emplace(row->terms.begin()->first, std::move(*row));
            continue;
        }
        std::vector<EquationIndex> others;
        for (const auto& [equation, value] : row->of)
            if (equation != e.value && std::abs(value) > rounding) others.emplace_back(equation);
        if (others.empty()) continue;  // 0 = 0 or 0 = 1: its own concern
        superfluous[e.value] = true;
        const bool agree = std::abs(row->rest) <= agreement * row->size || row->rest == 0;
        diagnostics.report(agree ? repeated_initial_equation(a, e, others)
                                 : contradictory_initial_equations(a, e, others));
    }
    return superfluous;
}

}  // namespace cutset::passes
