// Sections: what they compute, in order, with switches, loops and delays.
#include <gtest/gtest.h>

#include <random>

#include "sample_model.h"

namespace cutset {
namespace {

TEST(Sections, ParametersStatesDerivatives) {
    SampleModel s;
    const VariableIndex R = s.parameter("R", 5), C = s.parameter("C", 0);
    s.m.variables[C].binding = s.mul(s.n(2), s.at(R));
    const VariableIndex V = s.state("V"), I = s.variable("I");
    s.assign(I, s.div(s.sub(s.n(10), s.at(V)), s.at(R)));
    s.assign(V, s.div(s.at(I), s.at(C)), 1);
    const Program program = s.program();
    Interpreter run(program, {});
    EXPECT_TRUE(run.run(program.parameters));
    EXPECT_EQ(value(run, C), 10);
    run[program.layout.state[0]] = 4;
    EXPECT_TRUE(run.run(program.continuous));
    EXPECT_DOUBLE_EQ(value(run, I), 1.2);
    EXPECT_DOUBLE_EQ(run[program.layout.derivative[0]], 0.12);
    EXPECT_EQ(program.layout.time, 0u);
}

TEST(Sections, SharedSubexpressionsAreComputedOnce) {
    SampleModel s;
    const VariableIndex x = s.state("x"), a = s.variable("a"), b = s.variable("b");
    const Expr slow = s.call(Op::Sin, s.at(x));
    s.assign(a, s.add(slow, s.n(1)));
    s.assign(b, s.mul(slow, slow));
    s.assign(x, s.call(Op::Exp, slow), 1);
    const Program program = s.program();
    int sines = 0;
    for (const Instruction& i : program.continuous.instructions)
        sines += i.code == Code::Unary && i.op == Op::Sin;
    EXPECT_EQ(sines, 1);
}

// Every kind of expression against `evaluate`, with temporaries reused and branches nested.
class RandomSections : public testing::TestWithParam<unsigned> {};

Expr random_expression(SampleModel& s, std::mt19937& random, const std::vector<Expr>& leaves, int depth);

Expr random_condition(SampleModel& s, std::mt19937& random, const std::vector<Expr>& leaves, int depth) {
    const Expr a = random_expression(s, random, leaves, depth),
               b = random_expression(s, random, leaves, depth);
    switch (random() % 4) {
        case 0: {
            const Expr both[3] = {s.pool.less(a, b), s.pool.less_equal(s.n(0.5), a), s.pool.less(b, s.n(2))};
            return s.pool.all_of(both);
        }
        case 1: {
            const Expr either[3] = {s.pool.less(a, b), s.pool.less_equal(s.n(2), a), s.pool.less(b, s.n(-1))};
            return s.pool.any_of(either);
        }
        case 2:
            return s.pool.negation(s.pool.less_equal(a, b));
        default:
            return s.pool.less(a, b);
    }
}

Expr random_expression(SampleModel& s, std::mt19937& random, const std::vector<Expr>& leaves, int depth) {
    if (depth == 0) return random() % 5 ? leaves[random() % leaves.size()] : s.n(double(random() % 7) - 3);
    const auto next = [&] { return random_expression(s, random, leaves, depth - 1); };
    switch (random() % 9) {
        case 0:
        case 1: {
            const Expr terms[3] = {next(), next(), s.pool.negate(next())};
            return s.pool.add(terms);
        }
        case 2:
        case 3:
            return s.mul(next(), next());
        case 4:
            return s.div(next(), s.add(s.n(3), s.call(Op::Abs, next())));
        case 5:
            return s.pool.power(s.add(s.n(2), s.call(Op::Abs, next())), s.n(double(random() % 7) - 3));
        case 6: {
            const Expr parts[5] = {random_condition(s, random, leaves, depth - 1), next(),
                                   random_condition(s, random, leaves, depth - 1), next(), next()};
            return s.pool.choose(parts);
        }
        case 7: {
            static constexpr Op ops[] = {Op::Sin, Op::Atan, Op::Tanh, Op::Sign, Op::Truncate, Op::NoEvent};
            return s.call(ops[random() % 6], next());
        }
        default: {
            static constexpr Op ops[] = {Op::Min, Op::Max, Op::Atan2};
            const Op op = ops[random() % 3];
            const Expr a = next(), b = next();
            const Expr both[2] = {a, op == Op::Atan2 ? s.add(s.n(2), s.call(Op::Abs, b)) : b};
            return s.pool.call(op, both);
        }
    }
}

TEST_P(RandomSections, AgreeWithEvaluate) {
    std::mt19937 random(GetParam());
    SampleModel s;
    std::vector<Expr> leaves{s.pool.time()};
    for (int i = 0; i < 3; ++i) leaves.push_back(s.at(s.state("x" + std::to_string(i))));
    std::vector<VariableIndex> computed;
    std::vector<Expr> values;
    for (int i = 0; i < 12; ++i) {
        const VariableIndex v = s.variable("v" + std::to_string(i));
        const Expr e = random_expression(s, random, leaves, 1 + random() % 3);
        s.assign(v, e);
        computed.push_back(v);
        values.push_back(e);
        leaves.push_back(s.at(v));
    }
    for (VariableIndex x : std::vector<VariableIndex>(s.p.states)) s.assign(x, s.n(0), 1);
    const Program program = s.program();
    Interpreter run(program, {});
    for (int point = 0; point < 5; ++point) {
        run[program.layout.time] = point;
        for (Slot state : program.layout.state) run[state] = (random() % 1000) / 250.0 - 2;
        ASSERT_TRUE(run.run(program.continuous));
        Environment environment;
        environment.leaf = [&](Expr leaf) -> std::optional<double> {
            return leaf->op == Op::Time ? run[program.layout.time] : value(run, leaf->variable());
        };
        for (std::size_t i = 0; i < computed.size(); ++i) {
            const double expected = *evaluate(values[i], environment);
            if (!std::isfinite(expected)) continue;
            EXPECT_NEAR(value(run, computed[i]), expected, 1e-9 * (1 + std::abs(expected)))
                << to_text(values[i], s.m.printer());
        }
    }
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomSections, testing::Range(0u, 150u));

TEST(Sections, ABranchThatIsNotTakenIsNotEvaluated) {
    SampleModel s;
    TableData t;
    t.name = "f";
    t.x = {0, 1};
    t.values = {0, 1};
    t.outside = Outside::Error;
    const CalleeIndex f = s.m.callees.add(t);
    const VariableIndex x = s.state("x"), y = s.variable("y"), z = s.variable("z");
    const Expr argument = s.at(x);
    const Expr call = s.pool.apply(f, 0, std::span(&argument, 1));
    s.assign(y, s.pool.choose(s.pool.less(s.at(x), s.n(1)), call, s.n(7)));
    const Expr both[2] = {s.pool.less(s.at(x), s.n(1)), s.pool.less(call, s.n(0.5))};
    s.assign(z, s.pool.choose(s.pool.all_of(both), s.n(1), s.n(2)));
    s.assign(x, s.n(0), 1);
    const Program program = s.program();
    Interpreter run(program, {});
    set(run, x, 5);
    ASSERT_TRUE(run.run(program.continuous)) << run.error()->message;
    EXPECT_EQ(value(run, y), 7);
    EXPECT_EQ(value(run, z), 2);
    set(run, x, 0.25);
    ASSERT_TRUE(run.run(program.continuous));
    EXPECT_EQ(value(run, y), 0.25);
    EXPECT_EQ(value(run, z), 1);
    set(run, x, -1);
    EXPECT_FALSE(run.run(program.continuous));
    EXPECT_EQ(run.error()->kind, RunError::Kind::TableRange);
    EXPECT_EQ(run.error()->message, "table f is left: f(-1) is outside 0 to 1");
}

TEST(Sections, WhatABranchComputedIsNotUsedOutside) {
    SampleModel s;
    const VariableIndex x = s.state("x"), y = s.variable("y"), z = s.variable("z");
    const Expr slow = s.call(Op::Exp, s.at(x));
    s.assign(y, s.pool.choose(s.pool.less(s.n(0), s.at(x)), s.add(slow, s.n(1)), s.n(0)));
    s.assign(z, slow);
    s.assign(x, s.n(0), 1);
    const Program program = s.program();
    Interpreter run(program, {});
    set(run, x, -1);
    ASSERT_TRUE(run.run(program.continuous));
    EXPECT_EQ(value(run, z), std::exp(-1));
}

TEST(Sections, SwitchesAreFrozenOrLive) {
    SampleModel s;
    const VariableIndex x = s.state("x"), y = s.variable("y"), plain = s.variable("plain"),
                        whole = s.variable("whole"), unlisted = s.variable("unlisted");
    const Expr relation = s.pool.less(s.n(0), s.at(x));
    const Expr truncated = s.call(Op::Truncate, s.mul(s.n(2), s.at(x)));
    s.assign(y, s.pool.choose(relation, s.n(1), s.n(-1)));
    s.assign(plain, s.call(Op::NoEvent, s.pool.choose(relation, s.n(1), s.n(-1))));
    s.assign(whole, truncated);
    s.assign(unlisted, s.pool.choose(s.pool.less(s.at(x), s.n(0)), s.n(1), s.n(-1)));
    s.assign(x, s.n(0), 1);
    s.switches_at(relation);
    s.switches_at(truncated);
    const Program program = s.program();
    Interpreter run(program, {});
    set(run, x, 3);
    run[program.layout.switches[0]] = 0;
    run[program.layout.switches[1]] = 17;
    ASSERT_TRUE(run.run(program.continuous));
    EXPECT_EQ(value(run, y), -1);
    EXPECT_EQ(value(run, plain), 1);
    EXPECT_EQ(value(run, whole), 17);
    EXPECT_EQ(value(run, unlisted), -1);
    run.set_live_switches(true);
    ASSERT_TRUE(run.run(program.continuous));
    EXPECT_EQ(value(run, y), 1);
    EXPECT_EQ(value(run, whole), 6);
    EXPECT_EQ(run[program.layout.switches[0]], 0);  // nothing is stored
    ASSERT_TRUE(run.run(program.crossings));
    EXPECT_EQ(run[program.layout.crossings[0]], -3);
    EXPECT_EQ(run[program.layout.crossings[1]], 6);
}

TEST(Sections, LoopsAndTheirJacobians) {
    // b := y - a;  0 = exp(a) - b with y = 1: a = 0; and a linear one whose matrix is known.
    SampleModel s;
    const VariableIndex k = s.parameter("k", 3), a = s.variable("a"), b = s.variable("b"),
                        p = s.variable("p"), q = s.variable("q"), r = s.variable("r");
    Block nonlinear;
    nonlinear.kind = BlockKind::Nonlinear;
    nonlinear.torn = {{a, 0}};
    nonlinear.inner = {s.solved({b, 0}, s.sub(s.n(1), s.at(a)))};
    nonlinear.residuals = {s.residual(s.sub(s.call(Op::Exp, s.at(a)), s.at(b)))};
    s.p.blocks.push_back(nonlinear);
    Block linear;
    linear.kind = BlockKind::Linear;
    linear.torn = {{p, 0}, {q, 0}};
    linear.inner = {s.solved({r, 0}, s.sub(s.mul(s.at(k), s.at(p)), s.at(q)))};  // r = k p - q
    linear.residuals = {s.residual(s.sub(s.add(s.at(r), s.at(p)), s.n(8))),      // (k+1) p - q = 8
                        s.residual(s.sub(s.at(q), s.n(4)))};                     // q = 4
    s.p.blocks.push_back(linear);
    s.m.variables[p].nominal = 100;
    s.m.variables[q].minimum = -2;
    const Program program = s.program();
    PlainNewton newton;
    Interpreter run(program, {&newton});
    ASSERT_TRUE(run.run(program.parameters));
    set(run, a, 2);
    ASSERT_TRUE(run.run(program.continuous));
    EXPECT_NEAR(value(run, a), 0, 1e-12);
    EXPECT_NEAR(value(run, b), 1, 1e-12);
    EXPECT_NEAR(value(run, p), 3, 1e-12);
    EXPECT_NEAR(value(run, r), 5, 1e-12);
    const Loop& loop = program.loops[1];
    EXPECT_EQ(loop.nominal, (std::vector<double>{100, 2}));
    EXPECT_EQ(loop.minimum[1], -2);
    EXPECT_TRUE(std::isinf(loop.maximum[1]));
    ASSERT_TRUE(run.run(loop.jacobian));
    EXPECT_EQ(dense_jacobian(loop, run), (std::vector<double>{4, 0, -1, 1}));
    EXPECT_EQ(loop.jacobian_entries.size(), 3u);  // ∂r2/∂p is zero by structure
    EXPECT_EQ(loop.block, &s.p.blocks[1]);
}

TEST(Sections, LinearLoopsServeTheStartToo) {
    // x = 2 at initialization; then, at all times, p + q = x, p - q = 1 and exp(a) = x.
    SampleModel s;
    const VariableIndex x = s.state("x"), p = s.variable("p"), q = s.variable("q"), a = s.variable("a");
    Block linear;
    linear.kind = BlockKind::Linear;
    linear.torn = {{p, 0}};
    linear.inner = {s.solved({q, 0}, s.sub(s.at(x), s.at(p)))};
    linear.residuals = {s.residual(s.sub(s.sub(s.at(p), s.at(q)), s.n(1)))};
    Block nonlinear;
    nonlinear.kind = BlockKind::Nonlinear;
    nonlinear.torn = {{a, 0}};
    nonlinear.residuals = {s.residual(s.sub(s.call(Op::Exp, s.at(a)), s.at(x)))};
    s.p.blocks = {linear, nonlinear};
    s.assign(x, s.n(0), 1);
    Block start;
    start.inner = {s.solved({x, 0}, s.n(2))};
    s.p.initial_blocks = s.p.blocks;
    s.p.initial_blocks.insert(s.p.initial_blocks.begin(), start);
    const auto solved = [](const Section& section) {
        std::vector<Slot> loops;
        for (const Instruction& i : section.instructions)
            if (i.code == Code::Solve) loops.push_back(i.a);
        return loops;
    };
    const Program same = s.program();
    EXPECT_EQ(same.loops.size(), 3u);
    EXPECT_EQ(solved(same.initial), (std::vector<Slot>{0, 1}));
    EXPECT_EQ(solved(same.continuous), (std::vector<Slot>{0, 2}));
    PlainNewton newton;
    Interpreter run(same, {&newton});
    ASSERT_TRUE(run.run(same.initial));
    set(run, x, 5);
    ASSERT_TRUE(run.run(same.continuous));
    EXPECT_NEAR(value(run, p), 3, 1e-12);
    EXPECT_NEAR(value(run, a), std::log(5), 1e-12);
    // What differs in one value is another loop.
    s.p.initial_blocks[1].inner[0].value = s.sub(s.at(x), s.mul(s.n(2), s.at(p)));
    const Program other = s.program();
    EXPECT_EQ(other.loops.size(), 4u);
    EXPECT_EQ(solved(other.continuous), (std::vector<Slot>{2, 3}));
}

TEST(Sections, RandomJacobiansAgreeWithDifferences) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        std::mt19937 random(seed);
        SampleModel s;
        std::vector<Expr> leaves;
        Block b;
        b.kind = BlockKind::Nonlinear;
        const std::size_t n = 1 + random() % 4;
        for (std::size_t i = 0; i < n; ++i) {
            const VariableIndex v = s.variable("z" + std::to_string(i));
            b.torn.push_back({v, 0});
            leaves.push_back(s.at(v));
        }
        for (int i = 0; i < 5; ++i) {
            const VariableIndex v = s.variable("w" + std::to_string(i));
            b.inner.push_back(s.solved({v, 0}, random_expression(s, random, leaves, 2)));
            leaves.push_back(s.at(v));
        }
        for (std::size_t i = 0; i < n; ++i)
            b.residuals.push_back(s.residual(random_expression(s, random, leaves, 2)));
        s.p.blocks.push_back(b);
        const Program program = s.program();
        const Loop& loop = program.loops[0];
        Interpreter run(program, {});
        std::vector<double> z(n);
        for (double& v : z) v = (random() % 1000) / 300.0 - 1.5;
        const auto residuals = [&](const std::vector<double>& at) {
            for (std::size_t i = 0; i < n; ++i) run[loop.torn[i]] = at[i];
            EXPECT_TRUE(run.run(loop.residual));
            std::vector<double> r;
            for (Slot slot : loop.residual_slots) r.push_back(run[slot]);
            return r;
        };
        residuals(z);
        ASSERT_TRUE(run.run(loop.jacobian));
        const std::vector<double> exact = dense_jacobian(loop, run);
        for (std::size_t j = 0; j < n; ++j) {
            const auto moved = [&](double h) {
                std::vector<double> at = z;
                at[j] += h;
                return residuals(at);
            };
            const auto here = moved(0), above = moved(1e-6), below = moved(-1e-6);
            for (std::size_t i = 0; i < n; ++i) {
                const double forward = (above[i] - here[i]) / 1e-6, backward = (here[i] - below[i]) / 1e-6;
                if (!std::isfinite(forward + backward) || std::abs(forward) > 1e3 ||
                    std::abs(forward - backward) > 1e-2 * (1 + std::abs(forward)))
                    continue;  // a kink or a step
                EXPECT_NEAR(exact[j * n + i], (forward + backward) / 2, 1e-3 * (1 + std::abs(forward)))
                    << "seed " << seed << ": " << to_text(b.residuals[i].residual, s.m.printer());
            }
        }
    }
}

TEST(Sections, WhensClocksPreviousDelays) {
    SampleModel s;
    const VariableIndex x = s.state("x"), d = s.variable("d", Variability::Discrete), y = s.variable("y"),
                        alias = s.variable("alias");
    const Expr t0_dt[2] = {s.n(1), s.n(0.5)};
    const Expr sample = s.pool.call(Op::Sample, t0_dt);
    const Expr late[2] = {s.mul(s.n(2), s.at(x)), s.n(3)};
    const Expr delay = s.pool.call(Op::Delay, late);
    s.assign(y, s.add(delay, s.n(1)));
    s.assign(x, s.at(y), 1);
    s.p.eliminated.push_back({alias, s.pool.negate(s.at(x)), true, {}});
    WhenClause w;
    w.condition = sample;
    w.actions.push_back(WhenAssign{d, s.add(s.pool.previous(d), s.at(alias)), {}});
    w.actions.push_back(WhenTerminate{"over", {}});
    w.actions.push_back(WhenReinit{x, s.pool.previous(alias), {}});
    s.m.whens.push_back(w);
    WhenClause changed;
    changed.condition = s.call(Op::Change, s.at(d));
    s.m.whens.push_back(changed);
    WhenClause at_start;
    at_start.condition = s.pool.call(Op::Starting, std::span<const Expr>{});
    s.m.whens.push_back(at_start);
    s.m.validities.push_back({s.pool.less(s.at(alias), s.n(0)), {}});
    s.p.clocks.push_back({sample, s.n(1), s.n(0.5)});
    s.p.delays.push_back({delay, late[0], late[1]});
    const Program program = s.program();
    struct Past : DelaySource {
        double asked = 0;
        double value(std::size_t line, double time) override {
            EXPECT_EQ(line, 0u);
            asked = time;
            return 40;
        }
    } past;
    const Layout& layout = program.layout;
    Interpreter run(program, {nullptr, &past});
    ASSERT_TRUE(run.run(program.parameters) && run.run(program.clocks));
    EXPECT_EQ(run[layout.clock_parameters[0].first], 1);
    EXPECT_EQ(run[layout.clock_parameters[0].second], 0.5);
    run[layout.time] = 10;
    set(run, x, 5);
    ASSERT_TRUE(run.run(program.continuous));
    EXPECT_EQ(value(run, y), 41);
    EXPECT_EQ(past.asked, 7);
    EXPECT_EQ(value(run, alias), -5);  // under pre(): kept up to date
    ASSERT_TRUE(run.run(program.conditions));
    EXPECT_EQ(run[layout.when_conditions[0]], 0);
    EXPECT_EQ(run[layout.when_conditions[2]], 0);
    EXPECT_EQ(run[layout.validity[0]], 1);
    EXPECT_EQ(run[layout.delay_arguments[0]], 10);
    EXPECT_EQ(run[layout.delay_durations[0]], 3);
    run[layout.clocks[0]] = 1;
    run[layout.starting] = 1;
    ASSERT_NE(layout.previous[d.value], 0u);
    ASSERT_NE(layout.previous[alias.value], 0u);
    EXPECT_EQ(layout.previous[y.value], 0u);
    run[layout.previous[d.value]] = 100;
    run[layout.previous[alias.value]] = -7;
    ASSERT_TRUE(run.run(program.conditions));
    EXPECT_EQ(run[layout.when_conditions[0]], 1);
    EXPECT_EQ(run[layout.when_conditions[1]], 1);
    EXPECT_EQ(run[layout.when_conditions[2]], 1);
    set(run, alias, 12345);  // conditions and actions do not rely on the slot of an eliminated variable
    ASSERT_TRUE(run.run(program.when_actions[0]));
    EXPECT_EQ(run[layout.when_values[0][0]], 95);
    EXPECT_EQ(layout.when_values[0][1], 0u);
    EXPECT_EQ(run[layout.when_values[0][2]], -7);
    ASSERT_TRUE(run.run(program.eliminated));
    EXPECT_EQ(value(run, alias), -5);
}

TEST(Sections, CopiesAreIndependent) {
    SampleModel s;
    const VariableIndex x = s.state("x");
    s.assign(x, s.pool.negate(s.at(x)), 1);
    const Program program = s.program();
    Interpreter one(program, {});
    set(one, x, 1);
    Interpreter two = one;
    set(two, x, 2);
    EXPECT_TRUE(one.run(program.continuous));
    EXPECT_TRUE(two.run(program.continuous));
    EXPECT_EQ(one[program.layout.derivative[0]], -1);
    EXPECT_EQ(two[program.layout.derivative[0]], -2);
}

TEST(Sections, LongChainsOfEliminatedVariablesNeedNoDeepStack) {
    SampleModel s;
    const VariableIndex x = s.state("x");
    VariableIndex last = x;
    for (int i = 0; i < 20000; ++i) {
        const VariableIndex v = s.variable("e" + std::to_string(i));
        s.p.eliminated.push_back({v, s.add(s.mul(s.at(last), s.at(x)), s.n(1)), false, {}});
        last = v;
    }
    s.assign(x, s.at(last), 1);
    const Program program = s.program();
    Interpreter run(program, {});
    set(run, x, 0.5);
    ASSERT_TRUE(run.run(program.continuous));
    EXPECT_DOUBLE_EQ(run[program.layout.derivative[0]], 2);
    EXPECT_LT(program.layout.slots, 20000u + 100u);  // temporaries are used again
}

TEST(Tables, AreWatched) {
    SampleModel s;
    TableData t;
    t.name = "f";
    t.x = {0, 1};
    t.values = {0, 3};
    const CalleeIndex f = s.m.callees.add(t);
    const VariableIndex x = s.state("x");
    const Expr argument = s.at(x);
    const Expr call = s.pool.apply(f, 0, std::span(&argument, 1));
    s.assign(x, s.add(call, differentiate(s.pool, call, s.at(x))), 1);
    const Program program = s.program();
    Interpreter run(program, {});
    set(run, x, 0.5);
    ASSERT_TRUE(run.run(program.continuous));
    EXPECT_EQ(run[program.layout.derivative[0]], 4.5);
    EXPECT_TRUE(run.take_tables_left().empty());
    set(run, x, 2);
    ASSERT_TRUE(run.run(program.continuous));
    EXPECT_EQ(run[program.layout.derivative[0]], 3);
    EXPECT_EQ(run.take_tables_left(), std::vector<CalleeIndex>{f});
    EXPECT_TRUE(run.take_tables_left().empty());
}

}  // namespace
}  // namespace cutset
