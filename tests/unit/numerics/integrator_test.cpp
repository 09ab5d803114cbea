#include "numerics/integrators/integrator.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "run_integrator.h"

namespace cutset {
namespace {

using std::numbers::pi;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

IvpProblem robertson() {
    IvpProblem p;
    p.n = 3;
    p.rhs = [](double, std::span<const double> y, std::span<double> dy) {
        dy[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
        dy[2] = 3e7 * y[1] * y[1];
        dy[1] = -dy[0] - dy[2];
        return 0;
    };
    p.relative_tolerance = 1e-9;
    p.absolute_tolerance = {1e-12, 1e-18, 1e-12};
    return p;
}

IvpProblem oscillator() {
    IvpProblem p;
    p.n = 2;
    p.rhs = [](double, std::span<const double> x, std::span<double> dx) {
        dx[0] = x[1];
        dx[1] = -x[0];
        return 0;
    };
    p.relative_tolerance = 1e-10;
    p.absolute_tolerance = {1e-12};
    return p;
}

class EachIntegrator : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, EachIntegrator,
                         testing::Values("bdf", "cvode", "adams", "ida", "dopri", "hamming", "radau", "auto"),
                         [](const auto& info) { return std::string(info.param); });

class StiffIntegrator : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, StiffIntegrator, testing::Values("bdf", "cvode", "ida", "radau", "auto"),
                         [](const auto& info) { return std::string(info.param); });

// Reference: Test Set for IVP Solvers (Bari), problem ROBER, solution at t = 1e11.
TEST_P(StiffIntegrator, Robertson) {
    auto integrator = make_integrator(parse_solver(GetParam()).value(), robertson());
    integrator->start(0, std::array{1.0, 0.0, 0.0});
    ASSERT_EQ(run(*integrator, 1e11).status, StepStatus::Ok);
    EXPECT_EQ(integrator->time(), 1e11);
    EXPECT_NEAR(integrator->state()[0], 0.2083340149701255e-7, 1e-11);
    EXPECT_NEAR(integrator->state()[1], 0.8333360770334713e-13, 1e-17);
    EXPECT_NEAR(integrator->state()[2], 0.9999999791665050, 1e-9);
    IntegratorStatistics statistics = integrator->statistics();
    EXPECT_GT(statistics.steps, 100);
    EXPECT_GT(statistics.jacobians, 5);
    EXPECT_GT(statistics.rhs_evaluations, statistics.newton_iterations);
    EXPECT_EQ(statistics.restarts, 1);
}

// Reference: Test Set for IVP Solvers (Bari), problem VDPOL, solution at t = 2.
TEST_P(StiffIntegrator, VanDerPol) {
    IvpProblem p;
    p.n = 2;
    p.rhs = [](double, std::span<const double> y, std::span<double> dy) {
        dy[0] = y[1];
        dy[1] = ((1 - y[0] * y[0]) * y[1] - y[0]) / 1e-6;
        return 0;
    };
    p.jacobian = IvpJacobian{
        .pattern = {2, 2, {0, 1, 3}, {1, 0, 1}},
        .evaluate = [](double, std::span<const double> y, std::span<const double>, std::span<double> values) {
            values[0] = (-2 * y[0] * y[1] - 1) / 1e-6;
            values[1] = 1;
            values[2] = (1 - y[0] * y[0]) / 1e-6;
            return 0;
        }};
    p.relative_tolerance = 1e-9;
    p.absolute_tolerance = {1e-9};
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    integrator->start(0, std::array{2.0, 0.0});
    ASSERT_EQ(run(*integrator, 2).status, StepStatus::Ok);
    EXPECT_NEAR(integrator->state()[0], 0.1706167732170483e1, 2e-6);
    EXPECT_NEAR(integrator->state()[1], -0.8928097010247975e0, 2e-6);
}

TEST(Integrator, IdaAndCvodeAgree) {
    auto cvode = make_integrator(Solver::Cvode, robertson());
    auto ida = make_integrator(Solver::Ida, robertson());
    for (auto* integrator : {cvode.get(), ida.get()}) integrator->start(0, std::array{1.0, 0.0, 0.0});
    for (double t : {0.4, 4.0, 40.0, 400.0}) {
        run(*cvode, t);
        run(*ida, t);
        for (int i = 0; i < 3; ++i)
            EXPECT_NEAR(cvode->state()[i] / ida->state()[i], 1, 1e-6) << t << " " << i;
    }
    EXPECT_NEAR(cvode->state()[0] + cvode->state()[1] + cvode->state()[2], 1, 1e-9);
}

TEST_P(EachIntegrator, StopsExactlyAtTheStopTime) {
    auto integrator = make_integrator(parse_solver(GetParam()).value(), oscillator());
    integrator->start(0, std::array{1.0, 0.0});
    double previous = 0;
    for (int k = 1; k <= 40; ++k) {
        const double t_stop = k * 0.1;
        while (integrator->time() < t_stop) {
            StepResult result = integrator->step(t_stop);
            ASSERT_EQ(result.status, StepStatus::Ok);
            ASSERT_EQ(result.from, previous);
            ASSERT_LE(result.time, t_stop);
            previous = result.time;
        }
        EXPECT_EQ(integrator->time(), t_stop);
        EXPECT_NEAR(integrator->state()[0], std::cos(t_stop), 1e-8);
    }
}

TEST_P(EachIntegrator, StopTimeAtOnceOrWithinRounding) {
    auto integrator = make_integrator(parse_solver(GetParam()).value(), oscillator());
    integrator->start(1, std::array{1.0, 0.0});
    EXPECT_EQ(integrator->step(1).status, StepStatus::Ok);
    EXPECT_EQ(integrator->time(), 1);
    const double next = std::nextafter(1.0, 2.0);
    EXPECT_EQ(integrator->step(next).status, StepStatus::Ok);
    EXPECT_EQ(integrator->time(), next);
    ASSERT_EQ(run(*integrator, 2).status, StepStatus::Ok);
    EXPECT_NEAR(integrator->state()[0], std::cos(1.0), 1e-8);
    EXPECT_EQ(integrator->step(1.5).time, 2) << "time never goes back";
}

TEST_P(EachIntegrator, StopTimesAnyFewUnitsInTheLastPlaceAway) {
    for (int units : {1, 3, 9, 11, 20, 50, 99, 101, 200, 1000}) {
        auto integrator = make_integrator(parse_solver(GetParam()).value(), oscillator());
        integrator->start(1, std::array{1.0, 0.0});
        double t = 1;
        for (int k = 0; k < 5; ++k) {  // from the start, then in the middle of things
            double near = t + units * std::numeric_limits<double>::epsilon() * 2;
            StepResult result = run(*integrator, near);
            ASSERT_EQ(result.status, StepStatus::Ok) << units << " " << k << integrator->failure_reason();
            ASSERT_EQ(integrator->time(), near);
            t = near + 0.1;
            ASSERT_EQ(run(*integrator, t).status, StepStatus::Ok) << units << " " << k;
            ASSERT_EQ(integrator->time(), t);
        }
        EXPECT_NEAR(integrator->state()[0], std::cos(t - 1), 1e-8);
    }
}

TEST_P(EachIntegrator, ZeroTolerance) {
    IvpProblem p = oscillator();
    p.absolute_tolerance = {0};
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    integrator->start(0, std::array{1.0, 0.0});
    EXPECT_EQ(integrator->step(1).status, StepStatus::Failed);
    EXPECT_NE(integrator->failure_reason().find("absolute tolerance is zero"), std::string::npos)
        << integrator->failure_reason();
    EXPECT_EQ(integrator->limiting_state(), 1u);
}

// A time event and a root at the same instant: neither is lost, time does not go back.
TEST_P(EachIntegrator, RootAtTheStopTime) {
    IvpProblem p = oscillator();
    p.roots = 1;
    p.root_functions = [](double t, std::span<const double>, std::span<double> g) {
        g[0] = t - 1;
        return 0;
    };
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    integrator->start(0, std::array{1.0, 0.0});
    int found = 0;
    for (double t_stop : {1.0, 2.0}) {
        while (integrator->time() < t_stop) {
            StepResult result = integrator->step(t_stop);
            ASSERT_GE(result.time, result.from);
            if (result.status == StepStatus::Root) {
                ++found;
                EXPECT_NEAR(result.time, 1, 1e-13);
            }
        }
    }
    EXPECT_EQ(found, 1);
}

TEST_P(EachIntegrator, InterpolatesStateAndDerivativeWithinTheStep) {
    auto integrator = make_integrator(parse_solver(GetParam()).value(), oscillator());
    integrator->start(0, std::array{1.0, 0.0});
    std::array<double, 2> x{}, dx{};
    integrator->interpolate(0, x, dx);
    EXPECT_EQ(x[0], 1);
    EXPECT_EQ(dx[1], -1);
    while (integrator->time() < 3) {
        StepResult result = integrator->step(3);
        for (double part : {0.0, 0.3, 0.7, 1.0}) {
            double t = std::lerp(result.from, result.time, part);
            integrator->interpolate(t, x, dx);
            EXPECT_NEAR(x[0], std::cos(t), 1e-7);
            EXPECT_NEAR(dx[0], -std::sin(t), 1e-5);
        }
    }
}

TEST_P(EachIntegrator, LocatesRootsWithTheirDirection) {
    IvpProblem p = oscillator();
    p.roots = 2;
    p.root_functions = [](double t, std::span<const double> x, std::span<double> g) {
        g[0] = x[0];
        g[1] = t - 2.5;
        return 0;
    };
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    integrator->start(0, std::array{1.0, 0.0});
    std::vector<std::array<double, 3>> found;
    while (integrator->time() < 8) {
        StepResult result = integrator->step(8);
        ASSERT_NE(result.status, StepStatus::Failed) << integrator->failure_reason();
        if (result.status == StepStatus::Root) {
            found.push_back({result.time, double(result.roots[0]), double(result.roots[1])});
            EXPECT_EQ(result.time, integrator->time());
        }
    }
    ASSERT_EQ(found.size(), 4u);
    const double expected[4][3] = {{pi / 2, -1, 0}, {2.5, 0, 1}, {3 * pi / 2, 1, 0}, {5 * pi / 2, -1, 0}};
    for (int k = 0; k < 4; ++k) {
        EXPECT_NEAR(found[k][0], expected[k][0], 1e-9 * (k + 1)) << k;
        EXPECT_EQ(found[k][1], expected[k][1]) << k;
        EXPECT_EQ(found[k][2], expected[k][2]) << k;
    }
    EXPECT_EQ(integrator->statistics().restarts, 1);
    EXPECT_NEAR(integrator->state()[0], std::cos(8.0), 1e-7);
}

// x'' = -1 above the floor x = 0, restitution 1/2: impacts at t = sqrt(2) (1 + 1 + 1/2 + 1/4 ...) from x = 1.
TEST_P(EachIntegrator, RestartsAfterAnEvent) {
    IvpProblem p;
    p.n = 2;
    p.rhs = [](double, std::span<const double> x, std::span<double> dx) {
        dx[0] = x[1];
        dx[1] = -1;
        return 0;
    };
    p.roots = 1;
    p.root_functions = [](double, std::span<const double> x, std::span<double> g) {
        g[0] = x[0];
        return 0;
    };
    p.relative_tolerance = 1e-9;
    p.absolute_tolerance = {1e-11};
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    integrator->start(0, std::array{1.0, 0.0});
    double expected = std::sqrt(2.0), flight = 2 * std::sqrt(2.0);
    for (int bounce = 0; bounce < 8; ++bounce) {
        StepResult result;
        do result = integrator->step(10);
        while (result.status == StepStatus::Ok && result.time < 10);
        ASSERT_EQ(result.status, StepStatus::Root) << integrator->failure_reason();
        EXPECT_EQ(result.roots[0], -1);
        EXPECT_NEAR(result.time, expected, 3e-8) << bounce;
        std::array<double, 2> x{0, -0.5 * integrator->state()[1]};
        integrator->start(result.time, x, integrator->last_step());
        EXPECT_EQ(integrator->state()[1], x[1]);
        flight /= 2;
        expected += flight;
    }
    EXPECT_GE(integrator->statistics().restarts, 8);
}

TEST_P(EachIntegrator, StopTimeBetweenARootAndTheEndOfItsStep) {
    IvpProblem p = oscillator();
    p.relative_tolerance = 1e-5;
    p.roots = 1;
    p.root_functions = [](double, std::span<const double> x, std::span<double> g) {
        g[0] = x[0];
        return 0;
    };
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    integrator->start(0, std::array{1.0, 0.0});
    StepResult result;
    do result = integrator->step(5);
    while (result.status == StepStatus::Ok);
    ASSERT_EQ(result.status, StepStatus::Root);
    const double t_stop = result.time + 1e-6;
    ASSERT_EQ(run(*integrator, t_stop).status, StepStatus::Ok) << integrator->failure_reason();
    EXPECT_EQ(integrator->time(), t_stop);
    EXPECT_NEAR(integrator->state()[0], -1e-6, 1e-8);
}

TEST_P(EachIntegrator, RootFunctionThatStartsAtZeroIsPassiveUntilItLeaves) {
    IvpProblem p = oscillator();
    p.roots = 1;
    p.root_functions = [](double, std::span<const double> x, std::span<double> g) {
        g[0] = x[1];  // -sin t
        return 0;
    };
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    integrator->start(0, std::array{1.0, 0.0});
    StepResult result;
    do result = integrator->step(5);
    while (result.status == StepStatus::Ok && result.time < 5);
    ASSERT_EQ(result.status, StepStatus::Root);
    EXPECT_NEAR(result.time, pi, 1e-9);
}

TEST_P(EachIntegrator, RootFunctionThatIsNotANumberFails) {
    IvpProblem p = oscillator();
    p.roots = 2;
    p.root_functions = [](double t, std::span<const double>, std::span<double> g) {
        g[0] = 1;
        g[1] = t < 1 ? std::numeric_limits<double>::infinity() : not_a_number;
        return 0;
    };
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    integrator->start(0, std::array{1.0, 0.0});
    StepResult result = run(*integrator, 5);
    ASSERT_EQ(result.status, StepStatus::Failed);
    EXPECT_LT(result.time, 1);
    EXPECT_EQ(integrator->failed_root_function(), 1u);
    EXPECT_EQ(integrator->failure_reason(), "an event condition is not a number");
}

// sqrt(x) is not a number below zero; the true solution only touches zero region's border from above.
TEST_P(EachIntegrator, RegionWithoutValuesShortensTheStep) {
    IvpProblem p;
    p.n = 1;
    int outside = 0;
    p.rhs = [&](double t, std::span<const double> x, std::span<double> dx) {
        // x = 1.001 - t, then away from the border at t = 1
        dx[0] = (t < 1 ? -1 : 1) + 0 * std::sqrt(x[0]);
        if (std::isnan(dx[0])) ++outside;
        return 0;
    };
    p.max_step = 0.3;
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    integrator->start(0, std::array{1.001});
    StepResult result = run(*integrator, 2);
    ASSERT_EQ(result.status, StepStatus::Ok) << integrator->failure_reason();
    EXPECT_GT(outside, 0);
    EXPECT_NEAR(integrator->state()[0], 1.001, 1e-2);
}

TEST_P(EachIntegrator, LeavingTheRegionOfValuesFailsThere) {
    IvpProblem p;
    p.n = 2;
    p.rhs = [](double, std::span<const double> x, std::span<double> dx) {
        dx[0] = 1;
        dx[1] = -1 + 0 * std::sqrt(x[1]);
        return 0;
    };
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    integrator->start(0, std::array{0.0, 1.0});
    StepResult result = run(*integrator, 2);
    ASSERT_EQ(result.status, StepStatus::Failed);
    EXPECT_LE(result.time, 1 + 1e-14);
    EXPECT_GT(result.time, 0.9);
    EXPECT_EQ(integrator->limiting_state(), 1u);
    EXPECT_NE(integrator->failure_reason().find("derivatives cannot be evaluated"), std::string::npos)
        << integrator->failure_reason();
    // The last good state is kept.
    EXPECT_NEAR(integrator->state()[0], result.time, 1e-9);
    EXPECT_NEAR(integrator->state()[1], 1 - result.time, 1e-9);
}

TEST_P(EachIntegrator, FailureAtTheStart) {
    IvpProblem p = oscillator();
    p.rhs = [](double, std::span<const double>, std::span<double> dx) {
        dx[0] = 0;
        dx[1] = not_a_number;
        return 0;
    };
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    integrator->start(0, std::array{1.0, 0.0});
    StepResult result = integrator->step(1);
    ASSERT_EQ(result.status, StepStatus::Failed);
    EXPECT_EQ(result.time, 0);
    EXPECT_EQ(integrator->limiting_state(), 1u);
    EXPECT_NE(integrator->failure_reason().find("at the start"), std::string::npos);
}

TEST_P(EachIntegrator, RhsThatAsksToStop) {
    IvpProblem p = oscillator();
    auto rhs = p.rhs;
    p.rhs = [rhs](double t, std::span<const double> x, std::span<double> dx) {
        return t > 1 ? -1 : rhs(t, x, dx);
    };
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    integrator->start(0, std::array{1.0, 0.0});
    StepResult result = run(*integrator, 2);
    ASSERT_EQ(result.status, StepStatus::Failed);
    EXPECT_NEAR(integrator->state()[0], std::cos(result.time), 1e-8);
    EXPECT_NE(integrator->failure_reason().find("asked to stop"), std::string::npos)
        << integrator->failure_reason();
}

// x' = x^2, x(0) = 1 has the solution 1 / (1 - t); the second state is at rest.
TEST_P(EachIntegrator, BlowUpFailsNearItsTimeAndNamesTheState) {
    IvpProblem p;
    p.n = 2;
    p.rhs = [](double, std::span<const double> x, std::span<double> dx) {
        dx[0] = 0;
        dx[1] = x[1] * x[1];
        return 0;
    };
    p.relative_tolerance = 1e-6;
    p.absolute_tolerance = {1e-6};
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    integrator->start(0, std::array{5.0, 1.0});
    StepResult result = run(*integrator, 2);
    ASSERT_EQ(result.status, StepStatus::Failed);
    EXPECT_NEAR(result.time, 1, 1e-3);
    EXPECT_FALSE(integrator->failure_reason().empty());
    EXPECT_EQ(integrator->failure_reason().find("code"), std::string::npos) << integrator->failure_reason();
    EXPECT_EQ(integrator->limiting_state(), 1u);
    ASSERT_EQ(integrator->weighted_errors().size(), 2u);
    EXPECT_GE(integrator->weighted_errors()[1], integrator->weighted_errors()[0]);
    EXPECT_LT(integrator->statistics().steps, 20000);
}

TEST_P(EachIntegrator, TooMuchAccuracyIsExplained) {
    IvpProblem p = oscillator();
    p.relative_tolerance = 1e-18;
    p.absolute_tolerance = {1e-30};
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    integrator->start(0, std::array{1.0, 0.0});
    StepResult result = run(*integrator, 1);
    ASSERT_EQ(result.status, StepStatus::Failed);
    EXPECT_EQ(integrator->failure_reason().find("code"), std::string::npos) << integrator->failure_reason();
}

TEST_P(EachIntegrator, InterruptAndGoOn) {
    std::atomic<bool> interrupt = false;
    IvpProblem p = oscillator();
    auto rhs = p.rhs;
    p.rhs = [&, rhs](double t, std::span<const double> x, std::span<double> dx) {
        if (t > 1 && t < 1.5) interrupt = true;
        return rhs(t, x, dx);
    };
    p.interrupt = &interrupt;
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    integrator->start(0, std::array{1.0, 0.0});
    StepResult result = run(*integrator, 3);
    ASSERT_EQ(result.status, StepStatus::Interrupted);
    EXPECT_LT(result.time, 1.5);
    EXPECT_NEAR(integrator->state()[0], std::cos(result.time), 1e-8);
    EXPECT_EQ(integrator->step(3).status, StepStatus::Interrupted);
    interrupt = false;
    while (integrator->time() < 3) {
        interrupt = false;
        result = integrator->step(3);
        if (result.status == StepStatus::Interrupted && result.time == result.from && result.time < 1.5) {
            // The condition above fires again in the same place: jump over it.
            integrator->start(1.6, std::array{std::cos(1.6), -std::sin(1.6)});
        }
    }
    EXPECT_NEAR(integrator->state()[0], std::cos(3.0), 1e-8);
}

TEST_P(EachIntegrator, ExceptionsComeOut) {
    IvpProblem p = oscillator();
    p.rhs = [](double, std::span<const double>, std::span<double>) -> int {
        throw std::runtime_error("inside");
    };
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    integrator->start(0, std::array{1.0, 0.0});
    EXPECT_THROW(integrator->step(1), std::runtime_error);
}

TEST_P(EachIntegrator, MaximumAndFirstStep) {
    IvpProblem p = oscillator();
    p.relative_tolerance = p.absolute_tolerance[0] = 1e-3;
    p.max_step = 0.01;
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    integrator->start(0, std::array{1.0, 0.0}, 1e-7);
    StepResult result = integrator->step(1);
    EXPECT_NEAR(result.time, 1e-7, 1e-12);
    while (integrator->time() < 1) {
        result = integrator->step(1);
        EXPECT_LE(result.time - result.from, 0.01 * (1 + 1e-12));
    }
    EXPECT_GE(integrator->statistics().steps, 100);
}

TEST_P(EachIntegrator, TwoRunsAgreeToTheBit) {
    std::array<std::array<double, 2>, 2> ends{};
    for (auto& end : ends) {
        auto integrator = make_integrator(parse_solver(GetParam()).value(), oscillator());
        integrator->start(0, std::array{1.0, 0.0});
        run(*integrator, 10);
        end = {integrator->state()[0], integrator->state()[1]};
    }
    EXPECT_EQ(ends[0], ends[1]);
}

// No states: only time and its events.
TEST_P(EachIntegrator, NoStatesButRoots) {
    IvpProblem p;
    p.n = 0;
    p.roots = 3;
    p.root_functions = [](double t, std::span<const double> x, std::span<double> g) {
        EXPECT_TRUE(x.empty());
        g[0] = std::cos(t);
        g[1] = t - 3;        // exactly zero at a sample
        g[2] = t * (t - 7);  // zero at the start
        return 0;
    };
    p.max_step = 0.5;
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    ASSERT_TRUE(integrator);
    integrator->start(0, {});
    std::vector<std::pair<double, std::vector<int>>> found;
    while (integrator->time() < 9) {
        StepResult result = integrator->step(9);
        ASSERT_NE(result.status, StepStatus::Failed);
        if (result.status == StepStatus::Root)
            found.push_back({result.time, {result.roots.begin(), result.roots.end()}});
    }
    ASSERT_EQ(found.size(), 5u);
    EXPECT_NEAR(found[0].first, pi / 2, 1e-14);
    EXPECT_EQ(found[0].second, (std::vector{-1, 0, 0}));
    EXPECT_NEAR(found[1].first, 3, 1e-14);
    EXPECT_EQ(found[1].second, (std::vector{0, 1, 0}));
    EXPECT_NEAR(found[2].first, 3 * pi / 2, 1e-14);
    EXPECT_EQ(found[2].second, (std::vector{1, 0, 0}));
    EXPECT_NEAR(found[3].first, 7, 1e-14);
    EXPECT_EQ(found[3].second, (std::vector{0, 0, 1}));
    EXPECT_NEAR(found[4].first, 5 * pi / 2, 1e-14);
    EXPECT_EQ(integrator->time(), 9);
    EXPECT_LT(integrator->statistics().root_evaluations, 130);
    // Without roots to find, one step.
    integrator->start(1, {});
    EXPECT_EQ(integrator->time(), 1);
}

TEST(StatelessIntegrator, OneStepWithoutRoots) {
    auto integrator = make_integrator(Solver::Cvode, IvpProblem{});
    integrator->start(0, {});
    EXPECT_EQ(integrator->step(5).time, 5);
    EXPECT_EQ(integrator->statistics().steps, 1);
}

TEST(StatelessIntegrator, JumpsAndSteepFunctionsAreLocated) {
    IvpProblem p;
    p.roots = 1;
    for (double where : {0.3, 1e-3, 0.999999}) {
        p.root_functions = [where](double t, std::span<const double>, std::span<double> g) {
            g[0] = t < where ? -1e-9 : 1e12;
            return 0;
        };
        auto integrator = make_integrator(Solver::Cvode, p);
        integrator->start(0, {});
        StepResult result = integrator->step(1);
        ASSERT_EQ(result.status, StepStatus::Root);
        EXPECT_NEAR(result.time, where, 1e-15);
        EXPECT_GE(result.time, where) << "on the far side";
    }
}

TEST(Integrator, UnknownNameAndList) {
    EXPECT_EQ(parse_solver("euler of the future"), std::nullopt);
    for (const SolverDescription& description : solver_list()) {
        EXPECT_EQ(parse_solver(description.name), description.solver);
        EXPECT_TRUE(make_integrator(description.solver, oscillator())) << description.name;
        EXPECT_FALSE(description.explanation.empty());
    }
}

// A larger system than unrolled loops cover, stiff, with all weights different: heat conduction along a bar.
TEST_P(StiffIntegrator, HeatConduction) {
    constexpr std::size_t n = 51;
    IvpProblem p;
    p.n = n;
    p.rhs = [](double, std::span<const double> x, std::span<double> dx) {
        const double h = 1.0 / (n + 1);
        for (std::size_t i = 0; i < n; ++i) {
            double left = i > 0 ? x[i - 1] : 0, right = i + 1 < n ? x[i + 1] : 0;
            dx[i] = (left - 2 * x[i] + right) / (h * h);
        }
        return 0;
    };
    p.relative_tolerance = 1e-8;
    p.absolute_tolerance.clear();
    std::vector<double> x0;
    for (std::size_t i = 0; i < n; ++i) {
        x0.push_back(std::sin(pi * double(i + 1) / (n + 1)));
        p.absolute_tolerance.push_back(1e-10 * double(i + 1));
    }
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    integrator->start(0, x0);
    ASSERT_EQ(run(*integrator, 0.1).status, StepStatus::Ok);
    // The discrete sine decays with the discrete eigenvalue.
    const double eigenvalue = std::pow(2 * (n + 1) * std::sin(pi / (2 * (n + 1))), 2);
    for (std::size_t i = 0; i < n; ++i)
        EXPECT_NEAR(integrator->state()[i], x0[i] * std::exp(-0.1 * eigenvalue), 3e-7);
}

// x' = 1, y' = -y, 0 = z^2 - (1 - x): no z beyond x = 1. The algebraic unknown is named.
TEST(Integrator, IdaNamesAlgebraicUnknown) {
    IvpProblem p;
    p.n = 3;
    p.algebraic = 1;
    p.rhs = [](double, std::span<const double> x, std::span<double> f) {
        f[0] = 1;
        f[1] = -x[1];
        f[2] = x[2] * x[2] - (1 - x[0]);
        return 0;
    };
    auto integrator = make_integrator(Solver::Ida, p);
    integrator->start(0, std::array{0.0, 1.0, 1.0});
    ASSERT_EQ(run(*integrator, 2).status, StepStatus::Failed);
    EXPECT_NEAR(integrator->time(), 1, 1e-3);
    EXPECT_EQ(integrator->limiting_state(), 2u);
}

// 0 = y z with y = 0: nothing determines z.
TEST(Integrator, IdaNamesWhatIsNotDetermined) {
    for (std::size_t copies : {1, 40}) {
        IvpProblem p;
        p.n = 2 * copies;
        p.algebraic = copies;
        p.rhs = [copies](double, std::span<const double> x, std::span<double> f) {
            for (std::size_t i = 0; i < copies; ++i) {
                f[i] = 1;
                f[copies + i] = x[copies + i] - x[i];
            }
            f[2 * copies - 1] = 0 * x[2 * copies - 1];
            return 0;
        };
        auto integrator = make_integrator(Solver::Ida, p);
        integrator->start(0, std::vector<double>(2 * copies, 0.0));
        ASSERT_EQ(run(*integrator, 2).status, StepStatus::Failed);
        EXPECT_EQ(integrator->limiting_state(), 2 * copies - 1);
    }
}

// Euler's method with steps far beyond its stability: the reason speaks of the step.
TEST(Integrator, UnstableFixedStepsAreToldFromOthers) {
    for (std::string_view method : {"euler", "rk4"}) {
        IvpProblem p;
        p.n = 1;
        p.fixed_step = 1;
        p.rhs = [](double, std::span<const double> x, std::span<double> dx) {
            dx[0] = -100 * x[0];
            return 0;
        };
        auto integrator = make_integrator(parse_solver(method).value(), p);
        integrator->start(0, std::array{1.0});
        ASSERT_EQ(run(*integrator, 1000).status, StepStatus::Failed);
        EXPECT_NE(integrator->failure_reason().find("unstable"), std::string::npos);
        EXPECT_EQ(integrator->limiting_state(), 0u);
        // A logarithm that leaves its domain is another matter.
        p.rhs = [](double, std::span<const double> x, std::span<double> dx) {
            dx[0] = -1 - 0 * std::log(x[0]);
            return 0;
        };
        integrator = make_integrator(parse_solver(method).value(), p);
        integrator->start(0, std::array{5.5});
        ASSERT_EQ(run(*integrator, 1000).status, StepStatus::Failed);
        EXPECT_EQ(integrator->failure_reason().find("unstable"), std::string::npos);
    }
}

}  // namespace
}  // namespace cutset
