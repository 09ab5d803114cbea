// Inputs and outputs, attributes of aliases, growth with the size of the model.
#include "model_builder.h"

using namespace cutset;
using namespace cutset::test;

namespace {

// ---- input and output

struct InputOutput {
    ModelBuilder b;
    InstanceIndex block;
    Expr u, y, outside;
    InputOutput() {
        outside = b.variable("w");
        block = b.submodel("block");
        b.here = block;
        u = b.variable("u");
        y = b.variable("y");
        b[u].declared = VariableKind::Input;
        b[y].declared = VariableKind::Output;
        b.here = InstanceIndex(0);
    }
    void inside(Expr l, Expr r) {
        b.here = block;
        b.equation(l, r);
        b.here = InstanceIndex(0);
    }
};

TEST(Causality, Respected) {
    InputOutput m;
    m.inside(m.y, m.b.pool().call(Op::Sin, m.u));
    m.b.equation(m.u, m.b.pool().time());
    m.b.equation(m.outside, m.y);
    EXPECT_TRUE(run(m.b).partition) << run(m.b).text();
}

TEST(Causality, RespectedThroughAliasInside) {
    InputOutput m;
    m.inside(m.y, m.u);
    m.b.equation(m.u, m.b.pool().time());
    m.b.equation(m.outside, m.y);
    EXPECT_TRUE(run(m.b).partition) << run(m.b).text();
}

TEST(Causality, InputComputedInside) {
    InputOutput m;
    m.inside(m.u, m.b.pool().time());
    m.inside(m.y, m.b.number(1));
    m.b.equation(m.outside, m.y);
    const Result r = run(m.b);
    ASSERT_FALSE(r.partition);
    const Diagnostic& d = r.of("input-given-inside");
    EXPECT_NE(d.message.find("block.u"), std::string::npos);
    EXPECT_TRUE(d.where.known());
    EXPECT_EQ(d.related.size(), 1u);
}

TEST(Causality, InputConstantInside) {
    InputOutput m;
    m.inside(m.u, m.b.number(2));
    m.inside(m.y, m.b.number(1));
    m.b.equation(m.outside, m.y);
    EXPECT_TRUE(run(m.b).has("input-given-inside"));
}

TEST(Causality, OutputComputedOutside) {
    InputOutput m;
    m.inside(m.y, m.b.pool().call(Op::Sin, m.u));
    m.b.equation(m.y, m.b.pool().time());
    m.b.equation(m.outside, m.y);
    const Result r = run(m.b);
    ASSERT_FALSE(r.partition);
    EXPECT_TRUE(r.has("output-given-outside") || r.has("input-given-inside")) << r.text();
}

TEST(Causality, OutputComputedOutsideThroughAlias) {
    InputOutput m;
    m.inside(m.y, m.u);
    m.b.equation(m.y, m.outside);
    m.b.equation(m.outside, m.b.pool().time());
    const Result r = run(m.b);
    ASSERT_FALSE(r.partition);
    EXPECT_TRUE(r.has("output-given-outside") || r.has("input-given-inside")) << r.text();
}

TEST(Causality, SumBesideASecondDerivative) {
    // A sum y = u - f may be used up for u; the equations as written still allow y to come from inside.
    for (const bool second : {false, true}) {
        InputOutput m;
        Pool& pool = m.b.pool();
        m.b.here = m.block;
        const Expr f = m.b.variable("f");
        m.b[f].declared = VariableKind::Input;
        m.b.here = InstanceIndex(0);
        m.inside(m.y, m.b.sub(m.u, f));
        m.b.equation(m.u, pool.call(Op::Sin, pool.time()));
        m.b.equation(f, m.b.mul(pool.time(), pool.time()));
        m.b.equation(m.outside, m.b.sub(m.y, m.b.number(4)));
        if (second) {
            const Expr x = m.b.variable("x", 1);
            m.b.equation(m.b.der(x, 2), m.b.sub(m.outside, m.b.der(x)));
        }
        EXPECT_TRUE(run(m.b).partition) << run(m.b).text();
        // and the same given from the wrong side is found
        m.b.model.equations[EquationIndex(1)].left = m.y;
        EXPECT_TRUE(run(m.b).has("output-given-outside") || run(m.b).has("input-given-inside"));
    }
}

TEST(Causality, BesideEqualStates) {
    InputOutput m;
    Pool& pool = m.b.pool();
    const Expr x = m.b.variable("x", 1), z = m.b.variable("z"), f = m.b.variable("f");
    m.b.equation(x, z);
    m.b.equation(m.b.der(x), m.b.sub(m.y, f));
    m.b.equation(m.b.mul(2, m.b.der(z)), f);
    m.b.equation(m.outside, m.y);
    m.inside(m.y, pool.call(Op::Sin, m.u));
    m.b.equation(m.u, x);
    EXPECT_TRUE(run(m.b).partition) << run(m.b).text();
    m.b.model.equations[EquationIndex(5)].left = m.y;
    EXPECT_TRUE(run(m.b).has("output-given-outside") || run(m.b).has("input-given-inside"));
}

TEST(Causality, FeedbackLoopIsFine) {
    // In a loop several matchings exist; one that respects the directions is enough.
    for (int order = 0; order < 2; ++order) {
        InputOutput m;
        const auto inside = [&] { m.inside(m.b.mul(3, m.y), m.b.add(m.b.mul(2, m.u), m.b.number(1))); };
        const auto outside = [&] {
            m.b.equation(m.b.mul(5, m.u), m.b.sub(m.b.pool().time(), m.b.mul(7, m.y)));
        };
        if (order) inside();
        outside();
        if (!order) inside();
        m.b.equation(m.outside, m.y);
        EXPECT_TRUE(run(m.b).partition) << run(m.b).text();
    }
}

// ---- attributes of aliases

TEST(Elimination, AliasHandsOnStartNominalAndBounds) {
    ModelBuilder b;
    const Expr x = b.variable("x"), y = b.variable("y", 3);
    b[y].nominal = 100;
    b[y].minimum = -1;
    b[y].maximum = 7;
    b.equation(b.der(x), b.neg(x));
    b.equation(y, b.neg(x));
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    const Variable& kept = r.partition->model.variables[x->variable()];
    ASSERT_TRUE(kept.start);
    EXPECT_EQ(kept.start->value, b.number(-3));
    EXPECT_EQ(kept.nominal, 100);
    EXPECT_EQ(kept.minimum, -7);
    EXPECT_EQ(kept.maximum, 1);
}

TEST(Elimination, CommandLineStartOfAnAliasWins) {
    ModelBuilder b;
    const Expr x = b.variable("x", 1), y = b.variable("y");
    b[y].start = Start{b.number(9), {}, true};
    b.equation(b.der(x), b.neg(x));
    b.equation(y, x);
    const Result r = run(b);
    ASSERT_TRUE(r.partition);
    Evaluator e(*r.partition);
    e.run(r.partition->initial_blocks);
    EXPECT_DOUBLE_EQ(e.value("x"), 9);
}

// ---- growth

TEST(Growth, HundredThousandEquations) {
    // A ladder of n sections: a resistor, a capacitor to ground and their node.
    ModelBuilder b;
    const int n = 11000;
    ModelBuilder::TwoPole before = b.source("E", 1);
    std::vector<ModelBuilder::Pin> grounds{b.b(before)};
    ModelBuilder::Pin open = b.a(before);
    for (int k = 0; k < n; ++k) {
        const auto r = b.resistor("R[" + std::to_string(k) + "]", 1 + 0.1 * (k % 7));
        const auto c = b.capacitor("C[" + std::to_string(k) + "]", 1);
        b.join({open, b.a(r)});
        // The node of R, C and the next R has three pins: join R and C here, and go on from a wire.
        const auto wire = b.resistor("W[" + std::to_string(k) + "]", 2);
        b.join({b.b(r), b.a(c), b.a(wire)});
        grounds.push_back(b.b(c));
        open = b.b(wire);
    }
    grounds.push_back(open);
    b.ground(grounds);
    ASSERT_GT(b.model.equations.size(), 100000u);
    double total = 0;
    TransformOptions options;
    std::size_t passes = 0;
    options.observe = [&](const char*, double seconds) {
        total += seconds;
        ++passes;
    };
    Diagnostics diagnostics;
    const auto p = transform(std::move(b.model), options, diagnostics);
    ASSERT_TRUE(p);
    EXPECT_EQ(p->states.size(), std::size_t(n));
    EXPECT_GE(passes, 10u);
    RecordProperty("seconds", std::to_string(total));
}

TEST(Growth, LongChainOfAssignments) {
    ModelBuilder b;
    const int n = 100000;
    Expr last = b.variable("x", 1);
    const Expr first = last;
    for (int k = 0; k < n; ++k) {
        const Expr next = b.variable("y" + std::to_string(k));
        b.equation(next, b.add(b.mul(0.5, last), b.pool().call(Op::Sin, last)));
        last = next;
    }
    b.equation(b.der(first), b.neg(last));
    Diagnostics diagnostics;
    const auto p = transform(std::move(b.model), {}, diagnostics);
    ASSERT_TRUE(p);
    EXPECT_EQ(p->blocks.size(), std::size_t(n + 1));
}

}  // namespace
