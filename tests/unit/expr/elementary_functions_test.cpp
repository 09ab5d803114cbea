// Every row of the table against itself: derivatives, inverses, formulas, ranges and symmetry by values.
#include "expr/elementary_functions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "expr/dual.h"

namespace cutset {
namespace {

constexpr double points[] = {-2.6, -1.3, -0.7, -0.2, 0.3, 0.8, 1.4, 3.1};

const Environment no_leaves;
double value(Expr e) {
    return evaluate(e, no_leaves).value_or(NAN);
}

void expect_close(double found, double wanted, double tolerance, const ElementaryFunction& f, double x) {
    EXPECT_NEAR(found, wanted, tolerance * (1 + std::abs(wanted))) << f.name << " at " << x;
}

// x, x + h and x - h have values.
bool defined_around(const ElementaryFunction& f, double x, double h) {
    return std::isfinite(f.of_one(x - h)) && std::isfinite(f.of_one(x)) && std::isfinite(f.of_one(x + h));
}

TEST(ElementaryFunctions, AreFoundByOperationAndName) {
    for (const ElementaryFunction& f : elementary_functions) {
        EXPECT_EQ(elementary_function(f.op), &f);
        EXPECT_EQ(find_elementary_function(f.name), &f);
        EXPECT_TRUE(f.c && f.fortran && f.latex) << f.name;
        EXPECT_TRUE(f.takes(f.arguments));
    }
    EXPECT_EQ(find_elementary_function("log")->op, Op::Ln);
    EXPECT_EQ(find_elementary_function("noevent"), nullptr);
    EXPECT_EQ(find_elementary_function(""), nullptr);
    EXPECT_EQ(elementary_function(Op::Power), nullptr);
    EXPECT_EQ(elementary_function(Op::Less), nullptr);
}

TEST(ElementaryFunctions, HaveTheirDerivatives) {
    const double h = 1e-5;
    for (const ElementaryFunction& f : elementary_functions) {
        if (!f.smooth || f.arguments != 1) continue;
        int compared = 0;
        for (double x : points) {
            if (!defined_around(f, x, h)) continue;
            using Second = Dual<Dual<double>>;
            const auto first = [&](double at) { return function_of(f.op, Dual<double>(at, 1)).d; };
            expect_close(first(x), (f.of_one(x + h) - f.of_one(x - h)) / (2 * h), 1e-7, f, x);
            const Second both = function_of(f.op, Second({x, 1}, {1, 0}));
            EXPECT_EQ(both.v.d, first(x));
            expect_close(both.d.d, (first(x + h) - first(x - h)) / (2 * h), 1e-6, f, x);

            Pool pool;
            const Expr leaf = pool.time();
            Substitution put(pool);
            put.replace(leaf, pool.number(x));
            expect_close(value(put(differentiate(pool, pool.call(f.op, leaf), leaf))), first(x), 1e-14, f, x);
            ++compared;
        }
        EXPECT_GE(compared, 2) << f.name;
    }
}

TEST(ElementaryFunctions, HaveTheirPartialDerivatives) {
    const double h = 1e-5;
    for (const ElementaryFunction& f : elementary_functions) {
        if (!f.smooth || f.arguments != 2) continue;
        for (double x : points)
            for (double y : points) {
                const double by_x = function_of(f.op, Dual<double>(x, 1), Dual<double>(y, 0)).d;
                const double by_y = function_of(f.op, Dual<double>(x, 0), Dual<double>(y, 1)).d;
                expect_close(by_x, (f.of_two(x + h, y) - f.of_two(x - h, y)) / (2 * h), 1e-7, f, x);
                expect_close(by_y, (f.of_two(x, y + h) - f.of_two(x, y - h)) / (2 * h), 1e-7, f, x);
            }
    }
}

TEST(ElementaryFunctions, AreSolvedByTheirInverses) {
    for (const ElementaryFunction& f : elementary_functions) {
        if (!f.inverse) continue;
        for (double x : points) {
            const double r = f.of_one(x);
            if (!std::isfinite(r)) continue;
            Pool pool;
            const Expr result = pool.number(r);
            bool is_solution = false;
            for (const InverseBranch& branch : f.inverse({&pool, result})) {
                const auto holds = [](Expr c) { return value(c) != 0; };
                if (!std::all_of(branch.conditions.begin(), branch.conditions.end(), holds)) continue;
                is_solution = true;
                expect_close(f.of_one(value(branch.value.e)), r, 1e-12, f, x);
            }
            EXPECT_TRUE(is_solution) << f.name << " at " << x;
        }
    }
}

TEST(ElementaryFunctions, KeepTheirValueWhenSpelledOut) {
    for (const ElementaryFunction& f : elementary_functions) {
        if (!f.spelled_out) continue;
        for (double x : points) {
            const double y = 0.75;
            const double wanted = f.of_one ? f.of_one(x) : f.of_two(x, y);
            if (!std::isfinite(wanted)) continue;
            Pool pool;
            const Symbol arguments[2] = {{&pool, pool.number(x)}, {&pool, pool.number(y)}};
            expect_close(value(f.spelled_out(std::span(arguments, f.arguments)).e), wanted, 1e-13, f, x);
        }
    }
}

TEST(ElementaryFunctions, HaveTheirRangesAndSymmetry) {
    for (const ElementaryFunction& f : elementary_functions) {
        if (f.arguments != 1) continue;
        for (double x : points) {
            const double y = f.of_one(x);
            if (!std::isfinite(y)) {
                EXPECT_NE(f.not_finite, nullptr) << f.name;
                continue;
            }
            EXPECT_GE(y, f.range.low) << f.name;
            EXPECT_LE(y, f.range.high) << f.name;
            if (f.odd) EXPECT_EQ(f.of_one(-x), -y) << f.name;
            if (f.even) EXPECT_EQ(f.of_one(-x), y) << f.name;
            if (f.zero_at_zero_only) EXPECT_TRUE(y != 0 && f.of_one(0) == 0) << f.name;
            if (f.undoes) {
                const double inner = apply_unary(*f.undoes, x);
                if (std::isfinite(inner) && std::abs(inner) < 1e6)
                    expect_close(f.of_one(inner), x, 1e-9, f, x);
            }
        }
    }
}

}  // namespace
}  // namespace cutset
