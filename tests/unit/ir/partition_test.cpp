#include "ir/partition.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace cutset {
namespace {

// A source through a resistor into a capacitor, and a loop of two equations.
struct Circuit {
    Partition p;
    FlatModel& m = p.model;
    Pool& pool = *m.pool;
    VariableIndex R, C, V, I, a, b, alias;

    VariableIndex variable(InstanceIndex instance, const char* name, Variability variability,
                           double value = 0) {
        Variable made;
        made.name = name;
        made.origin.instance = instance;
        made.variability = variability;
        made.value = value;
        const VariableIndex v = m.variables.add(made);
        pool.variable(v);  // its age decides the order in print
        return v;
    }
    Expr at(VariableIndex v, std::uint32_t order = 0) { return pool.variable(v, order); }
    EquationIndex equation(InstanceIndex instance, Expr left, Expr right,
                           EquationKind kind = EquationKind::Written) {
        return m.equations.add({left, right, {instance, {}}, kind});
    }

    Circuit() {
        m.name = "Circuit";
        m.instances.add({"", InstanceIndex(0), "Circuit", {}});
        const InstanceIndex r1 = m.instances.add({"R1", InstanceIndex(0), "Resistor", {}});
        const InstanceIndex inner = m.instances.add({"c", r1, "Capacitor", {}});
        R = variable(r1, "R", Variability::Parameter, 5);
        m.variables[R].unit = "Ohm";
        C = variable(inner, "C", Variability::Parameter, 2);
        m.variables[C].binding = pool.multiply(pool.number(2), at(R));
        V = variable(inner, "V", Variability::Continuous);
        m.variables[V].start = Start{pool.number(1), {}, false};
        I = variable(r1, "I", Variability::Continuous);
        a = variable(InstanceIndex(0), "a", Variability::Continuous);
        b = variable(InstanceIndex(0), "b", Variability::Continuous);
        alias = variable(inner, "I", Variability::Continuous);
        const Expr flow = pool.divide(pool.subtract(pool.number(10), at(V)), at(R));
        const EquationIndex e1 =
            equation(r1, pool.multiply(at(R), at(I)), pool.subtract(pool.number(10), at(V)));
        const EquationIndex e2 = equation(inner, pool.multiply(at(C), at(V, 1)), at(I));
        const EquationIndex e3 = equation(InstanceIndex(0), pool.add(at(a), at(b)), at(I));
        const EquationIndex e4 = equation(InstanceIndex(0), pool.call(Op::Exp, at(a)), at(b));
        equation(inner, at(alias), at(I), EquationKind::Across);
        p.parameters = {R, C};
        p.states = {V};
        Block first;
        first.inner = {{{I, 0}, flow, e1, false}};
        Block second;
        second.inner = {{{V, 1}, pool.divide(at(I), at(C)), e2, false}};
        Block loop;
        loop.kind = BlockKind::Nonlinear;
        loop.torn = {{a, 0}};
        loop.inner = {{{b, 0}, pool.subtract(at(I), at(a)), e3, false}};
        loop.residuals = {{pool.subtract(pool.call(Op::Exp, at(a)), at(b)), e4, false}};
        p.blocks = {first, second, loop};
        p.eliminated = {{alias, at(I), true, {}}};
    }
};

TEST(FlatModels, NamesAndText) {
    Circuit c;
    EXPECT_EQ(c.m.path(InstanceIndex(0)), "");
    EXPECT_EQ(c.m.path(InstanceIndex(2)), "R1.c");
    EXPECT_EQ(c.m.path(c.V), "R1.c.V");
    EXPECT_EQ(c.m.path(c.a), "a");
    EXPECT_EQ(c.m.text(c.m.equations[EquationIndex(1)]), "R1.c.C*R1.c.V' = R1.I");
}

TEST(FlatModels, Print) {
    Circuit c;
    EXPECT_EQ(print(c.m), R"(model Circuit: 5 equations, 5 unknowns

parameters
  R1.R = 5 [Ohm]
  R1.c.C = 2*R1.R

initial values
  R1.c.V(0) = 1

equations
  a + b = R1.I
  exp(a) = b
  -- R1 (Resistor)
  R1.R*R1.I = 10 - R1.c.V
  -- R1.c (Capacitor)
  R1.c.C*R1.c.V' = R1.I

connections
  R1.c.I = R1.I
)");
}

TEST(Partitions, Print) {
    Circuit c;
    EXPECT_EQ(print(c.p), R"(model Circuit

parameters
  R1.R := 5 [Ohm]
  R1.c.C := 2*R1.R

states
  R1.c.V(0) = 1

order of computation
  R1.I := (10 - R1.c.V)/R1.R
  R1.c.V' := R1.I/R1.c.C
  solve {  -- 2 unknowns, nonlinear
    b := R1.I - a
    0 = exp(a) - b
  } for a

eliminated
  R1.c.I := R1.I
)");
}

TEST(Partitions, Latex) {
    Circuit c;
    const std::string text = print_latex(c.p);
    EXPECT_NE(text.find("I_{\\mathrm{R1}} &:= \\frac{10 - V_{\\mathrm{R1.c}}}{R_{\\mathrm{R1}}}"),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("\\dot{V}_{\\mathrm{R1.c}} &:="), std::string::npos) << text;
    EXPECT_NE(text.find("\\end{document}"), std::string::npos);
}

TEST(Partitions, VerifyAcceptsAndRefuses) {
    EXPECT_NO_THROW(verify(Circuit().p));
    {
        Circuit c;
        std::swap(c.p.blocks[0], c.p.blocks[1]);  // V' before I
        EXPECT_THROW(verify(c.p), std::logic_error);
    }
    {
        Circuit c;
        c.p.blocks.pop_back();  // nothing computes a
        EXPECT_THROW(verify(c.p), std::logic_error);
    }
    {
        Circuit c;
        c.p.blocks.push_back(c.p.blocks[0]);  // I twice
        EXPECT_THROW(verify(c.p), std::logic_error);
    }
    {
        Circuit c;
        c.p.blocks[2].residuals.clear();
        EXPECT_THROW(verify(c.p), std::logic_error);
    }
    {
        Circuit c;
        std::swap(c.p.parameters[0], c.p.parameters[1]);  // C uses R
        EXPECT_THROW(verify(c.p), std::logic_error);
    }
    {
        Circuit c;
        c.equation(InstanceIndex(0), c.pool.variable(VariableIndex(99)), c.pool.number(0));
        EXPECT_THROW(verify(c.m), std::logic_error);
    }
    {
        Circuit c;
        TableData t;
        t.name = "f";
        t.x = {0, 0};
        t.values = {1, 2};
        c.m.callees.add(t);
        EXPECT_THROW(verify(c.m), std::logic_error);
    }
}

}  // namespace
}  // namespace cutset
