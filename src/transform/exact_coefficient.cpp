#include "transform/exact_coefficient.h"

#include <algorithm>
#include <cmath>

#include "ir/exact_sum.h"

namespace cutset::passes {

namespace {

constexpr std::size_t most_bits = 4096;  // of a numerator or denominator
constexpr std::int64_t largest_power = 64;

bool is_short(const Rational& x) {
    return mpz_sizeinbase(x.get_num().get_mpz_t(), 2) < most_bits &&
           mpz_sizeinbase(x.get_den().get_mpz_t(), 2) < most_bits;
}

std::optional<Rational> power(const Rational& base, std::int64_t exponent) {
    if (std::abs(exponent) > largest_power || (exponent < 0 && base == 0)) return std::nullopt;
    Rational result = 1;
    for (std::int64_t k = std::abs(exponent); k > 0 && is_short(result); --k) result *= base;
    if (!is_short(result)) return std::nullopt;
    return exponent < 0 ? Rational(1 / result) : result;
}

}  // namespace

ExactArithmetic::ExactArithmetic(Analysis& a, bool remembers)
    : a_(a), remembers_(remembers), gradient_([this](Expr e) { return residue(e); }, has_slope) {}

std::optional<Rational> ExactArithmetic::exact(Expr parametric) {
    if (const auto* known = values_.find(parametric)) return *known;
    const auto number = remembers_ ? a_.values.ask(parametric) : a_.values.unremembered(parametric);
    std::optional<Rational> value;
    if (number && std::isfinite(*number)) {
        value = fraction(parametric);
        if (!value) value = simple_rational(*number);
    }
    values_.insert(parametric, value);
    return value;
}

// Of what its parameters are: what cancels in exact arithmetic leaves no rounding error.
std::optional<Rational> ExactArithmetic::fraction(Expr parametric) {
    if (const auto* known = fractions_.find(parametric)) return *known;
    std::optional<Rational> value;
    if (!is_arithmetic(parametric)) {
        const auto number = a_.values.unremembered(parametric);
        if (number && std::isfinite(*number)) value = simple_rational(*number);
    } else if (const auto exponent = whole_exponent(parametric)) {
        if (const auto base = fraction(parametric->arg(0))) value = power(*base, *exponent);
    } else {
        const bool sum = parametric->op == Op::Add;
        value = Rational(sum ? 0 : 1);
        for (Expr a : parametric->args()) {
            const auto x = fraction(a);
            if (x && value && is_short(*value)) {
                if (sum)
                    *value += *x;
                else
                    *value *= *x;
            } else {
                value = std::nullopt;
            }
        }
    }
    fractions_.insert(parametric, value);
    return value;
}

std::optional<std::uint64_t> ExactArithmetic::residue(Expr e) {
    if (e->boolean || a_.variation_of(e) > Variation::Parametric) return std::nullopt;
    if (const auto* known = residues_.find(e)) return *known;
    std::optional<std::uint64_t> result;
    if (const auto value = exact(e)) result = modulo_prime(*value);
    residues_.insert(e, result);
    return result;
}

Coefficient ExactArithmetic::of(Expr e) {
    Coefficient c{e, std::nullopt};
    if (a_.variation_of(e) <= Variation::Parametric) c.value = exact(e);
    return c;
}

Coefficient ExactArithmetic::number(const Rational& value) {
    return {a_.pool().number(nearest(value)), value};
}

Coefficient ExactArithmetic::product(const Coefficient& x, const Coefficient& y) {
    std::optional<Rational> value;
    if (x.value && y.value) value = Rational(*x.value * *y.value);
    if (value && x.formula->is_number() && y.formula->is_number()) return number(*value);
    return {a_.pool().multiply(x.formula, y.formula), value};
}

Coefficient ExactArithmetic::quotient(const Coefficient& x, const Coefficient& y) {
    std::optional<Rational> value;
    if (x.value && y.value && *y.value != 0) value = Rational(*x.value / *y.value);
    if (value && x.formula->is_number() && y.formula->is_number()) return number(*value);
    return {a_.pool().divide(x.formula, y.formula), value};
}

Coefficient ExactArithmetic::sum(const Coefficient& x, const Coefficient& y) {
    std::optional<Rational> value;
    if (x.value && y.value) value = Rational(*x.value + *y.value);
    if (value && x.formula->is_number() && y.formula->is_number()) return number(*value);
    if (value && *value == 0) {  // for these values of parameters
        a_.make_structural(x.formula);
        a_.make_structural(y.formula);
        return number(0);
    }
    return {a_.pool().add(x.formula, y.formula), value};
}

Coefficient ExactArithmetic::negative(const Coefficient& x) {
    return product(number(-1), x);
}

bool ExactArithmetic::is_reproducible(const Coefficient& c) {
    return !c.value || fraction(c.formula) == c.value;
}

bool ExactArithmetic::is_zero(const Coefficient& c) {
    if (c.value) return *c.value == 0;
    return c.formula->is_number() ? c.formula->number == 0 : gradient_.value(c.formula) == 0;
}

ExactSum exact_sum(Analysis& a, ExactArithmetic& exact, Expr e) {
    Pool& pool = a.pool();
    const auto found = a.leaves({e});
    std::vector<Expr> linear(found.begin(), found.end());
    std::erase_if(linear, [&](Expr leaf) {
        if (a.variation_of(leaf) <= Variation::Parametric) return true;
        const auto form = as_linear(pool, e, leaf);
        return !form || a.variation_of(form->coefficient) > Variation::Parametric;
    });
    ExactSum sum;
    const auto add = [&](Expr node, const Coefficient& c) {
        add_multiple(exact, sum, exact.number(1), {{node->id, {node, c}}});
    };
    Expr rest = e;
    if (const auto form = as_linear_form(pool, e, linear)) {
        for (std::size_t i = 0; i < linear.size(); ++i)
            if (!form->coefficients[i]->is_number(0)) add(linear[i], exact.of(form->coefficients[i]));
        rest = form->rest;
    }
    for (Expr term : terms_of_sum(rest)) {
        std::vector<Expr> parametric, others;
        const std::span<const Expr> factors =
            term->op == Op::Multiply ? term->args() : std::span<const Expr>(&term, 1);
        for (Expr f : factors)
            (a.variation_of(f) <= Variation::Parametric ? parametric : others).push_back(f);
        const Expr node = others.empty() ? pool.number(1) : pool.multiply(others);
        add(node, parametric.empty() ? exact.number(1) : exact.of(pool.multiply(parametric)));
    }
    return sum;
}

void add_multiple(ExactArithmetic& exact, ExactSum& total, const Coefficient& factor, const ExactSum& terms) {
    for (const auto& [id, term] : terms) {
        const Coefficient more = exact.product(factor, term.second);
        const auto at = total.find(id);
        if (at == total.end()) {
            if (!exact.is_zero(more)) total.emplace(id, std::pair(term.first, more));
            continue;
        }
        at->second.second = exact.sum(at->second.second, more);
        if (exact.is_zero(at->second.second)) total.erase(at);
    }
}

Expr written_out(Analysis& a, const ExactSum& sum) {
    std::vector<Expr> terms;
    for (const auto& [id, term] : sum) terms.push_back(a.pool().multiply(term.second.formula, term.first));
    return terms.empty() ? a.pool().number(0) : a.pool().add(terms);
}

}  // namespace cutset::passes
