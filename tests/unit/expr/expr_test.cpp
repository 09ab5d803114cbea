#include "expr/expr.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

namespace cutset {
namespace {

struct Expressions : testing::Test {
    Pool pool;
    Expr x = pool.variable(VariableIndex(0)), y = pool.variable(VariableIndex(1)),
         z = pool.variable(VariableIndex(2)), u = pool.variable(VariableIndex(3)),
         v = pool.variable(VariableIndex(4)), R = pool.variable(VariableIndex(5)), t = pool.time();
    Printer names{[](VariableIndex i) { return std::string(1, "xyzuvR"[i.value]); },
                  [](CalleeIndex i) { return "f" + std::to_string(i.value); },
                  [](std::uint32_t s) { return "a" + std::to_string(s); }};

    Expr n(double value) { return pool.number(value); }
    Expr add(Expr a, Expr b) { return pool.add(a, b); }
    Expr sub(Expr a, Expr b) { return pool.subtract(a, b); }
    Expr mul(Expr a, Expr b) { return pool.multiply(a, b); }
    Expr div(Expr a, Expr b) { return pool.divide(a, b); }
    Expr pow(Expr a, Expr b) { return pool.power(a, b); }
    std::string text(Expr e) { return to_text(e, names); }
};

TEST_F(Expressions, AreSharedAndOrdered) {
    EXPECT_EQ(add(x, y), add(y, x));
    EXPECT_EQ(mul(x, mul(y, z)), mul(mul(z, x), y));
    EXPECT_EQ(add(x, add(y, z)), add(add(z, y), x));
    EXPECT_NE(sub(x, y), sub(y, x));
    EXPECT_LT(x->id, y->id);
    EXPECT_EQ(text(add(add(n(1), mul(n(2), x)), pow(x, n(2)))), "2*x + x^2 + 1");
    EXPECT_EQ(text(add(mul(y, x), add(pow(y, n(2)), pow(x, n(2))))), "x^2 + x*y + y^2");
    EXPECT_EQ(text(mul(pool.call(Op::Sqrt, x), y)), "y*sqrt(x)");
    // Numbers that cannot be folded are factors like others.
    const Expr huge = n(1e300);
    EXPECT_EQ(add(mul(mul(huge, huge), x), mul(mul(n(1e301), huge), x)),
              add(mul(mul(n(1e301), huge), x), mul(mul(huge, huge), x)));
}

// Nodes that were restored are those that building them again gives, and new ones do not disturb them.
TEST_F(Expressions, AreFoundAfterRestoring) {
    std::vector<Expr> made = {x, y, z, n(0), n(1), n(-1), n(2.5), t, pool.truth(true)};
    for (int i = 0; i < 3000; ++i) {
        const Expr a = made[static_cast<std::size_t>(i * 7) % made.size()];
        if (!a->boolean) made.push_back(add(mul(n(i + 0.5), a), pow(x, n(i % 5))));
    }
    std::vector<Expr> nodes(pool.size(), nullptr);
    for (Expr e : made) for_each_node(e, [&](Expr node) { nodes[node->id] = node; });
    Pool other;
    std::vector<Expr> restored(nodes.size(), nullptr);
    for (Expr e : nodes) {
        if (!e) continue;
        Node like = *e;
        std::vector<Expr> arguments;
        for (Expr a : e->args()) arguments.push_back(restored[a->id]);
        like.arguments = arguments.data();
        restored[e->id] = other.restore(like);
    }
    const std::size_t size = other.size();
    for (Expr e : nodes) {
        if (!e || e->argument_count == 0) continue;
        std::vector<Expr> arguments;
        for (Expr a : e->args()) arguments.push_back(restored[a->id]);
        const Expr again = e->op == Op::Add        ? other.add(arguments)
                           : e->op == Op::Multiply ? other.multiply(arguments)
                                                   : other.power(arguments[0], arguments[1]);
        EXPECT_EQ(again, restored[e->id]) << text(e);
    }
    EXPECT_EQ(other.number(2.5), restored[n(2.5)->id]);
    EXPECT_EQ(other.variable(VariableIndex(0)), restored[x->id]);
    EXPECT_EQ(other.size(), size);
    EXPECT_EQ(other.add(other.number(7777.5), restored[x->id])->id, size + 1);
}

TEST_F(Expressions, SumsCollectTerms) {
    EXPECT_EQ(add(mul(n(2), x), mul(n(3), x)), mul(n(5), x));
    EXPECT_EQ(sub(x, x), n(0));
    EXPECT_EQ(add(x, n(0)), x);
    EXPECT_EQ(sub(add(x, y), y), x);
    EXPECT_EQ(mul(n(2), add(x, y)), add(mul(n(2), x), mul(n(2), y)));
    EXPECT_EQ(pool.negate(sub(x, y)), sub(y, x));
    EXPECT_EQ(add(mul(n(2), mul(x, y)), mul(mul(y, n(3)), x)), mul(n(5), mul(x, y)));
    EXPECT_EQ(sub(add(x, n(1)), n(1)), x);
}

TEST_F(Expressions, ProductsCollectPowers) {
    EXPECT_EQ(mul(x, x), pow(x, n(2)));
    EXPECT_EQ(div(x, x), n(1));
    EXPECT_EQ(mul(n(0), x), n(0));
    EXPECT_EQ(mul(n(1), x), x);
    EXPECT_EQ(pow(pow(x, n(2)), n(3)), pow(x, n(6)));
    EXPECT_EQ(pow(mul(x, y), n(2)), mul(mul(x, x), mul(y, y)));
    EXPECT_EQ(div(mul(x, y), y), x);
    EXPECT_EQ(div(n(1), div(n(1), x)), x);
    EXPECT_EQ(pow(x, n(0)), n(1));
    EXPECT_EQ(pow(x, n(1)), x);
    EXPECT_EQ(pow(pow(mul(x, y), n(0.5)), n(2)), mul(x, y));
    EXPECT_EQ(mul(pow(mul(x, y), n(0.5)), pow(mul(x, y), n(0.5))), mul(x, y));
    EXPECT_EQ(div(mul(n(2), mul(add(x, y), z)), z), add(mul(n(2), x), mul(n(2), y)));
    EXPECT_EQ(div(mul(n(5), x), n(3)), mul(n(5.0 / 3.0), x));
}

TEST_F(Expressions, WhatIsNotFiniteStays) {
    const Expr infinite = div(n(1), n(0));
    EXPECT_FALSE(infinite->is_number());
    EXPECT_EQ(text(infinite), "1/0");
    EXPECT_FALSE(mul(n(0), infinite)->is_number());
    EXPECT_FALSE(sub(infinite, infinite)->is_number());
    EXPECT_EQ(text(pool.call(Op::Sqrt, n(-1))), "sqrt(-1)");
    EXPECT_EQ(pool.call(Op::Sqrt, n(4)), n(2));
    EXPECT_TRUE(std::isnan(*evaluate(div(n(0), n(0)), {})));
    EXPECT_TRUE(std::isinf(*evaluate(mul(n(1e200), n(1e200)), {})));
    EXPECT_TRUE(std::isinf(*evaluate(add(n(1.5e308), n(1.5e308)), {})));
}

TEST_F(Expressions, ConditionsFold) {
    const Expr a = pool.less(x, y), b = pool.less(y, z);
    const Expr both[2] = {a, b};
    EXPECT_EQ(pool.choose(pool.truth(true), x, y), x);
    EXPECT_EQ(pool.choose(pool.truth(false), x, y), y);
    EXPECT_EQ(pool.choose(a, x, x), x);
    EXPECT_EQ(pool.negation(pool.negation(a)), a);
    EXPECT_EQ(pool.less(n(1), n(2)), pool.truth(true));
    const Expr with_true[3] = {a, pool.truth(true), b};
    EXPECT_EQ(pool.all_of(with_true), pool.all_of(both));
    EXPECT_EQ(pool.any_of(with_true), pool.truth(true));
    const Expr nested[2] = {pool.all_of(both), a};
    EXPECT_EQ(pool.all_of(nested), pool.all_of(both));
    const Expr parts[5] = {a, x, b, y, z};
    EXPECT_EQ(pool.choose(a, x, pool.choose(b, y, z)), pool.choose(parts));
    EXPECT_TRUE(a->boolean);
    EXPECT_FALSE(pool.choose(a, x, y)->boolean);
}

TEST_F(Expressions, PrintAsTheModellerWrites) {
    EXPECT_EQ(text(div(sub(u, v), R)), "(u - v)/R");
    EXPECT_EQ(text(pool.negate(x)), "-x");
    EXPECT_EQ(text(mul(n(2), x)), "2*x");
    EXPECT_EQ(text(sub(x, y)), "x - y");
    EXPECT_EQ(text(sub(y, x)), "y - x");
    EXPECT_EQ(text(sub(n(1), x)), "1 - x");
    EXPECT_EQ(text(pool.negate(add(x, y))), "-x - y");
    EXPECT_EQ(text(div(mul(x, y), mul(z, u))), "x*y/(z*u)");
    EXPECT_EQ(text(pow(x, n(2))), "x^2");
    EXPECT_EQ(text(pow(x, n(-2))), "1/x^2");
    EXPECT_EQ(text(pow(add(x, y), n(2))), "(x + y)^2");
    EXPECT_EQ(text(pow(x, pow(y, z))), "x^(y^z)");
    EXPECT_EQ(text(pow(pow(x, y), z)), "(x^y)^z");
    EXPECT_EQ(text(pow(n(-2), x)), "(-2)^x");
    EXPECT_EQ(text(pool.negate(pow(x, n(2)))), "-x^2");
    EXPECT_EQ(text(pow(x, pool.negate(y))), "x^(-y)");
    EXPECT_EQ(text(pool.variable(VariableIndex(0), 1)), "x'");
    EXPECT_EQ(text(pool.variable(VariableIndex(0), 2)), "x''");
    EXPECT_EQ(text(pool.less(n(0), x)), "x > 0");
    EXPECT_EQ(text(pool.less(x, y)), "x < y");
    EXPECT_EQ(text(pool.less_equal(y, x)), "x >= y");
    EXPECT_EQ(text(pool.choose(pool.less(n(0), x), y, z)), "if x > 0 then y else z");
    EXPECT_EQ(text(mul(n(2), pool.choose(pool.less(n(0), x), y, z))), "2*(if x > 0 then y else z)");
    EXPECT_EQ(text(div(x, n(3))), "x/3");
    EXPECT_EQ(text(div(x, mul(n(3), y))), "x/(3*y)");
    EXPECT_EQ(text(div(add(x, y), n(2))), "0.5*(x + y)");
    EXPECT_EQ(text(div(sub(x, y), n(3))), "(x - y)/3");
    EXPECT_EQ(text(mul(sub(u, v), sub(x, y))), "(x - y)*(u - v)");  // x and y are older
    EXPECT_EQ(text(mul(n(-2), mul(x, add(y, z)))), "-2*x*(y + z)");
    EXPECT_EQ(text(div(n(1), x)), "1/x");
    EXPECT_EQ(text(div(n(-1), x)), "-1/x");
    EXPECT_EQ(text(pool.call(Op::Min, std::vector<Expr>{x, y, z})), "min(x, y, z)");
    EXPECT_EQ(text(pool.call(Op::Sin, mul(n(2), x))), "sin(2*x)");
    EXPECT_EQ(text(pool.call(Op::Starting, std::span<const Expr>{})), "start()");
    EXPECT_EQ(text(pool.previous(VariableIndex(1))), "pre(y)");
    const Expr both[2] = {x, y};
    EXPECT_EQ(text(pool.apply(CalleeIndex(1), 0, both)), "f1(x, y)");
    EXPECT_EQ(text(differentiate(pool, pool.apply(CalleeIndex(1), 0, both), y)), "f1'[2](x, y)");
    EXPECT_EQ(text(differentiate(pool, pool.apply(CalleeIndex(1), 0, std::span(&x, 1)), x)), "f1'(x)");
    const Expr conditions[2] = {pool.less(x, y), pool.negation(pool.equal(y, z))};
    EXPECT_EQ(text(pool.any_of(conditions)), "x < y or not y = z");
    EXPECT_EQ(text(pool.negation(pool.any_of(conditions))), "not (x < y or not y = z)");
}

TEST_F(Expressions, NumbersAreShort) {
    EXPECT_EQ(number_text(0.1), "0.1");
    EXPECT_EQ(number_text(1e6), "1000000");
    EXPECT_EQ(number_text(1e7), "1e7");
    EXPECT_EQ(number_text(1.8e-7), "1.8e-7");
    EXPECT_EQ(number_text(-3), "-3");
    EXPECT_EQ(number_text(0), "0");
    EXPECT_EQ(number_text(1e100), "1e100");
    EXPECT_EQ(number_text(1.0 / 3.0), "0.3333333333333333");
    for (double value : {5e-324, 1.7976931348623157e308, 0.1 + 0.2, 123456.789e-12})
        EXPECT_EQ(std::strtod(number_text(value).c_str(), nullptr), value);
}

TEST_F(Expressions, Latex) {
    names.variable = [](VariableIndex i) {
        return std::vector<std::string>{"R1.Va", "phi", "s[3].phi", "u_in", "x[2]", "m"}[i.value];
    };
    EXPECT_EQ(to_latex(x, names), "V_{a,\\mathrm{R1}}");
    EXPECT_EQ(to_latex(pool.variable(VariableIndex(1), 1), names), "\\dot{\\phi}");
    EXPECT_EQ(to_latex(pool.variable(VariableIndex(2), 2), names), "\\ddot{\\phi}_{\\mathrm{s[3]}}");
    EXPECT_EQ(to_latex(u, names), "u_{\\mathrm{in}}");
    EXPECT_EQ(to_latex(v, names), "x_{2}");
    EXPECT_EQ(to_latex(div(sub(y, v), R), names), "\\frac{\\phi - x_{2}}{m}");
    EXPECT_EQ(to_latex(mul(R, add(y, v)), names), "m \\, \\left(\\phi + x_{2}\\right)");
    EXPECT_EQ(to_latex(pool.choose(pool.less(n(0), y), y, R), names),
              "\\begin{cases} \\phi & \\text{if } \\phi > 0 \\\\ m & \\text{otherwise} \\end{cases}");
    EXPECT_EQ(to_latex(mul(n(2e-9), y), names).substr(0, 16), "2 \\cdot 10^{-9} ");
}

TEST_F(Expressions, Leaves) {
    const Expr e = add(mul(z, pool.call(Op::Sin, x)), pool.choose(pool.less(t, y), x, z));
    std::string seen;
    for_each_leaf(e, [&](Expr leaf) { seen += text(leaf) + " "; });
    EXPECT_EQ(seen, "x y z time ");
    EXPECT_TRUE(contains(e, t));
    EXPECT_FALSE(contains(e, u));
    EXPECT_TRUE(depends_on(e, [&](Expr leaf) { return leaf == y; }));
    EXPECT_FALSE(depends_on(e, [&](Expr leaf) { return leaf == u; }));
    std::vector<Expr> order;
    for_each_node(e, [&](Expr node) {
        for (Expr a : node->args()) EXPECT_NE(std::find(order.begin(), order.end(), a), order.end());
        order.push_back(node);
    });
    EXPECT_EQ(order.back(), e);
}

TEST_F(Expressions, LinearForms) {
    const auto linear = [&](Expr e, Expr leaf) {
        const auto found = as_linear(pool, e, leaf);
        return found ? text(found->coefficient) + " | " + text(found->rest) : std::string("no");
    };
    EXPECT_EQ(linear(sub(mul(R, x), sub(u, v)), x), "R | v - u");
    EXPECT_EQ(linear(sub(mul(R, x), sub(u, v)), u), "-1 | v + x*R");
    EXPECT_EQ(linear(div(sub(u, x), R), x), "-1/R | u/R");
    EXPECT_EQ(linear(mul(x, x), x), "no");
    EXPECT_EQ(linear(div(u, x), x), "no");
    EXPECT_EQ(linear(pool.call(Op::Sin, x), x), "no");
    EXPECT_EQ(linear(mul(x, y), x), "y | 0");
    EXPECT_EQ(linear(mul(add(x, y), add(x, z)), x), "no");
    EXPECT_EQ(linear(pool.choose(pool.less(n(0), y), mul(n(2), x), sub(z, x)), x),
              "if y > 0 then 2 else -1 | if y > 0 then 0 else z");
    EXPECT_EQ(linear(pool.choose(pool.less(n(0), x), mul(n(2), x), x), x), "no");
    EXPECT_EQ(linear(pool.choose(pool.less(n(0), y), mul(x, x), x), x), "no");
    // Cancels inside a bracket: not there at all.
    const Expr cancels = sub(mul(y, add(x, z)), mul(x, y));
    EXPECT_EQ(linear(mul(cancels, x), x), "y*z | 0");
    EXPECT_EQ(linear(pool.call(Op::Sin, cancels), x), "0 | sin(y*z)");
    const Expr late[2] = {x, n(1)};
    EXPECT_EQ(linear(add(pool.call(Op::Delay, late), x), x), "1 | delay(x, 1)");

    const Expr leaves[2] = {x, y};
    const auto form = as_linear_form(pool, add(mul(z, add(x, mul(n(3), y))), sub(u, x)), leaves);
    ASSERT_TRUE(form);
    EXPECT_EQ(text(form->coefficients[0]), "z - 1");
    EXPECT_EQ(text(form->coefficients[1]), "3*z");
    EXPECT_EQ(form->rest, u);
    EXPECT_FALSE(as_linear_form(pool, mul(x, y), leaves));
}

TEST_F(Expressions, Substitution) {
    for (const std::size_t by_index : {0, 1, 100}) {  // none, x alone, and all variables
        Substitution s(pool, by_index);
        EXPECT_TRUE(s.empty());
        s.replace(x, add(y, n(1)));
        EXPECT_FALSE(s.empty());
        const Expr e = add(mul(n(2), x), pool.call(Op::Sin, x));
        EXPECT_EQ(text(s(e)), "2*y + sin(y + 1) + 2");
        s.replace(y, z);  // what was found before is forgotten; replacements are not replaced again
        EXPECT_EQ(text(s(e)), "2*y + sin(y + 1) + 2");
        EXPECT_EQ(text(s(add(e, y))), "2*y + sin(y + 1) + z + 2");
        EXPECT_EQ(s(u), u);
        EXPECT_EQ(s(sub(x, y)), sub(add(y, n(1)), z));
        const Expr rate = pool.variable(x->variable(), 1);
        EXPECT_EQ(s(rate), rate);
        s.replace(rate, u);
        EXPECT_EQ(s(add(x, rate)), add(add(y, n(1)), u));
    }
}

TEST_F(Expressions, TimeDerivatives) {
    const auto varies = [&](VariableIndex i) { return i.value != 5; };  // R is a parameter
    const auto dt = [&](Expr e) { return text(time_derivative(pool, e, varies)); };
    EXPECT_EQ(dt(x), "x'");
    EXPECT_EQ(dt(pool.variable(VariableIndex(0), 1)), "x''");
    EXPECT_EQ(dt(mul(R, x)), "R*x'");
    EXPECT_EQ(dt(mul(x, y)), "y*x' + x*y'");
    EXPECT_EQ(dt(t), "1");
    EXPECT_EQ(dt(R), "0");
    EXPECT_EQ(dt(pool.call(Op::Sin, t)), "cos(time)");
    EXPECT_EQ(dt(pool.choose(pool.less(n(0), x), y, R)), "if x > 0 then y' else 0");
    const Expr late[2] = {x, R};
    EXPECT_EQ(dt(pool.call(Op::Delay, late)), "delay(x', R)");
    EXPECT_EQ(dt(pool.previous(VariableIndex(0))), "0");
}

TEST_F(Expressions, ThirdDerivativeOfATableIsRefused) {
    Expr e = pool.apply(CalleeIndex(0), 0, std::span(&x, 1));
    e = differentiate(pool, e, x);
    e = differentiate(pool, e, x);
    EXPECT_EQ(text(e), "f0''(x)");
    EXPECT_THROW(differentiate(pool, e, x), std::domain_error);
    EXPECT_EQ(differentiate(pool, e, y), n(0));
}

TEST_F(Expressions, EvaluateIsLazyInChoices) {
    Environment environment;
    environment.leaf = [&](Expr leaf) -> std::optional<double> {
        if (leaf == x) return 3;
        return std::nullopt;
    };
    EXPECT_EQ(evaluate(pool.choose(pool.less(n(0), x), x, y), environment), 3);
    EXPECT_EQ(evaluate(pool.choose(pool.less(x, n(0)), x, y), environment), std::nullopt);
    const Expr conditions[2] = {pool.less(x, n(0)), pool.less(y, n(0))};
    EXPECT_EQ(evaluate(pool.all_of(conditions), environment), 0);
    EXPECT_EQ(evaluate(pool.any_of(conditions), environment), std::nullopt);
}

TEST(Numbers, ElementaryOperations) {
    EXPECT_EQ(apply_unary(Op::Truncate, -2.7), -2);
    EXPECT_EQ(apply_binary(Op::Remainder, -7, 3), -1);
    EXPECT_EQ(apply_binary(Op::Remainder, 7.5, 2), 1.5);
    EXPECT_EQ(apply_binary(Op::Modulo, -7, 3), 2);
    EXPECT_EQ(apply_binary(Op::Modulo, 7.5, -2), -0.5);
    EXPECT_EQ(apply_unary(Op::Floor, -2.7), -3);
    EXPECT_EQ(apply_binary(Op::Power, -2, 3), -8);
    EXPECT_EQ(apply_binary(Op::Power, 4, -1), 0.25);
    EXPECT_EQ(apply_binary(Op::Power, 2, -3), 0.125);
    EXPECT_EQ(apply_binary(Op::Power, 2, 0.5), std::sqrt(2));
    EXPECT_TRUE(std::isnan(apply_unary(Op::Sign, NAN)));
    EXPECT_TRUE(std::isnan(apply_binary(Op::Min, NAN, 1)));
    EXPECT_TRUE(std::isnan(apply_binary(Op::Max, 1, NAN)));
}

TEST(PoolSize, MillionsOfNodes) {
    const auto begin = std::chrono::steady_clock::now();
    Pool pool;
    std::vector<Expr> terms;
    for (std::size_t i = 0; i < 200000; ++i) {
        const Expr a = pool.variable(VariableIndex(i)), b = pool.variable(VariableIndex(i + 1));
        terms.push_back(pool.multiply(a, pool.subtract(b, a)));
    }
    const Expr sum = pool.add(terms);  // wide: one node
    EXPECT_EQ(sum->argument_count, 200000u);
    EXPECT_EQ(pool.subtract(sum, sum), pool.number(0));
    EXPECT_GT(pool.size(), 600000u);
    // Generous: this is about growth, not about the machine.
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

// All of them have the same youngest argument, so that few find a place near it.
TEST(PoolSize, AStarIsSharedToo) {
    const auto begin = std::chrono::steady_clock::now();
    Pool pool;
    constexpr std::size_t n = 200000;
    for (std::size_t i = 0; i < n; ++i) pool.variable(VariableIndex(i));
    const Expr hub = pool.variable(VariableIndex(n), 3);
    std::vector<Expr> made;
    for (std::size_t i = 0; i < n; ++i) made.push_back(pool.add(pool.variable(VariableIndex(i)), hub));
    const std::size_t size = pool.size();
    for (std::size_t i = n; i-- > 0;) ASSERT_EQ(pool.add(hub, pool.variable(VariableIndex(i))), made[i]);
    EXPECT_EQ(pool.variable(VariableIndex(n), 3), hub);
    EXPECT_EQ(pool.size(), size);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(Substituting, SmallAndLargeExpressionsAlike) {
    Pool pool;
    const auto v = [&](std::size_t i) { return pool.variable(VariableIndex(i)); };
    const auto product = [&](std::size_t i, Expr other) {
        return pool.call(Op::Sin, pool.multiply(v(i), other));
    };
    for (std::size_t terms : {2u, 10u, 20u, 40u, 1000u}) {
        Substitution put(pool);
        put.replace(v(0), pool.number(2));
        put.replace(pool.call(Op::Sin, pool.multiply(v(1), v(5000))), v(7));
        std::vector<Expr> before, after;
        for (std::size_t i = 0; i < terms; ++i) {
            before.push_back(product(i + 1, i % 2 == 0 ? v(5000) : v(0)));
            after.push_back(i == 0 ? v(7) : product(i + 1, i % 2 == 0 ? v(5000) : pool.number(2)));
        }
        const Expr sum = pool.add(before), expected = pool.add(after);
        EXPECT_EQ(put(sum), expected) << terms;
        EXPECT_EQ(put(sum), expected) << terms;  // from the memo
    }
    // 2^100 ways from the top to x.
    Expr x = v(0), y = v(1);
    for (int i = 0; i < 100; ++i) {
        x = pool.add(pool.call(Op::Sin, x), pool.call(Op::Cos, x));
        y = pool.add(pool.call(Op::Sin, y), pool.call(Op::Cos, y));
    }
    Substitution put(pool);
    put.replace(v(0), v(1));
    EXPECT_EQ(put(x), y);
    std::size_t nodes = 0;
    for_each_node(x, [&](Expr) { ++nodes; });
    EXPECT_EQ(nodes, 301u);
}

}  // namespace
// Each variable stands in many products, so that its region of the table is full and most stand elsewhere.
TEST(Pool, ManyProductsWithFewVariablesAreFoundAgain) {
    Pool pool;
    constexpr std::uint32_t n = 300;
    std::vector<Expr> variables, products;
    for (std::uint32_t i = 0; i < 2 * n; ++i) variables.push_back(pool.variable(VariableIndex(i)));
    const auto product = [&](std::uint32_t i, std::uint32_t j) {
        return pool.multiply(variables[i], variables[n + j]);
    };
    for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t j = 0; j < n; ++j) products.push_back(product(i, j));
    const std::size_t size = pool.size();
    EXPECT_GE(size, n * n + 2 * n);
    std::size_t different = 0;
    for (std::uint32_t i = 0; i < n; ++i)
        for (std::uint32_t j = 0; j < n; ++j) different += product(i, j) != products[i * n + j];
    EXPECT_EQ(different, 0u);
    EXPECT_EQ(pool.size(), size);
}

}  // namespace cutset
