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

}  // namespace cutset::passes
