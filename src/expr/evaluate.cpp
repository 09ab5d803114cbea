// Numbers: elementary operations, and the value of an expression for given leaves.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/diagnostic.h"
#include "expr/elementary_functions.h"
#include "expr/expr.h"
#include "expr/is_open.h"
#include "expr/node_map.h"

namespace cutset {

namespace {

double raise(double x, double y) {
    if (y == 2) return x * x;
    if (y == -1) return 1 / x;
    if (y == 1) return x;
    // By multiplication while that is at least as exact as the library's pow.
    if (y == std::floor(y) && std::abs(y) <= 8) {
        double result = 1;
        double square = x;
        for (int n = std::abs(static_cast<int>(y)); n > 0; n /= 2, square *= square)
            if (n % 2) result *= square;
        return y < 0 ? 1 / result : result;
    }
    return std::pow(x, y);
}

double wrong_operation() {
    CUTSET_ASSERT(!"an operation with this number of arguments");
    return std::numeric_limits<double>::quiet_NaN();
}

template <class F>
double value_of(double x) {
    if constexpr (OfOneArgument<F>)
        return F::value(x);
    else
        return wrong_operation();
}
template <class F>
double value_of(double x, double y) {
    if constexpr (OfOneArgument<F>)
        return wrong_operation();
    else
        return F::value(x, y);
}

}  // namespace

double apply_unary(Op op, double x) {
    switch (op) {
#define CUTSET_CASE(F) \
    case Op::F:        \
        return value_of<functions::F>(x);
        CUTSET_ELEMENTARY_FUNCTIONS(CUTSET_CASE)
#undef CUTSET_CASE
        case Op::Not:
            return x == 0;
        case Op::NoEvent:
            return x;
        default:
            return wrong_operation();
    }
}

double apply_binary(Op op, double x, double y) {
    switch (op) {
#define CUTSET_CASE(F) \
    case Op::F:        \
        return value_of<functions::F>(x, y);
        CUTSET_ELEMENTARY_FUNCTIONS(CUTSET_CASE)
#undef CUTSET_CASE
        case Op::Power:
            return raise(x, y);
        case Op::Less:
            return x < y;
        case Op::LessEqual:
            return x <= y;
        case Op::Equal:
            return x == y;
        case Op::NotEqual:
            return x != y;
        case Op::Add:
            return x + y;
        case Op::Multiply:
            return x * y;
        default:
            return wrong_operation();
    }
}

namespace {

struct Evaluator {
    const Environment& environment;
    NodeMap<std::optional<double>> known;

    std::optional<double> value(Expr e) {
        if (e->op == Op::Number) return e->number;
        if (e->op == Op::Truth) return e->index;
        if (const auto* found = known.find(e)) return *found;
        const std::optional<double> result = compute(e);
        known.insert(e, result);
        return result;
    }

    std::optional<double> compute(Expr e) {
        if (is_open(e->op)) return environment.leaf ? environment.leaf(e) : std::nullopt;
        switch (e->op) {
            case Op::Add: {
                double sum = 0;
                bool first = true;
                for (Expr a : e->args()) {
                    const auto v = value(a);
                    if (!v) return std::nullopt;
                    sum = first ? *v : sum + *v;
                    first = false;
                }
                return sum;
            }
            case Op::Multiply: {
                // Reciprocals together at the end: a*b/(c*d).
                double above = 1, below = 1;
                bool has_above = false, has_below = false;
                for (Expr a : e->args()) {
                    const bool reciprocal = a->op == Op::Power && a->arg(1)->is_number(-1);
                    const auto v = value(reciprocal ? a->arg(0) : a);
                    if (!v) return std::nullopt;
                    double& into = reciprocal ? below : above;
                    bool& has = reciprocal ? has_below : has_above;
                    into = has ? into * *v : *v;
                    has = true;
                }
                return has_below ? above / below : above;
            }
            case Op::And:
            case Op::Or: {
                const bool decisive = e->op == Op::Or;
                for (Expr a : e->args()) {
                    const auto v = value(a);
                    if (!v) return std::nullopt;
                    if ((*v != 0) == decisive) return decisive;
                }
                return !decisive;
            }
            case Op::If: {
                const auto parts = e->args();
                for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
                    const auto condition = value(parts[i]);
                    if (!condition) return std::nullopt;
                    if (*condition != 0) return value(parts[i + 1]);
                }
                return value(parts.back());
            }
            case Op::Apply: {
                std::vector<double> arguments;
                for (Expr a : e->args()) {
                    const auto v = value(a);
                    if (!v) return std::nullopt;
                    arguments.push_back(*v);
                }
                return environment.apply ? environment.apply(e, arguments) : std::nullopt;
            }
            default: {
                const auto x = value(e->arg(0));
                if (!x) return std::nullopt;
                if (e->argument_count == 1) return apply_unary(e->op, *x);
                const auto y = value(e->arg(1));
                if (!y) return std::nullopt;
                return apply_binary(e->op, *x, *y);
            }
        }
    }
};

}  // namespace

std::optional<double> evaluate(Expr e, const Environment& environment) {
    return Evaluator{environment, {}}.value(e);
}

}  // namespace cutset
