#include "expr/assumptions.h"

#include <algorithm>
#include <cmath>

#include "expr/elementary_functions.h"

namespace cutset {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

Range single(double v) {
    return {v, v, false, false, v != 0};
}

Range intersect(const Range& a, const Range& b) {
    Range r;
    r.low = std::max(a.low, b.low);
    r.high = std::min(a.high, b.high);
    r.low_open = (a.low == r.low && a.low_open) || (b.low == r.low && b.low_open);
    r.high_open = (a.high == r.high && a.high_open) || (b.high == r.high && b.high_open);
    r.nonzero = a.nonzero || b.nonzero;
    return r;
}

Range hull(const Range& a, const Range& b) {
    Range r;
    r.low = std::min(a.low, b.low);
    r.high = std::max(a.high, b.high);
    r.low_open = (a.low > r.low || a.low_open) && (b.low > r.low || b.low_open);
    r.high_open = (a.high < r.high || a.high_open) && (b.high < r.high || b.high_open);
    r.nonzero = a.excludes_zero() && b.excludes_zero();
    return r;
}

Range sum(const Range& a, const Range& b) {
    return {a.low + b.low, a.high + b.high, a.low_open || b.low_open, a.high_open || b.high_open, false};
}

Range product(const Range& a, const Range& b) {
    struct End {
        double value;
        bool open;
    };
    const auto times = [](double x, bool x_open, double y, bool y_open) -> End {
        if (x == 0 || y == 0) return {0, (x == 0 && x_open) || (y == 0 && y_open)};
        return {x * y, x_open || y_open};
    };
    const End ends[4] = {
        times(a.low, a.low_open, b.low, b.low_open), times(a.low, a.low_open, b.high, b.high_open),
        times(a.high, a.high_open, b.low, b.low_open), times(a.high, a.high_open, b.high, b.high_open)};
    Range r{ends[0].value, ends[0].value, ends[0].open, ends[0].open, false};
    for (const End& e : ends) {
        if (e.value < r.low || (e.value == r.low && !e.open)) {
            r.low_open = e.value < r.low ? e.open : false;
            r.low = e.value;
        }
        if (e.value > r.high || (e.value == r.high && !e.open)) {
            r.high_open = e.value > r.high ? e.open : false;
            r.high = e.value;
        }
    }
    r.nonzero = a.excludes_zero() && b.excludes_zero();
    return r;
}

// Outward by a little, because rounding of the ends is not controlled.
Range rounded(Range r) {
    if (r.low != 0 && std::isfinite(r.low) && r.low != std::floor(r.low))
        r.low = std::nextafter(r.low, -infinite);
    if (r.high != 0 && std::isfinite(r.high) && r.high != std::floor(r.high))
        r.high = std::nextafter(r.high, infinite);
    return r;
}

bool is_even(double n) {
    return n == 2 * std::floor(n / 2);
}

Range power(const Range& x, double n) {
    const bool whole = n == std::floor(n);
    Range r;
    if (n < 0) {
        const Range below = power(x, -n);
        r.nonzero = true;
        if (below.not_negative()) {
            r.low = 0;
            r.low_open = true;
            if (below.low > 0) r.high = 1 / below.low;
            if (std::isfinite(below.high)) r.low = 1 / below.high, r.low_open = below.high_open;
        } else if (below.not_positive()) {
            r.high = 0;
            r.high_open = true;
        }
        return r;
    }
    if (whole && is_even(n)) {
        r.low = 0;
        if (x.not_negative()) {
            r.low = std::pow(x.low, n);
            r.low_open = x.low_open;
        }
        const double largest = std::max(std::abs(x.low), std::abs(x.high));
        r.high = std::pow(largest, n);
        r.nonzero = x.excludes_zero();
        return r;
    }
    if (whole) {
        r = {std::pow(x.low, n), std::pow(x.high, n), x.low_open, x.high_open, x.excludes_zero()};
        return r;
    }
    // Defined for x >= 0 only.
    r.low = x.low > 0 ? std::pow(x.low, n) : 0;
    r.low_open = x.low >= 0 && x.low_open;
    if (x.high >= 0) r.high = std::pow(x.high, n);
    r.nonzero = x.excludes_zero();
    return r;
}

}  // namespace

Range Assumptions::range(Expr e) const {
    Range r = computed(e);
    if (const auto known = known_.find(e); known != known_.end()) r = intersect(r, known->second);
    return r;
}

Range Assumptions::computed(Expr e) const {
    switch (e->op) {
        case Op::Number:
            return single(e->number);
        case Op::Add: {
            Range r = single(0);
            for (Expr a : e->args()) r = sum(r, range(a));
            // A difference that is known the other way round: b - a for a - b.
            if (const auto known = known_.find(pool_.negate(e)); known != known_.end()) {
                const Range& k = known->second;
                r = intersect(r, {-k.high, -k.low, k.high_open, k.low_open, k.nonzero});
            }
            return rounded(r);
        }
        case Op::Multiply: {
            Range r = single(1);
            for (Expr a : e->args()) r = product(r, range(a));
            return rounded(r);
        }
        case Op::Power:
            if (e->arg(1)->is_number()) return rounded(power(range(e->arg(0)), e->arg(1)->number));
            if (range(e->arg(0)).positive()) return {0, infinite, true, false, true};
            return {};
        case Op::Sqrt:
            return rounded(power(range(e->arg(0)), 0.5));
        case Op::Exp: {
            const Range x = range(e->arg(0));
            return rounded(
                {std::exp(x.low), std::exp(x.high), x.low_open || x.low == -infinite, x.high_open, true});
        }
        case Op::Ln: {
            const Range x = range(e->arg(0));
            Range r;
            if (x.low > 0) r.low = std::log(x.low), r.low_open = x.low_open;
            if (x.high > 0) r.high = std::log(x.high), r.high_open = x.high_open;
            return rounded(r);
        }
        case Op::Abs: {
            const Range x = range(e->arg(0));
            Range r{0, std::max(std::abs(x.low), std::abs(x.high)), false, false, x.excludes_zero()};
            if (x.not_negative()) r = x;
            if (x.not_positive()) r = {-x.high, -x.low, x.high_open, x.low_open, x.nonzero};
            return r;
        }
        case Op::Sign: {
            const Range x = range(e->arg(0));
            return {x.not_negative() ? (x.positive() ? 1.0 : 0.0) : -1.0,
                    x.not_positive() ? (x.negative() ? -1.0 : 0.0) : 1.0, false, false, x.excludes_zero()};
        }
        case Op::Min: {
            const Range a = range(e->arg(0)), b = range(e->arg(1));
            Range r = hull(a, b);
            if (a.high < r.high) r.high = a.high, r.high_open = a.high_open;
            if (b.high < r.high) r.high = b.high, r.high_open = b.high_open;
            return r;
        }
        case Op::Max: {
            const Range a = range(e->arg(0)), b = range(e->arg(1));
            Range r = hull(a, b);
            if (a.low > r.low) r.low = a.low, r.low_open = a.low_open;
            if (b.low > r.low) r.low = b.low, r.low_open = b.low_open;
            return r;
        }
        case Op::If: {
            Range r = range(e->args().back());
            for (std::size_t i = 1; i + 1 < e->argument_count; i += 2) r = hull(r, range(e->arg(i)));
            return r;
        }
        case Op::NoEvent:
            return range(e->arg(0));
        default: {
            const ElementaryFunction* f = elementary_function(e->op);
            if (!f) return {};
            Range r = f->range;
            if (f->zero_at_zero_only) r.nonzero = range(e->arg(0)).excludes_zero();
            return r;
        }
    }
}

bool Assumptions::restrict(Expr e, const Range& wanted) {
    Range& known = known_[e];
    known = intersect(known, wanted);
    return !intersect(computed(e), known).empty();
}

bool Assumptions::add(Expr condition) {
    if (condition->op == Op::And) {
        bool good = true;
        for (Expr c : condition->args()) good = add(c) && good;
        return good;
    }
    if (!add_relation(condition)) return false;
    list_.push_back(condition);
    return true;
}

// a < b as b - a > 0, and as a bound where one side is a number.
bool Assumptions::add_relation(Expr c) {
    if (c->op == Op::Not) {
        const Expr r = c->arg(0);
        if (r->op == Op::Equal) return add_relation(pool_.not_equal(r->arg(0), r->arg(1)));
        if (r->op == Op::NotEqual) return add_relation(pool_.equal(r->arg(0), r->arg(1)));
        if (r->op == Op::Less) return add_relation(pool_.less_equal(r->arg(1), r->arg(0)));
        if (r->op == Op::LessEqual) return add_relation(pool_.less(r->arg(1), r->arg(0)));
        return false;
    }
    if (c->op != Op::Less && c->op != Op::LessEqual && c->op != Op::NotEqual && c->op != Op::Equal)
        return false;
    const Expr a = c->arg(0), b = c->arg(1);
    const bool open = c->op == Op::Less;
    bool good = true;
    const auto bound = [&](Expr e, double low, double high) {
        Range r{low, high, open && std::isfinite(low), open && std::isfinite(high), false};
        good = restrict(e, r) && good;
        // A bound of -x, 2*x, 1/x … is one of x.
        if (e->op == Op::Multiply && e->argument_count == 2 && e->arg(0)->is_number()) {
            const double k = e->arg(0)->number;
            Range x{k > 0 ? low / k : high / k, k > 0 ? high / k : low / k, k > 0 ? r.low_open : r.high_open,
                    k > 0 ? r.high_open : r.low_open, false};
            good = restrict(e->arg(1), x) && good;
        }
    };
    if (c->op == Op::NotEqual) {
        Range r;
        r.nonzero = true;
        good = restrict(pool_.subtract(a, b), r);
        if (b->is_number(0)) good = restrict(a, r) && good;
        if (a->is_number(0)) good = restrict(b, r) && good;
        return good;
    }
    if (c->op == Op::Equal) {
        if (b->is_number()) good = restrict(a, single(b->number));
        if (a->is_number()) good = restrict(b, single(a->number)) && good;
        return restrict(pool_.subtract(a, b), single(0)) && good;
    }
    if (b->is_number()) bound(a, -infinite, b->number);
    if (a->is_number()) bound(b, a->number, infinite);
    if (!a->is_number() && !b->is_number()) bound(pool_.subtract(b, a), 0, infinite);
    return good;
}

std::optional<bool> Assumptions::decides(Expr c) const {
    switch (c->op) {
        case Op::Truth:
            return c->index != 0;
        case Op::Not:
            if (const auto inner = decides(c->arg(0))) return !*inner;
            return std::nullopt;
        case Op::And:
        case Op::Or: {
            bool all = true;
            for (Expr a : c->args()) {
                const auto one = decides(a);
                if (one && *one == (c->op == Op::Or)) return c->op == Op::Or;
                all = all && one.has_value();
            }
            if (all) return c->op == Op::And;
            return std::nullopt;
        }
        case Op::Less:
        case Op::LessEqual: {
            const Range d = range(pool_.subtract(c->arg(1), c->arg(0)));
            if (c->op == Op::Less) {
                if (d.positive()) return true;
                if (d.not_positive()) return false;
            } else {
                if (d.not_negative()) return true;
                if (d.negative()) return false;
            }
            return std::nullopt;
        }
        case Op::Equal:
        case Op::NotEqual: {
            const Range d = range(pool_.subtract(c->arg(0), c->arg(1)));
            if (d.excludes_zero()) return c->op == Op::NotEqual;
            if (d.low == 0 && d.high == 0) return c->op == Op::Equal;
            return std::nullopt;
        }
        default:
            return std::nullopt;
    }
}

}  // namespace cutset
