#include "run/loop_solver.h"

#include <cmath>

#include "../transform/model_builder.h"
#include "generate/generate.h"

namespace cutset {
namespace {

using test::ModelBuilder;

// A ring of n equations  2*x_k + c*x_(k+1) = f(time): too large for a formula.
struct Ring {
    ModelBuilder m;
    std::vector<Expr> x;

    Ring(std::size_t n, Expr (*coefficient)(ModelBuilder&)) {
        for (std::size_t k = 0; k < n; ++k) x.push_back(m.variable("x" + std::to_string(k)));
        const Expr c = coefficient(m);
        for (std::size_t k = 0; k < n; ++k)
            m.equation(m.add(m.mul(2, x[k]), m.mul(c, x[(k + 1) % n])),
                       m.mul(double(k + 1), m.pool().time()));
    }
};

struct Evaluation {
    Program program;
    NumericLoopSolver loops;
    Interpreter values;

    explicit Evaluation(FlatModel model)
        : program(make(std::move(model))),
          loops(program, program.partition->model),
          values(program, {&loops, nullptr, false}) {
        EXPECT_TRUE(values.run(program.parameters));
    }
    static Program make(FlatModel model) {
        Diagnostics diagnostics;
        auto partition = transform(std::move(model), {}, diagnostics);
        EXPECT_TRUE(partition);
        return generate(std::make_shared<const Partition>(std::move(*partition)));
    }
    void at(double time) {
        values[program.layout.time] = time;
        EXPECT_TRUE(values.run(program.continuous));
    }
    double operator[](Expr leaf) const { return values[program.layout.variable[leaf->index]]; }
};

TEST(LoopSolver, AConstantMatrixIsFactoredOnce) {
    Ring ring(6, [](ModelBuilder& m) { return m.parameter("c", 0.5); });
    Evaluation run(ring.m.model);
    for (int i = 1; i <= 50; ++i) {
        run.at(i);
        for (std::size_t k = 0; k < 6; ++k)
            EXPECT_NEAR(2 * run[ring.x[k]] + 0.5 * run[ring.x[(k + 1) % 6]], double(k + 1) * i,
                        1e-12 * 6 * i);
    }
    EXPECT_EQ(run.loops.statistics().linear, 50u);
    EXPECT_EQ(run.loops.statistics().factorisations, 1u);
    run.loops.forget_matrices();
    run.at(51);
    EXPECT_EQ(run.loops.statistics().factorisations, 2u);
}

TEST(LoopSolver, AMatrixThatChangesIsFactoredEachTime) {
    Ring ring(6, [](ModelBuilder& m) { return m.pool().call(Op::Sin, m.pool().time()); });
    Evaluation run(ring.m.model);
    for (int i = 1; i <= 50; ++i) run.at(i);
    EXPECT_EQ(run.loops.statistics().factorisations, 50u);
}

TEST(LoopSolver, ASmallConstantLoopNeedsNoMatrix) {
    Ring ring(3, [](ModelBuilder& m) { return m.parameter("c", 0.5); });
    Evaluation run(ring.m.model);
    for (int i = 1; i <= 50; ++i) run.at(i);
    EXPECT_EQ(run.loops.statistics().linear, 0u);
    EXPECT_NEAR(2 * run[ring.x[0]] + 0.5 * run[ring.x[1]], 50, 1e-12);
}

// x³ + x = f(t) along small steps, with and without telling that steps were accepted.
std::size_t iterations_along(bool tell) {
    ModelBuilder m;
    const Expr x = m.variable("x", 1);
    m.equation(m.add(m.pool().power(x, m.number(3)), x), m.pool().time());
    Evaluation run(m.model);
    run.values[run.program.layout.variable[x->index]] = 1;
    run.at(2);
    run.loops.set_robust(false);
    const std::size_t before = run.loops.statistics().iterations;
    for (int i = 1; i <= 100; ++i) {
        const double t = 2 + 0.01 * i;
        run.at(t);
        EXPECT_NEAR(run[x] * run[x] * run[x] + run[x], t, 1e-12 * t);
        if (tell) run.loops.accepted(t);
    }
    return run.loops.statistics().iterations - before;
}

TEST(LoopSolver, NewtonBeginsWhereAcceptedStepsPoint) {
    const std::size_t last_values = iterations_along(false), predicted = iterations_along(true);
    EXPECT_LE(last_values, 500u);  // with the matrix of an earlier solution
    EXPECT_LT(predicted, last_values);
}

// x_k + sin(x_k + x_(k+1))/3 = (k+1) t in a ring, none of which gives an unknown by a formula: followed along
// small steps, and found again after jumps in time that no small step leads over.
TEST(LoopSolver, SmallLoopsAreFollowedAndFoundAgainAfterJumps) {
    for (const std::size_t n : {2u, 5u, 8u, 9u}) {
        ModelBuilder m;
        std::vector<Expr> x;
        for (std::size_t k = 0; k < n; ++k) x.push_back(m.variable("x" + std::to_string(k), 1));
        for (std::size_t k = 0; k < n; ++k)
            m.equation(m.add(x[k], m.mul(1.0 / 3, m.pool().call(Op::Sin, m.add(x[k], x[(k + 1) % n])))),
                       m.mul(double(k + 1), m.pool().time()));
        Evaluation run(m.model);
        run.at(1);
        run.loops.set_robust(false);
        for (int i = 1; i <= 200; ++i) {
            const double t = (i % 50 == 0 ? -100 : 1) + 0.01 * i;
            run.at(t);
            for (std::size_t k = 0; k < n; ++k) {
                const double at = run[x[k]];
                EXPECT_NEAR(at + std::sin(at + run[x[(k + 1) % n]]) / 3, double(k + 1) * t,
                            1e-13 * (std::abs(t) + 1) * double(n))
                    << n << " unknowns at " << t;
            }
            run.loops.accepted(t);
        }
    }
}

TEST(LoopSolver, AfterAnEventThePastIsForgotten) {
    ModelBuilder m;
    const Expr x = m.variable("x", 1), f = m.discrete("f", 0);
    m.equation(m.add(m.pool().power(x, m.number(3)), x), f);
    Evaluation run(m.model);
    run.loops.set_robust(false);
    const Slot input = run.program.layout.variable[f->index];
    for (int i = 0; i < 3; ++i) {
        run.values[input] = 10 * i;
        run.at(i);
        run.loops.accepted(i);
    }
    run.loops.forget_past();
    const std::size_t before = run.loops.statistics().iterations;
    run.at(3);  // nothing has changed: the last value is the solution
    EXPECT_LE(run.loops.statistics().iterations - before, 1u);
}

}  // namespace
}  // namespace cutset
