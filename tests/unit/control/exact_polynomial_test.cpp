#include "control/exact_polynomial.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "control/polynomial.h"
#include "control/transfer_realization.h"

namespace cutset {
namespace {

ExactTransferMatrix parsed(const std::string& text, std::string* code = nullptr) {
    Sources sources;
    Diagnostics diagnostics;
    auto g = parse_transfer_matrix(sources.add("--tf", text), sources, {}, diagnostics);
    if (code) *code = diagnostics.all().empty() ? "" : diagnostics.all().front().code;
    return g.value_or(ExactTransferMatrix());
}

std::string shown(const std::string& text, bool factored = false) {
    const ExactTransferMatrix g = parsed(text);
    return to_text(reduced(g.elements.at(0).at(0)), g.variable, g.symbols, factored);
}

TEST(Coefficient, NumbersAreExact) {
    EXPECT_EQ(to_text(*rational_from_text("1.25e-3")), "0.00125");
    EXPECT_EQ(*rational_from_text("0.1") * 10, 1);
    EXPECT_EQ(simple_rational(1.0 / 3), Rational(1, 3));
    EXPECT_EQ(simple_rational(-0.1), Rational(-1, 10));
    EXPECT_EQ(to_text(Rational(2, 3)), "2/3");
    EXPECT_FALSE(rational_from_text("1e999"));
    EXPECT_FALSE(rational_from_text("x"));
}

TEST(ExactPolynomial, RootsToTheLastDigit) {
    // Wilkinson's: 1 … 20, whose coefficients in double precision have lost the roots.
    ExactPolynomial p(1);
    for (long k = 1; k <= 20; ++k) p = p * (ExactPolynomial::variable() - ExactPolynomial(k));
    const auto found = roots(p);
    ASSERT_EQ(found.size(), 20u);
    for (int k = 1; k <= 20; ++k)
        EXPECT_EQ(std::count(found.begin(), found.end(), std::complex<double>(k)), 1) << k;
    // Multiple ones, also 0 and a pair.
    const auto many = roots(reduced(parsed("1/(s^3*(s+1)^5*(s^2+1)^2)").elements[0][0]).denominator);
    EXPECT_EQ(std::count(many.begin(), many.end(), std::complex<double>(0)), 3);
    EXPECT_EQ(std::count(many.begin(), many.end(), std::complex<double>(-1)), 5);
    EXPECT_EQ(std::count(many.begin(), many.end(), std::complex<double>(0, 1)), 2);
    // Far apart and close together.
    const auto far =
        roots(reduced(parsed("1/((s+1e-9)*(s+1e9)*(s+1)*(s+1.0000001))").elements[0][0]).denominator);
    for (double v : {-1e-9, -1e9, -1.0, -1.0000001})
        EXPECT_EQ(std::count(far.begin(), far.end(), std::complex<double>(v)), 1) << v;
}

TEST(Coefficient, SymbolsCancel) {
    const Coefficient a = Coefficient::symbol(0), b = Coefficient::symbol(1);
    EXPECT_EQ((a * a - b * b) / (a - b), a + b);
    EXPECT_TRUE((a / b + b / a - (a * a + b * b) / (a * b)).is_zero());
    EXPECT_EQ(to_text((a * b - Coefficient(2)) / a, {"a", "b"}), "(a*b - 2)/a");
    EXPECT_DOUBLE_EQ((a / (a + b)).value({1, 3}), 0.25);
}

TEST(ExactPolynomial, MultiplicitiesAreExact) {
    const ExactTransferMatrix g = parsed("(s+1)^5*(s+2)^3*(s^2+s+1)");
    const auto factors = square_free_factors(g.elements[0][0].numerator);
    ASSERT_EQ(factors.size(), 3u);
    EXPECT_EQ(factors[2].multiplicity, 5u);
    EXPECT_EQ(to_text(factors[2].factor, "s", {}), "s + 1");
    const auto all = roots(g.elements[0][0].numerator);
    ASSERT_EQ(all.size(), 10u);
    EXPECT_EQ(std::count(all.begin(), all.end(), Complex(-1, 0)), 5);
    EXPECT_EQ(std::count(all.begin(), all.end(), Complex(-2, 0)), 3);
}

TEST(TransferText, SumsProductsPowers) {
    EXPECT_EQ(shown("1/(s+1) + 1/(s+1)"), "2/(s + 1)");
    EXPECT_EQ(shown("(s+1)/(s^2+3*s+2)"), "1/(s + 2)");
    EXPECT_EQ(shown("2s(s+3)"), "2*s^2 + 6*s");
    EXPECT_EQ(shown("-s^-2"), "-1/(s^2)");
    EXPECT_EQ(shown("0.5/(0.1*s+1)"), "5/(s + 10)");
    EXPECT_EQ(shown("K*(s+a)/(s^2+2*d*s+1)"), "(K*s + K*a)/(s^2 + 2*d*s + 1)");
    EXPECT_EQ(shown("1/((s+1)^2*(s+2))", true), "1/((s + 2)*(s + 1)^2)");
    EXPECT_EQ(parsed("exp(-0.2*s)/s").delays[0][0], Rational(1, 5));
    EXPECT_EQ(parsed("[1/s, 2; 0, z^0]").rows(), 0u);  // s and z
    EXPECT_EQ(parsed("[1/s, 2; 0, 1]").columns(), 2u);
    EXPECT_EQ(parsed("[[1, 2], [3, 4]]").elements[1][0].numerator, ExactPolynomial(3));
}

TEST(TransferText, MistakesHaveWords) {
    const auto code = [](const std::string& text) {
        std::string c;
        parsed(text, &c);
        return c;
    };
    EXPECT_EQ(code("1/(s+1"), "transfer-bracket");
    EXPECT_EQ(code("1/2s"), "transfer-product");
    EXPECT_EQ(code("1/(s+1)(s+2)"), "transfer-product");
    EXPECT_EQ(code("1/(s-s)"), "transfer-zero-denominator");
    EXPECT_EQ(code("s^0.5"), "transfer-exponent");
    EXPECT_EQ(code("s^1000"), "transfer-exponent");
    EXPECT_EQ(code("s +"), "transfer-syntax");
    EXPECT_EQ(code("s ! 2"), "transfer-syntax");
    EXPECT_EQ(code("sin(s)"), "transfer-function-name");
    EXPECT_EQ(code("exp(s)"), "transfer-delay");
    EXPECT_EQ(code("1/s + exp(-s)"), "transfer-delay");
    EXPECT_EQ(code("1/exp(-s)"), "transfer-delay");
    EXPECT_EQ(code("s*z"), "transfer-variables");
    EXPECT_EQ(code("[1, 2; 3]"), "transfer-matrix");
    EXPECT_EQ(code("  "), "transfer-matrix");
    EXPECT_EQ(code(std::string(300, '(') + "s" + std::string(300, ')')), "transfer-nesting");
}

TEST(TransferText, PadeOfADelay) {
    // (1 - s/2 + s²/12)/(1 + s/2 + s²/12) for T = 1
    const ExactTransferMatrix g = with_pade(parsed("exp(-s)"), 2);
    EXPECT_EQ(to_text(reduced(g.elements[0][0]), "s", {}), "(s^2 - 6*s + 12)/(s^2 + 6*s + 12)");
}

TEST(Polynomial, RootsOfWideRange) {
    // (s + 1e-4)(s + 1)(s + 1e6)
    std::vector<Complex> r = polynomial_roots({1, 1000001.0001, 1000100.0001, 100});
    sort_roots(r);
    ASSERT_EQ(r.size(), 3u);
    EXPECT_NEAR(r[0].real(), -1e6, 1e-3);
    EXPECT_NEAR(r[1].real(), -1, 1e-9);
    EXPECT_NEAR(r[2].real(), -1e-4, 1e-12);
}

TEST(Polynomial, MultipleRootsAreGrouped) {
    // (s + 2)^4 (s^2 + 1), expanded in double precision
    std::vector<double> p = {1, 0, 1};
    for (int k = 0; k < 4; ++k) p = multiply(p, {1, 2});
    const auto groups = root_groups(p);
    ASSERT_EQ(groups.size(), 3u);
    EXPECT_EQ(groups[0].multiplicity, 4u);
    EXPECT_NEAR(groups[0].root.real(), -2, 1e-9);
}

}  // namespace
}  // namespace cutset
