#include "control/stability_tables.h"

#include <gtest/gtest.h>

#include <cmath>

#include "control/transfer_text.h"

namespace cutset {
namespace {

ParsedPolynomial polynomial(const std::string& text, const std::string& variable = "s") {
    Sources sources;
    Diagnostics diagnostics;
    return parse_polynomial(sources.add("p", text), sources, variable, diagnostics).value();
}

std::vector<std::string> conditions(const StabilityTable& r, const SymbolNames& names) {
    std::vector<std::string> out;
    for (const auto& c : r.conditions) out.push_back(to_text(c.positive, names));
    return out;
}

StabilityTable routh_of(const std::string& text) {
    const ParsedPolynomial p = polynomial(text);
    return routh(p.polynomial, "s", static_cast<unsigned>(p.symbols.size()));
}

StabilityTable jury_of(const std::string& text) {
    const ParsedPolynomial p = polynomial(text, "z");
    return jury(p.polynomial, "z", static_cast<unsigned>(p.symbols.size()));
}

TEST(Routh, SymbolicConditions) {
    const ParsedPolynomial p = polynomial("s^3+a*s^2+b*s+K");
    const StabilityTable r = routh(p.polynomial, "s", 3);
    EXPECT_EQ(conditions(r, p.symbols), (std::vector<std::string>{"a", "a*b - K", "K"}));
    EXPECT_FALSE(r.never);
}

TEST(Routh, IntervalOfOneSymbol) {
    const StabilityTable r = routh_of("s^3+3*s^2+2*s+k");
    ASSERT_TRUE(r.intervals);
    ASSERT_EQ(r.intervals->size(), 1u);
    EXPECT_DOUBLE_EQ((*r.intervals)[0].low, 0);
    EXPECT_DOUBLE_EQ((*r.intervals)[0].high, 6);
    EXPECT_TRUE(std::isinf((*routh_of("s^3+3*s^2+(2+k)*s+k").intervals)[0].high));
}

TEST(Routh, CountsRoots) {
    EXPECT_EQ(routh_of("(s+1)*(s+2)*(s+3)").unstable, 0);
    EXPECT_EQ(routh_of("(s-1)*(s+2)*(s-3)").unstable, 2);
    // A zero in the first column.
    EXPECT_EQ(routh_of("s^4+s^3+2*s^2+2*s+3").unstable, 2);
    // Rows of zeros: roots on the axis, symmetric pairs.
    const StabilityTable axis = routh_of("(s^2+4)*(s+1)*(s+2)");
    EXPECT_EQ(axis.unstable, 0);
    EXPECT_EQ(axis.on_boundary, 2);
    const StabilityTable pair = routh_of("(s^2-1)*(s+2)");
    EXPECT_EQ(pair.unstable, 1);
    EXPECT_EQ(pair.on_boundary, 0);
    const StabilityTable origin = routh_of("s^2*(s+1)");
    EXPECT_EQ(origin.unstable, 0);
    EXPECT_EQ(origin.on_boundary, 2);
    EXPECT_EQ(routh_of("(s^2+1)^2*(s+1)").on_boundary, 4);
}

TEST(Jury, TriangleOfSecondOrder) {
    const ParsedPolynomial p = polynomial("z^2+a*z+b", "z");
    const StabilityTable r = jury(p.polynomial, "z", 2);
    EXPECT_EQ(conditions(r, p.symbols), (std::vector<std::string>{"a + b + 1", "-a + b + 1", "-b^2 + 1"}));
}

TEST(Jury, CountsRoots) {
    EXPECT_EQ(jury_of("(z-0.5)*(z+0.3)").unstable, 0);
    EXPECT_EQ(jury_of("(z-2)*(z+0.3)*(z+3)").unstable, 2);
    EXPECT_EQ(jury_of("(z-1)*(z+1)*(z-0.2)").on_boundary, 2);
    EXPECT_EQ(jury_of("(z^2+1)*(z-2)").unstable, 1);
    EXPECT_EQ(jury_of("z^2").unstable, 0);
    EXPECT_EQ(jury_of("(z-2)*(z-0.5)").unstable, 1);  // a pivot vanishes
}

TEST(Variance, ClosedForms) {
    // z/(z - a): 1/(1 - a²)
    const ParsedPolynomial a = polynomial("z-a", "z");
    EXPECT_EQ(to_text(*sampled_variance(ExactPolynomial::variable(), a.polynomial), a.symbols),
              "-1/(a^2 - 1)");
    // 1/(s² + 2 d w s + w²): 1/(4 d w³)
    const ParsedPolynomial p = polynomial("s^2+2*d*w*s+w^2");
    const auto v = continuous_variance(ExactPolynomial(1), p.polynomial);
    ASSERT_TRUE(v);
    EXPECT_NEAR(v->value({0.3, 2}), 1 / (4 * 0.3 * 8), 1e-15);
    // (z + 0.5)/(z² - 0.9 z + 0.2) by its impulse response
    double sum = 0, y1 = 0, y2 = 0;
    for (int k = 1; k < 400; ++k) {
        const double y = 0.9 * y1 - 0.2 * y2 + (k == 1 ? 1 : k == 2 ? 0.5 : 0);
        sum += y * y;
        y2 = y1;
        y1 = y;
    }
    EXPECT_NEAR(
        sampled_variance(polynomial("z+0.5", "z").polynomial, polynomial("z^2-0.9*z+0.2", "z").polynomial)
            ->value(),
        sum, 1e-12);
}

}  // namespace
}  // namespace cutset
