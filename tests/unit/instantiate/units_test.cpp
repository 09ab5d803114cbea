#include "flat/units.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "expr/expr.h"
#include "support.h"

using namespace cutset;

namespace {

double factor(const char* from, const char* to) {
    const auto a = parse_unit(from), b = parse_unit(to);
    EXPECT_TRUE(a) << from;
    EXPECT_TRUE(b) << to;
    if (!a || !b) return 0;
    EXPECT_TRUE(same_quantity(*a, *b)) << from << " " << to;
    return conversion(*a, *b).factor;
}

bool differ(const char* a, const char* b) {
    return !same_quantity(*parse_unit(a), *parse_unit(b));
}

}  // namespace

TEST(Units, ScalesAndProducts) {
    EXPECT_EQ(factor("kPa", "Pa"), 1000);
    EXPECT_EQ(factor("Pa", "kPa"), 0.001);
    EXPECT_EQ(factor("bar", "kPa"), 100);
    EXPECT_EQ(factor("mm", "m"), 0.001);
    EXPECT_EQ(factor("mm2", "m^2"), 1e-6);
    EXPECT_EQ(factor("kg/s", "g/s"), 1000);
    EXPECT_EQ(factor("km/h", "m/s"), 1000.0 / 3600);
    EXPECT_EQ(factor("W/(m2.K)", "kW/m2/K"), 0.001);
    EXPECT_EQ(factor("N.m", "J"), 1);
    EXPECT_EQ(factor("V*A", "W"), 1);
    EXPECT_EQ(factor("Ohm", "V/A"), 1);
    EXPECT_EQ(factor("kWh", "J"), 3.6e6);
    EXPECT_EQ(factor("m3/s", "l/s"), 1000);
    EXPECT_EQ(factor("s-1", "1/s"), 1);
    EXPECT_EQ(factor("min", "s"), 60);
    EXPECT_NEAR(factor("rpm", "rad/s"), 0.10471975511965977, 1e-17);
}

TEST(Units, Offsets) {
    const Conversion c = conversion(*parse_unit("degC"), *parse_unit("K"));
    EXPECT_EQ(c.factor, 1);
    EXPECT_EQ(c.offset, 273.15);
    const Conversion f = conversion(*parse_unit("degF"), *parse_unit("degC"));
    EXPECT_NEAR(f.factor * 212 + f.offset, 100, 1e-12);
    // A difference has no offset.
    EXPECT_EQ(conversion(*parse_unit("J/degC"), *parse_unit("J/K")).offset, 0);
}

TEST(Units, Quantities) {
    EXPECT_TRUE(differ("Pa", "K"));
    EXPECT_TRUE(differ("Hz", "rad/s"));
    EXPECT_FALSE(differ("1/s", "rad/s"));
    EXPECT_TRUE(differ("m", "m2"));
}

TEST(Units, Unknown) {
    for (const char* text : {"", "pu", "kroner", "m//s", "(m", "m)", "2", "m^"}) {
        if (std::string(text) == "m^") continue;
        EXPECT_FALSE(parse_unit(text)) << text;
    }
    EXPECT_TRUE(parse_unit("-"));
    EXPECT_TRUE(parse_unit("1"));
    EXPECT_TRUE(parse_unit("%"));
}

TEST(Units, EveryPairConverts) {
    const std::vector<std::string_view> symbols = unit_symbols();
    for (std::string_view from : symbols)
        for (std::string_view to : symbols) {
            const Unit a = *parse_unit(from), b = *parse_unit(to);
            if (!same_quantity(a, b)) continue;
            const Conversion there = conversion(a, b), back = conversion(b, a);
            for (double value : {-40.0, 0.0, 1.0, 300.0}) {
                // By way of SI, and back again.
                const double si = a.factor * value + a.offset;
                const double size = std::abs(si / b.factor) + std::abs(b.offset / b.factor);
                EXPECT_NEAR(there.factor * value + there.offset, (si - b.offset) / b.factor, 1e-14 * size)
                    << from << " to " << to;
                EXPECT_NEAR(back.factor * (there.factor * value + there.offset) + back.offset, value,
                            1e-12 * (1 + std::abs(value) + std::abs(a.offset / a.factor)))
                    << from << " to " << to;
            }
        }
}

// Two cuts in every pair of units that measure the same, joined: 7 of one is what 7 is in the other.
TEST(Units, EveryPairConvertsWhereItIsJoined) {
    std::string text, parts, joins;
    std::map<std::string, double> values;
    int n = 0;
    for (std::string_view from : unit_symbols())
        for (std::string_view to : unit_symbols()) {
            const Unit a = *parse_unit(from), b = *parse_unit(to);
            if (!same_quantity(a, b)) continue;
            const std::string k = std::to_string(++n);
            text += "model type ta" + k + "\n cut c(v [" + std::string(from) + "])\n v = 7\nend\n";
            text += "model type tb" + k + "\n cut c(v [" + std::string(to) + "])\nend\n";
            parts += " submodel (ta" + k + ") a" + k + " (tb" + k + ") b" + k + "\n";
            joins += " a" + k + ":c at b" + k + ":c\n";
            values["a" + k + ".v"] = 7;
            values["b" + k + ".v"] = (a.factor * 7 + a.offset - b.offset) / b.factor;
        }
    const test::Flattened flat(text + "model all\n" + parts + joins + "end\n");
    ASSERT_TRUE(flat.model) << flat.messages();
    ASSERT_GT(n, 300);
    Environment environment;
    environment.leaf = [&](Expr e) -> std::optional<double> {
        return values.at(flat.model->path(e->variable()));
    };
    std::size_t checked = 0;
    for (const Equation& e : flat.model->equations) {
        const double left = evaluate(e.left, environment).value(),
                     right = evaluate(e.right, environment).value();
        EXPECT_NEAR(left, right, 1e-12 * (1 + std::abs(left))) << flat.messages();
        ++checked;
    }
    EXPECT_EQ(checked, static_cast<std::size_t>(2 * n));
}

TEST(Units, EngineersUnits) {
    EXPECT_NEAR(factor("mmHg", "Pa") * 760, 101325, 0.02);
    EXPECT_EQ(factor("torr", "Pa") * 760, 101325);
    EXPECT_NEAR(factor("kgf/cm2", "Pa"), 98066.5, 1e-9);
    EXPECT_NEAR(factor("inH2O", "Pa"), 249.08891, 1e-12);
    EXPECT_NEAR(factor("ksi", "psi"), 1000, 1e-12);
    EXPECT_NEAR(factor("gpm", "m3/h"), 0.2271247, 1e-7);
    EXPECT_NEAR(factor("grad", "deg"), 0.9, 1e-15);
    EXPECT_EQ(factor("cP", "Pa.s"), 1e-3);
}

TEST(Units, TheNearestKnownIsProposed) {
    EXPECT_EQ(unknown_symbol("kpa").near, "kPa");
    EXPECT_EQ(unknown_symbol("mmhg").near, "mmHg");
    EXPECT_EQ(unknown_symbol("kg/sec").symbol, "sec");
    EXPECT_EQ(unknown_symbol("W/(m2.k)").symbol, "k");
    EXPECT_EQ(unknown_symbol("Pa").symbol, "");
}
