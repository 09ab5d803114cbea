// Integrators with a sparse Jacobian, with and without intermediate quantities.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "numerics/integrators/integrator.h"

namespace cutset {
namespace {

StepResult run_to(Integrator& integrator, double t_end) {
    StepResult result;
    while (integrator.time() < t_end) {
        result = integrator.step(t_end);
        if (result.status != StepStatus::Ok) break;
    }
    return result;
}

// Heat conduction in a rod of n parts, ends at zero:  x_i' = n^2 (q_i - q_i+1),  q_i = x_i-1 - x_i. With
// intermediates the flows q are unknowns: 0 = q_i - x_i-1 + x_i.
struct Rod {
    std::size_t n;
    int evaluations = 0;

    IvpProblem problem(bool intermediates) {
        IvpProblem p;
        p.n = n;
        p.relative_tolerance = 1e-8;
        p.absolute_tolerance = {1e-8};
        const double c = static_cast<double>(n * n);
        p.rhs = [c](double, std::span<const double> x, std::span<double> dx) {
            for (std::size_t i = 0; i < x.size(); ++i)
                dx[i] = c * ((i > 0 ? x[i - 1] : 0) - 2 * x[i] + (i + 1 < x.size() ? x[i + 1] : 0));
            return 0;
        };
        IvpJacobian j;
        const auto size = static_cast<std::int64_t>(n);
        std::vector<double> values;
        const auto add = [&](std::int64_t row, double value) {
            if (row < 0) return;
            j.pattern.row.push_back(row);
            values.push_back(value);
        };
        const auto end_column = [&] { j.pattern.starts.push_back(static_cast<std::int64_t>(values.size())); };
        j.pattern.starts.push_back(0);
        if (!intermediates) {
            j.pattern.rows = j.pattern.columns = n;
            for (std::int64_t i = 0; i < size; ++i) {
                add(i - 1, c);
                add(i, -2 * c);
                if (i + 1 < size) add(i + 1, c);
                end_column();
            }
        } else {
            j.intermediates = n + 1;
            j.pattern.rows = j.pattern.columns = 2 * n + 1;
            for (std::int64_t i = 0; i < size; ++i) {  // x_i stands in q_i and q_i+1
                add(size + i, 1);
                add(size + i + 1, -1);
                end_column();
            }
            for (std::int64_t i = 0; i <= size; ++i) {  // q_i in x_i-1' and x_i'
                add(i - 1, -c);
                if (i < size) add(i, c);
                add(size + i, 1);
                end_column();
            }
        }
        j.evaluate = [values, this](double, std::span<const double>, std::span<const double>,
                                    std::span<double> v) {
            ++evaluations;
            std::copy(values.begin(), values.end(), v.begin());
            return 0;
        };
        p.jacobian = j;
        return p;
    }
    std::vector<double> start() const {
        std::vector<double> x(n);
        for (std::size_t i = 0; i < n; ++i) x[i] = std::sin(shape(i));
        return x;
    }
    double shape(std::size_t i) const {
        return std::numbers::pi * static_cast<double>(i + 1) / static_cast<double>(n + 1);
    }
    // The first mode decays with -4 n^2 sin^2(pi / (2 (n + 1))).
    double exact(std::size_t i, double t) const {
        const double s = std::sin(std::numbers::pi / static_cast<double>(2 * n + 2));
        return std::exp(-4 * static_cast<double>(n * n) * s * s * t) * std::sin(shape(i));
    }
};

class SparseJacobian : public testing::TestWithParam<std::string_view> {};
INSTANTIATE_TEST_SUITE_P(Methods, SparseJacobian, testing::Values("bdf", "cvode", "ida", "radau", "auto"),
                         [](const auto& info) { return std::string(info.param); });

// Small enough for dense matrices, and not.
TEST_P(SparseJacobian, Rod) {
    for (std::size_t n : {1, 5, 30, 200}) {
        for (bool intermediates : {false, true}) {
            Rod rod{n};
            auto integrator = make_integrator(parse_solver(GetParam()).value(), rod.problem(intermediates));
            integrator->start(0, rod.start());
            ASSERT_EQ(run_to(*integrator, 0.1).status, StepStatus::Ok) << n << intermediates;
            for (std::size_t i = 0; i < n; ++i)
                EXPECT_NEAR(integrator->state()[i], rod.exact(i, 0.1), 2e-6) << n << intermediates;
            const IntegratorStatistics statistics = integrator->statistics();
            if (GetParam() != "auto" || n >= 30) {  // small rods are not stiff
                EXPECT_GT(rod.evaluations, 0);
            }
            EXPECT_EQ(statistics.jacobians, rod.evaluations);
            // No difference quotients: a few evaluations for each step.
            EXPECT_LT(statistics.rhs_evaluations, 15 * statistics.steps + 200);
        }
    }
}

// The steps of full and augmented matrices are the same but for rounding.
TEST_P(SparseJacobian, IntermediatesChangeNothing) {
    Rod plain{120}, augmented{120};
    auto a = make_integrator(parse_solver(GetParam()).value(), plain.problem(false));
    auto b = make_integrator(parse_solver(GetParam()).value(), augmented.problem(true));
    a->start(0, plain.start());
    b->start(0, plain.start());
    run_to(*a, 0.1);
    run_to(*b, 0.1);
    EXPECT_EQ(a->statistics().steps, b->statistics().steps);
    for (std::size_t i = 0; i < 120; ++i) EXPECT_NEAR(a->state()[i], b->state()[i], 1e-10);
}

TEST_P(SparseJacobian, StartKeepsTheAnalysis) {
    Rod rod{100};
    auto integrator = make_integrator(parse_solver(GetParam()).value(), rod.problem(true));
    integrator->start(0, rod.start());
    ASSERT_EQ(run_to(*integrator, 0.02).status, StepStatus::Ok);
    const IntegratorStatistics before = integrator->statistics();
    EXPECT_GE(before.symbolic_analyses, 1);
    for (int k = 1; k <= 20; ++k) {
        integrator->start(integrator->time(), integrator->state(), integrator->last_step());
        ASSERT_EQ(run_to(*integrator, 0.02 + 0.002 * k).status, StepStatus::Ok);
    }
    const IntegratorStatistics after = integrator->statistics();
    EXPECT_EQ(after.symbolic_analyses, before.symbolic_analyses);
    EXPECT_GT(after.factorizations, before.factorizations);
}

TEST_P(SparseJacobian, ConstantIsEvaluatedOncePerStart) {
    for (std::size_t n : {20, 100}) {
        Rod rod{n};
        IvpProblem p = rod.problem(true);
        p.jacobian->constant = true;
        auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
        integrator->start(0, rod.start());
        ASSERT_EQ(run_to(*integrator, 0.05).status, StepStatus::Ok);
        // auto has one for its measure of stiffness, and may change its method
        const int once = GetParam() == "auto" ? rod.evaluations : 1;
        EXPECT_EQ(rod.evaluations, once);
        EXPECT_LE(rod.evaluations, 4);
        integrator->start(0.05, integrator->state(), integrator->last_step());
        ASSERT_EQ(run_to(*integrator, 0.1).status, StepStatus::Ok);
        EXPECT_LE(rod.evaluations, 2 * once);
        if (GetParam() != "auto" || n >= 30) {
            EXPECT_GT(rod.evaluations, once);
        }
        for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(integrator->state()[i], rod.exact(i, 0.1), 2e-6);
    }
}

// x' = -1e6 z, 0 = e (z - x): where e is zero, the intermediate is not determined and the step is shortened
// until the run fails; an element that is not finite likewise.
TEST_P(SparseJacobian, SingularIntermediatesAreAFailure) {
    for (double e : {0.0, std::numeric_limits<double>::quiet_NaN()}) {
        for (std::size_t copies : {1, 60}) {
            IvpProblem p;
            p.n = copies;
            p.rhs = [](double, std::span<const double> x, std::span<double> dx) {
                for (std::size_t i = 0; i < x.size(); ++i) dx[i] = -1e6 * (x[i] - 1);
                return 0;
            };
            IvpJacobian j;
            j.intermediates = copies;
            j.pattern = {2 * copies, 2 * copies, {0}, {}};
            const auto n = static_cast<std::int64_t>(copies);
            for (std::int64_t i = 0; i < n; ++i) {
                j.pattern.row.push_back(n + i);
                j.pattern.starts.push_back(i + 1);
            }
            for (std::int64_t i = 0; i < n; ++i) {
                j.pattern.row.insert(j.pattern.row.end(), {i, n + i});
                j.pattern.starts.push_back(n + 2 * (i + 1));
            }
            j.evaluate = [e, copies](double, std::span<const double>, std::span<const double>,
                                     std::span<double> v) {
                for (std::size_t i = 0; i < copies; ++i) {
                    v[i] = -e;
                    v[copies + 2 * i] = -1e6;
                    v[copies + 2 * i + 1] = e;
                }
                return 0;
            };
            p.jacobian = j;
            auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
            integrator->start(0, std::vector<double>(copies, 0.0));
            StepResult result = run_to(*integrator, 10);
            EXPECT_EQ(result.status, StepStatus::Failed) << e << ' ' << copies;
            EXPECT_FALSE(integrator->failure_reason().empty());
        }
    }
}

// For a while f is another function than the matrix knows; difference quotients stand in, and the sparse
// matrix serves again afterwards.
TEST_P(SparseJacobian, Incomplete) {
    Rod rod{60};
    IvpProblem p = rod.problem(true);
    bool complete = false;
    const auto good = p.jacobian->evaluate;
    p.jacobian->evaluate = [&, good](double t, std::span<const double> x, std::span<const double> fx,
                                     std::span<double> values) {
        EXPECT_TRUE(complete);
        return good(t, x, fx, values);
    };
    p.jacobian->valid = [&] { return complete; };
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    integrator->start(0, rod.start());
    ASSERT_EQ(run_to(*integrator, 0.05).status, StepStatus::Ok);
    EXPECT_GT(integrator->statistics().rhs_evaluations, 60);
    EXPECT_EQ(rod.evaluations, 0);
    complete = true;
    integrator->start(0.05, integrator->state(), integrator->last_step());
    ASSERT_EQ(run_to(*integrator, 0.1).status, StepStatus::Ok);
    EXPECT_GT(rod.evaluations, 0);
    for (std::size_t i = 0; i < 60; ++i) EXPECT_NEAR(integrator->state()[i], rod.exact(i, 0.1), 2e-6);
}

TEST_P(SparseJacobian, TimesOnRequest) {
    for (bool wanted : {false, true}) {
        Rod rod{200};
        IvpProblem p = rod.problem(true);
        p.measure_times = wanted;
        auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
        integrator->start(0, rod.start());
        ASSERT_EQ(run_to(*integrator, 0.1).status, StepStatus::Ok);
        const IntegratorStatistics s = integrator->statistics();
        EXPECT_EQ(s.jacobian_seconds > 0, wanted);
        EXPECT_EQ(s.factor_seconds > 0, wanted);
        EXPECT_EQ(s.solve_seconds > 0, wanted);
        EXPECT_LT(s.solve_seconds, 60);
    }
}

TEST_P(SparseJacobian, ExceptionsComeOut) {
    Rod rod{50};
    IvpProblem p = rod.problem(false);
    p.jacobian->evaluate = [](double, std::span<const double>, std::span<const double>,
                              std::span<double>) -> int { throw std::string("here"); };
    auto integrator = make_integrator(parse_solver(GetParam()).value(), p);
    integrator->start(0, rod.start());
    EXPECT_THROW(run_to(*integrator, 1), std::string);
}

// A pendulum as a DAE of index 1 in the angle, with the acceleration as algebraic unknown a and the force s
// as an intermediate:  phi' = w, w' = a, 0 = a + s, 0 = s - sin(phi).
TEST(SparseJacobianOfIda, AlgebraicUnknownsAndIntermediates) {
    for (std::size_t copies : {1, 40}) {
        IvpProblem p;
        p.n = 3 * copies;
        p.algebraic = copies;
        p.relative_tolerance = 1e-9;
        p.absolute_tolerance = {1e-9};
        p.rhs = [copies](double, std::span<const double> x, std::span<double> f) {
            for (std::size_t k = 0; k < copies; ++k) {
                f[2 * k] = x[2 * k + 1];
                f[2 * k + 1] = x[2 * copies + k];
                f[2 * copies + k] = x[2 * copies + k] + std::sin(x[2 * k]);
            }
            return 0;
        };
        IvpJacobian j;
        j.intermediates = copies;
        j.pattern = {4 * copies, 4 * copies, {0}, {}};
        const auto c = static_cast<std::int64_t>(copies);
        std::vector<double> values;
        std::vector<std::size_t> angle_of;  // of the elements that change: -cos(phi)
        const auto column = [&](std::initializer_list<std::pair<std::int64_t, double>> elements) {
            for (auto [row, value] : elements) {
                j.pattern.row.push_back(row);
                values.push_back(value);
            }
            j.pattern.starts.push_back(static_cast<std::int64_t>(values.size()));
        };
        std::vector<std::size_t> changing;
        for (std::int64_t k = 0; k < c; ++k) {
            changing.push_back(values.size());
            column({{3 * c + k, 0}});  // phi
            column({{2 * k, 1}});      // w
        }
        for (std::int64_t k = 0; k < c; ++k) column({{2 * k + 1, 1}, {2 * c + k, 1}});  // a
        for (std::int64_t k = 0; k < c; ++k) column({{2 * c + k, 1}, {3 * c + k, 1}});  // s
        j.evaluate = [=](double, std::span<const double> x, std::span<const double>, std::span<double> v) {
            std::copy(values.begin(), values.end(), v.begin());
            for (std::size_t k = 0; k < changing.size(); ++k) v[changing[k]] = -std::cos(x[2 * k]);
            return 0;
        };
        p.jacobian = j;
        auto integrator = make_integrator(Solver::Ida, p);
        std::vector<double> x(3 * copies, 0.0);
        for (std::size_t k = 0; k < copies; ++k) {
            x[2 * k] = 1;
            x[2 * copies + k] = -std::sin(1.0);
        }
        integrator->start(0, x);
        ASSERT_EQ(run_to(*integrator, 3).status, StepStatus::Ok);
        for (std::size_t k = 0; k < copies; ++k) {
            const double phi = integrator->state()[2 * k], w = integrator->state()[2 * k + 1];
            EXPECT_NEAR(w * w / 2 - std::cos(phi), -std::cos(1.0), 1e-6);
            EXPECT_NEAR(integrator->state()[2 * copies + k], -std::sin(phi), 1e-7);
        }
    }
}

}  // namespace
}  // namespace cutset
