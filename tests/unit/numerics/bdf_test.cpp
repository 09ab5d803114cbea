#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "numerics/integrators/integrator.h"
#include "numerics/integrators/nordsieck.h"

namespace cutset {
namespace {

// x(t) = 1 + 2t - 3t² + t³ and its derivative, as a history of unequal steps would know them.
double cubic(double t) {
    return 1 + t * (2 + t * (-3 + t));
}
double cubic_slope(double t) {
    return 2 + t * (-6 + 3 * t);
}

TEST(Nordsieck, PredictsItsPolynomial) {
    Nordsieck past(1);
    past.begin(std::array{cubic(0)}, std::array{cubic_slope(0)}, 0.5);
    past.predict(0.25);
    EXPECT_DOUBLE_EQ(past.predicted(0)[0], 1 + 0.25 * 2);
    EXPECT_DOUBLE_EQ(past.predicted(1)[0], 0.25 * 2);
    // Nothing of the past has changed.
    EXPECT_EQ(past.step(), 0.5);
    EXPECT_EQ(past.column(1)[0], 1);
}

TEST(Nordsieck, InterpolatesStateAndSlope) {
    Nordsieck past(2);
    past.begin(std::array{1.0, 5.0}, std::array{2.0, -1.0}, 0.1);
    past.predict(0.1);
    const std::array<double, 2> correction{};
    past.take(0.1, std::array{1.0, 1.0}, correction);
    std::vector<double> x(2), dx(2);
    past.at(-0.5, x, dx);
    EXPECT_NEAR(x[0], 1.1, 1e-15);
    EXPECT_NEAR(x[1], 4.95, 1e-15);
    EXPECT_NEAR(dx[0], 2, 1e-14);
    EXPECT_NEAR(dx[1], -1, 1e-14);
    EXPECT_EQ(past.past_steps()[0], 0.1);
}

// A step that is taken is worked in by the next prediction as by looking at it; pieces are seen in order.
TEST(Nordsieck, WorksStepsInWhenItPredicts) {
    const std::size_t n = 601;
    std::vector<double> x(n), slope(n), correction(n);
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = std::sin(1.0 * static_cast<double>(i));
        slope[i] = std::cos(2.0 * static_cast<double>(i));
        correction[i] = 0.01 * std::sin(3.0 * static_cast<double>(i));
    }
    const std::array l{1.0, 1.3, 0.7, 0.2};
    Nordsieck looked(n), lazy(n);
    for (Nordsieck* past : {&looked, &lazy}) {
        past->begin(x, slope, 0.1);
        past->predict(0.1);
        past->take(0.1, l, correction);
        past->raise(correction);
        past->predict(0.2);
        past->take(0.2, l, correction);
        past->raise(correction);
    }
    for (double h : {0.2, 0.3, 0.25}) {
        std::size_t seen = 0;
        std::vector<double> states(n);
        looked.predict(h);
        lazy.predict(h, [&](std::size_t begin, std::span<const double> piece) {
            EXPECT_EQ(begin, seen);
            seen += piece.size();
            std::copy(piece.begin(), piece.end(), states.begin() + static_cast<std::ptrdiff_t>(begin));
        });
        EXPECT_EQ(seen, n);
        for (std::size_t i = 0; i < n; ++i) {
            ASSERT_EQ(states[i], looked.column(0)[i]);
            for (int j = 0; j <= 1; ++j) ASSERT_EQ(lazy.predicted(j)[i], looked.predicted(j)[i]);
            // What it should be: Taylor's formula over the columns before.
            const double ratio = h / looked.step();
            double value = 0;
            for (int j = 3; j >= 0; --j) value = looked.column(j)[i] + ratio * value;
            ASSERT_NEAR(looked.predicted(0)[i], value, 1e-14);
        }
        for (Nordsieck* past : {&looked, &lazy}) past->take(h, l, correction);
        std::vector<double> last(n);
        lazy.copy_last_column(last);
        for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(last[i], looked.column(3)[i]);
    }
}

// Raising and lowering the order are inverse to each other: the added term vanishes at the past points.
TEST(Nordsieck, LoweringUndoesRaising) {
    Nordsieck past(1);
    past.begin(std::array{1.0}, std::array{2.0}, 0.3);
    for (double h : {0.3, 0.2, 0.4}) {
        const std::array correction{0.01 * h};
        past.predict(h);
        past.take(h, std::array{1.0, 1.0}, correction);
        EXPECT_EQ(past.order(), 1);
        past.column(0);  // works the step in
    }
    past.raise(std::array{0.02});
    ASSERT_EQ(past.order(), 2);
    std::vector<double> before;
    for (int j = 0; j <= 2; ++j) before.push_back(past.column(j)[0]);
    past.raise(std::array{0.05});
    ASSERT_EQ(past.order(), 3);
    past.lower();
    ASSERT_EQ(past.order(), 2);
    for (int j = 0; j <= 2; ++j)
        EXPECT_NEAR(past.column(j)[0], before[static_cast<std::size_t>(j)], 1e-14) << j;
}

struct Steps {
    std::vector<double> times;
    std::vector<double> end;
    IntegratorStatistics statistics;
};

Steps steps_of(std::string_view method, const IvpProblem& problem, std::vector<double> x, double t_end,
               double first_step) {
    auto integrator = make_integrator(parse_solver(method).value(), problem);
    integrator->start(0, x, first_step);
    Steps steps;
    while (integrator->time() < t_end) {
        const StepResult result = integrator->step(t_end);
        EXPECT_EQ(result.status, StepStatus::Ok);
        if (result.status != StepStatus::Ok) break;
        steps.times.push_back(result.time);
    }
    steps.end.assign(integrator->state().begin(), integrator->state().end());
    steps.statistics = integrator->statistics();
    return steps;
}

// The strategy is that of CVODE: from the same first step both take the same steps.
void expect_same_steps(const IvpProblem& problem, const std::vector<double>& x, double t_end,
                       double first_step, double closeness) {
    const Steps ours = steps_of("bdf", problem, x, t_end, first_step);
    const Steps theirs = steps_of("cvode", problem, x, t_end, first_step);
    ASSERT_EQ(ours.times.size(), theirs.times.size());
    for (std::size_t i = 0; i < ours.times.size(); ++i)
        ASSERT_NEAR(ours.times[i], theirs.times[i], closeness * theirs.times[i]) << i;
    EXPECT_EQ(ours.statistics.jacobians, theirs.statistics.jacobians);
    EXPECT_EQ(ours.statistics.error_test_failures, theirs.statistics.error_test_failures);
    EXPECT_EQ(ours.statistics.last_order, theirs.statistics.last_order);
    for (std::size_t i = 0; i < x.size(); ++i)
        EXPECT_NEAR(ours.end[i], theirs.end[i], 1e-7 * (1 + std::abs(theirs.end[i])));
}

TEST(Bdf, TakesTheStepsOfCvodeOnAStiffLinearProblem) {
    IvpProblem p;
    p.n = 2;
    p.rhs = [](double t, std::span<const double> x, std::span<double> dx) {
        dx[0] = -x[0] + x[1];
        dx[1] = -1000 * (x[1] - std::sin(t));
        return 0;
    };
    expect_same_steps(p, {1, 0}, 10, 1e-5, 1e-6);
}

TEST(Bdf, TakesAboutTheStepsOfCvodeOnRobertsonsProblem) {
    IvpProblem p;
    p.n = 3;
    p.relative_tolerance = 1e-5;
    p.absolute_tolerance = {1e-8, 1e-12, 1e-8};
    p.rhs = [](double, std::span<const double> x, std::span<double> dx) {
        dx[0] = -0.04 * x[0] + 1e4 * x[1] * x[2];
        dx[2] = 3e7 * x[1] * x[1];
        dx[1] = -dx[0] - dx[2];
        return 0;
    };
    // Not the same: corrections by an old matrix are looked at more closely.
    const Steps ours = steps_of("bdf", p, {1, 0, 0}, 10, 1e-6);
    const Steps theirs = steps_of("cvode", p, {1, 0, 0}, 10, 1e-6);
    EXPECT_NEAR(double(ours.times.size()), double(theirs.times.size()), 0.1 * double(theirs.times.size()));
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(ours.end[i], theirs.end[i], 5e-5 * theirs.end[i]);
}

// An inductor before a diode that blocks: with the matrix from then every correction is short. A step in
// which the current stays where it is although the voltage drives it must not be taken.
class BeforeADiode : public testing::TestWithParam<std::tuple<const char*, double>> {};
TEST_P(BeforeADiode, TheCurrentBeginsInTime) {
    const auto [method, tolerance] = GetParam();
    IvpProblem p;
    p.n = 1;
    p.relative_tolerance = tolerance;
    p.absolute_tolerance = {tolerance};
    p.max_step = 0.01;
    p.rhs = [](double t, std::span<const double> i, std::span<double> slope) {
        slope[0] = (10 * std::sin(1.2566370614359172 * t) - 0.025 * std::asinh(i[0] / 2e-12)) / 1.19;
        return 0;
    };
    auto integrator = make_integrator(parse_solver(method).value(), p);
    integrator->start(0, std::array{0.0});
    while (integrator->time() < 1) ASSERT_EQ(integrator->step(1).status, StepStatus::Ok);
    EXPECT_NEAR(integrator->state()[0], 4.0654228, 400 * tolerance);
}
INSTANTIATE_TEST_SUITE_P(Methods, BeforeADiode,
                         testing::Combine(testing::Values("bdf", "radau"),
                                          testing::Values(1e-5, 1e-7, 1e-9)));

// A step that was cut short by a stop time does not spoil what is known: it grows again by tenfold at most.
TEST(Bdf, GoesOnAfterStopTimesThatAreVeryNear) {
    IvpProblem p;
    p.n = 1;
    p.relative_tolerance = 1e-8;
    p.absolute_tolerance = {1e-8};
    p.rhs = [](double t, std::span<const double> x, std::span<double> dx) {
        dx[0] = -50 * (x[0] - std::cos(t));
        return 0;
    };
    auto integrator = make_integrator(Solver::Bdf, p);
    integrator->start(0, std::array{0.0});
    for (double stop = 0.5; stop < 10; stop += 0.5) {
        for (double t : {stop - 1e-9, stop})
            while (integrator->time() < t) ASSERT_EQ(integrator->step(t).status, StepStatus::Ok);
        const double exact = (2500 * std::cos(stop) + 50 * std::sin(stop)) / 2501;
        EXPECT_NEAR(integrator->state()[0], exact, 1e-6) << stop;
    }
}

}  // namespace
}  // namespace cutset
