#include "model_builder.h"

using namespace cutset;
using namespace cutset::test;
using ::testing::Test;

namespace {

std::vector<std::string> sorted(std::vector<std::string> v) {
    std::sort(v.begin(), v.end());
    return v;
}

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

TEST(Transform, FormulaNeedsNonzeroPivot) {
    // Singular for p = 1: left to the numerical solution, which can say so.
    ModelBuilder b;
    const Expr x = b.variable("x"), y = b.variable("y"), p = b.parameter("p", 1);
    b.equation(b.add(b.mul(p, x), b.mul(p, y)), b.pool().time());
    b.equation(b.add(x, b.mul(p, y)), b.number(1));
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    ASSERT_EQ(r.partition->blocks.size(), 1u);
    EXPECT_EQ(r.partition->blocks[0].kind, BlockKind::Linear);
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
    // Diffusion along a line: x[k-1] - 4 x[k] + x[k+1] = -1. One torn variable would multiply errors by (2 +
    // √3)^n.
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
    b[p].declared = tree::VariableKind::Terminal;
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

// ---- high index

TEST(Transform, PendulumHasIndexThreeAndChoosesItsStatesLater) {
    ModelBuilder b;
    Pool& pool = b.pool();
    b.here = b.submodel("pendulum");
    const Expr x = b.variable("x", 0.6), y = b.variable("y", -0.8), f = b.variable("F"),
               l = b.parameter("L", 1);
    b.equation(b.der(x, 2), b.neg(b.mul(f, x)));
    b.equation(b.der(y, 2), b.sub(b.neg(b.mul(f, y)), b.number(9.81)));
    b.equation(b.add(pool.power(x, b.number(2)), pool.power(y, b.number(2))), pool.power(l, b.number(2)));
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    EXPECT_EQ(r.partition->index, 3u);
    EXPECT_EQ(r.partition->differentiated.size(), 1u);
    ASSERT_EQ(r.partition->selections.size(), 2u);
    for (const StateSelection& s : r.partition->selections) {
        EXPECT_EQ(s.candidates.size(), 2u);
        EXPECT_EQ(s.states.size(), 1u);
    }
    Evaluator e(*r.partition);
    e.run(r.partition->initial_blocks);  // at rest: the rope carries the weight along it
    EXPECT_NEAR(e.value("pendulum.F"), 9.81 * 0.8, 1e-12);
    EXPECT_NEAR(e.value("der2(pendulum.x)"), -9.81 * 0.8 * 0.6, 1e-12);
}

TEST(Transform, CapacitorLoopHasTwoStates) {
    ModelBuilder b;
    const auto c1 = b.capacitor("C1", 1), c2 = b.capacitor("C2", 1), c3 = b.capacitor("C3", 1);
    b.join({b.a(c1), b.a(c3)});
    b.join({b.b(c1), b.a(c2)});
    b.ground({b.b(c2), b.b(c3)});
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    EXPECT_EQ(r.partition->states.size(), 2u);
    EXPECT_EQ(r.partition->dependent.size(), 1u);
    EXPECT_TRUE(r.partition->selections.empty());
    EXPECT_EQ(r.partition->index, 2u);
}

TEST(Transform, DependentDerivativesHideAConstraint) {
    // C (y' - x') = x,  C (x' - y') = y - 1: the sum is 0 = x + y - 1.
    ModelBuilder b;
    const Expr x = b.variable("x", 0.25), y = b.variable("y"), c = b.parameter("C", 2);
    b.equation(b.mul(c, b.sub(b.der(y), b.der(x))), x);
    b.equation(b.mul(c, b.sub(b.der(x), b.der(y))), b.sub(y, b.number(1)));
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    EXPECT_EQ(r.partition->states.size(), 1u);
    EXPECT_EQ(r.partition->structural_parameters.size(), 1u);
    Evaluator e(*r.partition);
    e.run(r.partition->initial_blocks);
    EXPECT_NEAR(e.value("y"), 0.75, 1e-12);
    EXPECT_NEAR(e.value("x", 1), -0.25 / 4, 1e-12);
}

TEST(Transform, CapacitorAcrossSourceTakesTheDerivativeOfTheSource) {
    ModelBuilder b;
    const auto e = b.two_pole("E"), c = b.capacitor("C", 2, std::nullopt);
    b.here = e.instance;
    b.equation(e.u, b.pool().call(Op::Sin, b.pool().time()));
    b.join({b.a(e), b.a(c)});
    b.ground({b.b(e), b.b(c)});
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    EXPECT_EQ(r.partition->index, 2u);
    Evaluator evaluator(*r.partition);
    evaluator.time = 0.5;
    evaluator.run(r.partition->blocks);
    EXPECT_DOUBLE_EQ(evaluator.value("C.I"), 2 * std::cos(0.5));
}

TEST(Transform, ControlledSourceTiesTwoCapacitors) {
    ModelBuilder b;
    const auto e = b.two_pole("E"), c = b.capacitor("C", 2), c2 = b.capacitor("C2", 1),
               r2 = b.resistor("R2", 1);
    b.here = e.instance;
    b.equation(e.u, b.mul(3, c2.u));
    b.join({b.a(e), b.a(c)});
    b.join({b.a(c2), b.a(r2)});
    b.ground({b.b(e), b.b(c), b.b(c2), b.b(r2)});
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    EXPECT_EQ(r.partition->states.size(), 1u);
    EXPECT_EQ(r.partition->dependent.size(), 1u);
}

TEST(Transform, ParallelCapacitorsAreOneState) {
    ModelBuilder b;
    const auto c1 = b.capacitor("C1", 1, 2), c2 = b.capacitor("C2", 3, 2), r1 = b.resistor("R", 4);
    b.join({b.a(c1), b.a(c2), b.a(r1)});
    b.ground({b.b(c1), b.b(c2), b.b(r1)});
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    EXPECT_EQ(r.partition->states.size(), 1u);
    expect_equations_hold(b.model, *r.partition);
    Evaluator e(*r.partition);
    e.run(r.partition->initial_blocks);
    EXPECT_NEAR(e.value(r.names(r.partition->states)[0], 1), -2.0 / 4 / (1 + 3), 1e-12);
}

TEST(Transform, ParallelCapacitorsWithDifferentStarts) {
    ModelBuilder b;
    const auto c1 = b.capacitor("C1", 1, 2), c2 = b.capacitor("C2", 3, 1), r1 = b.resistor("R", 4);
    b.join({b.a(c1), b.a(c2), b.a(r1)});
    b.ground({b.b(c1), b.b(c2), b.b(r1)});
    const Result r = run(b);
    ASSERT_FALSE(r.partition);
    const Diagnostic& d = r.of("starts-differ");
    EXPECT_NE(d.message.find("C1.U"), std::string::npos);
    EXPECT_NE(d.message.find("C2.U"), std::string::npos);
}

TEST(Transform, ShaftsJoinedByTheirAnglesHaveOneSpeed) {
    ModelBuilder b;
    Expr phi[3], w[3], sum = b.number(1);
    for (int k = 0; k < 3; ++k) {
        b.here = b.submodel("J" + std::to_string(k));
        phi[k] = b.variable("phi", 0);
        w[k] = b.variable("w", 2);
        const Expr tau = b.variable("tau");
        b.equation(b.der(phi[k]), k == 1 ? b.neg(w[k]) : w[k]);
        b.equation(b.mul(b.parameter("J", k + 1), b.der(w[k])), k == 1 ? b.neg(tau) : tau);
        sum = b.sub(sum, tau);
    }
    b[w[1]].start->value = b.number(-2);
    b.here = InstanceIndex(0);
    b.equation(phi[0], phi[1]);
    b.equation(phi[1], phi[2]);
    b.equation(sum, b.number(0));
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    EXPECT_EQ(r.partition->states.size(), 2u);
    Evaluator e(*r.partition);
    e.run(r.partition->initial_blocks);
    EXPECT_DOUBLE_EQ(e.value("J0.w"), 2);
    EXPECT_DOUBLE_EQ(e.value("J1.w"), -2);
    EXPECT_DOUBLE_EQ(e.value("J0.tau") + e.value("J1.tau") + e.value("J2.tau"), 1);
    EXPECT_NEAR(e.value("J2.tau"), 0.5, 1e-12);
}

TEST(Transform, OppositeStates) {
    // x = -y, both differentiated, one start: the other follows with the opposite sign.
    ModelBuilder b;
    const Expr x = b.variable("x"), y = b.variable("y", 3), u = b.variable("u");
    b.equation(b.add(x, y), b.number(0));
    b.equation(b.add(b.der(x), b.mul(2, b.der(y))), u);
    b.equation(u, b.neg(x));
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    EXPECT_EQ(r.partition->states.size(), 1u);
    Evaluator e(*r.partition);
    e.run(r.partition->initial_blocks);
    EXPECT_DOUBLE_EQ(e.value("y"), 3);
    EXPECT_DOUBLE_EQ(e.value("x"), -3);
    EXPECT_DOUBLE_EQ(e.value("u"), 3);
}

// ---- zero parameters

ModelBuilder motor(double la) {
    ModelBuilder b;
    b.here = b.submodel("motor");
    const Expr u = b.variable("u"), i = b.variable("i", 0), w = b.variable("w", 0), l = b.parameter("La", la),
               r = b.parameter("Ra", 2), k = b.parameter("k", 0.5), j = b.parameter("J", 0.1),
               d = b.parameter("d", 0);
    b.equation(u, b.number(12));
    b.equation(u, b.pool().add(std::vector<Expr>{b.mul(r, i), b.mul(l, b.der(i)), b.mul(k, w)}));
    b.equation(b.mul(j, b.der(w)), b.sub(b.mul(k, i), b.mul(d, w)));
    return b;
}

TEST(Transform, InductanceZeroRemovesTheState) {
    const Result with = run(motor(1e-3));
    ASSERT_TRUE(with.partition);
    EXPECT_EQ(with.partition->states.size(), 2u);
    // d = 0 removes w from the torque equation, so it is structural here as in the other case.
    EXPECT_EQ(with.names(with.partition->structural_parameters), std::vector<std::string>{"motor.d"});

    const ModelBuilder b = motor(0);
    const Result without = run(b);
    ASSERT_TRUE(without.partition) << without.text();
    EXPECT_EQ(without.names(without.partition->states), std::vector<std::string>{"motor.w"});
    EXPECT_EQ(sorted(without.names(without.partition->structural_parameters)),
              (std::vector<std::string>{"motor.La", "motor.d"}));
    Evaluator e(*without.partition);
    e.run(without.partition->initial_blocks);
    EXPECT_DOUBLE_EQ(e.value("motor.i"), 6);
}

TEST(Transform, ZeroThatRemovesNothingIsNotStructural) {
    ModelBuilder b;
    const Expr x = b.variable("x", 1), offset = b.parameter("offset", 0);
    b.equation(b.der(x), b.add(b.neg(x), offset));
    const Result r = run(b);
    ASSERT_TRUE(r.partition);
    EXPECT_TRUE(r.partition->structural_parameters.empty());
    bool kept = false;
    for (const Block& block : r.partition->blocks)
        for (const SolvedEquation& s : block.inner) kept = kept || contains(s.value, offset);
    EXPECT_TRUE(kept) << "the parameter can still be changed";
}

TEST(Transform, OnlyTheZerosThatAreNeededBecomeStructural) {
    ModelBuilder b;
    const Expr x = b.variable("x", 1), y = b.variable("y"), p = b.parameter("p", 0), q = b.parameter("q", 0),
               s = b.parameter("s", 0);
    b.equation(b.der(x), b.neg(y));
    // (p + q) is zero only with both; s is an offset.
    b.equation(y, b.pool().add(std::vector<Expr>{x, s, b.mul(b.add(p, q), b.der(x))}));
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    EXPECT_EQ(sorted(r.names(r.partition->structural_parameters)), (std::vector<std::string>{"p", "q"}));
}

TEST(Transform, ParameterComputedFromStructuralOneIsStructuralToo) {
    ModelBuilder b;
    const Expr outer = b.parameter("L", 0);
    b.here = b.submodel("m");
    const Expr inner = b.parameter("La", 0, outer), x = b.variable("x"), y = b.variable("y");
    b.equation(b.add(x, b.mul(inner, b.der(x))), y);
    b.equation(y, b.pool().time());
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    EXPECT_EQ(sorted(r.names(r.partition->structural_parameters)), (std::vector<std::string>{"L", "m.La"}));
    EXPECT_TRUE(r.partition->states.empty());
}

TEST(Transform, DivisionByZeroParameter) {
    ModelBuilder b;
    b.here = b.submodel("R1");
    const Expr i = b.variable("i"), u = b.variable("u"), r0 = b.parameter("R", 0);
    b.equation(u, b.pool().time());
    b.equation(i, b.div(u, r0));
    const Result r = run(b);
    ASSERT_FALSE(r.partition);
    const Diagnostic& d = r.of("division-by-zero");
    EXPECT_NE(d.message.find("R1.R"), std::string::npos) << d.message;
    EXPECT_NE(d.message.find("0"), std::string::npos);
    EXPECT_NE(r.text().find("R1.u/R1.R"), std::string::npos) << r.text();
    EXPECT_TRUE(d.where.known());
}

TEST(Transform, DivisionInABranchNotTaken) {
    ModelBuilder b;
    Pool& pool = b.pool();
    const Expr i = b.variable("i"), u = b.variable("u"), r0 = b.parameter("R", 0);
    b.equation(u, pool.time());
    b.equation(i, pool.choose(pool.equal(r0, b.number(0)), b.number(0), b.div(u, r0)));
    EXPECT_TRUE(run(b).partition.has_value());
}

TEST(Transform, DivisionByDifferenceThatIsZero) {
    ModelBuilder b;
    const Expr x = b.variable("x"), p = b.parameter("p", 2), q = b.parameter("q", 2);
    b.equation(x, b.div(b.pool().time(), b.sub(p, q)));
    const Result r = run(b);
    ASSERT_FALSE(r.partition);
    EXPECT_NE(r.text().find("p = 2"), std::string::npos) << r.text();
}

TEST(Transform, CoefficientThatIsZeroByValue) {
    ModelBuilder b;
    const Expr x = b.variable("x"), p = b.parameter("p", 2), q = b.parameter("q", 2);
    b.equation(b.mul(b.sub(p, q), x), b.pool().time());
    const Result r = run(b);
    ASSERT_FALSE(r.partition);
    EXPECT_TRUE(r.has("coefficient-is-zero")) << r.text();
}

// ---- order

TEST(Transform, SecondDerivative) {
    ModelBuilder b;
    b.here = b.submodel("mass");
    const Expr x = b.variable("x", 1), v = b.variable("v"), m = b.parameter("m", 2);
    b.equation(b.mul(m, b.der(x, 2)), b.sub(b.neg(x), b.mul(0.1, b.der(x))));
    b.equation(v, b.der(x));
    b.model.derivative_starts.push_back({x->variable(), 1, {b.number(5), b.origin()}});
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    EXPECT_EQ(r.names(r.partition->states), (std::vector<std::string>{"mass.x", "der(mass.x)"}));
    Evaluator e(*r.partition);
    e.run(r.partition->initial_blocks);
    EXPECT_DOUBLE_EQ(e.value("mass.x"), 1);
    EXPECT_DOUBLE_EQ(e.value("der(mass.x)"), 5);
    EXPECT_DOUBLE_EQ(e.value("mass.v"), 5);
    EXPECT_DOUBLE_EQ(e.value("mass.x", 1), 5);
    EXPECT_DOUBLE_EQ(e.value("der(mass.x)", 1), (-1 - 0.5) / 2);
    EXPECT_TRUE(r.partition->zero_starts.empty());
}

TEST(Transform, ThirdDerivative) {
    ModelBuilder b;
    const Expr x = b.variable("x", 1);
    b.equation(b.der(x, 3), b.sub(b.neg(x), b.add(b.der(x, 2), b.der(x))));
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    EXPECT_EQ(r.names(r.partition->states), (std::vector<std::string>{"x", "der(x)", "der2(x)"}));
    EXPECT_EQ(r.names(r.partition->zero_starts), (std::vector<std::string>{"der(x)", "der2(x)"}));
    Evaluator e(*r.partition);
    e.run(r.partition->initial_blocks);
    EXPECT_DOUBLE_EQ(e.value("der2(x)", 1), -1);
}

// ---- events

TEST(Transform, SwitchingFunctionsAreWatched) {
    ModelBuilder b;
    Pool& pool = b.pool();
    const Expr x = b.variable("x", 1), a = b.variable("a"), s = b.variable("s"), m = b.variable("m"),
               q = b.variable("q"), p = b.parameter("p", -2), n = b.variable("n");
    const auto two = [&](Op op, Expr l, Expr r) {
        const Expr arguments[] = {l, r};
        return pool.call(op, arguments);
    };
    b.equation(b.der(x), b.neg(x));
    b.equation(a, pool.call(Op::Abs, x));
    b.equation(s, pool.call(Op::Sign, b.sub(x, b.number(2))));
    b.equation(m, b.add(two(Op::Min, x, b.number(0.7)), pool.call(Op::Abs, p)));
    b.equation(q, two(Op::Modulo, b.mul(10, x), b.number(3)));
    b.equation(n, pool.call(Op::NoEvent, pool.call(Op::Abs, b.sub(x, b.number(5)))));
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    // x < 0; sign(x - 2), one switch with three values; x < 0.7; int(10 x/3)
    EXPECT_EQ(r.partition->switches.size(), 4u);
    std::size_t truncations = 0;
    for (const Switch& sw : r.partition->switches) {
        truncations += sw.node->op == Op::Truncate;
        EXPECT_EQ(sw.instant, nullptr);
    }
    EXPECT_EQ(truncations, 1u);
    expect_equations_hold(b.model, *r.partition);
    for (double at : {-1.2, 0.3, 0.9, 2.6}) {
        Evaluator e(*r.partition);
        e[{x->variable(), 0}] = at;
        e.run(r.partition->blocks);
        EXPECT_DOUBLE_EQ(e.value("a"), std::abs(at));
        EXPECT_DOUBLE_EQ(e.value("s"), at > 2 ? 1 : -1);
        EXPECT_DOUBLE_EQ(e.value("m"), std::min(at, 0.7) + 2);
        EXPECT_NEAR(e.value("q"), std::fmod(10 * at, 3), 1e-12);
    }
}

TEST(Transform, TimeEventsHaveAnInstant) {
    ModelBuilder b;
    Pool& pool = b.pool();
    const Expr u = b.variable("u"), t0 = b.parameter("t0", 3), d = b.discrete("d", 1);
    b.equation(u, pool.choose(pool.less(b.mul(2, pool.time()), b.sub(t0, d)), b.number(0), b.number(1)));
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    ASSERT_EQ(r.partition->switches.size(), 1u);
    ASSERT_NE(r.partition->switches[0].instant, nullptr);
    Evaluator e(*r.partition);
    EXPECT_DOUBLE_EQ(e(r.partition->switches[0].instant), 1);
}

TEST(Transform, ClocksAndDelays) {
    ModelBuilder b;
    Pool& pool = b.pool();
    const Expr x = b.variable("x", 1), y = b.variable("y"), z = b.variable("z"), d = b.discrete("d", 0),
               period = b.parameter("T", 0.1), none = b.parameter("none", 0);
    const auto delay = [&](Expr e, Expr t) {
        const Expr arguments[] = {e, t};
        return pool.call(Op::Delay, arguments);
    };
    b.equation(b.der(x), b.sub(d, x));
    // Its own past is known: no loop.
    b.equation(y, b.add(b.mul(0.5, delay(y, period)), x));
    b.equation(z, delay(b.mul(2, x), none));
    const Expr sample_arguments[] = {b.number(0), period};
    WhenClause when{pool.call(Op::Sample, sample_arguments), {}, b.origin()};
    when.actions.push_back(WhenAssign{d->variable(), b.add(y, pool.previous(d->variable())), b.origin()});
    b.model.whens.push_back(when);
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    EXPECT_EQ(r.partition->clocks.size(), 1u);
    ASSERT_EQ(r.partition->delays.size(), 1u);
    EXPECT_EQ(r.partition->delays[0].argument, y);
    EXPECT_TRUE(r.partition->loops.empty());
    EXPECT_EQ(r.names(r.partition->structural_parameters), std::vector<std::string>{"none"});
}

TEST(Transform, ReinitFollowsTheAlias) {
    ModelBuilder b;
    Pool& pool = b.pool();
    const Expr h = b.variable("h", 1), v = b.variable("v", 0), w = b.variable("w");
    b.equation(b.der(h), v);
    b.equation(b.der(v), b.number(-9.81));
    b.equation(w, b.neg(v));
    WhenClause when{pool.less(h, b.number(0)), {}, b.origin()};
    when.actions.push_back(WhenReinit{w->variable(), b.mul(-0.8, pool.previous(w->variable())), b.origin()});
    b.model.whens.push_back(when);
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    const auto& action = std::get<WhenReinit>(r.partition->model.whens[0].actions[0]);
    EXPECT_EQ(action.target, v->variable());
    // -(-0.8 pre(w)) with w = -v
    EXPECT_EQ(action.value, b.mul(-0.8, pool.previous(v->variable())));
    EXPECT_EQ(r.partition->switches.size(), 1u);
}

TEST(Transform, ReinitOfAlgebraicVariable) {
    ModelBuilder b;
    const Expr x = b.variable("x", 1), y = b.variable("y");
    b.equation(b.der(x), b.neg(x));
    b.equation(y, b.pool().call(Op::Sin, x));
    WhenClause when{b.pool().less(x, b.number(0.5)), {}, b.origin()};
    when.actions.push_back(WhenReinit{y->variable(), b.number(1), b.origin()});
    b.model.whens.push_back(when);
    EXPECT_TRUE(run(b).has("reinit-of-other"));
}

// ---- start

TEST(Transform, StatesWithoutStartBeginAtZero) {
    ModelBuilder b;
    const Expr x = b.variable("x", 2), y = b.variable("y");
    b.equation(b.der(x), b.neg(x));
    b.equation(b.der(y), b.sub(x, y));
    const Result r = run(b);
    ASSERT_TRUE(r.partition);
    EXPECT_EQ(r.names(r.partition->zero_starts), std::vector<std::string>{"y"});
    Evaluator e(*r.partition);
    e.run(r.partition->initial_blocks);
    EXPECT_DOUBLE_EQ(e.value("y", 1), 2);
    EXPECT_EQ(r.partition->index, 0u);
}

TEST(Transform, InitialEquationDeterminesTheState) {
    // Steady state: x' = 0 with x' = u - x^3.
    ModelBuilder b;
    Pool& pool = b.pool();
    const Expr x = b.variable("x"), y = b.variable("y", 1), u = b.parameter("u", 8);
    b.equation(b.der(x), b.sub(u, pool.power(x, b.number(3))));
    b.equation(b.der(y), b.sub(x, y));
    b.initial(b.der(x), b.number(0));
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    EXPECT_TRUE(r.partition->zero_starts.empty());
    Evaluator e(*r.partition);
    e.run(r.partition->initial_blocks);
    EXPECT_NEAR(e.value("x"), 2, 1e-9);
    EXPECT_NEAR(e.value("y", 1), 1, 1e-9);
    ASSERT_EQ(r.partition->loops.size(), 1u);
    EXPECT_TRUE(r.partition->loops[0].initial);
}

TEST(Transform, TooManyStartConditions) {
    ModelBuilder b;
    const Expr x = b.variable("x", 1), y = b.variable("y", 1);
    b.equation(b.der(x), b.neg(x));
    b.equation(b.der(y), b.neg(y));
    b.initial(b.der(x), b.number(0));
    const Result r = run(b);
    ASSERT_FALSE(r.partition);
    EXPECT_TRUE(r.has("too-many-start-conditions"));
    EXPECT_NE(r.text().find("x(0) = 1"), std::string::npos) << r.text();
    EXPECT_NE(r.text().find("initial x' = 0"), std::string::npos) << r.text();
    EXPECT_EQ(r.text().find("y(0)"), std::string::npos) << "y has nothing to do with it";
}

TEST(Transform, TooFewStartConditionsAreZeroAndListed) {
    ModelBuilder b;
    const Expr x = b.variable("x"), y = b.variable("y"), z = b.variable("z");
    b.equation(b.der(x), b.neg(x));
    b.equation(b.der(y), b.neg(y));
    b.equation(b.der(z), b.neg(z));
    b.initial(b.add(x, y), b.number(3));
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    EXPECT_EQ(r.partition->zero_starts.size(), 2u);
    Evaluator e(*r.partition);
    e.run(r.partition->initial_blocks);
    EXPECT_DOUBLE_EQ(e.value("x") + e.value("y"), 3);
    EXPECT_DOUBLE_EQ(e.value("z"), 0);
}

TEST(Transform, StartInTermsOfAnotherVariable) {
    ModelBuilder b;
    const Expr x = b.variable("x", 4), y = b.variable("y"), s = b.variable("s");
    b.equation(b.der(x), b.neg(x));
    b.equation(b.der(y), b.neg(s));
    b.equation(s, b.mul(2, b.pool().call(Op::Sqrt, x)));
    b[y].start = Start{b.add(s, b.number(1)), b.origin()};
    const Result r = run(b);
    ASSERT_TRUE(r.partition) << r.text();
    Evaluator e(*r.partition);
    e.run(r.partition->initial_blocks);
    EXPECT_DOUBLE_EQ(e.value("y"), 5);
}

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
        b[u].declared = tree::VariableKind::Input;
        b[y].declared = tree::VariableKind::Output;
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
        m.b[f].declared = tree::VariableKind::Input;
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
