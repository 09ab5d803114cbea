// Machine code and interpreter give the same numbers, to the bit.
#include "native/engine.h"

#include <gtest/gtest.h>

#include <bit>
#include <chrono>
#include <cmath>

#include "../generate/sample_model.h"
#include "random_program.h"

namespace cutset {
namespace {

bool same(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) ||
           (std::isnan(a) && std::isnan(b));
}

std::size_t quantities(const Program& program) {
    return program.layout.constants + program.constants.size();
}

void expect_same(const Program& program, const Interpreter& a, const Interpreter& b, unsigned seed) {
    for (std::size_t slot = 0; slot < quantities(program); ++slot)
        ASSERT_TRUE(same(a[static_cast<Slot>(slot)], b[static_cast<Slot>(slot)]))
            << "slot " << slot << " of program " << seed << ": " << a[static_cast<Slot>(slot)] << " and "
            << b[static_cast<Slot>(slot)];
}

TEST(NativeEngine, RandomProgramsGiveTheSameBits) {
    std::size_t finite = 0, others = 0;
    for (unsigned seed = 0; seed < 40; ++seed) {
        RandomProgram random(seed);
        const Program& program = random.program;
        std::string problem;
        const auto engine = NativeEngine::make(program, Engine::Native, problem);
        ASSERT_TRUE(engine) << problem;
        FewSteps loops_a, loops_b;
        LinearDelays delays;
        Interpreter interpreted(program, {&loops_a, &delays, false});
        for (std::size_t slot = 0; slot < program.layout.constants; ++slot)
            interpreted[static_cast<Slot>(slot)] = random.some_value();
        Interpreter native = interpreted;
        native.set_hooks({&loops_b, &delays, false});
        native.set_machine_code(engine);
        for (int run = 0; run < 3; ++run) {
            ASSERT_EQ(interpreted.run(program.continuous), native.run(program.continuous));
            expect_same(program, interpreted, native, seed);
        }
        for (std::size_t slot = 0; slot < program.layout.constants; ++slot)
            ++(std::isfinite(native[static_cast<Slot>(slot)]) ? finite : others);
        EXPECT_GE(engine->statistics().sections, 1u) << "program " << seed << " was not compiled";
    }
    EXPECT_GT(finite, others);
}

TEST(NativeEngine, LiveSwitchesAreInterpreted) {
    SampleModel s;
    const VariableIndex x = s.state("x"), y = s.variable("y");
    const Expr relation = s.pool.less(s.at(x), s.n(1));
    s.switches_at(relation);
    s.assign(y, s.pool.choose(relation, s.n(10), s.n(20)));
    s.assign(x, s.at(y), 1);
    const Program program = s.program();
    std::string problem;
    Interpreter run(program, {});
    run.set_machine_code(NativeEngine::make(program, Engine::Native, problem));
    run[program.layout.switches[0]] = 1;
    set(run, x, 5);
    ASSERT_TRUE(run.run(program.continuous));
    EXPECT_EQ(value(run, y), 10);  // frozen
    run.set_live_switches(true);
    ASSERT_TRUE(run.run(program.continuous));
    EXPECT_EQ(value(run, y), 20);
}

TEST(NativeEngine, LoopsAreSolvedInTheirOrderAndMayFail) {
    std::unique_ptr<RandomProgram> random;
    for (unsigned seed = 0; !random || random->program.loops.size() < 2; ++seed)
        random = std::make_unique<RandomProgram>(seed);
    const Program& program = random->program;
    std::string problem;
    FewSteps loops_a, loops_b;
    LinearDelays delays;
    loops_a.fails = loops_b.fails = 2;
    Interpreter interpreted(program, {&loops_a, &delays, false});
    Interpreter native(program, {&loops_b, &delays, false});
    native.set_machine_code(NativeEngine::make(program, Engine::Native, problem));
    EXPECT_EQ(interpreted.run(program.continuous), native.run(program.continuous));
    EXPECT_EQ(loops_a.calls, loops_b.calls);
}

// A line of n sections with a nonlinear loop in each: the loops share their code.
Program line_with_loops(SampleModel& s, int n) {
    VariableIndex before = s.state("x0");
    s.assign(before, s.n(0), 1);
    std::vector<VariableIndex> z;
    for (int i = 0; i < n; ++i) z.push_back(s.variable("z" + std::to_string(i)));
    for (int i = 0; i < n; ++i) {
        Block b;
        b.kind = BlockKind::Nonlinear;
        b.torn = {{z[std::size_t(i)], 0}};
        const Expr left = i ? s.at(z[std::size_t(i) - 1]) : s.at(before);
        b.residuals = {s.residual(
            s.sub(s.add(s.at(z[std::size_t(i)]), s.call(Op::Sin, s.at(z[std::size_t(i)]))), left))};
        s.p.blocks.push_back(b);
    }
    return s.program();
}

TEST(NativeEngine, LoopsOfEqualStructureShareTheirCode) {
    SampleModel s;
    const Program program = line_with_loops(s, 200);
    ASSERT_EQ(program.loops.size(), 200u);
    std::string problem;
    const auto engine = NativeEngine::make(program, Engine::Native, problem);
    ASSERT_TRUE(engine) << problem;
    PlainNewton loops;
    Interpreter interpreted(program, {&loops, nullptr, false}), native = interpreted;
    native.set_machine_code(engine);
    for (Interpreter* run : {&interpreted, &native}) set(*run, VariableIndex(0), 1.5);
    ASSERT_TRUE(interpreted.run(program.continuous));
    ASSERT_TRUE(native.run(program.continuous));
    expect_same(program, interpreted, native, 0);
    EXPECT_GT(engine->statistics().sections, 200u);
    EXPECT_LT(engine->statistics().instructions, 100u);
}

// A loop that passes numbers between its statements, called by a section that does not.
TEST(NativeEngine, LoopsHaveTheirOwnScratch) {
    SampleModel s;
    const VariableIndex x = s.state("x"), z = s.variable("z"), a = s.variable("a"), b = s.variable("b");
    s.assign(x, s.n(1), 1);
    Block block;
    block.kind = BlockKind::Nonlinear;
    block.torn = {{z, 0}};
    const Expr shared = s.call(Op::Sin, s.mul(s.at(z), s.at(x)));
    block.inner = {s.solved({a, 0}, s.add(shared, s.n(1))), s.solved({b, 0}, s.mul(shared, s.n(3)))};
    block.residuals = {s.residual(s.sub(s.add(s.at(a), s.mul(s.n(9), s.at(z))), s.at(b)))};
    s.p.blocks.push_back(block);
    const Program program = s.program();
    std::string problem;
    const auto engine = NativeEngine::make(program, Engine::Native, problem);
    ASSERT_TRUE(engine) << problem;
    PlainNewton loops;
    Interpreter interpreted(program, {&loops, nullptr, false}), native = interpreted;
    native.set_machine_code(engine);
    for (Interpreter* run : {&interpreted, &native}) {
        set(*run, x, 0.7);
        ASSERT_TRUE(run->run(program.continuous));
    }
    EXPECT_LT(value(native, z), 0);
    expect_same(program, interpreted, native, 0);
}

TEST(NativeEngine, AutoChangesOverByItselfAndShortRunsLoadNothing) {
    SampleModel s;
    const VariableIndex x = s.state("x");
    Expr sum = s.n(0);
    for (int i = 0; i < 100; ++i) sum = s.add(sum, s.call(Op::Cos, s.mul(s.n(i + 0.5), s.at(x))));
    s.assign(x, sum, 1);
    const Program program = s.program();
    std::string problem;
    const auto engine = NativeEngine::make(program, Engine::Auto, problem);
    Interpreter interpreted(program, {}), mixed(program, {});
    mixed.set_machine_code(engine);
    const auto step = [&](Interpreter& run, int i) {
        set(run, x, 0.001 * i);
        EXPECT_TRUE(run.run(program.continuous));
    };
    for (int i = 0; i < 100; ++i) step(mixed, i);
    engine->settle();
    EXPECT_EQ(engine->statistics().load_seconds, 0);
    for (int i = 0; i < 3000; ++i) {
        step(interpreted, i);
        step(mixed, i);
        expect_same(program, interpreted, mixed, 0);
        if (i == 2900) engine->settle();
    }
    EXPECT_EQ(engine->statistics().sections, 1u);
}

TEST(NativeEngine, ASumOfManyTermsIsCut) {
    SampleModel s;
    const VariableIndex x = s.state("x");
    std::vector<Expr> terms;
    for (int i = 0; i < 20'000; ++i)
        terms.push_back(i % 3 ? s.mul(s.n(i + 0.25),
                                      s.call(i % 2 ? Op::Sin : Op::Exp, s.mul(s.n(1.0 / (i + 7)), s.at(x))))
                              : s.pool.power(s.add(s.at(x), s.n(i)), s.n(-1)));
    s.assign(x, s.pool.add(terms), 1);
    const Program program = s.program();
    std::string problem;
    const auto engine = NativeEngine::make(program, Engine::Native, problem);
    Interpreter interpreted(program, {}), native(program, {});
    native.set_machine_code(engine);
    const auto begin = std::chrono::steady_clock::now();
    for (Interpreter* run : {&interpreted, &native}) {
        set(*run, x, 0.3);
        ASSERT_TRUE(run->run(program.continuous));
    }
    EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 60);
    expect_same(program, interpreted, native, 0);
    EXPECT_EQ(engine->statistics().sections, 1u);
}

}  // namespace
}  // namespace cutset
