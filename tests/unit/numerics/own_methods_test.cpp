// The integration methods that are our own: order, dense output, step control, fixed steps.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "numerics/integrators/integrator.h"
#include "run_integrator.h"

namespace cutset {
namespace {

// x' = -x cos t + ... with the solution x = exp(-sin t); not linear in t, so that every order shows.
IvpProblem smooth() {
    IvpProblem p;
    p.n = 2;
    p.rhs = [](double t, std::span<const double> x, std::span<double> dx) {
        dx[0] = -x[0] * std::cos(t);
        dx[1] = x[1] * x[1] * (-std::sin(t)) / 4;  // x[1] = 1 / (2 - cos(t) / 4) with x[1](0) = 4/7
        return 0;
    };
    return p;
}
constexpr std::array<double, 2> smooth_start{1, 4.0 / 7};
std::array<double, 2> smooth_solution(double t) {
    return {std::exp(-std::sin(t)), 1 / (2 - std::cos(t) / 4)};
}

IvpProblem harmonic_oscillator(double tolerance = 1e-8) {
    IvpProblem p;
    p.n = 2;
    p.rhs = [](double, std::span<const double> x, std::span<double> dx) {
        dx[0] = x[1];
        dx[1] = -x[0];
        return 0;
    };
    p.relative_tolerance = tolerance;
    p.absolute_tolerance = {tolerance};
    return p;
}

struct Errors {
    double at_end = 0, inside = 0;
};
Errors errors_of(const char* method, double step) {
    IvpProblem p = smooth();
    p.fixed_step = step;
    auto integrator = make_integrator(parse_solver(method).value(), p);
    integrator->start(0, smooth_start);
    Errors errors;
    std::array<double, 2> x{};
    while (integrator->time() < 3) {
        const StepResult result = integrator->step(3);
        EXPECT_EQ(result.status, StepStatus::Ok);
        for (double part : {0.21, 0.5, 0.83}) {
            const double t = std::lerp(result.from, result.time, part);
            integrator->interpolate(t, x);
            for (int i = 0; i < 2; ++i)
                errors.inside = std::max(errors.inside, std::abs(x[i] - smooth_solution(t)[i]));
        }
    }
    for (int i = 0; i < 2; ++i)
        errors.at_end = std::max(errors.at_end, std::abs(integrator->state()[i] - smooth_solution(3)[i]));
    return errors;
}

TEST(FixedStep, OrderOfConvergence) {
    for (auto [method, order, inside] : {std::tuple{"euler", 1.0, 1.0}, std::tuple{"rk4", 4.0, 4.0}}) {
        const Errors coarse = errors_of(method, 0.05), fine = errors_of(method, 0.025);
        EXPECT_NEAR(std::log2(coarse.at_end / fine.at_end), order, 0.25) << method;
        EXPECT_NEAR(std::log2(coarse.inside / fine.inside), inside, 0.4) << method;
    }
}

TEST(FixedStep, StepsLieOnTheGridAlsoAfterAnEvent) {
    for (const char* method : {"euler", "rk4"}) {
        IvpProblem p = harmonic_oscillator();
        p.fixed_step = 0.1;
        p.max_step = 0.01;  // the step is given: this bounds nothing
        p.roots = 1;
        p.root_functions = [](double t, std::span<const double>, std::span<double> g) {
            g[0] = t - 0.55;
            return 0;
        };
        auto integrator = make_integrator(parse_solver(method).value(), p);
        integrator->start(0, std::array{1.0, 0.0});
        std::vector<double> times;
        while (integrator->time() < 1) {
            const StepResult result = integrator->step(1);
            if (result.status == StepStatus::Root) {
                EXPECT_NEAR(result.time, 0.55, 1e-14);
                std::vector<double> x(integrator->state().begin(), integrator->state().end());
                integrator->start(result.time, x, integrator->last_step());
            } else {
                ASSERT_EQ(result.status, StepStatus::Ok);
                times.push_back(result.time);
            }
        }
        ASSERT_EQ(times.size(), 10u) << method;
        for (int k = 0; k < 10; ++k) EXPECT_NEAR(times[k], 0.1 * (k + 1), 1e-14);
        EXPECT_EQ(times.back(), 1);
    }
}

TEST(FixedStep, StopTimesBetweenTheStepsAreReached) {
    IvpProblem p = harmonic_oscillator();
    p.fixed_step = 0.01;
    auto integrator = make_integrator(Solver::Rk4, p);
    integrator->start(0, std::array{1.0, 0.0});
    for (double t : {0.005, 0.0123, 0.5, 0.5 + 1e-16, 1.0 / 3 + 0.2}) {
        ASSERT_EQ(run(*integrator, t).status, StepStatus::Ok);
        EXPECT_EQ(integrator->time(), std::max(t, 0.5 * (t > 0.4)));
        EXPECT_NEAR(integrator->state()[0], std::cos(t), 1e-9);
    }
}

TEST(FixedStep, WithoutAStepSizeThereIsADefault) {
    auto integrator = make_integrator(Solver::Rk4, harmonic_oscillator());
    integrator->start(0, std::array{1.0, 0.0});
    ASSERT_EQ(run(*integrator, 2).status, StepStatus::Ok);
    EXPECT_EQ(integrator->statistics().steps, 1000);
}

TEST(FixedStep, TolerancesHaveNoMeaning) {
    IvpProblem p = harmonic_oscillator(0);
    p.fixed_step = 0.01;
    auto integrator = make_integrator(Solver::Rk4, p);
    integrator->start(0, std::array{1.0, 0.0});
    ASSERT_EQ(run(*integrator, 1).status, StepStatus::Ok) << integrator->failure_reason();
    EXPECT_NEAR(integrator->state()[0], std::cos(1.0), 1e-9);
}

TEST(FixedStep, ValuesThatAreNotFiniteFailWithAdvice) {
    IvpProblem p;
    p.n = 1;
    p.fixed_step = 0.3;
    p.rhs = [](double, std::span<const double> x, std::span<double> dx) {
        dx[0] = -1 + 0 * std::sqrt(x[0]);
        return 0;
    };
    auto integrator = make_integrator(Solver::Euler, p);
    integrator->start(0, std::array{1.0});
    const StepResult result = run(*integrator, 3);
    ASSERT_EQ(result.status, StepStatus::Failed);
    EXPECT_NEAR(result.time, 0.9, 1e-12);
    EXPECT_NE(integrator->failure_reason().find("the step size is fixed"), std::string::npos);
    EXPECT_EQ(integrator->limiting_state(), 0u);
}

// The error per work: with local errors held at tol and the error of a step proportional to h^(p+1), the
// number of steps grows as tol^(-1/(p+1)).
TEST(VariableStep, WorkGrowsAsTheOrderSays) {
    for (auto [method, k] : {std::pair{"dopri", 5.0}, std::pair{"hamming", 5.0}}) {
        std::array<double, 2> steps{}, errors{};
        for (int i = 0; i < 2; ++i) {
            const double tolerance = i == 0 ? 1e-6 : 1e-11;
            auto integrator = make_integrator(parse_solver(method).value(), harmonic_oscillator(tolerance));
            integrator->start(0, std::array{1.0, 0.0});
            ASSERT_EQ(run(*integrator, 50).status, StepStatus::Ok) << method;
            steps[i] = double(integrator->statistics().steps);
            errors[i] = std::abs(integrator->state()[0] - std::cos(50.0));
            EXPECT_LT(errors[i], 1000 * tolerance) << method;
        }
        EXPECT_NEAR(std::log10(steps[1] / steps[0]), 5 / k, 0.25) << method;
        EXPECT_LT(errors[1], 1e-3 * errors[0]) << method;
    }
}

TEST(VariableStep, DenseOutputIsAsGoodAsTheTolerance) {
    for (const char* method : {"dopri", "hamming"}) {
        for (double tolerance : {1e-5, 1e-9}) {
            auto integrator = make_integrator(parse_solver(method).value(), harmonic_oscillator(tolerance));
            integrator->start(0, std::array{1.0, 0.0});
            std::array<double, 2> x{}, dx{};
            while (integrator->time() < 6) {
                const StepResult result = integrator->step(6);
                for (double part : {0.0, 0.1, 0.35, 0.5, 0.8, 1.0}) {
                    const double t = std::lerp(result.from, result.time, part);
                    integrator->interpolate(t, x, dx);
                    EXPECT_NEAR(x[0], std::cos(t), 100 * tolerance) << method;
                    EXPECT_NEAR(dx[0], -std::sin(t), 1000 * tolerance) << method;
                }
            }
        }
    }
}

class AllMethods : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, AllMethods,
                         testing::Values("bdf", "cvode", "dopri", "radau", "hamming", "rk4", "euler", "auto"),
                         [](const auto& info) { return std::string(info.param); });

// Those that look for roots inside their steps too; cvode sees the ends of steps only, as integrator.h says.
class MethodsThatLookInside : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, MethodsThatLookInside,
                         testing::Values("dopri", "radau", "hamming", "rk4", "euler", "auto"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(AllMethods, InterpolationDoesNotDisturbTheSteps) {
    std::array<std::vector<double>, 2> runs;
    for (int k = 0; k < 2; ++k) {
        auto integrator = make_integrator(parse_solver(GetParam()).value(), smooth());
        integrator->start(0, smooth_start);
        std::array<double, 2> x{}, dx{};
        while (integrator->time() < 3) {
            const StepResult result = integrator->step(3);
            if (k == 1)
                for (double part : {0.9, 0.1, 1.0, 0.0})
                    integrator->interpolate(std::lerp(result.from, result.time, part), x, dx);
            runs[k].insert(runs[k].end(), {result.time, integrator->state()[0], integrator->state()[1]});
        }
    }
    EXPECT_EQ(runs[0], runs[1]);
}

// Roots inside one step are all found, one after the other, without a restart.
TEST_P(AllMethods, SeveralRootsInOneStep) {
    IvpProblem p;
    p.n = 1;
    p.rhs = [](double, std::span<const double>, std::span<double> dx) {
        dx[0] = 1;
        return 0;
    };
    p.fixed_step = 0.5;
    p.roots = 3;
    p.root_functions = [](double, std::span<const double> x, std::span<double> g) {
        for (int i = 0; i < 3; ++i) g[i] = 0.71 + 0.01 * i - x[0];
        return 0;
    };
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    integrator->start(0, std::array{0.0});
    std::vector<double> found;
    while (integrator->time() < 2) {
        const StepResult result = integrator->step(2);
        ASSERT_NE(result.status, StepStatus::Failed);
        EXPECT_NEAR(integrator->state()[0], result.time, 1e-9);
        if (result.status == StepStatus::Root) {
            EXPECT_EQ(result.roots[found.size()], -1);
            found.push_back(result.time);
        }
    }
    ASSERT_EQ(found.size(), 3u);
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(found[i], 0.71 + 0.01 * i, 1e-9);
    EXPECT_EQ(integrator->statistics().restarts, 1);
}

// A ball that leaves the floor again with a long first step: the impact inside it is seen.
TEST_P(AllMethods, RootSoonAfterARestart) {
    IvpProblem p;
    p.n = 2;
    p.rhs = [](double, std::span<const double> x, std::span<double> dx) {
        dx[0] = x[1];
        dx[1] = -1;
        return 0;
    };
    p.fixed_step = 1e-3;
    p.roots = 1;
    p.root_functions = [](double, std::span<const double> x, std::span<double> g) {
        g[0] = x[0];
        return 0;
    };
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    integrator->start(0, std::array{0.0, 0.1}, 1.0);
    StepResult result;
    do result = integrator->step(10);
    while (result.status == StepStatus::Ok && result.time < 10);
    ASSERT_EQ(result.status, StepStatus::Root);
    EXPECT_NEAR(result.time, 0.2, 2e-3);
}

// At the time returned the function has its new sign, also where it could be exactly zero a little before.
TEST(OwnMethods, RootsLieBeyondTheCrossing) {
    for (const char* method : {"dopri", "radau", "hamming", "rk4"}) {
        IvpProblem p;
        p.n = 1;
        p.rhs = [](double, std::span<const double>, std::span<double> dx) {
            dx[0] = 1;
            return 0;
        };
        p.fixed_step = 0.3;
        p.max_step = 0.3;
        p.roots = 1;
        p.root_functions = [](double, std::span<const double> x, std::span<double> g) {
            g[0] = std::round((x[0] - 0.5) * 0x1p50);  // zero in a neighbourhood of a few units
            return 0;
        };
        auto integrator = make_integrator(parse_solver(method).value(), p);
        integrator->start(0, std::array{0.0});
        StepResult result;
        do result = integrator->step(2);
        while (result.status == StepStatus::Ok && result.time < 2);
        ASSERT_EQ(result.status, StepStatus::Root) << method;
        EXPECT_NEAR(result.time, 0.5, 1e-13) << method;
        EXPECT_GT(integrator->state()[0], 0.5) << method;
    }
}

// Impacts that pile up, each flight 0.8 times as long as the one before: none is passed over, down to flights
// much shorter than any step before.
TEST_P(MethodsThatLookInside, EventsThatPileUp) {
    IvpProblem p;
    p.n = 2;
    p.rhs = [](double, std::span<const double> x, std::span<double> dx) {
        dx[0] = x[1];
        dx[1] = -10;
        return 0;
    };
    p.fixed_step = 1e-2;
    p.max_step = 0.02;
    p.roots = 1;
    p.root_functions = [](double, std::span<const double> x, std::span<double> g) {
        g[0] = x[0];
        return 0;
    };
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    integrator->start(0, std::array{0.0, 1.0});
    double speed = 1, longest_step = 0;
    for (int bounce = 0; bounce < 60; ++bounce) {
        StepResult result;
        do {
            result = integrator->step(10);
            longest_step = std::max(longest_step, integrator->last_step());
            ASSERT_NE(result.status, StepStatus::Failed);
            ASSERT_LT(result.time, 2) << "fell through at bounce " << bounce;
        } while (result.status == StepStatus::Ok || result.roots[0] > 0);
        speed *= 0.8;
        // On the far side of the floor, as after an event.
        integrator->start(result.time, std::array{std::min(integrator->state()[0], 0.0), speed},
                          longest_step);
    }
}

// The PID control loop of Gustafsson's test (parameters of the example): one fast real eigenvalue, -43, whose
// mode dies out soon and leaves the step to be limited by stability.
IvpProblem control_loop(StepControl control) {
    IvpProblem p;
    p.n = 6;
    p.rhs = [](double, std::span<const double> x, std::span<double> dx) {
        const double K = 0.87, Ti = 2.7, Td = 0.69, N = 30;
        const double e = 1 - x[5];
        const double u = K * (e + x[0] + N * (e - x[1]));
        dx[0] = e / Ti;
        dx[1] = (e - x[1]) * N / Td;
        dx[2] = u - x[2];
        for (int i = 3; i < 6; ++i) dx[i] = x[i - 1] - x[i];
        return 0;
    };
    p.relative_tolerance = 1e-2;
    p.absolute_tolerance = {1e-2};
    p.step_control = control;
    return p;
}

TEST(StepControl, GustafssonsControllerIsSmooth) {
    struct Run {
        std::vector<TriedStep> steps;
        long rejected = 0, evaluations = 0;
        double roughness = 0;  // mean change of log h late in the run
    };
    std::array<Run, 2> runs;
    for (StepControl control : {StepControl::Gustafsson, StepControl::Standard}) {
        Run& r = runs[control == StepControl::Standard];
        IvpProblem p = control_loop(control);
        p.tried_step = [&](const TriedStep& s) { r.steps.push_back(s); };
        auto integrator = make_integrator(Solver::Dopri, p);
        integrator->start(0, std::vector<double>(6, 0.0));
        ASSERT_EQ(run(*integrator, 30).status, StepStatus::Ok);
        r.rejected = integrator->statistics().error_test_failures;
        r.evaluations = integrator->statistics().rhs_evaluations;
        int n = 0;
        for (std::size_t k = 1; k < r.steps.size(); ++k)
            if (r.steps[k].time > 5 && r.steps[k].time < 29) {
                r.roughness += std::abs(std::log(r.steps[k].size / r.steps[k - 1].size));
                ++n;
            }
        r.roughness /= n;
        EXPECT_EQ(long(r.steps.size()), integrator->statistics().steps + r.rejected);
    }
    const Run &pi = runs[0], &standard = runs[1];
    EXPECT_LT(10 * pi.rejected, standard.rejected) << pi.rejected << " " << standard.rejected;
    EXPECT_LT(pi.evaluations, 0.95 * standard.evaluations) << pi.evaluations << " " << standard.evaluations;
    EXPECT_LT(5 * pi.roughness, standard.roughness) << pi.roughness << " " << standard.roughness;
}

}  // namespace
}  // namespace cutset
