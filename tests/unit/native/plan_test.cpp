// Clustering: which statements become kernels, and in which order statements run.
#include "native/plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../generate/sample_model.h"
#include "random_program.h"

namespace cutset::native {
namespace {

struct Counted {
    std::size_t kernels = 0, in_kernels = 0, straight = 0, table_columns = 0;
    Counted(const Program& program, const Section& section) {
        SlotWork work(program.layout.slots);
        const auto plan = Plan::make(program, section, work);
        EXPECT_TRUE(plan);
        for (const PieceOutline& outline : plan->pieces()) {
            if (outline.is_kernel()) {
                ++kernels;
                in_kernels += outline.rows * outline.statements;
                table_columns += plan->build(outline, work).width;
            } else {
                straight += outline.statements;
            }
        }
    }
};

TEST(Plan, ALineOfEqualSectionsIsOneKernelWithoutTables) {
    SampleModel s;
    constexpr std::size_t n = 1000;
    std::vector<VariableIndex> x;
    for (std::size_t i = 0; i < n; ++i) x.push_back(s.state("x" + std::to_string(i)));
    for (std::size_t i = 0; i < n; ++i) {
        const Expr left = i ? s.at(x[i - 1]) : s.n(1), right = i + 1 < n ? s.at(x[i + 1]) : s.n(0);
        s.assign(x[i], s.mul(s.n(5), s.add(left, s.sub(right, s.mul(s.n(2), s.at(x[i]))))), 1);
    }
    const Program program = s.program();
    const Counted c(program, program.continuous);
    EXPECT_EQ(c.kernels, 1u);
    EXPECT_GE(c.in_kernels, n - 4);
    EXPECT_EQ(c.table_columns, 0u);
}

TEST(Plan, SectionsInMixedOrderAreSortedByShape) {
    SampleModel s;
    constexpr std::size_t n = 1000;
    std::vector<VariableIndex> x, y, z;
    for (std::size_t i = 0; i < n; ++i) {
        x.push_back(s.state("x" + std::to_string(i)));
        y.push_back(s.variable("y" + std::to_string(i)));
        z.push_back(s.variable("z" + std::to_string(i)));
    }
    // Sections in any order, the three equations of each by chance between those of others.
    std::mt19937 random(1);
    std::vector<std::size_t> stage(n, 0);
    for (std::size_t done = 0; done < 3 * n;) {
        const std::size_t k = random() % n;
        if (stage[k] == 3) continue;
        if (stage[k] == 0)
            s.assign(y[k], s.call(Op::Sin, s.at(x[k])));
        else if (stage[k] == 1)
            s.assign(z[k], s.mul(s.at(y[k]), s.add(s.at(y[k]), s.n(1))));
        else
            s.assign(x[k], s.sub(s.at(z[k]), s.at(x[k])), 1);
        ++stage[k];
        ++done;
    }
    const Program program = s.program();
    const Counted c(program, program.continuous);
    EXPECT_EQ(c.kernels, 3u);
    EXPECT_EQ(c.in_kernels, 3 * n);
}

TEST(Plan, AChainThatAlternatesIsOneKernel) {
    SampleModel s;
    constexpr std::size_t n = 500;
    const VariableIndex x = s.state("x");
    std::vector<VariableIndex> a, b;
    for (std::size_t i = 0; i < n; ++i) {
        a.push_back(s.variable("a" + std::to_string(i)));
        b.push_back(s.variable("b" + std::to_string(i)));
    }
    for (std::size_t i = 0; i < n; ++i) {
        s.assign(a[i], s.add(s.call(Op::Sin, i ? s.at(b[i - 1]) : s.at(x)), s.n(1)));
        s.assign(b[i], s.mul(s.at(a[i]), s.at(x)));
    }
    s.assign(x, s.at(b.back()), 1);
    const Program program = s.program();
    const Counted c(program, program.continuous);
    EXPECT_EQ(c.kernels, 1u);
    EXPECT_GE(c.in_kernels, 2 * n - 8);
}

TEST(Plan, SmallSectionsStayAsTheyAre) {
    SampleModel s;
    const VariableIndex x = s.state("x"), y = s.variable("y");
    s.assign(y, s.call(Op::Sin, s.at(x)));
    s.assign(x, s.at(y), 1);
    const Program program = s.program();
    const Counted c(program, program.continuous);
    EXPECT_EQ(c.kernels, 0u);
    EXPECT_EQ(c.straight, 2u);
}

TEST(Plan, TheOrderKeepsDependences) {
    std::size_t reordered = 0;
    for (unsigned seed = 0; seed < 40; ++seed) {
        RandomProgram random(seed);
        SlotWork work(random.program.layout.slots);
        const auto statements = cut_into_statements(random.program, random.program.continuous, work);
        ASSERT_TRUE(statements);
        const Schedule made = schedule(random.program, *statements, work);
        ASSERT_EQ(made.order.size(), statements->size());
        std::vector<std::uint32_t> place(statements->size(), ~0u);
        for (std::uint32_t p = 0; p < made.order.size(); ++p) place[made.order[p]] = p;
        EXPECT_TRUE(std::none_of(place.begin(), place.end(), [](std::uint32_t p) { return p == ~0u; }));
        for (const auto& [earlier, later] : dependences(random.program, *statements, work)) {
            ASSERT_LT(earlier, later);
            ASSERT_LT(place[earlier], place[later]) << "program " << seed;
        }
        reordered += !std::is_sorted(made.order.begin(), made.order.end());
        for (const Group& g : made.groups)
            for (std::uint32_t p = g.first; p < g.first + g.count; ++p)
                ASSERT_EQ(statements->shape[made.order[p]], g.shape);
    }
    EXPECT_GT(reordered, 5u);
}

TEST(Statements, NumbersAreOperandsButExponentsAreShape) {
    SampleModel s;
    const VariableIndex x = s.state("x");
    std::vector<VariableIndex> y;
    for (int i = 0; i < 4; ++i) y.push_back(s.variable("y" + std::to_string(i)));
    s.assign(y[0], s.mul(s.n(3), s.at(x)));
    s.assign(y[1], s.mul(s.n(4), s.at(x)));
    s.assign(y[2], s.pool.power(s.at(x), s.n(3)));
    s.assign(y[3], s.pool.power(s.at(x), s.n(5)));
    const Program program = s.program();
    SlotWork work(program.layout.slots);
    const auto statements = cut_into_statements(program, program.continuous, work);
    ASSERT_TRUE(statements);
    ASSERT_EQ(statements->size(), 4u);
    EXPECT_EQ(statements->shape[0], statements->shape[1]);
    EXPECT_NE(statements->shape[2], statements->shape[3]);
}

}  // namespace
}  // namespace cutset::native
