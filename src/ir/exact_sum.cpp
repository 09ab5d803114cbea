#include "ir/exact_sum.h"

#include <algorithm>
#include <cmath>

namespace cutset {

namespace {

constexpr double largest_factor = 1e6;

bool is_parametric(const FlatModel& model, Expr e) {
    return !depends_on(e, [&](Expr leaf) {
        if (leaf->op != Op::Variable) return true;
        const Variability v = model.variables[leaf->variable()].variability;
        return v != Variability::Parameter && v != Variability::Constant;
    });
}

bool is_exact_term(const FlatModel& model, Expr term) {
    const bool is_product = term->op == Op::Multiply && term->argument_count == 2;
    const Expr rest = is_product && integer_factor(term) ? term->arg(1) : term;
    if (rest->op == Op::Variable && model.variables[rest->variable()].variability == Variability::Continuous)
        return rest->order == 0;
    return is_parametric(model, rest);
}

}  // namespace

std::span<const Expr> terms_of_sum(const Expr& sum) {
    if (sum->is_number(0)) return {};
    return sum->op == Op::Add ? sum->args() : std::span(&sum, 1);
}

std::optional<double> integer_factor(Expr term) {
    const Expr factor = term->op == Op::Multiply ? term->arg(0) : term;
    if (!factor->is_number() || std::abs(factor->number) > largest_factor ||
        factor->number != std::floor(factor->number))
        return std::nullopt;
    return factor->number;
}

bool is_exact(const FlatModel& model, const Equation& e) {
    const auto fits = [&](Expr side) {
        const auto terms = terms_of_sum(side);
        return std::all_of(terms.begin(), terms.end(), [&](Expr t) { return is_exact_term(model, t); });
    };
    return !e.left->boolean && fits(e.left) && fits(e.right);
}

}  // namespace cutset
