// High index, parameters that are zero, derivatives of higher order.
#include "model_builder.h"

using namespace cutset;
using namespace cutset::test;

namespace {

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

// ---- which of what constraints tie together are states

std::vector<std::string> states_of(const Result& r) {
    std::vector<std::string> names;
    for (VariableIndex v : r.partition->states) names.push_back(r.partition->model.path(v));
    std::sort(names.begin(), names.end());
    return names;
}

// m = V d, p = d R T, U = m cv T with balances of m and U.
Result gas_volume(StateSelect of_pt, StateSelect of_m = StateSelect::Default) {
    ModelBuilder b;
    const Expr p = b.variable("p", 1e5), T = b.variable("T", 300), d = b.variable("d"), m = b.variable("m"),
               U = b.variable("U");
    b[p].state_select = b[T].state_select = of_pt;
    b[m].state_select = of_m;
    b.equation(m, b.mul(0.1, d));
    b.equation(p, b.mul(d, b.mul(287, T)));
    b.equation(U, b.mul(m, b.mul(717, T)));
    b.equation(b.der(m), b.number(0.01));
    b.equation(b.der(U), b.number(4000));
    return run(b);
}

TEST(Transform, StatesThatAreNotDifferentiatedTakeThePlaceOfOthers) {
    for (StateSelect asked : {StateSelect::Prefer, StateSelect::Always}) {
        const Result r = gas_volume(asked);
        ASSERT_TRUE(r.partition) << r.text();
        EXPECT_EQ(states_of(r), (std::vector<std::string>{"T", "p"}));
        EXPECT_TRUE(r.partition->selections.empty());
        Evaluator e(*r.partition);
        e.run(r.partition->initial_blocks);
        const double m = 0.1 * 1e5 / (287 * 300);
        EXPECT_NEAR(e.value("m"), m, 1e-12);
        // U' = cv (m' T + m T'), p' = R/V (m' T + m T')
        EXPECT_NEAR(e.value("rate of T"), (4000 / 717.0 - 0.01 * 300) / m, 1e-9);
        EXPECT_NEAR(e.value("rate of p"), 287 / 0.1 * 4000 / 717.0, 1e-6);
    }
    const Result without = gas_volume(StateSelect::Default);
    ASSERT_TRUE(without.partition) << without.text();
    EXPECT_EQ(states_of(without), (std::vector<std::string>{"U", "m"}));
}

TEST(Transform, ContradictoryWishesAreWarnings) {
    const Result r = gas_volume(StateSelect::Default, StateSelect::Never);
    ASSERT_TRUE(r.partition) << r.text();
    EXPECT_EQ(states_of(r), (std::vector<std::string>{"U", "m"}));
    EXPECT_NE(r.text().find("m is a state, though `state never` asks for the contrary"), std::string::npos);
}

// What is never a state is no candidate of a choice that the run makes, whatever else ties it.
TEST(Transform, NeverStaysOutOfWhatTheRunChooses) {
    for (int never = 0; never < 3; ++never) {
        ModelBuilder b;
        Pool& pool = b.pool();
        const Expr x = b.variable("x", 0.6), y = b.variable("y", 0.8), s = b.variable("s"),
                   F = b.variable("F"), G = b.variable("G"), H = b.variable("H");
        const Expr all[] = {x, y, s};
        b[all[never]].state_select = StateSelect::Never;
        b.equation(b.der(x), F);
        b.equation(b.der(y), G);
        b.equation(b.der(s), H);
        b.equation(F, b.neg(y));
        b.equation(b.add(pool.power(x, b.number(2)), pool.power(y, b.number(2))), b.number(1));
        b.equation(s, b.add(x, b.mul(y, y)));
        const Result r = run(b);
        ASSERT_TRUE(r.partition) << r.text();
        EXPECT_EQ(r.partition->states.size(), 1u);
        for (VariableIndex v : r.partition->states) EXPECT_NE(v, all[never]->variable());
        for (const StateSelection& choice : r.partition->selections)
            for (VariableIndex v : choice.candidates) EXPECT_NE(v, all[never]->variable());
    }
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
    // x = -y, both differentiated, one initial value: the other follows with the opposite sign.
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

}  // namespace
