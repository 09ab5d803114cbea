// Networks: sorting, loops, systems that are singular.
#include "model_builder.h"

using namespace cutset;
using namespace cutset::test;

namespace {

// ---- networks

// Source, resistor, capacitor in series; the capacitor in parallel with a second resistor.
ModelBuilder rc_network() {
    ModelBuilder b;
    const auto e = b.source("E", 10), r1 = b.resistor("R1", 2), r2 = b.resistor("R2", 3);
    const auto c = b.capacitor("C", 0.5, 1);
    b.join({b.a(e), b.a(r1)});
    b.join({b.b(r1), b.a(r2), b.a(c)});
    b.ground({b.b(e), b.b(r2), b.b(c)});
    return b;
}

TEST(Transform, RcNetwork) {
    const ModelBuilder b = rc_network();
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    EXPECT_EQ(r.names(r.partition->states), std::vector<std::string>{"C.U"});
    EXPECT_EQ(r.partition->loops.size(), 0u);
    EXPECT_EQ(r.partition->index, 1u);
    EXPECT_EQ(r.partition->dependent_removed.size(), 0u);
    EXPECT_GT(r.partition->aliases_removed, 5u);
    EXPECT_EQ(r.partition->flat_equations, r.partition->flat_unknowns);
    expect_equations_hold(b.model, *r.partition);

    Evaluator start(*r.partition);
    start.run(r.partition->initial_blocks);
    EXPECT_DOUBLE_EQ(start.value("C.U"), 1);
    // (10 - 1)/2 flows in, 1/3 through R2
    EXPECT_DOUBLE_EQ(start.value("C.U", 1), (9.0 / 2 - 1.0 / 3) / 0.5);
    EXPECT_NEAR(start.value("ground.I"), 0, 1e-15);
}

TEST(Transform, ResistiveBridgeIsOneLinearLoop) {
    ModelBuilder b;
    const auto e = b.source("E", 10);
    const auto r1 = b.resistor("R1", 1), r2 = b.resistor("R2", 2), r3 = b.resistor("R3", 3),
               r4 = b.resistor("R4", 4), r5 = b.resistor("R5", 5), ri = b.resistor("Ri", 1);
    b.join({b.a(e), b.a(ri)});
    b.join({b.b(ri), b.a(r1), b.a(r2)});
    b.join({b.b(r1), b.a(r3), b.a(r5)});
    b.join({b.b(r2), b.a(r4), b.b(r5)});
    b.ground({b.b(e), b.b(r3), b.b(r4)});
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    ASSERT_EQ(r.partition->loops.size(), 1u);
    EXPECT_TRUE(r.partition->loops[0].linear);
    EXPECT_LT(r.partition->loops[0].torn, r.partition->loops[0].size);
    bool constant = false;
    for (const Block& block : r.partition->blocks)
        constant = constant || block.constant_matrix || block.symbolic;
    EXPECT_TRUE(constant);
    expect_equations_hold(b.model, *r.partition);
}

TEST(Transform, SmallLoopSolvedByFormula) {
    ModelBuilder b;
    const Expr x = b.variable("x"), y = b.variable("y"), p = b.parameter("p", 2), q = b.parameter("q", 3);
    b.equation(b.add(b.mul(p, x), y), b.number(1));
    b.equation(b.sub(x, b.mul(q, y)), b.pool().time());
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    ASSERT_EQ(r.partition->blocks.size(), 1u);
    EXPECT_TRUE(r.partition->blocks[0].symbolic);
    EXPECT_EQ(r.partition->blocks[0].kind, BlockKind::Explicit);
    EXPECT_EQ(r.partition->loops.at(0).size, 2u);
    EXPECT_EQ(r.partition->loops.at(0).torn, 0u);
    expect_equations_hold(b.model, *r.partition);
}

TEST(Transform, DependentForTheValuesOfParameters) {
    // Singular for p = 1: x + y cannot be time and 1.
    for (double value : {1.0, 2.0}) {
        ModelBuilder b;
        const Expr x = b.variable("x"), y = b.variable("y"), p = b.parameter("p", value);
        b.equation(b.add(b.mul(p, x), b.mul(p, y)), b.pool().time());
        b.equation(b.add(x, b.mul(p, y)), b.number(1));
        const Result r = run(b);
        EXPECT_EQ(r.partition.has_value(), value == 2) << r.text();
        if (value == 1) EXPECT_NE(r.text().find("contradictory equations"), std::string::npos) << r.text();
    }
}

TEST(Transform, NonlinearLoopIsTorn) {
    ModelBuilder b;
    Pool& pool = b.pool();
    const Expr v = b.variable("v"), i = b.variable("i"), w = b.variable("w");
    b.equation(i, b.mul(1e-3, b.sub(pool.call(Op::Exp, b.mul(2, v)), b.number(1))));
    b.equation(w, b.mul(10, i));
    b.equation(b.add(v, w), b.number(1));
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    ASSERT_EQ(r.partition->loops.size(), 1u);
    EXPECT_FALSE(r.partition->loops[0].linear);
    EXPECT_EQ(r.partition->loops[0].torn, 1u);
    expect_equations_hold(b.model, *r.partition);
}

TEST(Transform, ScalarNonlinearEquation) {
    ModelBuilder b;
    const Expr x = b.variable("x");
    b.equation(b.add(b.pool().power(x, b.number(3)), x), b.number(2));
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    ASSERT_EQ(r.partition->blocks.size(), 1u);
    EXPECT_EQ(r.partition->blocks[0].kind, BlockKind::Nonlinear);
    EXPECT_EQ(r.partition->blocks[0].torn.size(), 1u);
    expect_equations_hold(b.model, *r.partition);
}

TEST(Transform, VaryingCoefficientIsNotDividedByInALoop) {
    ModelBuilder b;
    const Expr x = b.variable("x"), y = b.variable("y"), s = b.variable("s", 1);
    b.equation(b.der(s), b.neg(s));
    // s may become zero: x = (1 - y)/s would be dangerous, y = 1 - s*x is not.
    b.equation(b.add(b.mul(s, x), y), b.number(1));
    b.equation(b.add(x, b.mul(b.add(b.mul(s, s), b.number(1)), y)), b.number(3));
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    for (const Block& block : r.partition->blocks) {
        if (block.torn.empty()) continue;
        EXPECT_EQ(block.kind, BlockKind::Linear);
        EXPECT_FALSE(block.constant_matrix);
        ASSERT_EQ(block.inner.size(), 1u);
        EXPECT_FALSE(contains(block.inner[0].value, b.pool().power(s, b.number(-1))));
    }
    expect_equations_hold(b.model, *r.partition);
}

TEST(Transform, LongLinearChainKeepsItsAccuracy) {
    // Diffusion along a line: x[k-1] - 4 x[k] + x[k+1] = -1. One tearing variable would multiply errors by (2
    // + √3)^n.
    ModelBuilder b;
    std::vector<Expr> x;
    const int n = 200;
    for (int k = 0; k < n; ++k) x.push_back(b.variable("x[" + std::to_string(k + 1) + "]"));
    const Expr p = b.parameter("p", -3.9);
    for (int k = 0; k < n; ++k) {
        std::vector<Expr> terms{b.mul(p, x[k])};
        if (k > 0) terms.push_back(x[k - 1]);
        if (k + 1 < n) terms.push_back(x[k + 1]);
        b.equation(b.pool().add(terms), b.number(-1));
    }
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    ASSERT_EQ(r.partition->loops.size(), 1u);
    expect_equations_hold(b.model, *r.partition);
    Evaluator e(*r.partition);
    e.run(r.partition->blocks);
    EXPECT_NEAR(e.value("x[100]"), 1 / 1.9, 1e-9);
}

TEST(Transform, UserChoosesTornVariable) {
    ModelBuilder b;
    Pool& pool = b.pool();
    const Expr x = b.variable("x"), y = b.variable("y"), z = b.variable("z"), w = b.variable("w");
    b.equation(x, b.add(pool.call(Op::Sin, y), b.mul(0.1, w)));
    b.equation(y, b.mul(0.3, z));
    b.equation(z, b.add(b.mul(0.2, x), b.number(1)));
    b.equation(w, b.mul(0.2, x));
    TransformOptions options;
    options.tear = {"z"};
    const Result r = run(b, options);
    ASSERT_TRUE(r.partition) << r.text();
    bool torn = false;
    for (const Block& block : r.partition->blocks)
        for (Unknown u : block.torn) torn = torn || r.partition->model.path(u.variable) == "z";
    EXPECT_TRUE(torn);
    expect_equations_hold(b.model, *r.partition);
}

// ---- singular systems

TEST(Transform, FloatingCircuit) {
    ModelBuilder b;
    const auto e = b.source("E1", 10), r1 = b.resistor("R1", 2);
    const auto c = b.capacitor("C1", 0.5);
    b.join({b.a(e), b.a(r1)});
    b.join({b.b(r1), b.a(c)});
    b.join({b.b(c), b.b(e)});
    const Result r = run(b);
    ASSERT_FALSE(r.partition);
    EXPECT_EQ(r.diagnostics.error_count(), 1u) << r.text();
    const Diagnostic& d = r.of("no-reference-node");
    EXPECT_NE(d.message.find("no reference node"), std::string::npos);
    for (const char* name : {"E1", "R1", "C1"})
        EXPECT_NE(d.message.find(name), std::string::npos) << d.message;
}

TEST(Transform, FloatingPartIsNamedAlone) {
    ModelBuilder b = rc_network();
    const auto e = b.source("E2", 1), r1 = b.resistor("R7", 2);
    b.join({b.a(e), b.a(r1)});
    b.join({b.b(e), b.b(r1)});
    const Result r = run(b);
    ASSERT_FALSE(r.partition);
    const Diagnostic& d = r.of("no-reference-node");
    EXPECT_EQ(r.diagnostics.error_count(), 1u) << r.text();
    EXPECT_NE(d.message.find("E2, R7"), std::string::npos) << d.message;
    EXPECT_EQ(d.message.find("R1"), std::string::npos) << d.message;
}

TEST(Transform, TwoGroundsAreHarmless) {
    // The current through each ground is not determined by itself: two grounds at one node are one too few.
    ModelBuilder b = rc_network();
    const Result r = run(b);
    ASSERT_TRUE(r.partition);
    // A superfluous connection is harmless.
    ModelBuilder twice = rc_network();
    const Equation across = [&] {
        for (const Equation& e : twice.model.equations)
            if (e.kind == EquationKind::Across) return e;
        return Equation{};
    }();
    twice.model.equations.add(across);
    const Result again = run(twice);
    ASSERT_TRUE(again.partition) << again.text();
    EXPECT_EQ(again.partition->dependent_removed.size(), 1u);
    EXPECT_EQ(again.partition->states.size(), 1u);
}

TEST(Transform, TooManyEquations) {
    ModelBuilder b;
    b.here = b.submodel("tank");
    const Expr x = b.variable("x", 0), y = b.variable("y"), z = b.variable("z");
    b.equation(b.der(x), y);
    b.equation(y, b.pool().call(Op::Sin, x));
    b.equation(b.mul(y, y), b.pool().call(Op::Cos, x));
    b.here = InstanceIndex(0);
    b.equation(z, b.mul(x, y));
    const Result r = run(b);
    ASSERT_FALSE(r.partition);
    const Diagnostic& d = r.of("too-many-equations");
    ASSERT_EQ(d.details.size(), 4u) << r.text();  // three equations, the unknowns
    EXPECT_EQ(r.diagnostics.error_count(), 1u) << r.text();
    EXPECT_NE(r.text().find("in tank: "), std::string::npos);
    EXPECT_EQ(r.text().find("z = "), std::string::npos) << "z is not concerned";
    EXPECT_TRUE(d.where.known());
}

TEST(Transform, TooFewEquations) {
    ModelBuilder b;
    b.here = b.submodel("valve");
    const Expr p = b.variable("p"), q = b.variable("q"), x = b.variable("x", 0);
    b[p].declared = VariableKind::Terminal;
    b.equation(q, b.pool().call(Op::Sqrt, p));
    b.equation(b.der(x), b.neg(x));
    const Result r = run(b);
    ASSERT_FALSE(r.partition);
    const Diagnostic& d = r.of("too-few-equations");
    EXPECT_NE(r.text().find("valve.p"), std::string::npos);
    EXPECT_NE(d.help.find("default"), std::string::npos) << d.help;
    EXPECT_EQ(r.text().find("valve.x"), std::string::npos);
}

TEST(Transform, UndeterminedAlias) {
    ModelBuilder b;
    const Expr x = b.variable("x"), y = b.variable("y");
    b.equation(x, y);
    const Result r = run(b);
    ASSERT_FALSE(r.partition);
    EXPECT_TRUE(r.has("too-few-equations")) << r.text();
}

TEST(Transform, UnusedVariableIsAWarning) {
    ModelBuilder b;
    const Expr x = b.variable("x", 1);
    b.variable("idle");
    b.equation(b.der(x), b.neg(x));
    const Result r = run(b);
    ASSERT_TRUE(r.partition);
    EXPECT_EQ(r.count("unused-variable"), 1u);
    EXPECT_NE(r.of("unused-variable").message.find("idle"), std::string::npos);
    EXPECT_EQ(r.of("unused-variable").severity, Severity::Warning);
}

TEST(Transform, ContradictorySources) {
    ModelBuilder b;
    const auto e1 = b.source("E1", 5), e2 = b.source("E2", 3);
    const auto r1 = b.resistor("R1", 1);
    b.join({b.a(e1), b.a(e2), b.a(r1)});
    b.ground({b.b(e1), b.b(e2), b.b(r1)});
    const Result r = run(b);
    ASSERT_FALSE(r.partition);
    const Diagnostic& d = r.of("contradictory-equations");
    EXPECT_NE(d.message.find("contradictory equations"), std::string::npos);
    EXPECT_NE(r.text().find("E1.U = 5"), std::string::npos) << r.text();
    EXPECT_NE(r.text().find("E2.U = 3"), std::string::npos) << r.text();
    EXPECT_GE(d.related.size(), 2u);
}

TEST(Transform, ParametersThatAgreeAreStructural) {
    ModelBuilder b;
    const Expr x = b.variable("x"), p = b.parameter("p", 2), q = b.parameter("q", 2);
    b.equation(x, p);
    b.equation(x, q);
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    EXPECT_EQ(r.partition->dependent_removed.size(), 1u);
    EXPECT_EQ(sorted(r.names(r.partition->structural_parameters)), (std::vector<std::string>{"p", "q"}));
    b[q].value = 3;
    EXPECT_TRUE(run(b).has("contradictory-equations"));
}

TEST(Transform, EquationWithoutUnknown) {
    ModelBuilder b;
    const Expr x = b.variable("x"), d = b.discrete("d", 1);
    b.equation(x, b.number(1));
    b.equation(d, b.pool().time());
    const Result r = run(b);
    ASSERT_FALSE(r.partition);
    EXPECT_TRUE(r.has("too-many-equations")) << r.text();
}

}  // namespace
