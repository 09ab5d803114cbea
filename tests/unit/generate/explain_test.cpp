// Which operation had no finite result, in words.
#include <gtest/gtest.h>

#include "sample_model.h"

namespace cutset {
namespace {

struct Explained : SampleModel {
    VariableIndex V = state("V"), R = parameter("R", 0), I = variable("I");

    // Of I := value with V and R as given.
    std::string of(Expr value, double v, double r) {
        m.variables[R].value = r;
        assign(I, value);
        assign(V, at(I), 1);
        const Program program = this->program();
        Interpreter run(program, {});
        EXPECT_TRUE(run.run(program.parameters));
        set(run, V, v);
        EXPECT_TRUE(run.run(program.continuous));
        const auto why = run.explain_non_finite(program.continuous);
        if (!why) return "";
        EXPECT_EQ(why->variable, I);
        return why->description;
    }
};

TEST(Explanations, DivisionByZero) {
    Explained e;
    EXPECT_EQ(e.of(e.div(e.at(e.V), e.at(e.R)), 3, 0), "division by zero in `I := V/R`: V = 3, R = 0");
}
TEST(Explanations, DivisionByACompoundZero) {
    Explained e;
    EXPECT_EQ(e.of(e.div(e.n(1), e.sub(e.at(e.V), e.at(e.R))), 3, 3),
              "division by zero in `I := 1/(V - R)`: V - R = 0, V = 3, R = 3");
}
TEST(Explanations, SquareRoot) {
    Explained e;
    EXPECT_EQ(e.of(e.add(e.n(1), e.call(Op::Sqrt, e.mul(e.n(2), e.at(e.V)))), -3, 1),
              "square root of a negative number in `I := sqrt(2*V) + 1`: 2*V = -6, V = -3");
}
TEST(Explanations, Logarithm) {
    Explained e;
    EXPECT_EQ(e.of(e.call(Op::Ln, e.at(e.V)), 0, 1), "logarithm of zero in `I := ln(V)`: V = 0");
}
TEST(Explanations, Power) {
    Explained e;
    EXPECT_EQ(e.of(e.pool.power(e.at(e.V), e.at(e.R)), -2, 0.5),
              "a power of a negative number in `I := V^R`: V = -2, R = 0.5");
}
TEST(Explanations, Overflow) {
    Explained e;
    EXPECT_EQ(e.of(e.call(Op::Exp, e.mul(e.at(e.V), e.at(e.R))), 1000, 2),
              "an exponential that is too large in `I := exp(V*R)`: V*R = 2000, V = 1000, R = 2");
}
TEST(Explanations, OnlyTheBranchTaken) {
    Explained e;
    const Expr guarded = e.pool.choose(e.pool.equal(e.at(e.R), e.n(0)), e.call(Op::Ln, e.at(e.V)),
                                       e.div(e.at(e.V), e.at(e.R)));
    EXPECT_EQ(e.of(guarded, -1, 0).substr(0, 31), "logarithm of a negative number ");
}
TEST(Explanations, NothingWhenAllIsFinite) {
    Explained e;
    EXPECT_EQ(e.of(e.div(e.at(e.V), e.at(e.R)), 3, 2), "");
}
TEST(Explanations, TheFirstEquationIsNamed) {
    SampleModel s;
    const VariableIndex x = s.state("x"), a = s.variable("a"), b = s.variable("b");
    s.assign(a, s.div(s.n(1), s.at(x)));
    s.assign(b, s.mul(s.at(a), s.n(2)));
    s.assign(x, s.at(b), 1);
    s.m.equations[EquationIndex(0)].origin.where = Span{SourceId(3), 7, 9};
    const Program program = s.program();
    Interpreter run(program, {});
    const auto why = run.explain_non_finite(program.continuous);
    ASSERT_TRUE(why);
    EXPECT_EQ(why->variable, a);
    EXPECT_EQ(why->origin.where.begin, 7u);
}
TEST(Explanations, Parameters) {
    SampleModel s;
    const VariableIndex a = s.parameter("a", 0), b = s.parameter("b", 0);
    s.m.variables[b].binding = s.div(s.n(1), s.at(a));
    const Program program = s.program();
    Interpreter run(program, {});
    EXPECT_TRUE(run.run(program.parameters));
    const auto why = run.explain_non_finite(program.parameters);
    ASSERT_TRUE(why);
    EXPECT_EQ(why->description, "division by zero in `b := 1/a`: a = 0");
}
TEST(Explanations, Loops) {
    SampleModel s;
    const VariableIndex a = s.variable("a"), b = s.variable("b"), after = s.variable("after");
    Block block;
    block.kind = BlockKind::Nonlinear;
    block.torn = {{a, 0}};
    block.inner = {s.solved({b, 0}, s.add(s.at(a), s.n(1)))};
    block.residuals = {s.residual(s.sub(s.call(Op::Sqrt, s.at(a)), s.at(b)))};
    s.p.blocks.push_back(block);
    s.assign(after, s.div(s.n(1), s.at(a)));
    const Program program = s.program();
    PlainNewton newton;
    Interpreter run(program, {&newton});
    set(run, a, -4);
    EXPECT_FALSE(run.run(program.continuous));
    const auto why = run.explain_non_finite(program.continuous);
    ASSERT_TRUE(why);
    EXPECT_EQ(why->description, "square root of a negative number in `0 = sqrt(a) - b`: a = -4");
}
TEST(Explanations, WhenActions) {
    SampleModel s;
    const VariableIndex x = s.state("x"), d = s.variable("d", Variability::Discrete);
    s.assign(x, s.n(0), 1);
    WhenClause w;
    w.condition = s.pool.less(s.at(x), s.n(1));
    w.actions.push_back(WhenAssign{d, s.div(s.n(1), s.at(x)), {}});
    s.m.whens.push_back(w);
    const Program program = s.program();
    Interpreter run(program, {});
    const auto why = run.explain_non_finite(program.when_actions[0]);
    ASSERT_TRUE(why);
    EXPECT_EQ(why->variable, d);
    EXPECT_EQ(why->description, "division by zero in `d := 1/x`: x = 0");
}

}  // namespace
}  // namespace cutset
