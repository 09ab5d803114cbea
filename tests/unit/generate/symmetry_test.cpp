// Matrices of loops that are symmetric by their formulas: one half is computed.
#include <gtest/gtest.h>

#include <map>

#include "sample_model.h"

namespace cutset {
namespace {

// Conductances between n nodes with voltages u, squares of states so that they are formulas: the sum of the
// currents into each node is given. `error` times the conductance is missing on the way back from node 1 to
// 0.
struct Network {
    SampleModel s;
    std::size_t n;
    std::vector<VariableIndex> x, u;
    explicit Network(std::size_t nodes, double error = 0) : n(nodes) {
        for (std::size_t k = 0; k < n * n; ++k) x.push_back(s.state("x" + std::to_string(k)));
        for (std::size_t k = 0; k < n; ++k) u.push_back(s.variable("u" + std::to_string(k)));
        for (const VariableIndex v : x) s.assign(v, s.n(0), 1);
        Block b;
        b.kind = BlockKind::Linear;
        for (std::size_t i = 0; i < n; ++i) {
            b.torn.push_back({u[i], 0});
            Expr sum = s.sub(s.mul(s.add(square(i, i), s.n(1)), s.at(u[i])), s.n(double(i)));
            for (std::size_t j = 0; j < n; ++j) {
                if (j == i) continue;
                const double factor = i == 1 && j == 0 ? 1 - error : 1;
                sum = s.add(sum, s.mul(s.mul(s.n(factor), square(i, j)), s.sub(s.at(u[i]), s.at(u[j]))));
            }
            b.residuals.push_back(s.residual(sum));
        }
        s.p.blocks.push_back(b);
    }
    Expr square(std::size_t i, std::size_t j) {
        const Expr a = s.at(x[std::min(i, j) * n + std::max(i, j)]);
        return s.mul(a, s.mul(a, s.add(a, s.n(3))));
    }
};

// Elements with different slots.
std::size_t distinct(const Loop& loop) {
    std::map<Slot, int> slots;
    for (const JacobianEntry& e : loop.jacobian_entries) ++slots[e.slot];
    return slots.size();
}

TEST(SymmetricMatrix, OneHalfIsComputedAndTheSolutionIsRight) {
    Network network(5);
    const Program program = network.s.program();
    ASSERT_EQ(program.loops.size(), 1u);
    const Loop& loop = program.loops[0];
    ASSERT_EQ(loop.jacobian_entries.size(), 25u);
    EXPECT_EQ(distinct(loop), 15u);
    PlainNewton loops;
    Interpreter run(program, {&loops, nullptr, false});
    for (std::size_t k = 0; k < network.x.size(); ++k) set(run, network.x[k], 0.1 + 0.07 * double(k));
    ASSERT_TRUE(run.run(program.continuous));
    EXPECT_LE(loops.iterations, 2);
    ASSERT_TRUE(run.run(loop.residual));
    for (const Slot slot : loop.residual_slots) EXPECT_NEAR(run[slot], 0, 1e-12);
}

TEST(SymmetricMatrix, WhatIsNearlySymmetricIsComputedAsAWhole) {
    Network network(5, 1e-6);
    const Program program = network.s.program();
    const Loop& loop = program.loops.at(0);
    EXPECT_EQ(distinct(loop), 25u);
    Network whole(5);
    EXPECT_LT(whole.s.program().loops.at(0).jacobian.instructions.size(), loop.jacobian.instructions.size());
}

}  // namespace
}  // namespace cutset
