#include "flat/flat_builder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace cutset {
namespace {

struct Building {
    FlatModel model;
    FlatBuilder builder{model};

    Expr add(const std::string& name) {
        Variable v;
        v.name = name;
        return model.pool->variable(model.variables.add(std::move(v)));
    }
    std::vector<std::string> equations() const {
        std::vector<std::string> out;
        for (const Equation& e : model.equations) out.push_back(model.text(e));
        return out;
    }
};

TEST(FlatBuilder, WritesNoEquationThatHoldsByItself) {
    Building b;
    const Expr u = b.add("u"), v = b.add("v"), i = b.add("i"), j = b.add("j");
    b.builder.potentials(u, u, {});
    b.builder.flows({i, b.model.pool->negate(i)}, {});
    EXPECT_TRUE(b.equations().empty());
    b.builder.potentials(u, v, {});
    b.builder.flows({i, j}, {});
    b.builder.no_flow(j->variable(), {});
    EXPECT_EQ(b.equations(), (std::vector<std::string>{"u = v", "i + j = 0", "j = 0"}));
    EXPECT_EQ(b.model.equations[EquationIndex(0)].kind, EquationKind::Across);
    EXPECT_EQ(b.model.equations[EquationIndex(1)].kind, EquationKind::Through);
    EXPECT_EQ(b.model.equations[EquationIndex(2)].kind, EquationKind::Unconnected);
}

TEST(FlatBuilder, QuantityIsAVariableItsIntegralAStateOrAnInput) {
    Building b;
    const Expr x = b.add("x");
    using Kind = Experiment::Quantity::Kind;
    b.builder.quantity({"#value", {}, Kind::Value}, x);
    const VariableIndex integral = b.builder.quantity({"#integral", {}, Kind::Integral}, x);
    const VariableIndex input = b.builder.quantity({"#input", {}, Kind::Input}, x);
    EXPECT_EQ(b.equations(), (std::vector<std::string>{"#value = x", "#integral' = x", "#input = x"}));
    ASSERT_TRUE(b.model.variables[integral].start);
    EXPECT_TRUE(b.model.variables[integral].start->value->is_number(0));
    EXPECT_EQ(b.model.variables[input].declared, VariableKind::Input);
    EXPECT_EQ(b.model.equations[EquationIndex(2)].kind, EquationKind::Input);
}

}  // namespace
}  // namespace cutset
