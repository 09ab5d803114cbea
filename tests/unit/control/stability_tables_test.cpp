#include "control/stability_tables.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

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
    return jury(p.polynomial, "z");
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
    const StabilityTable r = jury(p.polynomial, "z");
    EXPECT_EQ(conditions(r, p.symbols), (std::vector<std::string>{"a + b + 1", "-a + b + 1", "-b + 1"}));
}

// The conditions with symbols, at random values, hold exactly when the roots with these values lie inside.
TEST(Jury, ConditionsDecideAsRootsDo) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> radius(0, 1.15), angle(0, 3.14159), kind(0, 1);
    for (int degree = 1; degree <= 6; ++degree) {
        std::string text = "z^" + std::to_string(degree);
        for (int k = degree - 1; k >= 0; --k)
            text += std::string("+") + char('a' + k) + "*z^" + std::to_string(k);
        const ParsedPolynomial p = polynomial(text, "z");
        const StabilityTable table = jury(p.polynomial, "z");
        int inside = 0;
        for (int round = 0; round < 300; ++round) {
            std::vector<double> c = {1};  // highest power first
            bool stable = true;
            const auto times = [&](const std::vector<double>& factor) {
                std::vector<double> product(c.size() + factor.size() - 1);
                for (std::size_t i = 0; i < c.size(); ++i)
                    for (std::size_t k = 0; k < factor.size(); ++k) product[i + k] += c[i] * factor[k];
                c = product;
            };
            while (int(c.size()) <= degree) {
                const double r = radius(random);
                stable = stable && r < 1;
                if (int(c.size()) < degree && kind(random) < 0.5)
                    times({1, -2 * r * std::cos(angle(random)), r * r});
                else
                    times({1, kind(random) < 0.5 ? r : -r});
            }
            std::vector<double> values(p.symbols.size());
            for (std::size_t s = 0; s < p.symbols.size(); ++s)
                values[s] = c[static_cast<std::size_t>(degree - (p.symbols[s][0] - 'a'))];
            bool holds = true;
            for (const StabilityCondition& condition : table.conditions)
                holds = holds && condition.positive.value(values) > 0;
            EXPECT_EQ(holds, stable) << degree << " " << round;
            inside += stable;
        }
        EXPECT_GT(inside, 10);
    }
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
