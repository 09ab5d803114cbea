// Symbolic operations are checked by numbers: at random points every result has the value of what it was made
// from, every solution fulfils its equation where its conditions hold.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "expr/assumptions.h"
#include "expr/simplify.h"
#include "expr/solve_for.h"

namespace cutset {
namespace {

struct Symbolic : testing::Test {
    Pool pool;
    Expr x = pool.variable(VariableIndex(0)), y = pool.variable(VariableIndex(1)),
         a = pool.variable(VariableIndex(2)), b = pool.variable(VariableIndex(3));
    std::mt19937 random{7};

    Expr n(double v) { return pool.number(v); }
    Expr call(Op op, Expr e) { return pool.call(op, e); }

    static double value(Expr e, const std::vector<double>& point) {
        Environment environment;
        environment.leaf = [&](Expr leaf) -> std::optional<double> { return point[leaf->index]; };
        return evaluate(e, environment).value();
    }

    std::vector<double> point() {
        std::uniform_real_distribution<double> range(-3, 3);
        return {range(random), range(random), range(random), range(random)};
    }

    // Equal at 200 points that fulfil the assumptions and where the first has a value.
    void same(Expr before, Expr after, const Assumptions& known) {
        int compared = 0;
        for (int k = 0; k < 4000 && compared < 200; ++k) {
            const std::vector<double> p = point();
            bool fits = true;
            for (Expr c : known.list()) fits = fits && value(c, p) != 0;
            const double v = value(before, p);
            if (!fits || !std::isfinite(v)) continue;
            ++compared;
            EXPECT_NEAR(value(after, p), v, 1e-9 * (1 + std::abs(v)))
                << to_text(before, {}) << " -> " << to_text(after, {});
        }
        EXPECT_GT(compared, 20) << to_text(before, {});
    }

    void solves(Expr left, Expr right, Expr leaf, std::size_t branches) {
        const Assumptions none(pool);
        const std::vector<Solution> found = solve_for(pool, left, right, leaf, none).list;
        ASSERT_EQ(found.size(), branches) << to_text(left, {}) << " = " << to_text(right, {});
        for (const Solution& s : found) {
            EXPECT_FALSE(contains(s.value, leaf));
            Substitution put(pool);
            put.replace(leaf, s.value);
            const Expr error = pool.subtract(put(left), put(right));
            int compared = 0;
            for (int k = 0; k < 4000 && compared < 100; ++k) {
                const std::vector<double> p = point();
                bool holds = true;
                for (Expr c : s.conditions) holds = holds && value(c, p) != 0;
                if (!holds) continue;
                ++compared;
                EXPECT_NEAR(value(error, p), 0, 1e-8 * (1 + std::abs(value(put(left), p))))
                    << to_text(leaf, {}) << " = " << to_text(s.value, {});
            }
            EXPECT_GT(compared, 10) << to_text(s.value, {});
        }
    }
};

TEST_F(Symbolic, AssumptionsDecide) {
    Assumptions known(pool);
    EXPECT_TRUE(known.add(pool.less(n(0), x)));
    EXPECT_TRUE(known.add(pool.less(x, y)));
    EXPECT_EQ(known.decides(pool.less(n(-1), x)), true);
    EXPECT_EQ(known.decides(pool.less(x, n(0))), false);
    EXPECT_EQ(known.decides(pool.less(y, x)), false);
    EXPECT_EQ(known.decides(pool.less(x, n(1))), std::nullopt);
    EXPECT_TRUE(known.range(pool.add(pool.power(a, n(2)), x)).positive());
    EXPECT_TRUE(known.range(pool.divide(n(1), x)).positive());
    EXPECT_FALSE(known.range(pool.subtract(x, y)).positive());
    EXPECT_TRUE(known.range(pool.subtract(x, y)).negative());
    EXPECT_FALSE(known.add(pool.less(x, n(-1))));  // contradicts
}

TEST_F(Symbolic, SimplifiesUnderAssumptions) {
    Assumptions negative(pool), positive(pool), none(pool);
    negative.add(pool.less(x, n(0)));
    positive.add(pool.less(n(0), x));
    const Expr root = call(Op::Sqrt, pool.power(x, n(2)));
    EXPECT_EQ(simplify(pool, root, none), call(Op::Abs, x));
    EXPECT_EQ(simplify(pool, root, positive), x);
    EXPECT_EQ(simplify(pool, root, negative), pool.negate(x));
    EXPECT_EQ(simplify(pool, call(Op::Sign, x), negative), n(-1));
    EXPECT_EQ(simplify(pool, call(Op::Exp, call(Op::Ln, x)), none), x);
    EXPECT_EQ(simplify(pool, pool.choose(pool.less(n(0), x), a, b), positive), a);
    const Expr smallest[2] = {x, pool.negate(x)};
    EXPECT_EQ(simplify(pool, pool.call(Op::Min, smallest), positive), pool.negate(x));
    const Expr squares = pool.add(pool.power(call(Op::Sin, a), n(2)), pool.power(call(Op::Cos, a), n(2)));
    EXPECT_EQ(simplify(pool, squares, none), n(1));
}

TEST_F(Symbolic, ResultsHaveTheSameValues) {
    Assumptions none(pool), some(pool);
    some.add(pool.less(n(0), x));
    some.add(pool.less(y, n(0)));
    const Expr sum = pool.add(x, y), difference = pool.subtract(a, b);
    const std::vector<Expr> list = {
        pool.power(pool.add(sum, difference), n(3)),
        pool.divide(pool.subtract(pool.power(x, n(2)), pool.power(y, n(2))), pool.subtract(x, y)),
        call(Op::Sqrt, pool.multiply(pool.power(x, n(3)), pool.power(y, n(2)))),
        call(Op::Ln, pool.multiply(pool.power(x, n(3)), pool.power(y, n(2)))),
        call(Op::Abs, pool.multiply(pool.multiply(x, y), a)),
        pool.add(pool.divide(a, x), pool.divide(b, pool.multiply(x, y))),
        pool.divide(n(1), pool.add(pool.divide(n(1), x), pool.divide(n(1), y))),
        pool.add(pool.multiply(a, pool.power(call(Op::Cosh, x), n(2))),
                 pool.negate(pool.multiply(a, pool.power(call(Op::Sinh, x), n(2))))),
        pool.power(call(Op::Sqrt, x), n(4)),
        call(Op::Cos, pool.negate(pool.multiply(a, x))),
        pool.multiply(pool.add(pool.multiply(a, x), pool.multiply(a, y)), difference),
    };
    for (Expr e : list) {
        same(e, simplify(pool, e, none), none);
        same(e, simplify(pool, e, some), some);
        same(e, expand(pool, e), none);
        same(e, factored(pool, e), none);
        same(e, collected(pool, e, a), none);
        const Fraction f = as_fraction(pool, e);
        same(e, pool.divide(f.numerator, f.denominator), none);
    }
}

TEST_F(Symbolic, SolutionsFulfilTheirEquations) {
    solves(pool.multiply(a, x), pool.add(b, y), x, 1);
    solves(pool.add(pool.multiply(a, pool.power(x, n(2))), pool.multiply(b, x)), y, x, 2);
    solves(pool.power(x, n(2)), y, x, 2);
    solves(pool.power(x, n(3)), y, x, 1);
    solves(call(Op::Exp, pool.multiply(a, x)), y, x, 1);
    solves(call(Op::Ln, pool.add(x, a)), y, x, 1);
    solves(call(Op::Sqrt, pool.add(x, a)), y, x, 1);
    solves(pool.divide(a, pool.add(x, b)), y, x, 1);
    solves(pool.add(pool.divide(n(1), x), pool.divide(n(1), y)), a, x, 1);
    solves(call(Op::Sin, x), pool.multiply(n(0.3), y), x, 2);
    solves(call(Op::Tanh, pool.add(x, b)), y, x, 1);
    solves(call(Op::Sinh, x), y, x, 1);
    solves(call(Op::Abs, x), y, x, 2);
    solves(pool.subtract(call(Op::Exp, pool.multiply(n(2), x)), pool.multiply(n(3), call(Op::Exp, x))), y, x,
           2);
    solves(pool.choose(pool.less(a, n(0)), pool.multiply(n(2), x), pool.add(x, b)), y, x, 1);
    solves(pool.power(n(2), x), y, x, 1);
    // Not by formula.
    EXPECT_TRUE(solve_for(pool, pool.add(x, call(Op::Exp, x)), y, x, Assumptions(pool)).empty());
    // No real solution.
    EXPECT_TRUE(solve_for(pool, call(Op::Exp, x), n(-1), x, Assumptions(pool)).empty());
    // The assumption leaves one branch.
    Assumptions positive(pool);
    positive.add(pool.less(n(0), x));
    const auto roots = solve_for(pool, pool.power(x, n(2)), n(9), x, positive).list;
    ASSERT_EQ(roots.size(), 1u);
    EXPECT_EQ(roots[0].value, n(3));
}

TEST_F(Symbolic, LinearEquationsTogether) {
    // a*x + y = 1, x - b*y = 2: determinant -(a*b + 1)
    const Assumptions none(pool);
    const std::vector<std::pair<Expr, Expr>> equations = {{pool.add(pool.multiply(a, x), y), n(1)},
                                                          {pool.subtract(x, pool.multiply(b, y)), n(2)}};
    const auto s = solve_linear(pool, equations, {x, y}, none);
    ASSERT_TRUE(s.has_value());
    for (int k = 0; k < 100; ++k) {
        const std::vector<double> p = point();
        const double determinant = p[2] * p[3] + 1;
        EXPECT_NEAR(std::abs(value(s->determinant, p)), std::abs(determinant), 1e-9);
        EXPECT_NEAR(value(s->values[0], p), (p[3] + 2) / determinant,
                    1e-8 * (1 + std::abs((p[3] + 2) / determinant)));
        EXPECT_NEAR(value(s->values[1], p), (1 - 2 * p[2]) / determinant,
                    1e-8 * (1 + std::abs((1 - 2 * p[2]) / determinant)));
    }
    const std::vector<std::pair<Expr, Expr>> dependent = {
        {pool.add(x, y), n(1)}, {pool.add(pool.multiply(n(2), x), pool.multiply(n(2), y)), a}};
    EXPECT_FALSE(solve_linear(pool, dependent, {x, y}, none).has_value());
}

}  // namespace
}  // namespace cutset
