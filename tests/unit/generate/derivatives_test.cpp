// What integration needs: sections by how often they run, and the Jacobian of the derivatives.
#include <gtest/gtest.h>

#include <algorithm>

#include "sample_model.h"

namespace cutset {
namespace {

// x' = y, y := k*c*x + d with c := sin(k), an output z := exp(y) that nothing needs, d discrete.
struct Sorted : SampleModel {
    VariableIndex k = parameter("k", 2), c = variable("c"), d = variable("d", Variability::Discrete),
                  x = state("x"), y = variable("y"), z = variable("z");
    Sorted() {
        assign(c, call(Op::Sin, at(k)));
        assign(y, add(mul(mul(at(k), at(c)), at(x)), mul(n(3), at(d))));
        assign(z, call(Op::Exp, at(y)));
        assign(x, at(y), 1);
    }
};

std::size_t count(const Section& section, Code code, Op op = Op::Number) {
    return std::count_if(section.instructions.begin(), section.instructions.end(),
                         [&](const Instruction& i) { return i.code == code && i.op == op; });
}

TEST(Rates, WorkIsDoneAsOftenAsNeeded) {
    Sorted m;
    const Program program = generate(m.partition);
    EXPECT_EQ(count(program.continuous, Code::Unary, Op::Exp), 1u);
    EXPECT_EQ(count(program.derivatives, Code::Unary, Op::Exp), 0u);  // an output
    EXPECT_EQ(count(program.derivatives, Code::Unary, Op::Sin), 0u);  // depends on a parameter
    EXPECT_EQ(count(program.fixed, Code::Unary, Op::Sin), 1u);
    EXPECT_EQ(count(program.fixed, Code::Multiply), 1u);     // k*c
    EXPECT_EQ(count(program.stepwise, Code::Multiply), 1u);  // 3*d
    EXPECT_EQ(count(program.derivatives, Code::Multiply), 1u);

    Interpreter run(program, {});
    ASSERT_TRUE(run.run(program.parameters));
    set(run, m.x, 5);
    set(run, m.d, 7);
    ASSERT_TRUE(run.run(program.fixed) && run.run(program.stepwise) && run.run(program.derivatives));
    EXPECT_DOUBLE_EQ(run[program.layout.derivative[0]], 2 * std::sin(2.0) * 5 + 21);
    set(run, m.d, 8);  // an event
    ASSERT_TRUE(run.run(program.stepwise) && run.run(program.derivatives));
    EXPECT_DOUBLE_EQ(run[program.layout.derivative[0]], 2 * std::sin(2.0) * 5 + 24);
}

// What a branch computes may not be taken out of it: ln(k) with k < 0 is never computed.
TEST(Rates, BranchesKeepTheirWork) {
    SampleModel m;
    const VariableIndex k = m.parameter("k", -1), x = m.state("x");
    const Expr positive = m.pool.less(m.n(0), m.at(k));
    m.assign(x, m.pool.choose(positive, m.call(Op::Ln, m.at(k)), m.at(x)), 1);
    const Program program = generate(m.partition);
    EXPECT_EQ(count(program.fixed, Code::Unary, Op::Ln), 0u);
    Interpreter run(program, {});
    ASSERT_TRUE(run.run(program.parameters));
    set(run, x, 5);
    ASSERT_TRUE(run.run(program.fixed) && run.run(program.stepwise) && run.run(program.derivatives));
    EXPECT_EQ(run[program.layout.derivative[0]], 5);
}

double element(const Program& program, const Interpreter& run, std::uint32_t row, std::uint32_t column) {
    for (const JacobianEntry& e : program.jacobian->entries)
        if (e.row == row && e.column == column) return run[e.slot];
    return 0;
}

TEST(StateJacobian, ChainsThroughAssignments) {
    Sorted m;
    const Program program = generate(m.partition, JacobianKind::States);
    ASSERT_TRUE(program.jacobian);
    EXPECT_EQ(program.jacobian->columns, 1u);
    EXPECT_TRUE(program.jacobian->constant());
    Interpreter run(program, {});
    ASSERT_TRUE(run.run(program.parameters) && run.run(program.fixed) && run.run(program.stepwise));
    EXPECT_DOUBLE_EQ(element(program, run, 0, 0), 2 * std::sin(2.0));
}

// x1' = x1*w, x2' = sin(w) with w³ + w = x1 + x2: the tearing variable is a column of its own.
TEST(StateJacobian, LoopsKeepTheirUnknowns) {
    SampleModel m;
    const VariableIndex x1 = m.state("x1"), x2 = m.state("x2"), w = m.variable("w");
    Block loop;
    loop.kind = BlockKind::Nonlinear;
    loop.torn = {{w, 0}};
    loop.why = {TornReason::Single};
    loop.residuals = {
        m.residual(m.sub(m.add(m.pool.power(m.at(w), m.n(3)), m.at(w)), m.add(m.at(x1), m.at(x2))))};
    m.p.blocks.push_back(loop);
    m.assign(x1, m.mul(m.at(x1), m.at(w)), 1);
    m.assign(x2, m.call(Op::Sin, m.at(w)), 1);
    const Program program = generate(m.partition, JacobianKind::States);
    ASSERT_TRUE(program.jacobian);
    EXPECT_EQ(program.jacobian->columns, 3u);
    EXPECT_EQ(program.jacobian->computed, 0u);
    Interpreter run(program, {});
    set(run, x1, 4);
    set(run, x2, 6);
    set(run, w, 2);
    ASSERT_TRUE(run.run(program.jacobian->section));
    EXPECT_EQ(element(program, run, 0, 0), 2);  // ∂x1'/∂x1
    EXPECT_EQ(element(program, run, 0, 2), 4);  // ∂x1'/∂w
    EXPECT_EQ(element(program, run, 1, 2), std::cos(2.0));
    EXPECT_EQ(element(program, run, 2, 0), -1);  // of the residual
    EXPECT_EQ(element(program, run, 2, 2), 13);
}

// s := Σ x_i is used in every derivative: as a column of its own, n elements become 2n, not n².
TEST(StateJacobian, WhatIsUsedOftenBecomesAColumn) {
    SampleModel m;
    constexpr std::uint32_t n = 20;
    std::vector<VariableIndex> x;
    for (std::uint32_t i = 0; i < n; ++i) x.push_back(m.state("x" + std::to_string(i)));
    const VariableIndex s = m.variable("s");
    std::vector<Expr> terms;
    for (VariableIndex v : x) terms.push_back(m.at(v));
    m.assign(s, m.pool.add(terms));
    for (VariableIndex v : x) m.assign(v, m.mul(m.at(v), m.at(s)), 1);
    const Program program = generate(m.partition, JacobianKind::States);
    ASSERT_TRUE(program.jacobian);
    EXPECT_EQ(program.jacobian->columns, n + 1);
    EXPECT_EQ(program.jacobian->computed, 1u);
    EXPECT_EQ(program.jacobian->entries.size(), 3 * n + 1);
}

}  // namespace
}  // namespace cutset
