// Functions of the language and external ones, with their derivatives.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "sample_model.h"

namespace cutset {
namespace {

FunctionStatement set_to(Expr target, Expr value) {
    return {FunctionAssign{target, value}, {}};
}

// y := callee(x1, x2, …) for a model with one state per argument; the first and second partial derivatives
// beside it.
struct Calls : SampleModel {
    std::vector<VariableIndex> arguments;
    std::vector<Expr> leaves;
    VariableIndex y;

    Calls(FunctionData f, std::uint32_t output = 0) {
        for (std::uint32_t i = 0; i < f.inputs; ++i) {
            arguments.push_back(state("x" + std::to_string(i)));
            leaves.push_back(at(arguments.back()));
        }
        f.slot_names.resize(f.slots);
        for (std::uint32_t i = 0; i < f.slots; ++i)
            if (f.slot_names[i].empty()) f.slot_names[i] = "s" + std::to_string(i);
        const CalleeIndex c = m.callees.add(f);
        call_ = pool.apply(c, output, leaves);
        y = variable("y");
        assign(y, call_);
        for (std::size_t i = 0; i < leaves.size(); ++i) {
            first_.push_back(variable("d" + std::to_string(i)));
            const Expr d = differentiate(pool, call_, leaves[i]);
            assign(first_.back(), d);
            for (std::size_t j = 0; j < leaves.size(); ++j) {
                second_.push_back(variable("d" + std::to_string(i) + std::to_string(j)));
                assign(second_.back(), differentiate(pool, d, leaves[j]));
            }
            assign(arguments[i], n(0), 1);
        }
    }
    Expr call_;
    std::vector<VariableIndex> first_, second_;
};

struct Evaluation {
    Program program;
    Interpreter interpreter;
    Calls& model;
    explicit Evaluation(Calls& m, bool allow_external = false)
        : program(m.program()), interpreter(program, {nullptr, nullptr, allow_external}), model(m) {}
    bool at(std::vector<double> x) {
        for (std::size_t i = 0; i < x.size(); ++i) set(interpreter, model.arguments[i], x[i]);
        interpreter.clear_error();
        return interpreter.run(program.continuous);
    }
    double y() { return value(interpreter, model.y); }
    double d(std::size_t i) { return value(interpreter, model.first_[i]); }
    double d(std::size_t i, std::size_t j) {
        return value(interpreter, model.second_[i * model.arguments.size() + j]);
    }
};

TEST(Functions, AssignmentsAndDerivatives) {
    // y = x0*exp(x1) + sqrt(x0), through a local that is set twice
    Pool pool;
    FunctionData f;
    f.name = "f";
    f.inputs = 2;
    f.outputs = 1;
    f.slots = 4;
    const Expr x0 = pool.local(0), x1 = pool.local(1), y = pool.local(2), h = pool.local(3);
    f.body.push_back(set_to(h, pool.call(Op::Exp, x1)));
    f.body.push_back(set_to(h, pool.multiply(h, x0)));
    f.body.push_back(set_to(y, pool.add(h, pool.call(Op::Sqrt, x0))));
    Calls model(f);
    Evaluation run(model);
    ASSERT_TRUE(run.at({4, 0.5}));
    const double e = std::exp(0.5);
    EXPECT_DOUBLE_EQ(run.y(), 4 * e + 2);
    EXPECT_DOUBLE_EQ(run.d(0), e + 0.25);
    EXPECT_DOUBLE_EQ(run.d(1), 4 * e);
    EXPECT_DOUBLE_EQ(run.d(0, 0), -0.25 / 8);
    EXPECT_DOUBLE_EQ(run.d(0, 1), e);
    EXPECT_DOUBLE_EQ(run.d(1, 0), e);
    EXPECT_DOUBLE_EQ(run.d(1, 1), 4 * e);
}

TEST(Functions, LoopsArraysAndBranches) {
    // a[i] := x^i for i = 1..4; y := sum of a from the last down, odd ones negative
    Pool pool;
    FunctionData f;
    f.name = "series";
    f.inputs = 1;
    f.outputs = 1;
    f.slots = 9;  // x, y, i, power, a[1..4], sign
    f.constants = {{8, 1.0}};
    const Expr x = pool.local(0), y = pool.local(1), i = pool.local(2), power = pool.local(3),
               sign = pool.local(8);
    f.body.push_back(set_to(power, pool.number(1)));
    FunctionFor up{2, pool.number(1), pool.number(4), nullptr, {}};
    up.body.push_back(set_to(power, pool.multiply(power, x)));
    up.body.push_back(set_to(pool.element(4, 4, i), power));
    f.body.push_back({up, {}});
    f.body.push_back(set_to(y, pool.number(0)));
    f.body.push_back(set_to(i, pool.number(4)));
    FunctionWhile down{pool.less(pool.number(0), i), {}};
    FunctionIf odd;
    const Expr mod[2] = {i, pool.number(2)};
    odd.branches.push_back(
        {pool.equal(pool.call(Op::Remainder, mod), pool.number(1)), {set_to(sign, pool.number(-1))}});
    odd.branches.push_back({nullptr, {set_to(sign, pool.number(1))}});
    down.body.push_back({odd, {}});
    down.body.push_back(set_to(y, pool.add(y, pool.multiply(sign, pool.element(4, 4, i)))));
    down.body.push_back(set_to(i, pool.subtract(i, pool.number(1))));
    f.body.push_back({down, {}});
    Calls model(f);
    Evaluation run(model);
    for (double at : {0.5, 2.0, -1.0}) {
        ASSERT_TRUE(run.at({at}));
        EXPECT_DOUBLE_EQ(run.y(), -at + at * at - at * at * at + at * at * at * at);
        EXPECT_DOUBLE_EQ(run.d(0), -1 + 2 * at - 3 * at * at + 4 * at * at * at);
        EXPECT_DOUBLE_EQ(run.d(0, 0), 2 - 6 * at + 12 * at * at);
    }
}

TEST(Functions, CountDownAndEmptyLoops) {
    Pool pool;
    FunctionData f;
    f.name = "count";
    f.inputs = 1;
    f.outputs = 1;
    f.slots = 3;
    const Expr x = pool.local(0), y = pool.local(1), i = pool.local(2);
    f.body.push_back(set_to(y, pool.number(0)));
    FunctionFor down{2, x, pool.number(1), pool.number(-1), {}};
    down.body.push_back(set_to(y, pool.add(pool.multiply(pool.number(10), y), i)));
    f.body.push_back({down, {}});
    Calls model(f);
    Evaluation run(model);
    ASSERT_TRUE(run.at({3}));
    EXPECT_EQ(run.y(), 321);
    ASSERT_TRUE(run.at({0}));
    EXPECT_EQ(run.y(), 0);
}

TEST(Functions, IndexOutOfRange) {
    Pool pool;
    FunctionData f;
    f.name = "pick";
    f.inputs = 1;
    f.outputs = 1;
    f.slots = 5;
    f.slot_names = {"i", "y", "a[1]", "a[2]", "a[3]"};
    f.constants = {{2, 10}, {3, 20}, {4, 30}};
    f.body.push_back(
        {FunctionAssign{pool.local(1), pool.element(2, 3, pool.local(0))}, Span{SourceId(1), 5, 9}});
    Calls model(f);
    Evaluation run(model);
    ASSERT_TRUE(run.at({2}));
    EXPECT_EQ(run.y(), 20);
    for (double index : {0.0, 4.0, 1.5, std::nan(""), 1e300}) {
        ASSERT_FALSE(run.at({index}));
        EXPECT_EQ(run.interpreter.error()->kind, RunError::Kind::IndexRange);
        EXPECT_EQ(run.interpreter.error()->message, "in function pick the index " + number_text(index) +
                                                        " of a is not a whole number from 1 to 3");
        EXPECT_EQ(run.interpreter.error()->where.begin, 5u);
    }
}

TEST(Functions, EndlessLoopsAndRecursionStop) {
    Pool pool;
    FunctionData f;
    f.name = "spin";
    f.inputs = 1;
    f.outputs = 1;
    f.slots = 2;
    FunctionWhile forever{pool.truth(true), {}};
    forever.body.push_back(set_to(pool.local(1), pool.local(0)));
    f.body.push_back({forever, {}});
    {
        Calls model(f);
        Evaluation run(model);
        ASSERT_FALSE(run.at({1}));
        EXPECT_EQ(run.interpreter.error()->kind, RunError::Kind::EndlessLoop);
        EXPECT_EQ(run.interpreter.error()->message,
                  "function spin does not come to an end within 100 million steps");
    }
    f.name = "again";
    const Expr argument = pool.local(0);
    f.body = {set_to(pool.local(1), pool.apply(CalleeIndex(0), 0, std::span(&argument, 1)))};
    Calls model(f);
    Evaluation run(model);
    ASSERT_FALSE(run.at({1}));
    EXPECT_EQ(run.interpreter.error()->kind, RunError::Kind::EndlessLoop);
}

TEST(Functions, CallTablesAndOtherFunctions) {
    // inner(u) = u^2 as callee 0; table t as callee 1; outer(x) = inner(x) + t(x)*x as callee 2
    SampleModel s;
    FunctionData inner;
    inner.name = "inner";
    inner.inputs = inner.outputs = 1;
    inner.slots = 2;
    inner.slot_names = {"u", "y"};
    inner.body = {set_to(s.pool.local(1), s.pool.multiply(s.pool.local(0), s.pool.local(0)))};
    s.m.callees.add(inner);
    TableData t;
    t.name = "t";
    t.x = {0, 1, 2};
    t.values = {0, 3, 4};
    s.m.callees.add(t);
    FunctionData outer = inner;
    outer.name = "outer";
    const Expr x = s.pool.local(0);
    outer.body = {
        set_to(s.pool.local(1), s.add(s.pool.apply(CalleeIndex(0), 0, std::span(&x, 1)),
                                      s.mul(s.pool.apply(CalleeIndex(1), 0, std::span(&x, 1)), x)))};
    const CalleeIndex c = s.m.callees.add(outer);
    const VariableIndex z = s.state("z"), y = s.variable("y"), dy = s.variable("dy"), ddy = s.variable("ddy");
    const Expr leaf = s.at(z);
    const Expr call = s.pool.apply(c, 0, std::span(&leaf, 1)), d = differentiate(s.pool, call, leaf);
    s.assign(y, call);
    s.assign(dy, d);
    s.assign(ddy, differentiate(s.pool, d, leaf));
    s.assign(z, s.n(0), 1);
    const Program program = s.program();
    Interpreter run(program, {});
    set(run, z, 0.5);
    ASSERT_TRUE(run.run(program.continuous));
    EXPECT_DOUBLE_EQ(value(run, y), 0.25 + 1.5 * 0.5);
    EXPECT_DOUBLE_EQ(value(run, dy), 1 + 1.5 + 3 * 0.5);
    EXPECT_DOUBLE_EQ(value(run, ddy), 2 + 3 + 3);
}

TEST(Functions, WhatIsNeverSetIsNotANumber) {
    Pool pool;
    FunctionData f;
    f.name = "nothing";
    f.inputs = f.outputs = 1;
    f.slots = 2;
    Calls model(f);
    Evaluation run(model);
    ASSERT_TRUE(run.at({1}));
    EXPECT_TRUE(std::isnan(run.y()));
    const auto why = run.interpreter.explain_non_finite(run.program.continuous);
    ASSERT_TRUE(why);
    EXPECT_EQ(why->description, "a function without a finite value in `y := nothing(x0)`: x0 = 1");
}

// ---- external code

class External : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        folder_ = (std::filesystem::temp_directory_path() / "cutset_external_XXXXXX").string();
        ASSERT_TRUE(mkdtemp(folder_.data()));
        std::ofstream(folder_ + "/code.c") << R"(
            static int count = 0;
            double cube(double x) { return x*x*x; }
            double product(double x, double y) { return x*y; }
            double product_d(int argument, double x, double y) { return argument == 0 ? y + 1000 : x + 1000; }
            void both(const double* in, double* out) { ++count; out[0] = in[0] + in[1]; out[1] = in[0] - in[1]; }
            double counted(double x) { return count + 0*x; }
            double broken(double x) { return 0.0/(x - x); }
        )";
        const std::string command = "cc -shared -fPIC -o " + folder_ + "/code.so " + folder_ + "/code.c";
        ASSERT_EQ(std::system(command.c_str()), 0);
    }
    static void TearDownTestSuite() { std::filesystem::remove_all(folder_); }
    static FunctionData function(const char* name, std::uint32_t inputs, std::uint32_t outputs = 1) {
        FunctionData f;
        f.name = name;
        f.inputs = inputs;
        f.outputs = outputs;
        f.slots = inputs + outputs;
        f.external = ExternalCode{folder_ + "/code.so", "", "", {}};
        return f;
    }
    inline static std::string folder_;
};

TEST_F(External, ValuesAndDifferences) {
    Calls model(function("cube", 1));
    Evaluation run(model, true);
    ASSERT_TRUE(run.at({2})) << run.interpreter.error()->message;
    EXPECT_EQ(run.y(), 8);
    EXPECT_NEAR(run.d(0), 12, 1e-7);
    EXPECT_NEAR(run.d(0, 0), 12, 1e-3);
}

TEST_F(External, TheGivenDerivativeIsUsed) {
    FunctionData f = function("times", 2);
    f.external->symbol = "product";
    f.external->derivative = "product_d";
    Calls model(f);
    Evaluation run(model, true);
    ASSERT_TRUE(run.at({2, 5}));
    EXPECT_EQ(run.y(), 10);
    EXPECT_EQ(run.d(0), 1005);
    EXPECT_EQ(run.d(1), 1002);
    EXPECT_NEAR(run.d(0, 1), 1, 1e-6);
}

TEST_F(External, SeveralResultsAreOneCall) {
    SampleModel s;
    FunctionData f = function("both", 2, 2);
    f.slot_names = {"a", "b", "c", "d"};
    const CalleeIndex both = s.m.callees.add(f);
    FunctionData g = function("counted", 1);
    g.slot_names = {"x", "y"};
    const CalleeIndex counted = s.m.callees.add(g);
    const VariableIndex x = s.state("x"), sum = s.variable("sum"), difference = s.variable("difference"),
                        calls = s.variable("calls");
    const Expr arguments[2] = {s.at(x), s.n(2)};
    s.assign(sum, s.pool.apply(both, 0, arguments));
    s.assign(difference, s.pool.apply(both, 1, arguments));
    const Expr after = s.add(s.at(sum), s.at(difference));
    s.assign(calls, s.pool.apply(counted, 0, std::span(&after, 1)));
    s.assign(x, s.n(0), 1);
    const Program program = s.program();
    Interpreter run(program, {nullptr, nullptr, true});
    set(run, x, 7);
    ASSERT_TRUE(run.run(program.continuous)) << run.error()->message;
    EXPECT_EQ(value(run, sum), 9);
    EXPECT_EQ(value(run, difference), 5);
    EXPECT_EQ(value(run, calls), 1);
}

TEST_F(External, Failures) {
    {
        Calls model(function("cube", 1));
        Evaluation run(model, false);
        ASSERT_FALSE(run.at({2}));
        EXPECT_EQ(run.interpreter.error()->kind, RunError::Kind::ExternalFailed);
        EXPECT_NE(run.interpreter.error()->message.find("--allow-external"), std::string::npos);
    }
    {
        Calls model(function("broken", 1));
        Evaluation run(model, true);
        ASSERT_FALSE(run.at({2}));
        EXPECT_NE(run.interpreter.error()->message.find("broken(2) returned "), std::string::npos);
    }
    {
        Calls model(function("absent", 1));
        Evaluation run(model, true);
        ASSERT_FALSE(run.at({2}));
        EXPECT_NE(run.interpreter.error()->message.find("has no function absent"), std::string::npos);
    }
    FunctionData f = function("cube", 1);
    f.external->library = folder_ + "/none.so";
    Calls model(f);
    Evaluation run(model, true);
    ASSERT_FALSE(run.at({2}));
    EXPECT_NE(run.interpreter.error()->message.find("none.so"), std::string::npos);
}

}  // namespace
}  // namespace cutset
