// An integrator that takes up the memory of another one goes on to the bit, wherever that stood.
#include <gtest/gtest.h>

#include <cmath>

#include "numerics/integrators/integrator.h"

namespace cutset {
namespace {

// Van der Pol's equation with a forcing, a state that follows fast, and a root.
IvpProblem problem(double mu, bool with_jacobian) {
    IvpProblem p;
    p.n = 3;
    p.rhs = [mu](double t, std::span<const double> x, std::span<double> dx) {
        dx[0] = x[1];
        dx[1] = mu * (1 - x[0] * x[0]) * x[1] - x[0] + 0.1 * std::sin(3 * t);
        dx[2] = 20 * (x[0] - x[2]);
        return 0;
    };
    p.roots = 1;
    p.root_functions = [](double, std::span<const double> x, std::span<double> g) {
        g[0] = x[0] - 0.5;
        return 0;
    };
    p.relative_tolerance = 1e-6;
    p.absolute_tolerance = {1e-8};
    p.max_step = 0.5;
    if (with_jacobian) {
        IvpJacobian j;
        j.pattern.rows = j.pattern.columns = 3;
        j.pattern.starts = {0, 2, 4, 5};
        j.pattern.row = {1, 2, 0, 1, 2};
        j.evaluate = [mu](double, std::span<const double> x, std::span<const double>, std::span<double> v) {
            v[0] = -2 * mu * x[0] * x[1] - 1;
            v[1] = 20;
            v[2] = 1;
            v[3] = mu * (1 - x[0] * x[0]);
            v[4] = -20;
            return 0;
        };
        p.jacobian = j;
    }
    return p;
}

// A chain of many states: sparse matrices.
IvpProblem chain() {
    constexpr std::size_t n = 60;
    IvpProblem p;
    p.n = n;
    p.rhs = [](double t, std::span<const double> x, std::span<double> dx) {
        for (std::size_t i = 0; i < n; ++i) {
            const double left = i == 0 ? std::sin(t) : x[i - 1], right = i + 1 < n ? x[i + 1] : 0;
            dx[i] = 50 * (left - 2 * x[i] + right) - x[i] * x[i] * x[i];
        }
        return 0;
    };
    IvpJacobian j;
    j.pattern.rows = j.pattern.columns = n;
    j.pattern.starts = {0};
    for (std::size_t i = 0; i < n; ++i) {
        if (i > 0) j.pattern.row.push_back(static_cast<std::int64_t>(i - 1));
        j.pattern.row.push_back(static_cast<std::int64_t>(i));
        if (i + 1 < n) j.pattern.row.push_back(static_cast<std::int64_t>(i + 1));
        j.pattern.starts.push_back(static_cast<std::int64_t>(j.pattern.row.size()));
    }
    j.evaluate = [](double, std::span<const double> x, std::span<const double>, std::span<double> v) {
        std::size_t k = 0;
        for (std::size_t i = 0; i < n; ++i) {
            if (i > 0) v[k++] = 50;
            v[k++] = -100 - 3 * x[i] * x[i];
            if (i + 1 < n) v[k++] = 50;
        }
        return 0;
    };
    p.jacobian = j;
    p.max_step = 0.3;
    return p;
}

struct Way {
    std::vector<double> numbers;  // time and states after every step, and points inside it
    void add(Integrator& integrator, const StepResult& step) {
        numbers.push_back(step.time);
        numbers.insert(numbers.end(), integrator.state().begin(), integrator.state().end());
        std::vector<double> inside(integrator.state().size());
        integrator.interpolate(step.from + 0.3 * (step.time - step.from), inside);
        numbers.insert(numbers.end(), inside.begin(), inside.end());
    }
};

// Every `between` steps another integrator goes on.
Way go(Solver solver, const IvpProblem& problem, std::vector<double> x, int between) {
    constexpr double stops[] = {1, 4.2, 4.3, 12};
    auto integrator = make_integrator(solver, problem);
    integrator->start(0, x);
    Way way;
    int steps = 0;
    for (double stop : stops)
        while (integrator->time() < stop) {
            const StepResult step = integrator->step(stop);
            if (step.status != StepStatus::Ok && step.status != StepStatus::Root) {
                ADD_FAILURE() << integrator->failure_reason();
                return way;
            }
            way.add(*integrator, step);
            // A jump now and then, after every second root.
            if (step.status == StepStatus::Root && step.roots[0] > 0) {
                x.assign(integrator->state().begin(), integrator->state().end());
                x[1] += 0.1;
                integrator->start(step.time, x, integrator->last_step());
            }
            if (between == 0 || ++steps % between != 0) continue;
            Memory memory;
            MemoryStream to(memory);
            EXPECT_TRUE(integrator->remember(to));
            auto next = make_integrator(solver, problem);
            MemoryStream from(std::as_const(memory));
            EXPECT_TRUE(next->remember(from) && from.at_end());
            integrator = std::move(next);
        }
    return way;
}

void expect_same(Solver solver, const IvpProblem& problem, const std::vector<double>& x) {
    const Way whole = go(solver, problem, x, 0);
    ASSERT_GT(whole.numbers.size(), 10u);
    for (int between : {1, 2, 7, 23})
        EXPECT_EQ(go(solver, problem, x, between).numbers, whole.numbers)
            << name_of(solver) << ", every " << between;
}

class IntegratorMemory : public testing::TestWithParam<Solver> {};

TEST_P(IntegratorMemory, GoesOnToTheBit) {
    for (double mu : {0.3, 30.0})
        for (bool with_jacobian : {false, true}) {
            IvpProblem p = problem(mu, with_jacobian);
            if (describe(GetParam()).fixed_step) p.fixed_step = 0.002;
            expect_same(GetParam(), p, {2, 0, 1});
        }
}

TEST_P(IntegratorMemory, GoesOnToTheBitWithSparseMatrices) {
    IvpProblem p = chain();
    if (describe(GetParam()).fixed_step) p.fixed_step = 0.005;
    expect_same(GetParam(), p, std::vector<double>(p.n, 0.5));
}

INSTANTIATE_TEST_SUITE_P(Methods, IntegratorMemory,
                         testing::Values(Solver::Auto, Solver::Bdf, Solver::Adams, Solver::Dopri,
                                         Solver::Radau, Solver::Hamming, Solver::Rk4, Solver::Euler),
                         [](const auto& info) { return std::string(name_of(info.param)); });

TEST(IntegratorMemory, TimeAloneGoesOnToTheBit) {
    IvpProblem p;
    p.roots = 1;
    p.root_functions = [](double t, std::span<const double>, std::span<double> g) {
        g[0] = std::sin(7 * t);
        return 0;
    };
    p.max_step = 0.1;
    auto whole = make_integrator(Solver::Auto, p);
    auto part = make_integrator(Solver::Auto, p);
    whole->start(0, {});
    part->start(0, {});
    while (whole->time() < 5) {
        EXPECT_EQ(part->step(5).time, whole->step(5).time);
        Memory memory;
        MemoryStream to(memory);
        ASSERT_TRUE(part->remember(to));
        part = make_integrator(Solver::Auto, p);
        MemoryStream from(std::as_const(memory));
        ASSERT_TRUE(part->remember(from));
    }
}

TEST(IntegratorMemory, OfAnotherProblemIsRefused) {
    auto one = make_integrator(Solver::Bdf, problem(1, false));
    one->start(0, std::vector<double>{2, 0, 1});
    one->step(1);
    Memory memory;
    MemoryStream to(memory);
    ASSERT_TRUE(one->remember(to));
    auto other = make_integrator(Solver::Bdf, chain());
    MemoryStream from(std::as_const(memory));
    EXPECT_FALSE(other->remember(from));
    auto method = make_integrator(Solver::Radau, problem(1, false));
    MemoryStream again(std::as_const(memory));
    EXPECT_FALSE(method->remember(again));
}

TEST(IntegratorMemory, SundialsKeepTheirs) {
    Memory memory;
    MemoryStream to(memory);
    EXPECT_FALSE(make_integrator(Solver::Cvode, problem(1, false))->remember(to));
    EXPECT_FALSE(make_integrator(Solver::Ida, problem(1, false))->remember(to));
}

TEST(SolverSwitches, KeepsTheFirstAndTheLast) {
    SolverSwitches switches;
    for (int i = 0; i < 1000; ++i) switches.add({double(i), "dopri", "bdf", "stiff"});
    EXPECT_EQ(switches.count(), 1000u);
    const std::vector<SolverSwitch> known = switches.known();
    ASSERT_EQ(known.size(), SolverSwitches::most_first + SolverSwitches::most_last);
    EXPECT_EQ(known.front().time, 0);
    EXPECT_EQ(known[SolverSwitches::most_first].time, 1000 - SolverSwitches::most_last);
    EXPECT_EQ(known.back().time, 999);
    SolverSwitches all;
    all.add(switches);
    all.add(switches);
    EXPECT_EQ(all.count(), 2000u);
}

}  // namespace
}  // namespace cutset
