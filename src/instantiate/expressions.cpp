#include "instantiate/expressions.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "flat/messages.h"
#include "flat/shape_text.h"
#include "instantiate/expression_parts.h"
#include "instantiate/messages.h"
#include "instantiate/parameters.h"
#include "instantiate/value_types.h"

namespace cutset {

namespace {

using K = tree::ExpressionKind;

constexpr std::size_t factor_limit = 2'000;  // of one product
Value not_a_number(Context& c, Span where, const Scope& s) {
    c.report(messages::condition_as_number(where, place(c, s)));
    return {};
}

Value translate_sum(Context& c, const tree::Expression& e, const Scope& s) {
    std::vector<Expr> terms;
    terms.reserve(e.arguments.size());
    std::optional<Value> array;  // set from the first argument on when they are arrays
    bool failed = false;
    for (std::size_t i = 0; i < e.arguments.size(); ++i) {
        const Value v = numeric(c, e.arguments[i], s);
        const bool minus = i < e.text.size() && e.text[i] == '-';
        if (v.failed()) {
            failed = true;
            continue;
        }
        if (failed) continue;
        if (i == 0 && !v.is_scalar()) {
            array = minus ? each(v, [&](Expr x) { return c.pool.negate(x); }) : v;
            continue;
        }
        if (array ? !fits(array->dimensions, v.dimensions) : !v.is_scalar()) {
            c.report(flat_messages::sizes_differ(
                e.arguments[i].where, place(c, s), "sum",
                shape_text(array ? array->dimensions : std::vector<std::uint32_t>{}),
                shape_text(v.dimensions)));
            failed = true;
            continue;
        }
        if (array) {
            if (v.dimensions.size() < array->dimensions.size()) array->dimensions = v.dimensions;
            for (std::size_t k = 0; k < array->elements.size(); ++k)
                array->elements[k] = minus ? c.pool.subtract(array->elements[k], v.elements[k])
                                           : c.pool.add(array->elements[k], v.elements[k]);
        } else {
            terms.push_back(minus ? c.pool.negate(v.scalar) : v.scalar);
        }
    }
    if (failed) return {};
    return array ? *array : Value(c.pool.add(terms));
}

// Each element of a product of matrices is a sum of its own.
constexpr double most_product_terms = 5e6;

double product_terms(const Value& a, const Value& b) {
    if (a.is_scalar() || b.is_scalar()) return 0;
    return static_cast<double>(a.size()) * (b.dimensions.size() == 2 ? b.dimensions[1] : 1);
}

// What an expression is divided by: the bases of its factors with negative powers.
void add_divisors(Expr e, std::vector<Expr>& divisors) {
    const auto add = [&](Expr factor) {
        if (factor->op == Op::Power && factor->arg(1)->is_number() && factor->arg(1)->number < 0)
            divisors.push_back(factor->arg(0));
    };
    if (e->op != Op::Multiply) return add(e);
    for (Expr factor : e->args()) add(factor);
}

// A divisor by its factors.
void add_factors(Expr divisor, std::vector<Expr>& divisors) {
    if (divisor->op != Op::Multiply) return divisors.push_back(divisor);
    for (Expr factor : divisor->args()) divisors.push_back(factor);
}

bool has_known_parameters(Context& c, Expr e) {
    bool known = !e->is_number();
    for_each_leaf(e, [&](Expr leaf) {
        if (!known) return;
        known = leaf->op == Op::Variable && leaf->order == 0 && leaf->index < c.progress.size() &&
                c.progress[leaf->index] == Progress::Done;
        if (!known) return;
        const Variable& v = c.model.variables[leaf->variable()];
        known = v.variability <= Variability::Parameter && !v.free_parameter;
    });
    return known;
}

// Of these divisors, which are of parameters with known values, one is 0, and `product` is no longer divided
// by it: p/p is 1, which it is not for p = 0.
bool loses_zero_divisor(Context& c, const std::vector<Expr>& divisors, Expr product, Span where,
                        const Scope& s) {
    if (divisors.empty() || c.in_choice > 0) return false;
    std::vector<Expr> left, leaves;
    add_divisors(product, left);
    for (Expr e : left) for_each_leaf(e, [&](Expr leaf) { leaves.push_back(leaf); });
    return std::any_of(divisors.begin(), divisors.end(), [&](Expr divisor) {
        bool lost = false;
        for_each_leaf(divisor, [&](Expr leaf) {
            lost = lost || std::find(leaves.begin(), leaves.end(), leaf) == leaves.end();
        });
        return lost && has_known_parameters(c, divisor) &&
               known_value(c, divisor, where, s, "what is divided by") == 0.0;
    });
}

Value translate_product(Context& c, const tree::Expression& e, const Scope& s) {
    // Its derivative has as many terms, each with as many factors.
    if (e.arguments.size() > factor_limit) {
        c.report(messages::too_many_factors(e.where, place(c, s), e.arguments.size(), factor_limit));
        return {};
    }
    Value product;
    bool failed = false;
    for (std::size_t i = 0; i < e.arguments.size(); ++i) {
        Value v = numeric(c, e.arguments[i], s);
        if (v.failed()) failed = true;
        if (failed) continue;
        const bool divides = i < e.text.size() && e.text[i] == '/';
        if (i == 0 && !divides) {
            product = std::move(v);
            continue;
        }
        if (i == 0) product = Value(c.pool.number(1));
        if (divides) {
            if (!v.is_scalar()) {
                c.report(
                    messages::division_by_array(e.arguments[i].where, place(c, s), shape_text(v.dimensions)));
                failed = true;
                continue;
            }
            product = each(product, [&](Expr x) {
                std::vector<Expr> divisors;
                add_divisors(x, divisors);
                add_factors(v.scalar, divisors);
                const Expr quotient = c.pool.divide(x, v.scalar);
                if (loses_zero_divisor(c, divisors, quotient, e.arguments[i].where, s))
                    c.report(messages::divided_by_zero(e.arguments[i].where, place(c, s)));
                return quotient;
            });
        } else if (product.is_scalar() && v.is_scalar()) {
            std::vector<Expr> divisors;
            add_divisors(product.scalar, divisors);
            add_divisors(v.scalar, divisors);
            product.scalar = c.pool.multiply(product.scalar, v.scalar);
            if (loses_zero_divisor(c, divisors, product.scalar, e.where, s))
                c.report(messages::divided_by_zero(e.where, place(c, s), true));
        } else if (const double terms = product_terms(product, v); terms > most_product_terms) {
            c.report(messages::product_too_large(e.where, place(c, s), shape_text(product.dimensions),
                                                 shape_text(v.dimensions), terms, most_product_terms));
            failed = true;
        } else if (auto r = array_product(c.pool, product, v)) {
            product = std::move(*r);
        } else {
            c.report(flat_messages::sizes_differ(e.arguments[i].where, place(c, s), "product",
                                                 shape_text(product.dimensions), shape_text(v.dimensions)));
            failed = true;
        }
    }
    return failed ? Value() : product;
}

Value translate_relation(Context& c, const tree::Expression& e, const Scope& s) {
    const auto [a, b] = translate_sides(c, e.arguments[0], e.arguments[1], s);
    if (a.failed() || b.failed()) return {};
    if (a.enumeration != b.enumeration && !fits_types(c, a, b, e.where, s)) return {};
    for (std::size_t i = 0; i < 2; ++i)
        if (!(i ? b : a).is_scalar()) {
            c.report(messages::array_where_scalar(e.arguments[i].where, place(c, s),
                                                  shape_text((i ? b : a).dimensions)));
            return {};
        }
    if (a.is_condition() && b.is_condition() && (e.text == "=" || e.text == "<>")) {
        const Expr x = number_of(c, a.scalar), y = number_of(c, b.scalar);
        return Value(e.text == "=" ? c.pool.equal(x, y) : c.pool.not_equal(x, y));
    }
    if (a.is_condition()) return not_a_number(c, e.arguments[0].where, s);
    if (b.is_condition()) return not_a_number(c, e.arguments[1].where, s);
    if (e.text == "<") return Value(c.pool.less(a.scalar, b.scalar));
    if (e.text == "<=") return Value(c.pool.less_equal(a.scalar, b.scalar));
    if (e.text == ">") return Value(c.pool.less(b.scalar, a.scalar));
    if (e.text == ">=") return Value(c.pool.less_equal(b.scalar, a.scalar));
    if (e.text == "=") return Value(c.pool.equal(a.scalar, b.scalar));
    return Value(c.pool.not_equal(a.scalar, b.scalar));
}

Value translate_choice(Context& c, const tree::Expression& e, const Scope& s) {
    const std::size_t n = e.arguments.size();
    if (n % 2 == 0) {
        c.report(messages::else_missing(e.where, place(c, s)));
        return {};
    }
    std::vector<Expr> conditions;
    std::vector<Value> values;
    bool failed = false;
    for (std::size_t i = 0; i < n; ++i) {
        if (i % 2 == 0 && i + 1 < n) {
            const Expr condition = translate_condition(c, e.arguments[i], s);
            failed |= !condition;
            conditions.push_back(condition);
        } else {
            ++c.in_choice;
            values.push_back(translate(c, e.arguments[i], s));
            --c.in_choice;
            failed |= values.back().failed();
        }
    }
    if (failed) return {};
    for (std::size_t i = 1; i < values.size(); ++i) {
        const Span where = e.arguments[i + 1 < values.size() ? 2 * i + 1 : n - 1].where;
        if (values[i].dimensions != values[0].dimensions) {
            c.report(flat_messages::sizes_differ(where, place(c, s), "choice",
                                                 shape_text(values[0].dimensions),
                                                 shape_text(values[i].dimensions)));
            return {};
        }
        if (values[i].is_condition() != values[0].is_condition()) {
            c.report(messages::branches_differ(where, place(c, s)));
            return {};
        }
        if (values[i].enumeration != values[0].enumeration && !fits_types(c, values[0], values[i], where, s))
            return {};
    }
    Value result;
    result.dimensions = values[0].dimensions;
    result.enumeration = values[0].enumeration;
    std::vector<Expr> parts(n);
    for (std::size_t k = 0; k < values[0].size(); ++k) {
        for (std::size_t i = 0; i < conditions.size(); ++i) {
            parts[2 * i] = conditions[i];
            parts[2 * i + 1] = values[i][k];
        }
        parts[n - 1] = values.back()[k];
        const Expr chosen = c.pool.choose(parts);
        if (result.is_scalar())
            result.scalar = chosen;
        else
            result.elements.push_back(chosen);
    }
    return result;
}

Value translate_array(Context& c, const tree::Expression& e, const Scope& s) {
    Value result;
    for (std::size_t i = 0; i < e.arguments.size(); ++i) {
        const Value v = translate(c, e.arguments[i], s);
        if (v.failed()) return {};
        if (i == 0) {
            result.dimensions.push_back(static_cast<std::uint32_t>(e.arguments.size()));
            result.dimensions.insert(result.dimensions.end(), v.dimensions.begin(), v.dimensions.end());
        } else if (!std::equal(v.dimensions.begin(), v.dimensions.end(), result.dimensions.begin() + 1,
                               result.dimensions.end())) {
            c.report(flat_messages::sizes_differ(
                e.arguments[i].where, place(c, s), "array",
                shape_text({result.dimensions.begin() + 1, result.dimensions.end()}),
                shape_text(v.dimensions)));
            return {};
        }
        for (std::size_t k = 0; k < v.size(); ++k) result.elements.push_back(v[k]);
    }
    if (result.dimensions.empty()) result.dimensions.push_back(0);
    return result;
}

}  // namespace

std::string place(const Context& c, const Scope& s) {
    return c.submodel(s.instance);
}

Value numeric(Context& c, const tree::Expression& e, const Scope& s) {
    Value v = translate(c, e, s);
    if (v.is_condition()) return not_a_number(c, e.where, s);
    if (v.enumeration != no_enumeration) {
        c.report(messages::literal_as_number(e.where, place(c, s)));
        return {};
    }
    return v;
}

Expr truth_of(Pool& pool, Expr number) {
    return pool.less(pool.number(0.5), number);
}

Expr number_of(Context& c, Expr condition) {
    if (!condition->boolean) return condition;
    // b > 0.5 of a truth value, which it is itself; x > 0.5 of a real variable is another thing.
    if (condition->op == Op::Less && condition->arg(0)->is_number(0.5))
        if (const Expr x = condition->arg(1); (x->op == Op::Variable || x->op == Op::Previous) &&
                                              x->order == 0 && c.model.variables[x->variable()].is_boolean())
            return x;
    return c.pool.choose(condition, c.pool.number(1), c.pool.number(0));
}

std::optional<double> loop_value(const Context& c, std::uint32_t loops, std::string_view name) {
    for (; loops; loops = c.loop_variables[loops].next)
        if (c.loop_variables[loops].name == name) return c.loop_variables[loops].value;
    return std::nullopt;
}

Value translate(Context& c, const tree::Expression& e, const Scope& s) {
    switch (e.kind) {
        case K::Number:
            if (!std::isfinite(e.number)) {
                c.report(messages::number_too_large(e.where, place(c, s)));
                return {};
            }
            return Value(c.pool.number(e.number));
        case K::Text:
            c.report(messages::text_as_number(e.where, place(c, s)));
            return {};
        case K::Truth:
            return Value(c.pool.truth(e.number != 0));
        case K::Reference:
            return translate_reference(c, e, s);
        case K::Sum:
            return translate_sum(c, e, s);
        case K::Product:
            return translate_product(c, e, s);
        case K::Power: {
            const Expr base = translate_number(c, e.arguments[0], s);
            const Expr exponent = translate_number(c, e.arguments[1], s);
            return base && exponent ? Value(c.pool.power(base, exponent)) : Value();
        }
        case K::Negate:
            return each(numeric(c, e.arguments[0], s), [&](Expr x) { return c.pool.negate(x); });
        case K::Relation:
            return translate_relation(c, e, s);
        case K::And:
        case K::Or: {
            std::vector<Expr> parts;
            for (const tree::Expression& a : e.arguments)
                if (const Expr condition = translate_condition(c, a, s)) parts.push_back(condition);
            if (parts.size() != e.arguments.size()) return {};
            return Value(e.kind == K::And ? c.pool.all_of(parts) : c.pool.any_of(parts));
        }
        case K::Not: {
            const Expr condition = translate_condition(c, e.arguments[0], s);
            return condition ? Value(c.pool.negation(condition)) : Value();
        }
        case K::If:
            return translate_choice(c, e, s);
        case K::Call:
            return translate_call(c, e, s);
        case K::Derivative:
            return translate_derivative(c, e, s);
        case K::Array:
            return translate_array(c, e, s);
        case K::Index:
            return translate_indexed(c, e, s);
        case K::Range:
            c.report(messages::range_not_here(e.where, place(c, s), ""));
            return {};
    }
    return {};
}

Expr translate_number(Context& c, const tree::Expression& e, const Scope& s) {
    const Value v = numeric(c, e, s);
    if (v.failed()) return nullptr;
    if (!v.is_scalar()) {
        c.report(messages::array_where_scalar(e.where, place(c, s), shape_text(v.dimensions)));
        return nullptr;
    }
    return v.scalar;
}

Expr translate_condition(Context& c, const tree::Expression& e, const Scope& s) {
    const Value v = translate(c, e, s);
    if (v.failed()) return nullptr;
    if (!v.is_scalar()) {
        c.report(messages::array_where_scalar(e.where, place(c, s), shape_text(v.dimensions)));
        return nullptr;
    }
    if (!v.is_condition()) {
        c.report(messages::number_as_condition(e.where, place(c, s)));
        return nullptr;
    }
    return v.scalar;
}

}  // namespace cutset
