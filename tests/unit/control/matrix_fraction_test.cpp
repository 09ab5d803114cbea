// Kailath, Linear Systems, examples 6.2-1, 6.4-1, 6.4-2 and 6.4-6.
#include "control/matrix_fraction.h"

#include <gtest/gtest.h>

#include "systems.h"

namespace cutset {
namespace {

ExactTransferMatrix parsed_matrix(const std::string& text) {
    Sources sources;
    Diagnostics diagnostics;
    return parse_transfer_matrix(sources.add("--tf", text), sources, {}, diagnostics).value();
}

PolynomialMatrix polynomials(const std::string& text) {
    const ExactTransferMatrix g = parsed_matrix(text);
    PolynomialMatrix p(g.rows(), g.columns());
    for (std::size_t i = 0; i < g.rows(); ++i)
        for (std::size_t k = 0; k < g.columns(); ++k) p(i, k) = reduced(g.elements[i][k]).numerator;
    return p;
}

void expect_same(const ExactTransferMatrix& a, const ExactTransferMatrix& b) {
    for (std::size_t i = 0; i < a.rows(); ++i)
        for (std::size_t k = 0; k < a.columns(); ++k) {
            const ExactFraction x = reduced(a.elements[i][k]), y = reduced(b.elements[i][k]);
            EXPECT_EQ(x.numerator, y.numerator);
            EXPECT_EQ(x.denominator, y.denominator);
        }
}

const char* const example = "[s/((s+1)*(s+2))^2, s/(s+2)^2; -s/(s+2)^2, -s/(s+2)^2]";

TEST(Kailath, Example621RightFractions) {
    const MatrixFraction f = right_fraction(parsed_matrix(example));
    EXPECT_EQ(f.D, polynomials("[(s+1)^2*(s+2)^2, 0; 0, (s+2)^2]"));
    EXPECT_EQ(f.N, polynomials("[s, s; -s*(s+1)^2, -s]"));
    const CoprimeFraction c = right_coprime(f);
    EXPECT_EQ(c.divisor, polynomials("[1, 1; 0, s+2]"));
    EXPECT_EQ(c.fraction.D, polynomials("[(s+1)^2*(s+2)^2, -(s+1)^2*(s+2); 0, s+2]"));
    EXPECT_EQ(c.fraction.N, polynomials("[s, 0; -s*(s+1)^2, s^2]"));
    const ReducedFraction r = column_reduced(c.fraction);
    EXPECT_EQ(r.fraction.D, polynomials("[0, -(s+1)^2*(s+2); (s+2)^2, s+2]"));
    EXPECT_EQ(r.fraction.N, polynomials("[s, 0; -s, s^2]"));
    EXPECT_EQ(r.transformation, polynomials("[1, 0; s+2, 1]"));
    expect_same(*transfer_matrix_of(r.fraction, false), parsed_matrix(example));
}

ExactStateSpace controller() {
    return controller_form(
        column_reduced(right_coprime(right_fraction(parsed_matrix(example))).fraction).fraction);
}

TEST(Kailath, Example641ControllerForm) {
    const ExactStateSpace s = controller();
    EXPECT_EQ(
        s.A,
        matrix({{-4, -4, 0, -1, -2}, {1, 0, 0, 0, 0}, {0, 0, -4, -5, -2}, {0, 0, 1, 0, 0}, {0, 0, 0, 1, 0}}));
    EXPECT_EQ(s.B, matrix({{0, 1}, {0, 0}, {-1, 0}, {0, 0}, {0, 0}}));
    EXPECT_EQ(s.C, matrix({{1, 0, 0, 0, 0}, {-1, 0, 1, 0, 0}}));
    EXPECT_TRUE(s.D.is_zero());
    expect_same(transfer_matrix_of(s), parsed_matrix(example));
}

TEST(Kailath, Example646ControllabilityForms) {
    const auto rows = controllability_form(controller(), Crate::Rows);
    ASSERT_TRUE(rows);
    EXPECT_EQ(
        rows->A,
        matrix({{0, 0, -2, 0, 0}, {1, 0, -5, 0, 0}, {0, 1, -4, 0, 0}, {0, 0, 2, 0, -4}, {0, 0, 1, 1, -4}}));
    EXPECT_EQ(rows->B, matrix({{1, 0}, {0, 0}, {0, 0}, {0, 1}, {0, 0}}));
    EXPECT_EQ(rows->C, matrix({{0, 0, 1, 1, -4}, {-1, 4, -12, -1, 4}}));
    const auto columns = controllability_form(controller(), Crate::Columns);
    ASSERT_TRUE(columns);
    EXPECT_EQ(
        columns->A,
        matrix({{0, 0, 0, -4, 2}, {1, 0, 0, -12, 5}, {0, 1, 0, -13, 4}, {0, 0, 1, -6, 1}, {0, 0, 0, 0, -2}}));
    EXPECT_EQ(columns->B, matrix({{1, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 1}}));
    EXPECT_EQ(columns->C, matrix({{0, 0, 1, -6, 1}, {-1, 4, -12, 32, -1}}));
}

TEST(Kailath, Example642ObserverForm) {
    const MatrixFraction f = left_fraction(parsed_matrix(example));
    EXPECT_EQ(f.N, polynomials("[s, s*(s+1)^2; -s, -s]"));
    const CoprimeFraction c = left_coprime(f);
    EXPECT_EQ(c.divisor, polynomials("[1, 0; -1, s+2]"));
    EXPECT_EQ(c.fraction.D, polynomials("[(s+1)^2*(s+2)^2, 0; (s+1)^2*(s+2), s+2]"));
    EXPECT_EQ(c.fraction.N, polynomials("[s, s*(s+1)^2; 0, s^2]"));
    const ReducedFraction r = row_reduced(c.fraction);
    EXPECT_EQ(r.fraction.D, polynomials("[0, -(s+2)^2; (s+1)^2*(s+2), s+2]"));
    EXPECT_EQ(r.fraction.N, polynomials("[s, s; 0, s^2]"));
    EXPECT_EQ(r.transformation, polynomials("[1, -(s+2); 0, 1]"));
    const ExactStateSpace s = observer_form(r.fraction);
    EXPECT_EQ(
        s.A,
        matrix({{-4, 1, 0, 0, 0}, {-4, 0, 0, 0, 0}, {0, 0, -4, 1, 0}, {1, 0, -5, 0, 1}, {2, 0, -2, 0, 0}}));
    EXPECT_EQ(s.B, matrix({{1, 1}, {0, 0}, {0, 1}, {0, 0}, {0, 0}}));
    EXPECT_EQ(s.C, matrix({{0, 0, 1, 0, 0}, {-1, 0, 0, 0, 0}}));
    expect_same(transfer_matrix_of(s), parsed_matrix(example));
}

TEST(SmithForm, KnownForms) {
    // Kailath, example 6.3: gcd of elements 1, determinant s (s+1)^2 …
    const PolynomialMatrix p = polynomials("[s^2, 0; 0, s*(s+1)]");
    const SmithForm s = smith_form(p);
    ASSERT_EQ(s.invariants.size(), 2u);
    EXPECT_EQ(to_text(s.invariants[0], "s", {}), "s");
    EXPECT_EQ(to_text(s.invariants[1], "s", {}), "s^3 + s^2");
    EXPECT_EQ(s.left * p * s.right, s.form);
    EXPECT_TRUE(determinant(s.left).is_constant());
    EXPECT_TRUE(determinant(s.right).is_constant());
    // Not of full rank, with symbols.
    EXPECT_EQ(smith_form(polynomials("[s, a*s; 2*s, 2*a*s]")).invariants.size(), 1u);
}

TEST(SmithForm, McMillan) {
    // Kailath's example: poles (s+1)^2 (s+2)^3 of degree 5, zero s^3 in the second element.
    const SmithMcMillanForm m = smith_mcmillan_form(parsed_matrix(example));
    ASSERT_EQ(m.diagonal.size(), 2u);
    EXPECT_EQ(to_text(m.diagonal[0], "s", {}, true), "s/((s + 1)^2*(s + 2)^2)");
    EXPECT_EQ(to_text(m.diagonal[1], "s", {}, true), "s^2/(s + 2)");
    EXPECT_EQ(m.degree(), 5);
}

TEST(HermiteForm, RowForm) {
    const PolynomialMatrix p = polynomials("[s^2+1, s; s, 1]");
    const HermiteForm h = row_hermite_form(p);
    EXPECT_EQ(h.transformation * p, h.form);
    EXPECT_TRUE(h.form(1, 0).is_zero());
    EXPECT_TRUE(determinant(h.transformation).is_constant());
}

TEST(Realization, MinimalWithDirectTermAndSymbols) {
    const ExactTransferMatrix g = parsed_matrix("[(s+a)/(s+1), 1/(s+1); 1/(s+1), b/(s+2)]");
    const ExactStateSpace s = minimal_realization(g);
    EXPECT_EQ(s.order(), 3u);
    expect_same(transfer_matrix_of(s), g);
}

}  // namespace
}  // namespace cutset
