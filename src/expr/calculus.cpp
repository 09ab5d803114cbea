// Derivatives of expressions.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/diagnostic.h"
#include "expr/elementary_functions.h"
#include "expr/expr.h"
#include "expr/node_map.h"

namespace cutset {

namespace {

// The chain rule, node by node from the leaves up; `of_leaf` gives the derivative of a leaf (nothing: zero).
class Differentiator {
  public:
    Differentiator(Pool& pool, std::function<Expr(Expr)> of_leaf, bool along_time)
        : pool_(pool), of_leaf_(std::move(of_leaf)), along_time_(along_time), zero_(pool.number(0)) {}

    Expr operator()(Expr e) {
        // Conditions have no derivative, and the past has none by what is present.
        const auto enter = [&](Expr n) { return !n->boolean && (n->op != Op::Delay || along_time_); };
        for (Expr n : nodes_in_order(e, enter)) known_.insert(n, n->boolean ? zero_ : derivative(n));
        return known_.at(e);
    }

  private:
    static constexpr std::ptrdiff_t most_terms = 4;  // of a rule's sum

    Expr d(Expr e) { return known_.at(e); }
    bool is_zero(Expr e) const { return e == zero_; }

    Expr derivative(Expr e) {
        if (e->argument_count == 0) {
            const Expr of = of_leaf_(e);
            return of ? of : zero_;
        }
        if (e->op == Op::Delay && !along_time_) return zero_;
        bool constant = true;
        for (Expr a : e->args()) constant = constant && (a->boolean || is_zero(d(a)));
        if (constant) return zero_;

        switch (e->op) {
            case Op::Element:
                return zero_;
            case Op::Add: {
                std::vector<Expr> terms;
                for (Expr a : e->args())
                    if (!is_zero(d(a))) terms.push_back(d(a));
                return pool_.add(terms);
            }
            case Op::Multiply: {
                std::vector<Expr> terms, factors(e->args().begin(), e->args().end());
                for (std::size_t i = 0; i < factors.size(); ++i) {
                    if (is_zero(d(e->arg(i)))) continue;
                    factors[i] = d(e->arg(i));
                    terms.push_back(pool_.multiply(factors));
                    factors[i] = e->arg(i);
                }
                return pool_.add(terms);
            }
            case Op::Power: {
                // d(b^n) = n*b^(n-1)*db + b^n*ln(b)*dn
                const Expr b = e->arg(0), n = e->arg(1);
                std::vector<Expr> terms;
                if (!is_zero(d(b))) {
                    const Expr factors[3] = {n, pool_.power(b, pool_.subtract(n, pool_.number(1))), d(b)};
                    terms.push_back(pool_.multiply(factors));
                }
                if (!is_zero(d(n))) {
                    const Expr factors[3] = {e, pool_.call(Op::Ln, b), d(n)};
                    terms.push_back(pool_.multiply(factors));
                }
                return pool_.add(terms);
            }
            case Op::Remainder:
            case Op::Modulo: {
                // x - int(x/y)*y with int(…) constant between its steps; floor(…) likewise
                const Expr x = e->arg(0), y = e->arg(1);
                const Op whole = e->op == Op::Remainder ? Op::Truncate : Op::Floor;
                return pool_.subtract(d(x), pool_.multiply(pool_.call(whole, pool_.divide(x, y)), d(y)));
            }
            case Op::Abs:
                return pool_.multiply(pool_.call(Op::Sign, e->arg(0)), d(e->arg(0)));
            case Op::Min:
                return pool_.choose(pool_.less(e->arg(0), e->arg(1)), d(e->arg(0)), d(e->arg(1)));
            case Op::Max:
                return pool_.choose(pool_.less(e->arg(1), e->arg(0)), d(e->arg(0)), d(e->arg(1)));
            case Op::If: {
                std::vector<Expr> parts(e->args().begin(), e->args().end());
                for (std::size_t i = 1; i < parts.size(); i += 2) parts[i] = d(parts[i]);
                parts.back() = d(parts.back());
                return pool_.choose(parts);
            }
            case Op::NoEvent:
                return pool_.call(Op::NoEvent, d(e->arg(0)));
            case Op::Delay: {
                // d/dt x(t - T) = x'(t - T)*(1 - T')
                // (a history has been made a choice by then)
                const Expr delayed[2] = {d(e->arg(0)), e->arg(1)};
                const Expr rate = is_zero(delayed[0]) ? zero_ : pool_.call(Op::Delay, delayed);
                return pool_.multiply(rate, pool_.subtract(pool_.number(1), d(e->arg(1))));
            }
            case Op::Apply: {
                if (along_time_ && e->derivatives == 0)
                    for (const DerivativeRule& rule : pool_.time_derivatives(e->callee()))
                        if (const Expr given = by_rule(rule, e)) return given;
                std::vector<Expr> terms;
                for (std::uint32_t i = 0; i < e->argument_count; ++i) {
                    if (e->arg(i)->boolean || is_zero(d(e->arg(i)))) continue;
                    if (e->derivatives == 2)
                        throw std::domain_error("a third derivative of a table or function is not available");
                    std::vector<std::uint16_t> by(e->by, e->by + e->derivatives);
                    by.push_back(static_cast<std::uint16_t>(i));
                    terms.push_back(
                        pool_.multiply(pool_.apply(e->callee(), e->order, e->args(), by), d(e->arg(i))));
                }
                return pool_.add(terms);
            }
            default:
                return of_function(e);
        }
    }

    // As the modeller says; nothing where the rule does not fit these arguments.
    Expr by_rule(const DerivativeRule& rule, Expr e) {
        std::vector<Expr> arguments(e->args().begin(), e->args().end()), differentials;
        for (std::size_t k = 0; k < rule.arguments.size(); ++k) {
            const Expr x = e->arg(k), dx = x->boolean ? zero_ : d(x);
            const std::int32_t how = rule.arguments[k];
            if (how == DerivativeRule::constant && !is_zero(dx)) return nullptr;
            if (how >= 0 && e->arg(static_cast<std::size_t>(how)) != dx) return nullptr;
            if (how == DerivativeRule::passed) differentials.push_back(dx);
        }
        const std::size_t n = arguments.size(), passed = differentials.size();
        const auto varying =
            std::count_if(differentials.begin(), differentials.end(), [&](Expr dx) { return !is_zero(dx); });
        if (!rule.linear || varying > most_terms) {
            arguments.insert(arguments.end(), differentials.begin(), differentials.end());
            return pool_.apply(rule.function, e->order, arguments);
        }
        // Term by term: what it is linear in is seen.
        arguments.resize(n + passed, zero_);
        std::vector<Expr> terms;
        for (std::size_t k = 0; k < passed; ++k) {
            if (is_zero(differentials[k])) continue;
            arguments[n + k] = pool_.number(1);
            terms.push_back(
                pool_.multiply(pool_.apply(rule.function, e->order, arguments), differentials[k]));
            arguments[n + k] = zero_;
        }
        return pool_.add(terms);
    }

    // The rule of the table; a function of one argument as f'(x)*dx.
    Expr of_function(Expr e) {
        const Symbol x{&pool_, e->arg(0)}, f{&pool_, e}, dx{&pool_, d(e->arg(0))};
        Expr result = zero_;  // of steps
        const bool known = visit_function(e->op, [&]<class F>(F) {
            if constexpr (SmoothOfOne<F>)
                result = (F::derivative(x, f)(number_like(x, 1)) * dx).e;
            else if constexpr (SmoothOfTwo<F>)
                result = F::derivative(x, {&pool_, e->arg(1)}, f)(dx, {&pool_, d(e->arg(1))}).e;
        });
        CUTSET_ASSERT(known);
        return result;
    }

    Pool& pool_;
    std::function<Expr(Expr)> of_leaf_;
    bool along_time_;
    Expr zero_;
    NodeMap<Expr> known_;
};

}  // namespace

Expr differentiate(Pool& pool, Expr e, Expr leaf) {
    // What most terms are, without the detour: x and c*x.
    if (e == leaf) return pool.number(1);
    if (e->op == Op::Multiply && e->argument_count == 2 && e->arg(1) == leaf && e->arg(0)->is_number() &&
        std::isfinite(e->arg(0)->number))
        return e->arg(0);
    return Differentiator(
        pool, [&](Expr l) { return l == leaf ? pool.number(1) : nullptr; }, false)(e);
}

Expr time_derivative(Pool& pool, Expr e, FunctionRef<bool(VariableIndex)> varies) {
    const auto of_leaf = [&](Expr l) -> Expr {
        if (l->op == Op::Time) return pool.number(1);
        if (l->op == Op::Variable && varies(l->variable())) return pool.variable(l->variable(), l->order + 1);
        return nullptr;
    };
    return Differentiator(pool, of_leaf, true)(e);
}

}  // namespace cutset
