// Functions of the language: machine code and frame machine give the same numbers, to the bit, and the same
// messages.
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <random>

#include "../generate/sample_model.h"
#include "base/load_module.h"
#include "expr/elementary_functions.h"
#include "native/code_store.h"
#include "native/compiler.h"
#include "native/engine.h"

namespace cutset {
namespace {

FunctionStatement set_to(Expr target, Expr value) {
    return {FunctionAssign{target, value}, {}};
}

// A function of random statements: branches, loops, an array, calls of `callees`. Slots: inputs, outputs, two
// locals, a counter, an array of four, two counters of loops. Straight: neither loops nor elements of the
// array.
class RandomFunction {
  public:
    RandomFunction(Pool& pool, std::mt19937& random,
                   std::vector<std::pair<CalleeIndex, FunctionData>> callees,
                   std::optional<CalleeIndex> table, bool straight = false)
        : pool_(pool), random_(random), callees_(std::move(callees)), table_(table), straight_(straight) {
        f.name = "f" + std::to_string(callees_.size());
        f.inputs = 1 + static_cast<std::uint32_t>(pick(3));
        f.outputs = 1 + static_cast<std::uint32_t>(pick(2));
        const std::uint32_t first = f.inputs + f.outputs;
        counter_ = first + 2;
        array_ = first + 3;
        loops_ = first + 7;
        f.slots = first + 9;
        for (std::uint32_t s = 0; s < f.slots; ++s) f.slot_names.push_back("s" + std::to_string(s));
        f.constants = {{first, 0.75}};
        if (pick(4)) f.constants.emplace_back(array_ + static_cast<std::uint32_t>(pick(4)), 1.5);
        for (std::uint32_t s = f.inputs; s < array_ + 4; ++s)
            if (s != first && pick(40))
                f.body.push_back(set_to(pool_.local(s), pool_.number(pick(9) / 4.0 - 1)));
        statements(f.body, 2 + pick(4), 0);
        f.body.push_back(set_to(pool_.local(f.inputs), value(3)));
    }
    FunctionData f;

  private:
    int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

    Expr index(int depth) {
        if (depth > 0 && pick(2)) return pool_.local(loops_ + static_cast<std::uint32_t>(pick(depth)));
        // 1 + mod(int(|x|), 4)
        const Expr both[2] = {pool_.call(Op::Truncate, pool_.call(Op::Abs, pool_.local(0))), pool_.number(4)};
        return pick(2) ? pool_.number(1 + pick(4)) : pool_.add(pool_.number(1), pool_.call(Op::Modulo, both));
    }
    Expr leaf() {
        switch (pick(8)) {
            case 0:
                return pool_.number(pick(9) / 2.0 - 2);
            case 1:
                if (!straight_) return pool_.element(array_, 4, index(depth_));
                [[fallthrough]];
            default:
                return pool_.local(static_cast<std::uint32_t>(pick(static_cast<int>(array_ + 4))));
        }
    }
    Expr value(int size) {
        if (size == 0) return leaf();
        const Expr a = value(size - 1), b = value(pick(size));
        const Expr both[2] = {a, b};
        // Now and then where it is not defined.
        const bool safe = pick(30) != 0;
        const Expr positive = safe ? pool_.add(pool_.number(0.5), pool_.call(Op::Abs, a)) : a;
        switch (pick(12)) {
            case 0:
                return pool_.subtract(a, b);
            case 1:
            case 2:
                return pool_.multiply(a, b);
            case 3:
                return pool_.divide(a, safe ? pool_.add(pool_.number(2), tame(b)) : b);
            case 4:
                return pool_.call(any_function(1), pick(2) ? tame(positive) : positive);
            case 5:
                return pick(2) ? pool_.call(any_function(1), safe ? tame(a) : a)
                               : pool_.call(any_function(2), both);
            case 6:
                return pool_.power(positive, pick(2) ? tame(b) : pool_.number(pick(10) / 2.0 - 1.5));
            case 7:
                return pool_.choose(pool_.less(a, b), value(size - 1), b);
            case 8:
                if (!callees_.empty()) {
                    const auto& [callee, g] = callees_[static_cast<std::size_t>(pick(int(callees_.size())))];
                    std::vector<Expr> arguments;
                    for (std::uint32_t k = 0; k < g.inputs; ++k) arguments.push_back(k ? leaf() : a);
                    const Expr first = pool_.apply(callee, 0, arguments);
                    return g.outputs > 1 ? pool_.add(first, pool_.apply(callee, 1, arguments)) : first;
                }
                [[fallthrough]];
            case 9:
                if (table_) return pool_.apply(*table_, 0, std::span(&a, 1));
                [[fallthrough]];
            default:
                return pool_.add(a, b);
        }
    }
    Op any_function(std::size_t arguments) {
        for (;;) {
            const ElementaryFunction& f = elementary_functions[pick(std::size(elementary_functions))];
            if (f.arguments == arguments) return f.op;
        }
    }
    // Bounded, so that values stay moderate in loops.
    Expr tame(Expr e) { return pool_.call(Op::Sin, e); }

    void statements(std::vector<FunctionStatement>& body, int count, int depth) {
        for (int k = 0; k < count; ++k) {
            depth_ = depth;
            const std::uint32_t to =
                f.inputs + static_cast<std::uint32_t>(pick(static_cast<int>(f.outputs) + 2));
            const int kind = depth < 2 ? pick(6) : 5;
            switch (straight_ && kind > 0 ? 5 : kind) {
                case 0: {
                    FunctionIf branch;
                    const int branches = 1 + pick(2);
                    for (int j = 0; j < branches; ++j) {
                        branch.branches.push_back({pool_.less(value(1), value(1)), {}});
                        statements(branch.branches.back().second, 1 + pick(2), depth);
                    }
                    if (pick(2)) {
                        branch.branches.push_back({nullptr, {}});
                        statements(branch.branches.back().second, 1, depth);
                    }
                    body.push_back({branch, {}});
                    break;
                }
                case 1: {
                    FunctionFor loop{loops_ + static_cast<std::uint32_t>(depth),
                                     pool_.number(1),
                                     pool_.number(4),
                                     nullptr,
                                     {}};
                    if (pick(2)) loop = {loop.slot, loop.to, loop.from, pool_.number(-1), {}};
                    statements(loop.body, 1 + pick(2), depth + 1);
                    body.push_back({loop, {}});
                    break;
                }
                case 2: {
                    const Expr counter = pool_.local(counter_);
                    body.push_back(set_to(counter, pool_.number(0)));
                    FunctionWhile loop{pool_.less(counter, pool_.number(3)), {}};
                    loop.body.push_back(set_to(pool_.local(to), tame(value(2))));
                    loop.body.push_back(set_to(counter, pool_.add(counter, pool_.number(1))));
                    body.push_back({loop, {}});
                    break;
                }
                case 3:
                    body.push_back(set_to(pool_.element(array_, 4, index(depth)), tame(value(2))));
                    break;
                default:
                    body.push_back(set_to(pool_.local(to), depth > 0 ? tame(value(2)) : value(3)));
                    break;
            }
        }
        depth_ = 0;
    }

    Pool& pool_;
    std::mt19937& random_;
    std::vector<std::pair<CalleeIndex, FunctionData>> callees_;
    std::optional<CalleeIndex> table_;
    const bool straight_;
    std::uint32_t counter_ = 0, array_ = 0, loops_ = 0;
    int depth_ = 0;
};

// Outputs of a function at states x0, x1, …, with first and second derivatives.
struct CallModel : SampleModel {
    std::vector<VariableIndex> arguments;

    void states(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            arguments.push_back(state("x" + std::to_string(i)));
            assign(arguments.back(), n(0), 1);
        }
    }
    void call(CalleeIndex callee, const FunctionData& f, bool derivatives = true) {
        std::vector<Expr> leaves;
        for (std::uint32_t i = 0; i < f.inputs; ++i) leaves.push_back(at(arguments[i]));
        for (std::uint32_t o = 0; o < f.outputs; ++o) {
            const Expr e = pool.apply(callee, o, leaves);
            keep(e);
            if (!derivatives) continue;
            for (const Expr by : leaves) {
                const Expr d = differentiate(pool, e, by);
                keep(d);
                for (const Expr other : leaves) keep(differentiate(pool, d, other));
            }
        }
    }
    void keep(Expr e) {
        const VariableIndex v = variable("v" + std::to_string(m.variables.size()));
        assign(v, e);
    }
};

struct BothEngines {
    Program program;
    std::shared_ptr<NativeEngine> engine;
    Interpreter interpreted, native;
    CallModel& model;
    explicit BothEngines(CallModel& m, std::shared_ptr<CodeStore> store = nullptr)
        : program(m.program()),
          engine(make(program, std::move(store))),
          interpreted(program, {}),
          native(program, {}),
          model(m) {
        native.set_machine_code(engine);
    }
    static std::shared_ptr<NativeEngine> make(const Program& program, std::shared_ptr<CodeStore> store) {
        std::string problem;
        auto engine = NativeEngine::make(program, Engine::Native, problem, std::move(store));
        EXPECT_TRUE(engine) << problem;
        return engine;
    }
    // Runs both; the numbers or the errors are the same.
    bool at(const std::vector<double>& x) {
        for (Interpreter* run : {&interpreted, &native}) {
            for (std::size_t i = 0; i < x.size(); ++i) set(*run, model.arguments[i], x[i]);
            run->clear_error();
        }
        const bool good = interpreted.run(program.continuous);
        EXPECT_EQ(native.run(program.continuous), good);
        if (!good) {
            EXPECT_TRUE(native.error());
            EXPECT_EQ(native.error()->kind, interpreted.error()->kind);
            EXPECT_EQ(native.error()->message, interpreted.error()->message);
            EXPECT_EQ(native.error()->where.begin, interpreted.error()->where.begin);
        }
        for (std::size_t v = 0; good && v < model.m.variables.size(); ++v) {
            const double a = value(interpreted, VariableIndex(v)), b = value(native, VariableIndex(v));
            ++(std::isfinite(a) ? finite : others);
            if (std::isnan(a) && std::isnan(b)) continue;
            EXPECT_EQ(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b))
                << a << " and " << b << " for " << model.m.variables[VariableIndex(v)].name;
        }
        return good;
    }
    std::size_t finite = 0, others = 0;
};

TEST(NativeFunctions, RandomFunctionsGiveTheSameBits) {
    std::size_t finite = 0, others = 0;
    for (unsigned seed = 0; seed < 25; ++seed) {
        std::mt19937 random(seed);
        CallModel model;
        std::optional<CalleeIndex> table;
        if (seed % 2) {
            TableData t;
            t.name = "t";
            t.x = {-1, 0, 1, 2};
            t.values = {1, 0, 3, 4};
            table = model.m.callees.add(t);
        }
        std::vector<std::pair<CalleeIndex, FunctionData>> callees;
        model.states(3);
        for (int k = 0; k < 3; ++k) {
            const FunctionData f = RandomFunction(model.pool, random, callees, table).f;
            callees.emplace_back(model.m.callees.add(f), f);
            model.call(callees.back().first, f);
        }
        BothEngines both(model);
        std::uniform_real_distribution<double> number(-2, 3);
        const auto points = [&] {
            for (int point = 0; point < 6; ++point) {
                const double special[] = {0, -0.0, 1, -1, 2};
                std::vector<double> x;
                for (int i = 0; i < 3; ++i)
                    x.push_back(random() % 4 ? number(random) : special[random() % 5]);
                both.at(x);
            }
        };
        points();
        if (seed < 4) {  // so often that better code is made
            const double seconds = both.engine->statistics().compile_seconds;
            for (int k = 0; k < 10'001; ++k) both.native.run(both.program.continuous);
            both.engine->settle();
            EXPECT_GT(both.engine->statistics().compile_seconds, seconds);
            points();
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
        EXPECT_GE(both.engine->statistics().functions, 3u) << "seed " << seed;
        finite += both.finite;
        others += both.others;
    }
    EXPECT_GT(finite, others);
}

// Sites that ask for other results of one call share it, also around others with other arguments and around
// branches, where one of them may not be reached.
TEST(NativeFunctions, SitesShareCallsAcrossOthersAndBranches) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        std::mt19937 random(seed);
        CallModel model;
        model.states(3);
        std::vector<std::pair<CalleeIndex, FunctionData>> callees;
        for (int k = 0; k < 2; ++k) {
            const FunctionData f = RandomFunction(model.pool, random, callees, std::nullopt, true).f;
            callees.emplace_back(model.m.callees.add(f), f);
        }
        std::vector<Expr> leaves;
        for (const VariableIndex x : model.arguments) leaves.push_back(model.at(x));
        const auto any = [&] {
            const auto& [callee, f] = callees[random() % callees.size()];
            std::vector<Expr> arguments;
            for (std::uint32_t i = 0; i < f.inputs; ++i)
                arguments.push_back(leaves[random() % leaves.size()]);
            const Expr e =
                model.pool.apply(callee, static_cast<std::uint32_t>(random() % f.outputs), arguments);
            return random() % 2 ? e : differentiate(model.pool, e, arguments[random() % f.inputs]);
        };
        for (int k = 0; k < 60; ++k) {
            Expr e = any();
            if (random() % 3 == 0) e = model.pool.choose(model.pool.less(leaves[0], leaves[1]), e, any());
            const VariableIndex v = model.variable("v" + std::to_string(k));
            model.assign(v, e);
            if (random() % 10 == 0) leaves.push_back(model.at(v));
        }
        BothEngines both(model);
        std::uniform_real_distribution<double> number(-2, 3);
        for (int point = 0; point < 6; ++point) {
            both.at({number(random), number(random), number(random)});
            if (point != 2) continue;
            for (int k = 0; k < 10'001 && seed < 2; ++k) both.native.run(both.program.continuous);
            both.engine->settle();
        }
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
}

TEST(NativeFunctions, AreFoundAgainAfterAnotherStart) {
    const std::string folder = testing::TempDir() + "cutset_functions_" + std::to_string(getpid());
    std::size_t made = 0;
    for (const int start : {0, 1, 2}) {  // the last one with another function before the others
        for (unsigned seed = 100; seed < 106; ++seed) {
            std::mt19937 random(seed);
            CallModel model;
            std::vector<std::pair<CalleeIndex, FunctionData>> callees;
            model.states(3);
            if (start == 2) {
                FunctionData unused;
                unused.name = "unused";
                unused.inputs = unused.outputs = 1;
                unused.slots = 2;
                unused.slot_names = {"a", "b"};
                model.m.callees.add(unused);
            }
            for (int k = 0; k < 3; ++k) {
                const FunctionData f = RandomFunction(model.pool, random, callees, std::nullopt).f;
                callees.emplace_back(model.m.callees.add(f), f);
                model.call(callees.back().first, f);
            }
            BothEngines both(model, std::make_shared<CodeStore>(folder, module_path(native::module_file)));
            both.at({0.5, 1.5, -0.25});
            ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed << ", start " << start;
            const NativeStatistics s = both.engine->statistics();
            if (start == 0)
                made += s.units_compiled;
            else
                EXPECT_EQ(s.units_compiled, 0u) << "seed " << seed << ", start " << start;
        }
    }
    EXPECT_GT(made, 30u);
    std::filesystem::remove_all(folder);
}

// Functions that cannot fail: the caller counts, and the better code has them in place of calls. What
// is kept of it is found by the next run of the program.
TEST(NativeFunctions, StraightOnesStandInPlaceOfCalls) {
    const std::string folder = testing::TempDir() + "cutset_straight_" + std::to_string(getpid());
    for (const int start : {0, 1})
        for (unsigned seed = 200; seed < 212; ++seed) {
            std::mt19937 random(seed);
            CallModel model;
            std::vector<std::pair<CalleeIndex, FunctionData>> callees;
            model.states(3);
            for (int k = 0; k < 5; ++k) {
                const FunctionData f =
                    RandomFunction(model.pool, random, callees, std::nullopt, k != 3 || seed % 3 != 0).f;
                callees.emplace_back(model.m.callees.add(f), f);
                if (k > 1) model.call(callees.back().first, f);
            }
            BothEngines both(model, std::make_shared<CodeStore>(folder, module_path(native::module_file)));
            std::uniform_real_distribution<double> number(-2, 3);
            for (const bool better : {false, true}) {
                for (int point = 0; point < 6; ++point)
                    both.at({number(random), number(random), point == 2 ? 0 : number(random)});
                ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed << ", start " << start;
                if (better) break;
                for (int k = 0; k < 2'001; ++k) both.native.run(both.program.continuous);
                both.engine->settle();
            }
            if (start == 1) EXPECT_EQ(both.engine->statistics().units_compiled, 0u) << "seed " << seed;
        }
    std::filesystem::remove_all(folder);
}

FunctionData function(const std::string& name, std::uint32_t inputs, std::uint32_t slots) {
    FunctionData f;
    f.name = name;
    f.inputs = inputs;
    f.outputs = 1;
    f.slots = slots;
    for (std::uint32_t s = 0; s < slots; ++s) f.slot_names.push_back("s" + std::to_string(s));
    return f;
}

TEST(NativeFunctions, IndicesOutOfRangeHaveTheSameMessage) {
    CallModel model;
    model.states(1);
    FunctionData f = function("pick", 1, 5);
    f.constants = {{2, 10}, {3, 20}, {4, 30}};
    f.body.push_back({FunctionAssign{model.pool.local(1), model.pool.element(2, 3, model.pool.local(0))},
                      Span{SourceId(1), 5, 9}});
    model.call(model.m.callees.add(f), f);
    BothEngines both(model);
    EXPECT_TRUE(both.at({2}));
    EXPECT_EQ(both.engine->statistics().functions, 3u);
    for (double index : {0.0, 4.0, 1.5, std::nan(""), 1e300, -1e300}) EXPECT_FALSE(both.at({index}));
    EXPECT_EQ(both.native.error()->kind, RunError::Kind::IndexRange);
    EXPECT_EQ(both.native.error()->where.begin, 5u);
    EXPECT_TRUE(both.at({3}));
}

TEST(NativeFunctions, LoopsWithoutEndStopThroughCallsToo) {
    // spin(x): while x > 0 …; nest(x) calls it often: each call takes few steps, all together too many
    for (const bool nested : {false, true}) {
        CallModel model;
        Pool& pool = model.pool;
        model.states(1);
        FunctionData spin = function("spin", 1, 2);
        const Expr x = pool.local(0), y = pool.local(1);
        FunctionWhile loop{pool.less(pool.number(0), x), {set_to(y, pool.add(y, x))}};
        spin.body = {set_to(y, x), {loop, {}}};
        const CalleeIndex inner = model.m.callees.add(spin);
        FunctionData nest = function("nest", 1, 3);
        FunctionFor many{2, pool.number(1), pool.number(1e7), nullptr, {}};
        const Expr minus = pool.negate(pool.call(Op::Abs, x));
        many.body = {set_to(y, pool.apply(inner, 0, std::span(&minus, 1)))};
        nest.body = {{many, {}}};
        const CalleeIndex outer = model.m.callees.add(nest);
        if (nested)
            model.call(outer, nest, false);
        else
            model.call(inner, spin, false);
        BothEngines both(model);
        EXPECT_EQ(both.at({-1}), !nested);
        EXPECT_FALSE(both.at({1}));
        EXPECT_EQ(both.native.error()->kind, RunError::Kind::EndlessLoop);
    }
}

// `auto` waits for many calls, unless they are long ones.
TEST(NativeFunctions, LongLoopsAreCompiledAfterFewCalls) {
    CallModel model;
    model.states(1);
    Pool& pool = model.pool;
    FunctionData sum = function("sum", 1, 3);  // y := 0; for k := 1 to 100000 do y := y + x/k
    sum.body.push_back(set_to(pool.local(1), pool.number(0)));
    FunctionFor loop{2, pool.number(1), pool.number(100'000), nullptr, {}};
    loop.body.push_back(
        set_to(pool.local(1), pool.add(pool.local(1), pool.divide(pool.local(0), pool.local(2)))));
    sum.body.push_back({loop, {}});
    model.call(model.m.callees.add(sum), sum, false);
    const Program program = model.program();
    std::string problem;
    const auto engine = NativeEngine::make(program, Engine::Auto, problem);
    Interpreter run(program, {});
    run.set_machine_code(engine);
    for (int k = 1; k <= 5; ++k) {
        set(run, model.arguments[0], k);
        ASSERT_TRUE(run.run(program.continuous));
    }
    engine->settle();
    EXPECT_EQ(engine->statistics().functions, 1u);
}

TEST(NativeFunctions, CallThemselvesUpToTheLimit) {
    // sum(n) = if n < 1 then 0 else n + sum(n - 1)
    CallModel model;
    Pool& pool = model.pool;
    model.states(1);
    FunctionData f = function("sum", 1, 2);
    const Expr n = pool.local(0), y = pool.local(1), less = pool.subtract(n, pool.number(1));
    FunctionIf branch;
    branch.branches.push_back({pool.less(n, pool.number(1)), {set_to(y, pool.number(0))}});
    branch.branches.push_back(
        {nullptr, {set_to(y, pool.add(n, pool.apply(CalleeIndex(0), 0, std::span(&less, 1))))}});
    f.body = {{branch, {}}};
    model.call(model.m.callees.add(f), f);
    BothEngines both(model);
    EXPECT_TRUE(both.at({100}));
    EXPECT_EQ(both.engine->statistics().functions, 3u);
    EXPECT_TRUE(both.at({199}));
    EXPECT_FALSE(both.at({200}));
    EXPECT_EQ(both.native.error()->message, "function sum calls itself without end, or very deeply");
    EXPECT_TRUE(both.at({150}));
}

TEST(NativeFunctions, ArraysThatDoNotFitAreInterpreted) {
    // deep(n): an array of 2000 in each of n calls within calls
    CallModel model;
    Pool& pool = model.pool;
    model.states(1);
    FunctionData f = function("deep", 1, 2002);
    const Expr n = pool.local(0), y = pool.local(1), less = pool.subtract(n, pool.number(1));
    const Expr element = pool.element(2, 2000, pool.add(n, pool.number(1)));
    FunctionIf branch;
    branch.branches.push_back({pool.less(n, pool.number(1)), {set_to(y, pool.number(0))}});
    branch.branches.push_back(
        {nullptr, {set_to(y, pool.add(element, pool.apply(CalleeIndex(0), 0, std::span(&less, 1))))}});
    f.body = {set_to(element, pool.multiply(n, n)), {branch, {}}};
    model.call(model.m.callees.add(f), f);
    BothEngines both(model);
    EXPECT_TRUE(both.at({5}));
    EXPECT_EQ(both.engine->statistics().functions, 3u);
    EXPECT_TRUE(both.at({60}));
}

TEST(NativeFunctions, ExternalCodeAndTablesFailAsInterpreted) {
    CallModel model;
    Pool& pool = model.pool;
    model.states(1);
    FunctionData code = function("code", 1, 2);
    code.external = ExternalCode{"nowhere.so", "", "", {}};
    const CalleeIndex external = model.m.callees.add(code);
    TableData t;
    t.name = "t";
    t.x = {0, 1};
    t.values = {5, 6};
    t.outside = Outside::Error;
    const CalleeIndex table = model.m.callees.add(t);
    FunctionData f = function("f", 1, 2);
    const Expr x = pool.local(0);
    FunctionIf branch;
    branch.branches.push_back(
        {pool.less(x, pool.number(-5)), {set_to(pool.local(1), pool.apply(external, 0, std::span(&x, 1)))}});
    branch.branches.push_back({nullptr, {set_to(pool.local(1), pool.apply(table, 0, std::span(&x, 1)))}});
    f.body = {{branch, {}}};
    model.call(model.m.callees.add(f), f);
    BothEngines both(model);
    EXPECT_TRUE(both.at({0.5}));
    EXPECT_EQ(both.engine->statistics().functions, 3u);
    EXPECT_FALSE(both.at({2}));
    EXPECT_EQ(both.native.error()->kind, RunError::Kind::TableRange);
    EXPECT_FALSE(both.at({-6}));
    EXPECT_EQ(both.native.error()->message,
              "function code is external code, which runs only with --allow-external");
    EXPECT_TRUE(both.at({0.25}));
}

}  // namespace
}  // namespace cutset
