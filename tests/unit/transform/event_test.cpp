// Events, and what a run starts with.
#include "model_builder.h"

using namespace cutset;
using namespace cutset::test;

namespace {

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
    b.equation(q, two(Op::Remainder, b.mul(10, x), b.number(3)));
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

TEST(Transform, AContinuousProductOfASignIsAKink) {
    // The product with the sign, and whether it is seen to be continuous.
    using Make = std::function<Expr(ModelBuilder&, Expr x, Expr z)>;
    const auto sign = [](ModelBuilder& b, Expr e) { return b.pool().call(Op::Sign, e); };
    const auto of = [](ModelBuilder& b, Op op, Expr e) { return b.pool().call(op, e); };
    const auto product = [](ModelBuilder& b, std::initializer_list<Expr> factors) {
        return b.pool().multiply(std::vector<Expr>(factors));
    };
    struct Tried {
        const char* text;
        bool continuous;
        Make make;
    };
    const Tried all[] = {
        {"sign(x - z)*sqrt(abs(z - x))", true,
         [&](ModelBuilder& b, Expr x, Expr z) {
             const Expr root = of(b, Op::Sqrt, of(b, Op::Abs, b.sub(z, x)));
             return product(b, {sign(b, b.sub(x, z)), root});
         }},
        {"3*sign(x)*x**2/z", true,
         [&](ModelBuilder& b, Expr x, Expr z) {
             return product(b, {b.number(3), sign(b, x), b.pool().power(x, b.number(2)),
                                b.pool().power(z, b.number(-1))});
         }},
        {"sign(x)*(z*x + abs(x)**0.6)", true,
         [&](ModelBuilder& b, Expr x, Expr z) {
             const Expr power = b.pool().power(of(b, Op::Abs, x), b.number(0.6));
             return product(b, {sign(b, x), b.add(product(b, {z, x}), power)});
         }},
        {"sign(sin(x))*sqrt(abs(sin(x)))", true,
         [&](ModelBuilder& b, Expr x, Expr) {
             const Expr s = of(b, Op::Sin, x);
             return product(b, {sign(b, s), of(b, Op::Sqrt, of(b, Op::Abs, s))});
         }},
        {"sign(x)", false, [&](ModelBuilder& b, Expr x, Expr) { return sign(b, x); }},
        {"sign(x)*z", false,
         [&](ModelBuilder& b, Expr x, Expr z) {
             return product(b, {sign(b, x), z});
         }},
        {"sign(x)*sqrt(abs(x) + 0.1)", false,
         [&](ModelBuilder& b, Expr x, Expr) {
             return product(b, {sign(b, x), of(b, Op::Sqrt, b.add(of(b, Op::Abs, x), b.number(0.1)))});
         }},
        {"sign(x)*x/abs(x)", false,
         [&](ModelBuilder& b, Expr x, Expr) {
             return product(b, {sign(b, x), x, b.pool().power(of(b, Op::Abs, x), b.number(-1))});
         }},
        {"sign(x)*(if x > 0 then 1 else 0)", false,
         [&](ModelBuilder& b, Expr x, Expr) {
             return product(
                 b, {sign(b, x), b.pool().choose(b.pool().less(b.number(0), x), b.number(1), b.number(0))});
         }},
        {"sign(x)*x + sign(x)", false,
         [&](ModelBuilder& b, Expr x, Expr) {
             return b.add(product(b, {sign(b, x), x}), sign(b, x));
         }},
    };
    for (const Tried& tried : all) {
        ModelBuilder b;
        const Expr x = b.variable("x", 1), z = b.variable("z", 1), y = b.variable("y");
        b.equation(b.der(x), b.neg(x));
        b.equation(b.der(z), b.neg(z));
        b.equation(y, tried.make(b, x, z));
        const Result r = run(b);
        ASSERT_TRUE(r.partition) << r.text();
        std::size_t signs = 0, kinks = 0;
        for (const Switch& s : r.partition->switches) {
            signs += s.node->op == Op::Sign;
            kinks += s.kink;
        }
        EXPECT_EQ(signs, tried.continuous ? 0u : 1u) << tried.text;
        if (tried.continuous) EXPECT_GE(kinks, 1u) << tried.text;
        expect_equations_hold(b.model, *r.partition);
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

// ---- initialization

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
    // Steady state: x' = 0 with x' = u - x^3 - x.
    ModelBuilder b;
    Pool& pool = b.pool();
    const Expr x = b.variable("x"), y = b.variable("y", 1), u = b.parameter("u", 10);
    b.equation(b.der(x), b.sub(u, b.add(pool.power(x, b.number(3)), x)));
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

}  // namespace
