#include "transform/solve.h"

#include <algorithm>
#include <cmath>

#include "expr/elementary_functions.h"

namespace cutset::passes {
namespace {

enum class Sign { Unknown, Positive, Negative, NotNegative };

// What can be said about the sign of e at all times, for the values of this run's parameters.
Sign sign_of(Analysis& a, Expr e, int depth = 0) {
    if (a.variation_of(e) <= Variation::Parametric) {
        const auto value = a.values.ask(e, ParameterValues::Asked::Sign);
        if (!value || !std::isfinite(*value)) return Sign::Unknown;
        return *value > 0 ? Sign::Positive : *value < 0 ? Sign::Negative : Sign::NotNegative;
    }
    if (depth > 20) return Sign::Unknown;
    switch (e->op) {
        case Op::NoEvent:
            return sign_of(a, e->arg(0), depth + 1);
        case Op::Power:
            if (e->arg(1)->is_number()) {
                const double n = e->arg(1)->number;
                const Sign base = sign_of(a, e->arg(0), depth + 1);
                if (base == Sign::Positive) return Sign::Positive;
                if (n > 0 && std::fmod(n, 2) == 0)
                    return base == Sign::Negative ? Sign::Positive : Sign::NotNegative;
            }
            return Sign::Unknown;
        case Op::Multiply: {
            bool negative = false, zero = false;
            for (Expr f : e->args()) {
                const Sign s = sign_of(a, f, depth + 1);
                if (s == Sign::Unknown) return Sign::Unknown;
                negative ^= s == Sign::Negative;
                zero = zero || s == Sign::NotNegative;
            }
            if (zero) return negative ? Sign::Unknown : Sign::NotNegative;
            return negative ? Sign::Negative : Sign::Positive;
        }
        case Op::Add: {
            bool positive = false, negative = false, zero = false;
            for (Expr t : e->args()) {
                const Sign s = sign_of(a, t, depth + 1);
                if (s == Sign::Unknown) return Sign::Unknown;
                positive = positive || s == Sign::Positive;
                negative = negative || s == Sign::Negative;
                zero = zero || s == Sign::NotNegative;
            }
            if (negative) return positive || zero ? Sign::Unknown : Sign::Negative;
            return positive ? Sign::Positive : Sign::NotNegative;
        }
        case Op::If: {
            std::optional<Sign> all;
            for (std::size_t i = 0; i < e->argument_count; ++i) {
                if (i % 2 == 0 && i + 1 < e->argument_count) continue;
                const Sign s = sign_of(a, e->arg(i), depth + 1);
                if (all && *all != s) return Sign::Unknown;
                all = s;
            }
            return *all;
        }
        default: {
            const ElementaryFunction* f = elementary_function(e->op);
            if (!f || !f->range.not_negative()) return Sign::Unknown;
            return f->range.positive() ? Sign::Positive : Sign::NotNegative;
        }
    }
}

// c < 0 as written: a negative number, a product that begins with one, or a sum of such terms.
bool looks_negative(Expr c) {
    if (c->is_number()) return c->number < 0;
    if (c->op == Op::Add) return std::all_of(c->args().begin(), c->args().end(), looks_negative);
    return c->op == Op::Multiply && c->arg(0)->is_number() && c->arg(0)->number < 0;
}

// f(u) = r for u; nothing when f has no single inverse.
std::optional<Expr> inverse_of(Analysis& a, Expr f, Expr r) {
    Pool& pool = a.pool();
    const auto without_event = [&](Expr condition, Expr then, Expr otherwise) {
        return pool.call(Op::NoEvent, pool.choose(condition, then, otherwise));
    };
    const Expr zero = pool.number(0);
    switch (f->op) {
        case Op::Exp:
            return pool.call(Op::Ln, r);
        case Op::Ln:
            return pool.call(Op::Exp, r);
        case Op::Log10:
            return pool.power(pool.number(10), r);
        case Op::Sqrt:
            if (sign_of(a, r) == Sign::Positive) return pool.power(r, pool.number(2));
            // What is negative by rounding only is zero.
            return without_event(pool.less(r, pool.number(-1e-12)), pool.call(Op::Sqrt, r),
                                 pool.power(r, pool.number(2)));
        case Op::Power: {
            if (!f->arg(1)->is_number()) return std::nullopt;
            const double n = f->arg(1)->number;
            if (n == -1) return pool.power(r, pool.number(-1));
            if (n != std::floor(n) || std::fmod(n, 2) == 0) return std::nullopt;
            const Expr root = pool.number(1 / n);
            if (sign_of(a, r) == Sign::Positive) return pool.power(r, root);
            return without_event(pool.less(r, zero), pool.negate(pool.power(pool.negate(r), root)),
                                 pool.power(r, root));
        }
        default:
            return std::nullopt;
    }
}

// f(…, u, …) = r for u, by the function that the modeller gives for it.
std::optional<Expr> inverse_by_rule(Analysis& a, Expr f, Expr u, Expr r) {
    const auto* function = std::get_if<FunctionData>(&a.model().callees[f->callee()]);
    if (!function || f->derivatives > 0) return std::nullopt;
    for (const auto& [argument, inverse] : function->inverses) {
        if (f->arg(argument) != u) continue;
        std::vector<Expr> arguments(f->args().begin(), f->args().end());
        arguments[argument] = r;
        return a.pool().apply(inverse, 0, arguments);
    }
    return std::nullopt;
}

}  // namespace

Expr quotient(Pool& pool, Expr numerator, Expr denominator) {
    if (looks_negative(denominator)) return pool.divide(pool.negate(numerator), pool.negate(denominator));
    return pool.divide(numerator, denominator);
}

graph::Solvability divisor_quality(Analysis& a, Expr coefficient) {
    if (a.variation_of(coefficient) <= Variation::Parametric) {
        const auto value = a.values.ask(coefficient, ParameterValues::Asked::Zero);
        if (!value) return graph::Solvability::Avoid;
        return *value != 0 && std::isfinite(*value) ? graph::Solvability::Good : graph::Solvability::Never;
    }
    const Sign sign = sign_of(a, coefficient);
    return sign == Sign::Positive || sign == Sign::Negative ? graph::Solvability::Good
                                                            : graph::Solvability::Avoid;
}

std::optional<Expr> solved_for(Analysis& a, const Row& row, Expr unknown) {
    // As written where it already has the form v = e.
    if (row.left == unknown && !a.leaves.occurs(unknown, row.right)) return row.right;
    if (row.right == unknown && !a.leaves.occurs(unknown, row.left)) return row.left;
    if (!row.residual) return std::nullopt;
    Pool& pool = a.pool();
    const auto linear = as_linear(pool, row.residual, unknown);
    if (!linear || divisor_quality(a, linear->coefficient) == graph::Solvability::Never) return std::nullopt;
    if (a.leaves.occurs(unknown, linear->rest)) return std::nullopt;
    return quotient(pool, pool.negate(linear->rest), linear->coefficient);
}

std::optional<Expr> solved_by_inverse(Analysis& a, const Row& row, Expr unknown) {
    if (!row.residual) return std::nullopt;
    Pool& pool = a.pool();
    Expr left = row.residual, right = pool.number(0);  // left = right, the unknown in one place of the left
    for (int depth = 0; left != unknown; ++depth) {
        if (depth > 50) return std::nullopt;
        Expr inside = nullptr;
        std::vector<Expr> others;
        for (Expr argument : left->args()) {
            if (!a.leaves.occurs(unknown, argument)) {
                others.push_back(argument);
                continue;
            }
            if (inside) return std::nullopt;
            inside = argument;
        }
        if (!inside) return std::nullopt;
        if (left->op == Op::Add) {
            right = pool.subtract(right, pool.add(others));
        } else if (left->op == Op::Multiply) {
            const Expr factor = pool.multiply(others);
            if (divisor_quality(a, factor) == graph::Solvability::Never) return std::nullopt;
            right = quotient(pool, right, factor);
        } else if (left->op == Op::Apply) {
            const auto value = inverse_by_rule(a, left, inside, right);
            if (!value) return std::nullopt;
            right = *value;
        } else if (const auto value = inside == left->arg(0) ? inverse_of(a, left, right) : std::nullopt) {
            right = *value;
        } else {
            return std::nullopt;
        }
        left = inside;
    }
    return right;
}

}  // namespace cutset::passes
