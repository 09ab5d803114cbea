#include "operations/loop_solver.h"

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

TEST(LoopSolver, NewtonBeginsAtTheLastSolution) {
    ModelBuilder m;
    const Expr x = m.variable("x", 1);
    m.equation(m.add(m.pool().power(x, m.number(3)), x), m.pool().time());
    Evaluation run(m.model);
    run.values[run.program.layout.variable[x->index]] = 1;
    run.at(2);
    run.loops.set_robust(false);
    const std::size_t before = run.loops.statistics().iterations;
    for (int i = 1; i <= 100; ++i) run.at(2 + 0.01 * i);
    EXPECT_LE(run.loops.statistics().iterations - before, 300u);
    EXPECT_NEAR(run[x] * run[x] * run[x] + run[x], 3, 1e-12);
}

}  // namespace
}  // namespace cutset
