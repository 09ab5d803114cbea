#include "transform/combine_dependent.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_set>

#include "graph/strong_components.h"

namespace cutset::passes {
namespace {

constexpr std::size_t largest_loop = 300;

class LoopDependencies {
  public:
    LoopDependencies(Analysis& a, const System& system)
        : a_(a), system_(system), local_(system.columns.size(), none) {}

    std::vector<Combination> run() {
        const graph::Components components = graph::strong_components(system_.incidence, system_.matching);
        for (std::size_t c = 0; c < components.size(); ++c)
            if (components[c].size() > 1 && components[c].size() <= largest_loop) look_at(components[c]);
        return std::move(found_);
    }

  private:
    static constexpr std::uint32_t none = 0xFFFFFFFFu;

    void look_at(std::span<const std::uint32_t> loop) {
        RankDecision rank = posed(loop);
        if (a_.values.decide(rank)) return;
        for (std::uint32_t i = 0; i < loop.size(); ++i)
            local_[system_.matching.variable_of_equation[loop[i]]] = i;
        ExactArithmetic exact(a_, true);  // the combinations are those of these values
        std::vector<bool> taken(loop.size());
        for (const std::vector<std::uint32_t>& set :
             rank_of_gradients(exact.gradient(), rank.residuals, rank.unknowns).dependencies) {
            if (std::any_of(set.begin(), set.end(), [&](std::uint32_t i) { return taken[i]; })) continue;
            auto combination = combine(exact, loop, set);
            if (!combination) continue;
            for (std::uint32_t i : set) taken[i] = true;
            found_.push_back(std::move(*combination));
        }
        for (std::uint32_t r : loop) local_[system_.matching.variable_of_equation[r]] = none;
    }

    // Whether the equations of the loop determine its unknowns.
    RankDecision posed(std::span<const std::uint32_t> loop) {
        RankDecision rank;
        const auto has_value = [this](Expr e) {
            if (e->boolean || is_arithmetic(e) || a_.variation_of(e) > Variation::Parametric) return false;
            const auto x = a_.values.unremembered(e);
            return x && std::isfinite(*x);
        };
        const auto enters = [&](Expr e) { return has_slope(e->op) && !has_value(e); };
        std::unordered_set<Expr> parametric;
        for (std::uint32_t r : loop) {
            rank.unknowns.push_back(system_.columns[system_.matching.variable_of_equation[r]]);
            rank.residuals.push_back(system_.rows[r].residual);
            if (!rank.residuals.back()) continue;
            for (Expr e : nodes_in_order(rank.residuals.back(), enters))
                if (!e->is_number() && has_value(e) && parametric.insert(e).second)
                    rank.parametric.push_back(e);
        }
        return rank;
    }

    bool has_unknown_of_loop(std::uint32_t r, Expr e) {
        const auto leaves = a_.leaves({e});
        return std::any_of(leaves.begin(), leaves.end(), [&](Expr leaf) {
            for (std::uint32_t c : system_.incidence.row(r))
                if (system_.columns[c] == leaf) return local_[c] != none;
            return false;
        });
    }

    // What of a row must vanish: its terms with unknowns of the loop.
    std::optional<ExactSum> loop_part(ExactArithmetic& exact, std::uint32_t r) {
        if (!system_.rows[r].residual) return std::nullopt;
        Pool& pool = a_.pool();
        const Expr residual = system_.rows[r].residual;
        ExactSum part;
        std::vector<Expr> linear;
        for (std::uint32_t c : system_.incidence.row(r)) {
            if (local_[c] == none) continue;
            const auto form = as_linear(pool, residual, system_.columns[c]);
            if (form && !has_unknown_of_loop(r, form->coefficient)) linear.push_back(system_.columns[c]);
        }
        Expr rest = residual;
        if (const auto form = as_linear_form(pool, residual, linear)) {
            for (std::size_t i = 0; i < linear.size(); ++i)
                if (const Coefficient c = exact.of(form->coefficients[i]); !exact.is_zero(c))
                    part.emplace(linear[i]->id, std::pair(linear[i], c));
            rest = form->rest;
        }
        for (const auto& [id, term] : exact_sum(a_, exact, rest))
            if (has_unknown_of_loop(r, term.first)) part.emplace(id, term);
        return part;
    }

    struct ReducedRow {
        ExactSum terms;
        std::map<std::uint32_t, Coefficient> of;  // by row of the system
        std::uint32_t pivot = 0;                  // id of the node that is eliminated by it
    };

    static void subtract(ExactArithmetic& exact, ReducedRow& row, const Coefficient& factor,
                         const ReducedRow& other) {
        const Coefficient minus = exact.negative(factor);
        add_multiple(exact, row.terms, minus, other.terms);
        for (const auto& [r, c] : other.of) {
            const Coefficient more = exact.product(minus, c);
            const auto at = row.of.find(r);
            if (at == row.of.end()) {
                row.of.emplace(r, more);
                continue;
            }
            at->second = exact.sum(at->second, more);
            if (exact.is_zero(at->second)) row.of.erase(at);
        }
    }

    // Of the terms left in a row one to eliminate from the others: a parameter that is not zero.
    static const std::pair<Expr, Coefficient>* choose_pivot(const ExactSum& terms) {
        const std::pair<Expr, Coefficient>* best = nullptr;
        const auto is_unit = [](const Coefficient& c) { return abs(*c.value) == 1; };
        for (const auto& [id, term] : terms)
            if (term.second.value && (!best || (is_unit(term.second) && !is_unit(best->second))))
                best = &term;
        return best;
    }

    std::optional<Combination> combine(ExactArithmetic& exact, std::span<const std::uint32_t> loop,
                                       const std::vector<std::uint32_t>& set) {
        std::vector<ReducedRow> pivots;
        for (std::uint32_t i : set) {
            ReducedRow row;
            auto part = loop_part(exact, loop[i]);
            if (!part) return std::nullopt;
            row.terms = std::move(*part);
            row.of.emplace(loop[i], exact.number(1));
            for (const ReducedRow& p : pivots)
                if (const auto at = row.terms.find(p.pivot); at != row.terms.end()) {
                    const Coefficient factor = exact.quotient(at->second.second, p.terms.at(p.pivot).second);
                    subtract(exact, row, factor, p);
                    row.terms.erase(p.pivot);
                }
            if (row.terms.empty()) return finished(row);
            const auto* pivot = choose_pivot(row.terms);
            if (!pivot) return std::nullopt;
            row.pivot = pivot->first->id;
            pivots.push_back(std::move(row));
        }
        return std::nullopt;
    }

    static Combination finished(const ReducedRow& row) {
        Combination result;
        for (const auto& [r, c] : row.of) {
            result.of.emplace_back(r, c);
            result.constant = result.constant && c.value.has_value();
        }
        return result;
    }

    Analysis& a_;
    const System& system_;
    std::vector<std::uint32_t> local_;  // by column: its number in the loop at hand
    std::vector<Combination> found_;
};

}  // namespace

std::vector<Combination> find_combinations(Analysis& a, const System& system) {
    return LoopDependencies(a, system).run();
}

namespace {

// Numbers of programs hold whole numbers up to here exactly.
const Integer largest_whole = Integer(1) << 53;

// What makes the coefficients of these terms whole numbers without a common factor; nothing where that makes
// one of them too large, or one is no number.
template <class Wanted>
std::optional<Rational> factor_to_whole(const ExactSum& sum, Wanted wanted) {
    Integer multiple = 1, divisor = 0;
    for (const auto& [id, term] : sum) {
        const Coefficient& c = term.second;
        if (!c.value || !c.formula->is_number()) return std::nullopt;
        if (!wanted(term.first)) continue;
        multiple = lcm(multiple, c.value->get_den());
        divisor = gcd(divisor, c.value->get_num());
        if (multiple > largest_whole) return std::nullopt;
    }
    if (divisor == 0) return std::nullopt;
    Rational factor(multiple, divisor);
    factor.canonicalize();
    for (const auto& [id, term] : sum)
        if (wanted(term.first) && abs(Rational(*term.second.value * factor)) > largest_whole)
            return std::nullopt;
    return factor;
}

// Fractions would be rounded when they are written out, and the next combination would take what is left of
// them for exact. So all terms get whole coefficients, or at least the variables, where numbers hold them.
void make_whole(ExactArithmetic& exact, ExactSum& sum) {
    std::optional<Rational> factor = factor_to_whole(sum, [](Expr) { return true; });
    if (!factor) factor = factor_to_whole(sum, [](Expr e) { return e->op == Op::Variable; });
    if (!factor) return;
    const Coefficient c = exact.number(*factor);
    for (auto& [id, term] : sum) term.second = exact.product(c, term.second);
}

// Where rounded numbers stand among parameters in a coefficient, the next combination would take what is left
// of them for exact: the coefficients become numbers, and the parameters in them shape the model.
void settle(Analysis& a, ExactArithmetic& exact, ExactSum& sum) {
    if (std::all_of(sum.begin(), sum.end(),
                    [&](const auto& term) { return exact.is_reproducible(term.second.second); }))
        return;
    for (auto& [id, term] : sum) {
        if (!term.second.value) continue;
        a.make_structural(term.second.formula);
        term.second = exact.number(*term.second.value);
    }
}

}  // namespace

Expr combined(Analysis& a, const std::vector<std::pair<Expr, Coefficient>>& residuals) {
    ExactArithmetic exact(a, true);
    ExactSum sum;
    for (const auto& [residual, factor] : residuals)
        add_multiple(exact, sum, factor, exact_sum(a, exact, residual));
    settle(a, exact, sum);
    make_whole(exact, sum);
    // A variable that cancels for all values of what it is multiplied by may still be there to see.
    const Expr result = written_out(a, sum);
    Substitution without(a.pool());
    const auto found = a.leaves({result});
    for (Expr leaf : std::vector<Expr>(found.begin(), found.end()))
        if (const auto form = as_linear(a.pool(), result, leaf);
            form && a.is_unknown(leaf->variable()) && exact.is_zero(exact.of(form->coefficient)))
            without.replace(leaf, a.pool().number(0));
    return without.empty() ? result : without(result);
}

}  // namespace cutset::passes
