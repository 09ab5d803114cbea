// Polynomials in several symbols, and Smith forms with them, on random ones.
#include "control/symbol_polynomial.h"

#include <gtest/gtest.h>

#include <random>

#include "control/minors.h"
#include "control/polynomial_matrix.h"

namespace cutset {
namespace {

using Generator = std::mt19937;

long whole(Generator& random, long low, long high) {
    return std::uniform_int_distribution<long>(low, high)(random);
}

SymbolPolynomial random_polynomial(Generator& random, unsigned symbols, int terms) {
    SymbolPolynomial out;
    for (int k = 0; k < terms; ++k) {
        SymbolPolynomial term(whole(random, -4, 4));
        for (unsigned s = 0; s < symbols; ++s)
            for (long power = whole(random, 0, 2); power > 0; --power)
                term = term * SymbolPolynomial::symbol(s);
        out = out + term;
    }
    return out;
}

TEST(SymbolPolynomial, DivisorsOfProducts) {
    Generator random(1);
    for (int round = 0; round < 200; ++round) {
        const auto symbols = static_cast<unsigned>(whole(random, 1, 5));
        const SymbolPolynomial g = random_polynomial(random, symbols, 3),
                               u = random_polynomial(random, symbols, 4),
                               v = random_polynomial(random, symbols, 4);
        if (g.is_zero() || u.is_zero() || v.is_zero()) continue;
        const SymbolPolynomial a = g * u, b = g * v, found = greatest_common_divisor(a, b);
        ASSERT_TRUE(found.divided_by(primitive(g))) << round;
        const auto x = a.divided_by(found), y = b.divided_by(found);
        ASSERT_TRUE(x && y) << round;
        EXPECT_TRUE(greatest_common_divisor(*x, *y).is_number()) << round;
        EXPECT_EQ(*a.divided_by(g), u) << round;
        EXPECT_FALSE((a + SymbolPolynomial(1)).divided_by(a)) << round;
    }
}

TEST(SymbolPolynomial, FactorsThatShow) {
    const auto symbol = [](unsigned k) { return SymbolPolynomial::symbol(k); };
    const SymbolPolynomial one(1), p = symbol(0) * (symbol(0) + symbol(1)) * (symbol(0) + symbol(2)) *
                                       (symbol(0) + symbol(2)) * (symbol(0) + one);
    EXPECT_EQ(distinct_factors(p).size(), 4u);
    EXPECT_TRUE(distinct_factors(one).empty());
    EXPECT_EQ(distinct_factors(symbol(1) * symbol(1)), std::vector<SymbolPolynomial>{symbol(1)});
}

Coefficient random_coefficient(Generator& random, unsigned symbols) {
    if (whole(random, 0, 2) == 0) return Coefficient(whole(random, -2, 2));
    return Coefficient::symbol(static_cast<unsigned>(whole(random, 0, symbols - 1)));
}

ExactPolynomial random_element(Generator& random, unsigned symbols, long degree) {
    std::vector<Coefficient> c;
    for (long k = 0; k <= degree; ++k) c.push_back(random_coefficient(random, symbols));
    return ExactPolynomial(std::move(c));
}

// (s + a)(s + b)…: denominators that have factors in common.
ExactPolynomial random_denominator(Generator& random, unsigned symbols) {
    ExactPolynomial out(1);
    for (long k = whole(random, 0, 2); k > 0; --k)
        out = out * ExactPolynomial({random_coefficient(random, symbols), Coefficient(1)});
    return out;
}

ExactPolynomial at_values(const ExactPolynomial& p, const std::vector<std::optional<Rational>>& values) {
    return with_values(p, values);
}

// None of the values that the form excludes.
bool is_regular(const ExceptionalValues& exceptions, const std::vector<std::optional<Rational>>& values) {
    for (SymbolPolynomial p : exceptions.zeros) {
        for (unsigned s = 0; s < values.size(); ++s) p = p.at(s, *values[s]);
        if (p.is_zero()) return false;
    }
    return true;
}

// The form with symbols, at values that it does not exclude, is that of the matrix at these values.
TEST(SmithForm, SymbolsAndValuesCommute) {
    Generator random(2);
    int compared = 0, complete = 0;
    for (int round = 0; round < 150; ++round) {
        const auto symbols = static_cast<unsigned>(whole(random, 1, 5));
        const auto rows = static_cast<std::size_t>(whole(random, 1, 3)),
                   columns = static_cast<std::size_t>(whole(random, 1, 3));
        const bool fractions = whole(random, 0, 1);
        std::vector<std::vector<ExactFraction>> g(rows, std::vector<ExactFraction>(columns));
        for (auto& row : g)
            for (ExactFraction& f : row)
                f = {random_element(random, symbols, whole(random, 0, 1)),
                     fractions ? random_denominator(random, symbols) : ExactPolynomial(1)};
        const GenericDiagonal form = diagonal_from_minors(g);
        complete += form.exceptions.complete;
        for (int turn = 0; turn < 6; ++turn) {
            // Small numbers, so that special values occur.
            std::vector<std::optional<Rational>> values;
            for (unsigned s = 0; s < symbols; ++s) values.emplace_back(Rational(whole(random, -2, 3)));
            if (!form.exceptions.complete && turn < 5) continue;
            if (!form.exceptions.complete)
                for (unsigned s = 0; s < symbols; ++s)
                    values[s] = Rational(Rational(whole(random, 100, 900)) / 7);
            if (!is_regular(form.exceptions, values)) continue;
            ExactTransferMatrix numeric;
            numeric.elements = g;
            for (auto& row : numeric.elements)
                for (ExactFraction& f : row)
                    f = {at_values(f.numerator, values), at_values(f.denominator, values)};
            const SmithMcMillanForm expected = smith_mcmillan_form(numeric);
            ASSERT_EQ(expected.diagonal.size(), form.elements.size()) << round;
            for (std::size_t k = 0; k < form.elements.size(); ++k) {
                EXPECT_EQ(expected.diagonal[k].numerator, at_values(form.elements[k].numerator, values))
                    << round << " element " << k;
                EXPECT_EQ(expected.diagonal[k].denominator, at_values(form.elements[k].denominator, values))
                    << round << " element " << k;
            }
            ++compared;
        }
    }
    RecordProperty("compared", compared);
    EXPECT_GT(compared, 200);
    EXPECT_GT(complete, 100);
}

// The divisor by minors is the Hermite form of elimination, also where the rows have much in common.
TEST(RightDivisor, IsTheHermiteForm) {
    Generator random(4);
    for (int round = 0; round < 60; ++round) {
        const auto symbols = static_cast<unsigned>(whole(random, 1, 2));
        const auto columns = static_cast<std::size_t>(whole(random, 1, 3));
        PolynomialMatrix factor(columns, columns), rows(columns + 1, columns);
        const auto fill = [&](PolynomialMatrix& m, long degree) {
            for (std::size_t i = 0; i < m.rows(); ++i)
                for (std::size_t k = 0; k < m.columns(); ++k)
                    m(i, k) =
                        random_element(random, whole(random, 0, 3) ? symbols : 1, whole(random, 0, degree));
        };
        fill(factor, 1);
        fill(rows, 1);
        for (std::size_t i = 0; i < columns; ++i)
            for (std::size_t k = 0; k < i; ++k) factor(i, k) = ExactPolynomial();
        const PolynomialMatrix p = rows * factor;
        if (determinant(p.block(0, 0, columns, columns)).is_zero()) continue;
        EXPECT_EQ(right_divisor(p), row_hermite_form(p).form.block(0, 0, columns, columns)) << round;
    }
}

}  // namespace
}  // namespace cutset
