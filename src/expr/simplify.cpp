#include "expr/simplify.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "expr/elementary_functions.h"

namespace cutset {

namespace {

constexpr std::size_t most_terms = 2000;  // of an expansion
constexpr double largest_power = 12;      // of a sum that is multiplied out

bool is_whole(double n) {
    return n == std::floor(n);
}

// The terms of a sum, the factors of a product.
std::vector<Expr> parts(Expr e, Op op) {
    if (e->op == op) return {e->args().begin(), e->args().end()};
    return {e};
}

// base^exponent of a factor with a number as exponent.
std::pair<Expr, double> base_and_exponent(Expr factor) {
    if (factor->op == Op::Power && factor->arg(1)->is_number())
        return {factor->arg(0), factor->arg(1)->number};
    return {factor, 1};
}

class Rewriter {
  public:
    Rewriter(Pool& pool, std::function<Expr(Expr)> rule) : pool_(pool), rule_(std::move(rule)) {}

    // From the leaves up; a result is not rewritten again.
    Expr operator()(Expr e) {
        if (e->argument_count == 0) return rule_(e);
        if (const auto known = done_.find(e); known != done_.end()) return known->second;
        std::vector<Expr> arguments;
        for (Expr a : e->args()) arguments.push_back((*this)(a));
        const bool same = std::equal(arguments.begin(), arguments.end(), e->args().begin());
        const Expr rebuilt = same ? e : pool_.rebuild(e, arguments);
        const Expr result = rule_(rebuilt);
        done_.emplace(e, result);
        return result;
    }

  private:
    Pool& pool_;
    std::function<Expr(Expr)> rule_;
    std::unordered_map<Expr, Expr> done_;
};

class Rules {
  public:
    Rules(Pool& pool, const Assumptions& assumptions) : pool_(pool), known_(assumptions) {}

    Expr operator()(Expr e) {
        if (e->boolean) {
            if (const auto truth = known_.decides(e)) return pool_.truth(*truth);
            return e;
        }
        switch (e->op) {
            case Op::Abs:
                return absolute(e->arg(0));
            case Op::Sign: {
                const Range x = known_.range(e->arg(0));
                if (x.positive()) return pool_.number(1);
                if (x.negative()) return pool_.number(-1);
                return e;
            }
            case Op::Sqrt:
                return root(e);
            case Op::Power:
                return power(e);
            case Op::Min:
            case Op::Max: {
                const Range d = known_.range(pool_.subtract(e->arg(1), e->arg(0)));
                if (d.not_negative()) return e->arg(e->op == Op::Min ? 0 : 1);
                if (d.not_positive()) return e->arg(e->op == Op::Min ? 1 : 0);
                return e;
            }
            case Op::Ln:
                return logarithm(e);
            case Op::Exp: {
                const Expr x = e->arg(0);
                // exp(n*ln(x)) = x^n where x > 0
                if (x->op == Op::Multiply && x->argument_count == 2 && x->arg(1)->op == Op::Ln)
                    return pool_.power(x->arg(1)->arg(0), x->arg(0));
                return elementary(e, *elementary_function(Op::Exp));
            }
            case Op::Add:
                return circle(e);
            case Op::If: {
                std::vector<Expr> left;
                for (std::size_t i = 0; i + 1 < e->argument_count; i += 2) {
                    const auto truth = known_.decides(e->arg(i));
                    if (truth && !*truth) continue;
                    left.push_back(truth ? pool_.truth(true) : e->arg(i));
                    left.push_back(e->arg(i + 1));
                }
                left.push_back(e->args().back());
                return left.size() == 1 ? left[0] : pool_.choose(left);
            }
            default:
                if (const ElementaryFunction* f = elementary_function(e->op)) return elementary(e, *f);
                return e;
        }
    }

  private:
    static bool leads_negative(Expr e) {
        if (e->is_number()) return e->number < 0;
        if (e->op == Op::Multiply) return e->arg(0)->is_number() && e->arg(0)->number < 0;
        return false;
    }

    // f(g(x)) = x, f(-x) = -f(x), f(-x) = f(x)
    Expr elementary(Expr e, const ElementaryFunction& f) {
        const Expr x = e->arg(0);
        if (f.undoes && x->op == *f.undoes) return x->arg(0);
        if (!(f.odd || f.even) || !leads_negative(x)) return e;
        const Expr turned = pool_.call(e->op, pool_.negate(x));
        return f.odd ? pool_.negate(turned) : turned;
    }

    Expr absolute(Expr x) {
        const Range r = known_.range(x);
        if (r.not_negative()) return x;
        if (r.not_positive()) return pool_.negate(x);
        if (x->op != Op::Multiply) {
            if (leads_negative(x)) return pool_.call(Op::Abs, pool_.negate(x));
            return pool_.call(Op::Abs, x);
        }
        // abs(a*b) = abs(a)*abs(b), those of known sign outside.
        std::vector<Expr> outside, inside;
        for (Expr f : x->args()) {
            const Range s = known_.range(f);
            if (s.not_negative())
                outside.push_back(f);
            else if (s.not_positive())
                outside.push_back(pool_.negate(f));
            else
                inside.push_back(f);
        }
        if (!inside.empty()) outside.push_back(pool_.call(Op::Abs, pool_.multiply(inside)));
        return pool_.multiply(outside);
    }

    // What can be taken out of sqrt(Π factors): abs(x) for x^2, numbers that are squares, and roots of what
    // is not negative.
    Expr root(Expr e) {
        const Expr x = e->arg(0);
        std::vector<Expr> outside, inside;
        for (Expr f : parts(x, Op::Multiply)) {
            const auto [base, n] = base_and_exponent(f);
            if (f->is_number() && f->number > 0) {
                const double r = std::sqrt(f->number);
                if (r == std::floor(r))
                    outside.push_back(pool_.number(r));
                else
                    inside.push_back(f);
            } else if (is_whole(n) && std::fmod(n, 2) == 0 && n != 0) {
                const Expr half = pool_.power(base, pool_.number(n / 2));
                outside.push_back(std::fmod(n / 2, 2) == 0 ? half : absolute(half));
            } else if (is_whole(n) && std::abs(n) > 2) {
                // x^3 = x^2*x with x >= 0, because x^3 >= 0 where the root has a value
                if (!known_.range(base).not_negative()) {
                    inside.push_back(f);
                    continue;
                }
                const double whole = (n > 0 ? n - 1 : n + 1) / 2;
                outside.push_back(pool_.power(base, pool_.number(whole)));
                inside.push_back(n > 0 ? base : pool_.power(base, pool_.number(-1)));
            } else if (f->op == Op::Exp) {
                outside.push_back(pool_.call(Op::Exp, pool_.multiply(pool_.number(0.5), f->arg(0))));
            } else {
                inside.push_back(f);
            }
        }
        if (outside.empty()) return e;
        if (!inside.empty()) {
            const Expr rest = pool_.multiply(inside);
            outside.push_back(pool_.call(Op::Sqrt, rest));
        }
        return pool_.multiply(outside);
    }

    Expr power(Expr e) {
        const Expr x = e->arg(0);
        if (!e->arg(1)->is_number()) return e;
        const double n = e->arg(1)->number;
        if (n == 0.5) return root(pool_.call(Op::Sqrt, x));
        if (x->op == Op::Abs && is_whole(n) && std::fmod(n, 2) == 0) return pool_.power(x->arg(0), e->arg(1));
        if (x->op == Op::Sqrt && is_whole(n) && std::fmod(n, 2) == 0)
            return pool_.power(x->arg(0), pool_.number(n / 2));
        if (x->op == Op::Exp) return pool_.call(Op::Exp, pool_.multiply(e->arg(1), x->arg(0)));
        if (x->op == Op::Power && x->arg(1)->is_number() && known_.range(x->arg(0)).not_negative())
            return pool_.power(x->arg(0), pool_.number(x->arg(1)->number * n));
        return e;
    }

    Expr logarithm(Expr e) {
        const Expr x = e->arg(0);
        if (x->op == Op::Exp) return x->arg(0);
        if (x->op == Op::Sqrt)
            return pool_.multiply(pool_.number(0.5), logarithm(pool_.call(Op::Ln, x->arg(0))));
        if (x->op == Op::Power && known_.range(x->arg(0)).positive())
            return pool_.multiply(x->arg(1), pool_.call(Op::Ln, x->arg(0)));
        if (x->op == Op::Multiply && std::all_of(x->args().begin(), x->args().end(),
                                                 [&](Expr f) { return known_.range(f).positive(); })) {
            std::vector<Expr> terms;
            for (Expr f : x->args()) terms.push_back(logarithm(pool_.call(Op::Ln, f)));
            return pool_.add(terms);
        }
        return e;
    }

    // c*sin(u)^2 + c*cos(u)^2 = c, c*cosh(u)^2 - c*sinh(u)^2 = c
    Expr circle(Expr e) {
        std::vector<Expr> terms(e->args().begin(), e->args().end());
        struct Square {
            Op op;
            Expr argument, coefficient;
            std::size_t term;
        };
        for (bool changed = true; changed;) {
            changed = false;
            std::vector<Square> squares;
            for (std::size_t i = 0; i < terms.size(); ++i) {
                std::vector<Expr> factors = parts(terms[i], Op::Multiply);
                for (std::size_t k = 0; k < factors.size(); ++k) {
                    const auto [base, n] = base_and_exponent(factors[k]);
                    const bool fits = base->op == Op::Sin || base->op == Op::Cos || base->op == Op::Sinh ||
                                      base->op == Op::Cosh;
                    if (n != 2 || !fits) continue;
                    std::vector<Expr> rest = factors;
                    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
                    squares.push_back({base->op, base->arg(0), pool_.multiply(rest), i});
                }
            }
            for (const Square& a : squares) {
                for (const Square& b : squares) {
                    if (a.argument != b.argument || a.term == b.term || changed) continue;
                    const bool round = a.op == Op::Sin && b.op == Op::Cos && a.coefficient == b.coefficient;
                    const bool hyperbola =
                        a.op == Op::Cosh && b.op == Op::Sinh && a.coefficient == pool_.negate(b.coefficient);
                    if (!round && !hyperbola) continue;
                    terms[a.term] = a.coefficient;
                    terms.erase(terms.begin() + static_cast<std::ptrdiff_t>(b.term));
                    changed = true;
                }
            }
        }
        return pool_.add(terms);
    }

    Pool& pool_;
    const Assumptions& known_;
};

}  // namespace

std::size_t operation_count(Expr e) {
    // As a tree, because that is how it reads; bounded.
    constexpr std::size_t most = 1000000;
    std::unordered_map<Expr, std::size_t> known;
    const std::function<std::size_t(Expr)> count = [&](Expr n) -> std::size_t {
        if (n->argument_count == 0) return 1;
        if (const auto found = known.find(n); found != known.end()) return found->second;
        std::size_t sum = 1;
        for (Expr a : n->args()) sum = std::min(most, sum + count(a));
        known.emplace(n, sum);
        return sum;
    };
    return count(e);
}

namespace {

// Products of sums multiplied out, all levels. Null when there would be too many terms.
Expr expanded(Pool& pool, Expr e) {
    Rewriter rewrite(pool, [&](Expr n) -> Expr {
        std::vector<Expr> factors;
        if (n->op == Op::Multiply) {
            factors.assign(n->args().begin(), n->args().end());
        } else if (n->op == Op::Power) {
            factors = {n};
        } else {
            return n;
        }
        std::vector<Expr> single, sums;
        for (Expr f : factors) {
            const auto [base, power] = base_and_exponent(f);
            if (base->op == Op::Add && is_whole(power) && power >= 1 && power <= largest_power)
                for (int k = 0; k < static_cast<int>(power); ++k) sums.push_back(base);
            else
                single.push_back(f);
        }
        if (sums.empty()) return n;
        std::vector<Expr> terms{pool.multiply(single)};
        for (Expr s : sums) {
            if (terms.size() * s->argument_count > most_terms) return n;
            std::vector<Expr> next;
            for (Expr t : terms)
                for (Expr a : s->args()) next.push_back(pool.multiply(t, a));
            const Expr together = pool.add(next);
            terms = parts(together, Op::Add);
        }
        return pool.add(terms);
    });
    // A product of what was expanded below may have new sums.
    Expr before = nullptr;
    for (int round = 0; round < 4 && e != before; ++round) {
        before = e;
        e = Rewriter(pool, [&](Expr n) { return n; })(rewrite(e));
    }
    return e;
}

// The largest number that divides both, where both are whole.
double common_number(double a, double b) {
    a = std::abs(a);
    b = std::abs(b);
    if (!is_whole(a) || !is_whole(b) || a > 1e15 || b > 1e15) return a == b ? a : 1;
    while (b != 0) {
        const double r = std::fmod(a, b);
        a = b;
        b = r;
    }
    return a;
}

// What all terms of a sum have in common taken out in front. The bracket is kept from being multiplied in
// again by writing it as a factor with others only.
Expr common_factor(Pool& pool, Expr e) {
    if (e->op != Op::Add) return e;
    std::map<std::uint32_t, std::pair<Expr, double>> common;  // by age of the base: base, exponent
    double number = 0;
    bool first = true;
    for (Expr t : e->args()) {
        std::map<std::uint32_t, std::pair<Expr, double>> here;
        double coefficient = 1;
        for (Expr f : parts(t, Op::Multiply)) {
            if (f->is_number()) {
                coefficient = f->number;
                continue;
            }
            const auto [base, n] = base_and_exponent(f);
            here.emplace(base->id, std::pair(base, n));
        }
        number = first ? std::abs(coefficient) : common_number(number, coefficient);
        if (first) {
            common = std::move(here);
            first = false;
            continue;
        }
        for (auto it = common.begin(); it != common.end();) {
            const auto found = here.find(it->first);
            if (found == here.end() || (found->second.second > 0) != (it->second.second > 0)) {
                it = common.erase(it);
                continue;
            }
            it->second.second = it->second.second > 0 ? std::min(it->second.second, found->second.second)
                                                      : std::max(it->second.second, found->second.second);
            ++it;
        }
    }
    if (common.empty()) return e;
    std::vector<Expr> factors, inverse;
    for (const auto& [id, factor] : common) {
        factors.push_back(pool.power(factor.first, pool.number(factor.second)));
        inverse.push_back(pool.power(factor.first, pool.number(-factor.second)));
    }
    std::vector<Expr> terms;
    const Expr divisor = pool.multiply(inverse);
    for (Expr t : e->args()) terms.push_back(pool.multiply(t, divisor));
    factors.push_back(pool.add(terms));
    return pool.multiply(factors);
}

}  // namespace

Expr expand(Pool& pool, Expr e) {
    return expanded(pool, e);
}

Expr factored(Pool& pool, Expr e) {
    return Rewriter(pool, [&](Expr n) { return common_factor(pool, n); })(e);
}

Fraction as_fraction(Pool& pool, Expr e) {
    const Expr one = pool.number(1);
    switch (e->op) {
        case Op::Multiply: {
            std::vector<Expr> above, below;
            for (Expr f : e->args()) {
                const Fraction part = as_fraction(pool, f);
                above.push_back(part.numerator);
                below.push_back(part.denominator);
            }
            const Expr numerator = pool.multiply(above), denominator = pool.multiply(below);
            // Pool cancels equal factors when the two meet.
            return {numerator, denominator};
        }
        case Op::Power: {
            if (!e->arg(1)->is_number() || !is_whole(e->arg(1)->number)) return {e, one};
            const Fraction base = as_fraction(pool, e->arg(0));
            const double n = e->arg(1)->number;
            const Expr size = pool.number(std::abs(n));
            const Expr up = pool.power(n > 0 ? base.numerator : base.denominator, size);
            const Expr down = pool.power(n > 0 ? base.denominator : base.numerator, size);
            return {up, down};
        }
        case Op::Add: {
            // Over the product of the different denominators' factors, each to its highest power.
            std::vector<Fraction> terms;
            std::map<std::uint32_t, std::pair<Expr, double>> common;
            for (Expr t : e->args()) {
                terms.push_back(as_fraction(pool, t));
                for (Expr f : parts(terms.back().denominator, Op::Multiply)) {
                    if (f->is_number()) continue;
                    const auto [base, n] = base_and_exponent(f);
                    auto& entry = common[base->id];
                    entry.first = base;
                    entry.second = std::max(entry.second, n);
                }
            }
            std::vector<Expr> factors;
            for (const auto& [id, f] : common) factors.push_back(pool.power(f.first, pool.number(f.second)));
            const Expr denominator = pool.multiply(factors);
            std::vector<Expr> above;
            for (const Fraction& t : terms)
                above.push_back(pool.multiply(t.numerator, pool.divide(denominator, t.denominator)));
            return {pool.add(above), denominator};
        }
        default:
            return {e, one};
    }
}

std::optional<std::vector<Expr>> polynomial_in(Pool& pool, Expr e, Expr leaf) {
    constexpr std::size_t highest = 32;
    const Expr sum = expanded(pool, e);
    std::vector<std::vector<Expr>> terms(1);
    for (Expr t : parts(sum, Op::Add)) {
        std::vector<Expr> rest;
        std::size_t degree = 0;
        for (Expr f : parts(t, Op::Multiply)) {
            const auto [base, n] = base_and_exponent(f);
            if (base == leaf && is_whole(n) && n >= 1 && n <= static_cast<double>(highest))
                degree += static_cast<std::size_t>(n);
            else
                rest.push_back(f);
        }
        const Expr coefficient = pool.multiply(rest);
        if (contains(coefficient, leaf) || degree > highest) return std::nullopt;
        if (terms.size() <= degree) terms.resize(degree + 1);
        terms[degree].push_back(coefficient);
    }
    std::vector<Expr> coefficients;
    for (const auto& list : terms) coefficients.push_back(pool.add(list));
    while (coefficients.size() > 1 && coefficients.back()->is_number(0)) coefficients.pop_back();
    return coefficients;
}

Expr collected(Pool& pool, Expr e, Expr leaf) {
    // A fraction whose denominator is free of the leaf: its numerator.
    if (const Fraction f = as_fraction(pool, e);
        !f.denominator->is_number() && !contains(f.denominator, leaf))
        return pool.divide(collected(pool, expanded(pool, f.numerator), leaf), f.denominator);
    const auto coefficients = polynomial_in(pool, e, leaf);
    if (!coefficients) return e;
    std::vector<Expr> terms;
    for (std::size_t k = 0; k < coefficients->size(); ++k)
        terms.push_back(
            pool.multiply((*coefficients)[k], pool.power(leaf, pool.number(static_cast<double>(k)))));
    return pool.add(terms);
}

Expr simplify(Pool& pool, Expr e, const Assumptions& assumptions) {
    const auto by_rules = [&](Expr x) {
        for (int round = 0; round < 8; ++round) {
            const Expr next = Rewriter(pool, Rules(pool, assumptions))(x);
            if (next == x) break;
            x = next;
        }
        return x;
    };
    Expr best = by_rules(e);
    std::size_t least = operation_count(best);
    if (best->boolean || best->argument_count == 0) return best;
    const auto consider = [&](Expr x) {
        x = by_rules(x);
        const std::size_t count = operation_count(x);
        if (count < least) {
            best = x;
            least = count;
        }
    };
    consider(expanded(pool, best));
    consider(factored(pool, best));
    consider(factored(pool, expanded(pool, best)));
    const Fraction f = as_fraction(pool, best);
    if (!f.denominator->is_number(1)) {
        const Expr above = expanded(pool, f.numerator), below = f.denominator;
        consider(pool.divide(above, below));
        consider(pool.divide(factored(pool, above), factored(pool, expanded(pool, below))));
        consider(pool.divide(factored(pool, above), factored(pool, below)));
    }
    return best;
}

}  // namespace cutset
