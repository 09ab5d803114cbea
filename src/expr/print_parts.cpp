#include "expr/print_parts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cutset {

namespace {

// Coefficients like 0.3333333333333333 came from a division: shows them as 1/3. `joined`: the denominator
// will stand in a product, so that reading back multiplies by its rounded reciprocal.
void split_fraction(double v, bool joined, double& numerator, double& denominator) {
    numerator = v;
    denominator = 1;
    if (number_text(v).size() < 10) return;
    for (int q = 3; q <= 1000; ++q) {
        const double p = std::round(v * q);
        if (p < 1 || p > 1000 || std::gcd(static_cast<int>(p), q) > 1) continue;
        if ((joined ? p * (1.0 / q) : p / q) == v) {
            numerator = p;
            denominator = q;
            return;
        }
    }
}

double coefficient_of(Expr e) {
    if (e->is_number()) return e->number;
    return e->op == Op::Multiply && e->arg(0)->is_number() ? e->arg(0)->number : 1;
}

}  // namespace

ProductParts product_parts(Expr e) {
    ProductParts parts;
    double coefficient = 1;
    const auto factor = [&](Expr a, bool first) {
        if (first && a->is_number()) {
            coefficient = a->number;
        } else if (a->op == Op::Power && a->arg(1)->is_number()) {
            const double exponent = a->arg(1)->number;
            (exponent < 0 ? parts.below : parts.above).push_back({a->arg(0), std::abs(exponent)});
        } else {
            parts.above.push_back({a, 1});
        }
    };
    if (e->op == Op::Multiply) {
        for (std::size_t i = 0; i < e->argument_count; ++i) factor(e->arg(i), i == 0);
    } else {
        factor(e, true);
    }
    parts.negative = std::signbit(coefficient);
    parts.numerator = std::abs(coefficient);
    // 3*(a + b) below the line would read back as 3*a + 3*b: not the same node.
    const bool sum_below = std::any_of(parts.below.begin(), parts.below.end(), [](const auto& f) {
        return f.base->op == Op::Add && f.exponent == 1;
    });
    if (!sum_below)
        split_fraction(std::abs(coefficient), !parts.below.empty(), parts.numerator, parts.denominator);
    return parts;
}

SumParts sum_parts(Expr e) {
    SumParts parts;
    parts.terms.assign(e->args().begin(), e->args().end());
    const double size = std::abs(coefficient_of(parts.terms[0]));
    const bool common = size != 1 && std::all_of(parts.terms.begin(), parts.terms.end(), [&](Expr t) {
                            return !t->is_number() && std::abs(coefficient_of(t)) == size;
                        });
    if (common) {
        parts.has_common = true;
        split_fraction(size, false, parts.common.numerator, parts.common.denominator);
    }
    // A positive term leads, if there is one: b - a rather than -a + b.
    const auto positive = std::find_if(parts.terms.begin(), parts.terms.end(),
                                       [](Expr t) { return !std::signbit(coefficient_of(t)); });
    if (positive != parts.terms.end()) std::rotate(parts.terms.begin(), positive, positive + 1);
    for (Expr t : parts.terms) parts.negative.push_back(std::signbit(coefficient_of(t)));
    return parts;
}

bool reads_as_greater(Expr relation) {
    const Expr a = relation->arg(0), b = relation->arg(1);
    if (a->is_number() != b->is_number()) return a->is_number();
    return a->id > b->id;
}

}  // namespace cutset
