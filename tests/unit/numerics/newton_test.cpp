#include "numerics/nonlinear/newton.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <utility>
#include <vector>

namespace cutset {
namespace {

// Problems of J. J. Moré, B. S. Garbow, K. E. Hillstrom, Testing unconstrained optimization software, ACM
// TOMS 7 (1981), from their standard starting points.

using Residual = std::function<bool(std::span<const double>, std::span<double>)>;

NonlinearProblem problem(std::size_t n, Residual residual, Residual jacobian = {}) {
    NonlinearProblem p;
    p.n = n;
    p.residual = std::move(residual);
    p.jacobian = std::move(jacobian);
    return p;
}

NonlinearProblem rosenbrock() {
    return problem(
        2,
        [](auto x, auto f) {
            f[0] = 10 * (x[1] - x[0] * x[0]);
            f[1] = 1 - x[0];
            return true;
        },
        [](auto x, auto j) {
            j[0] = -20 * x[0];
            j[1] = -1;
            j[2] = 10;
            j[3] = 0;
            return true;
        });
}

NonlinearProblem freudenstein_roth() {
    return problem(
        2,
        [](auto x, auto f) {
            f[0] = -13 + x[0] + ((5 - x[1]) * x[1] - 2) * x[1];
            f[1] = -29 + x[0] + ((x[1] + 1) * x[1] - 14) * x[1];
            return true;
        },
        [](auto x, auto j) {
            j[0] = 1;
            j[1] = 1;
            j[2] = 10 * x[1] - 3 * x[1] * x[1] - 2;
            j[3] = 3 * x[1] * x[1] + 2 * x[1] - 14;
            return true;
        });
}

// A source U, a resistor R and a diode i = Is (exp(40 v) - 1): unknowns v, i of very different size.
NonlinearProblem diode(double source) {
    NonlinearProblem p = problem(
        2,
        [source](auto x, auto f) {
            f[0] = 1e-14 * std::expm1(40 * x[0]) - x[1];
            f[1] = source - 1e3 * x[1] - x[0];
            return true;
        },
        [](auto x, auto j) {
            j[0] = 4e-13 * std::exp(40 * x[0]);
            j[1] = -1;
            j[2] = -1;
            j[3] = -1e3;
            return true;
        });
    p.nominal = {1, 1e-3};
    return p;
}

TEST(Newton, Rosenbrock) {
    std::array x{-1.2, 1.0};
    NonlinearSolver solver(rosenbrock());
    const NonlinearResult& result = solver.newton(x);
    EXPECT_EQ(result.status, NonlinearStatus::Converged);
    EXPECT_NEAR(x[0], 1, 1e-15);
    EXPECT_NEAR(x[1], 1, 1e-15);
    EXPECT_LT(result.iterations, 40);
    EXPECT_FALSE(result.singular_column);
    EXPECT_EQ(result.residuals.size(), 2u);
}

// The Jacobian is singular in the solution: linear convergence, but convergence.
TEST(Newton, PowellSingular) {
    std::array x{3.0, -1.0, 0.0, 1.0};
    NonlinearResult result = solve_nonlinear(problem(
                                                 4,
                                                 [](auto x, auto f) {
                                                     f[0] = x[0] + 10 * x[1];
                                                     f[1] = std::sqrt(5.0) * (x[2] - x[3]);
                                                     f[2] = std::pow(x[1] - 2 * x[2], 2);
                                                     f[3] = std::sqrt(10.0) * std::pow(x[0] - x[3], 2);
                                                     return true;
                                                 },
                                                 [](auto x, auto j) {
                                                     std::fill(j.begin(), j.end(), 0.0);
                                                     j[0] = 1;
                                                     j[4] = 10;
                                                     j[9] = std::sqrt(5.0);
                                                     j[13] = -std::sqrt(5.0);
                                                     j[6] = 2 * (x[1] - 2 * x[2]);
                                                     j[10] = -4 * (x[1] - 2 * x[2]);
                                                     j[3] = 2 * std::sqrt(10.0) * (x[0] - x[3]);
                                                     j[15] = -j[3];
                                                     return true;
                                                 }),
                                             x);
    EXPECT_EQ(result.status, NonlinearStatus::Converged) << explain(result.status);
    EXPECT_EQ(result.method, NonlinearMethod::Newton);
    for (double v : x) EXPECT_NEAR(v, 0, 1e-8);
}

TEST(Newton, PowellBadlyScaled) {
    std::array x{0.0, 1.0};
    NonlinearProblem p = problem(
        2,
        [](auto x, auto f) {
            f[0] = 1e4 * x[0] * x[1] - 1;
            f[1] = std::exp(-x[0]) + std::exp(-x[1]) - 1.0001;
            return true;
        },
        [](auto x, auto j) {
            j[0] = 1e4 * x[1];
            j[1] = -std::exp(-x[0]);
            j[2] = 1e4 * x[0];
            j[3] = -std::exp(-x[1]);
            return true;
        });
    p.nominal = {1e-5, 1};
    NonlinearResult result = solve_nonlinear(p, x);
    EXPECT_EQ(result.status, NonlinearStatus::Converged) << explain(result.status);
    EXPECT_NEAR(x[0], 1.098159e-5, 1e-11);
    EXPECT_NEAR(x[1], 9.106146, 1e-6);
}

TEST(Newton, HelicalValley) {
    std::array x{-1.0, 0.0, 0.0};
    NonlinearResult result = solve_nonlinear(problem(3,
                                                     [](auto x, auto f) {
                                                         double angle =
                                                             std::atan2(x[1], x[0]) / (2 * std::numbers::pi);
                                                         f[0] = 10 * (x[2] - 10 * angle);
                                                         f[1] = 10 * (std::hypot(x[0], x[1]) - 1);
                                                         f[2] = x[2];
                                                         return true;
                                                     }),
                                             x);
    EXPECT_EQ(result.status, NonlinearStatus::Converged) << explain(result.status);
    EXPECT_NEAR(x[0], 1, 1e-9);
    EXPECT_NEAR(x[1], 0, 1e-9);
    EXPECT_NEAR(x[2], 0, 1e-9);
}

// Without a Jacobian, and large enough for LAPACK's blocked code.
TEST(Newton, BroydenTridiagonal) {
    constexpr std::size_t n = 100;
    auto residual = [](std::span<const double> x, std::span<double> f) {
        for (std::size_t i = 0; i < n; ++i) {
            double left = i > 0 ? x[i - 1] : 0, right = i + 1 < n ? x[i + 1] : 0;
            f[i] = (3 - 2 * x[i]) * x[i] - left - 2 * right + 1;
        }
        return true;
    };
    std::vector<double> x(n, -1.0), f(n);
    NonlinearResult result = solve_nonlinear(problem(n, residual), x);
    EXPECT_EQ(result.status, NonlinearStatus::Converged);
    EXPECT_LT(result.iterations, 10);
    residual(x, f);
    for (double v : f) EXPECT_NEAR(v, 0, 1e-13);
}

// From (0.5, -2) descent methods end in the local minimum (11.41, -0.8968); the only zero is (5, 4).
TEST(Nonlinear, FreudensteinRothNeedsMoreThanDescent) {
    std::array x{0.5, -2.0};
    NonlinearSolver solver(freudenstein_roth());
    std::array trapped = x;
    NonlinearStatus status = solver.newton(trapped).status;
    EXPECT_NE(status, NonlinearStatus::Converged);
    EXPECT_NEAR(trapped[1], -0.8968, 1e-2);
    const NonlinearResult& result = solver.solve(x);
    EXPECT_EQ(result.status, NonlinearStatus::Converged) << explain(result.status);
    EXPECT_NE(result.method, NonlinearMethod::Newton);
    EXPECT_NEAR(x[0], 5, 1e-12);
    EXPECT_NEAR(x[1], 4, 1e-12);
}

// 10/x = -5 from x = 2: the solution is on the other side of infinity.
TEST(Nonlinear, ContinuationPassesThroughInfinity) {
    NonlinearProblem problem;
    problem.n = 1;
    problem.residual = [](std::span<const double> x, std::span<double> f) {
        f[0] = 10 / x[0] + 5;
        return true;
    };
    problem.jacobian = [](std::span<const double> x, std::span<double> j) {
        j[0] = -10 / (x[0] * x[0]);
        return true;
    };
    std::array x{2.0};
    const NonlinearResult result = solve_nonlinear(problem, x);
    EXPECT_EQ(result.status, NonlinearStatus::Converged) << explain(result.status);
    EXPECT_EQ(result.method, NonlinearMethod::Continuation);
    EXPECT_NEAR(x[0], -2, 1e-12);
}

// x^3 - 3 x + 2.5 from x = 0: Newton ends in the dip at 1, lambda turns back there and does not return. The
// zero is at the other end of the curve.
TEST(Nonlinear, ContinuationGoesBothWays) {
    NonlinearProblem problem;
    problem.n = 1;
    problem.residual = [](std::span<const double> x, std::span<double> f) {
        f[0] = x[0] * x[0] * x[0] - 3 * x[0] + 2.5;
        return true;
    };
    problem.jacobian = [](std::span<const double> x, std::span<double> j) {
        j[0] = 3 * x[0] * x[0] - 3;
        return true;
    };
    std::array x{0.0};
    const NonlinearResult result = solve_nonlinear(problem, x);
    EXPECT_EQ(result.status, NonlinearStatus::Converged) << explain(result.status);
    EXPECT_EQ(result.method, NonlinearMethod::Continuation);
    EXPECT_NEAR(x[0], -2.0536215758789732, 1e-12);
}

TEST(Newton, FreudensteinRothFromNearby) {
    std::array x{15.0, 4.5};
    NonlinearSolver solver(freudenstein_roth());
    EXPECT_TRUE(solver.newton(x).converged());
    EXPECT_NEAR(x[0], 5, 1e-12);
}

TEST(Newton, DiodeCircuit) {
    for (double source : {1e-3, 0.5, 5.0, 1000.0, -10.0}) {
        std::array x{0.0, 0.0};
        NonlinearSolver solver(diode(source));
        const NonlinearResult& result = solver.newton(x);
        ASSERT_EQ(result.status, NonlinearStatus::Converged) << source << " " << explain(result.status);
        EXPECT_NEAR(x[1], 1e-14 * std::expm1(40 * x[0]), 1e-12 * std::abs(x[1]) + 1e-18) << source;
        EXPECT_NEAR(x[0] + 1e3 * x[1], source, 1e-14 * std::abs(source)) << source;
    }
}

// exp overflows at the first full step; the start is far on the steep side.
TEST(Nonlinear, DiodeCircuitFromAFarStart) {
    std::array x{15.0, 0.0};
    NonlinearResult result = solve_nonlinear(diode(5), x);
    ASSERT_EQ(result.status, NonlinearStatus::Converged) << explain(result.status);
    EXPECT_NEAR(1e-14 * std::expm1(40 * x[0]), x[1], 1e-10 * x[1]);
}

// The unknown is 1e-12, the nominal value was left at 1: the tolerance is met long before the solution.
TEST(Newton, SolutionFarBelowItsNominalValue) {
    std::array x{1e-11};
    NonlinearSolver solver(problem(
        1,
        [](auto x, auto f) {
            f[0] = x[0] * x[0] - 1e-24;
            return true;
        },
        [](auto x, auto j) {
            j[0] = 2 * x[0];
            return true;
        }));
    EXPECT_TRUE(solver.newton(x).converged());
    EXPECT_NEAR(x[0], 1e-12, 1e-15);
}

// sqrt(x) = c: near x = 0 any residual makes a short step only.
TEST(Newton, ShortStepsAtAnEdgeWithInfiniteSlopeAreDoubtful) {
    const auto square_root = [](double c) {
        return problem(
            1,
            [c](auto x, auto f) {
                f[0] = std::sqrt(x[0]) - c;
                return true;
            },
            [](auto x, auto j) {
                j[0] = 0.5 / std::sqrt(x[0]);
                return true;
            });
    };
    for (double c : {-0.4, -0.01}) {
        NonlinearSolver solver(square_root(c));
        double x[] = {1e-17};
        const NonlinearResult& result = solver.newton(x);
        EXPECT_TRUE(!result.converged() || result.doubtful) << c;
    }
    for (double c : {0.5, 1e-4, 1e-7}) {
        NonlinearSolver solver(square_root(c));
        double x[] = {1.0};
        const NonlinearResult& result = solver.newton(x);
        EXPECT_TRUE(result.converged() && !result.doubtful) << c;
        EXPECT_NEAR(x[0], c * c, 1e-14) << c;
    }
}

// x^(1/5) = c: the residual is the rounding of nothing also where J times the nominal value of x is very
// large.
TEST(Newton, SlopesOfPowersAreSteeperThanAnyScale) {
    const auto fifth_root = [](double c) {
        return problem(
            1,
            [c](auto x, auto f) {
                f[0] = std::pow(x[0], 0.2) - c;
                return true;
            },
            [](auto x, auto j) {
                j[0] = 0.2 * std::pow(x[0], -0.8);
                return true;
            });
    };
    for (double c : {-0.4, -0.01}) {
        NonlinearSolver solver(fifth_root(c));
        double x[] = {1e-17};
        const NonlinearResult& result = solver.newton(x);
        EXPECT_TRUE(!result.converged() || result.doubtful) << c;
    }
    for (double c : {0.5, 0.01, 0.001}) {
        NonlinearSolver solver(fifth_root(c));
        double x[] = {32 * std::pow(c, 5)};
        const NonlinearResult& result = solver.newton(x);
        EXPECT_TRUE(result.converged() && !result.doubtful) << c;
        EXPECT_NEAR(x[0] / std::pow(c, 5), 1, 1e-12) << c;
    }
}

// The equations hold exactly where they have no derivative.
TEST(Newton, HoldsAtAnEdge) {
    NonlinearSolver solver(problem(
        1,
        [](auto x, auto f) {
            f[0] = std::sqrt(x[0]);
            return true;
        },
        [](auto x, auto j) {
            j[0] = 0.5 / std::sqrt(x[0]);
            return true;
        }));
    double x[] = {0.0};
    EXPECT_TRUE(solver.newton(x).converged());
    EXPECT_EQ(x[0], 0);
}

TEST(Newton, UndampedIterationWouldDiverge) {
    std::array x{10.0};
    NonlinearSolver solver(problem(1, [](auto x, auto f) {
        f[0] = std::atan(x[0]);
        return true;
    }));
    EXPECT_TRUE(solver.newton(x).converged());
    EXPECT_NEAR(x[0], 0, 1e-15);
}

TEST(Newton, ShortensWhereTheFunctionHasNoValue) {
    int refused = 0;
    NonlinearSolver solver(problem(1, [&](auto x, auto f) {
        f[0] = std::log(x[0]) + 2;
        if (x[0] < 0) ++refused;
        return x[0] >= 0;
    }));
    std::array x{10.0};
    EXPECT_TRUE(solver.newton(x).converged());
    EXPECT_NEAR(x[0], std::exp(-2.0), 1e-15);
    EXPECT_GT(refused, 0);
}

TEST(Newton, NoValueAtTheStart) {
    NonlinearSolver solver(problem(2, [](auto x, auto f) {
        f[0] = std::sqrt(x[0]);
        f[1] = x[1];
        return true;
    }));
    std::array x{-1.0, 0.0};
    const NonlinearResult& result = solver.solve(x);
    EXPECT_EQ(result.status, NonlinearStatus::NotFinite);
    EXPECT_EQ(result.worst_row, 0u);
    EXPECT_EQ(x[0], -1);
}

TEST(Newton, BoundsAreKept) {
    // (x - 1)(x + 2) = 0 from x = 0.1 where Newton without bounds steps over 1; the zero -2 is outside.
    NonlinearProblem p = problem(1, [](auto x, auto f) {
        EXPECT_GE(x[0], 0);
        EXPECT_LE(x[0], 5);
        f[0] = (x[0] - 1) * (x[0] + 2);
        return true;
    });
    p.lower = {0};
    p.upper = {5};
    for (double start : {0.0, 0.1, 4.9, -3.0}) {
        std::array x{start};
        EXPECT_TRUE(NonlinearSolver(p).newton(x).converged()) << start;
        EXPECT_NEAR(x[0], 1, 1e-15);
    }
}

// The first Newton step runs into x <= 1; the path goes on along the bound.
TEST(Newton, MovesAlongABound) {
    NonlinearProblem p = problem(2, [](auto x, auto f) {
        f[0] = x[0] * x[0] + x[1] * x[1] - 2;
        f[1] = 10 * (x[0] - 1) + std::pow(x[1] - 1, 3);
        return true;
    });
    p.upper = {1, 10};
    p.lower = {-10, -10};
    std::array x{0.2, 3.0};
    NonlinearResult result = solve_nonlinear(p, x);
    EXPECT_TRUE(result.converged()) << explain(result.status);
    EXPECT_NEAR(x[0], 1, 1e-7);
    EXPECT_NEAR(x[1], 1, 1e-7);
}

TEST(Newton, NoZeroWithinTheBounds) {
    NonlinearProblem p = problem(1, [](auto x, auto f) {
        f[0] = x[0] - 3;
        return true;
    });
    p.lower = {0};
    p.upper = {2};
    std::array x{1.0};
    NonlinearResult result = solve_nonlinear(p, x);
    EXPECT_EQ(result.status, NonlinearStatus::Stalled);
    EXPECT_EQ(x[0], 2);
}

TEST(Nonlinear, SingularJacobianNamesTheUnknown) {
    // x1 appears nowhere; the equations contradict each other in x0 and x2.
    NonlinearProblem p = problem(
        3,
        [](auto x, auto f) {
            f[0] = x[0] + x[2] - 1;
            f[1] = x[0] - x[2];
            f[2] = x[0] - 3;
            return true;
        },
        [](auto, auto j) {
            std::fill(j.begin(), j.end(), 0.0);
            j[0] = j[1] = j[2] = 1;
            j[6] = 1;
            j[7] = -1;
            return true;
        });
    std::array x{0.0, 0.0, 0.0};
    NonlinearResult result = solve_nonlinear(p, x);
    EXPECT_EQ(result.status, NonlinearStatus::Singular);
    EXPECT_EQ(result.singular_column, 1u);
    EXPECT_EQ(result.rcond, 0);
    EXPECT_GT(result.worst_residual, 0.1);
}

// J is singular wherever x0 = x1, and steps from there stay there.
TEST(Nonlinear, SymmetricStart) {
    NonlinearSolver solver(problem(
        2,
        [](auto x, auto f) {
            f[0] = x[0] * x[1] - 1;
            f[1] = x[0] + x[1] - 2.5;
            return true;
        },
        [](auto x, auto j) {
            j[0] = x[1];
            j[1] = 1;
            j[2] = x[0];
            j[3] = 1;
            return true;
        }));
    std::array x{0.0, 0.0};
    const NonlinearResult& result = solver.solve(x);
    EXPECT_TRUE(result.converged()) << explain(result.status);
    EXPECT_NEAR(x[0] * x[1], 1, 1e-14);
    EXPECT_NEAR(x[0] + x[1], 2.5, 1e-14);
}

TEST(Newton, OneSolutionOfManyIsTold) {
    NonlinearSolver solver(problem(2, [](auto x, auto f) {
        f[0] = x[0] + x[1] - 2;
        f[1] = 3 * x[0] + 3 * x[1] - 6;
        return true;
    }));
    std::array x{0.0, 0.0};
    const NonlinearResult& result = solver.newton(x);
    EXPECT_TRUE(result.converged());
    EXPECT_TRUE(result.singular_column);
    EXPECT_NEAR(x[0] + x[1], 2, 1e-14);
}

TEST(Nonlinear, NoRealSolution) {
    std::array x{3.0};
    NonlinearResult result = solve_nonlinear(problem(1,
                                                     [](auto x, auto f) {
                                                         f[0] = x[0] * x[0] + 1;
                                                         return true;
                                                     }),
                                             x);
    EXPECT_FALSE(result.converged());
    EXPECT_TRUE(std::isfinite(x[0]));
    EXPECT_FALSE(explain(result.status).empty());
}

TEST(Newton, EmptySystemAndExactStart) {
    EXPECT_TRUE(NonlinearSolver(NonlinearProblem{}).newton({}).converged());
    std::array x{1.0, 1.0};
    NonlinearSolver solver(rosenbrock());
    const NonlinearResult& result = solver.newton(x);
    EXPECT_TRUE(result.converged());
    EXPECT_LE(result.evaluations, 2);
}

TEST(Newton, TheSameSolverServesManySystems) {
    double target = 0;
    NonlinearSolver solver(problem(1, [&](auto x, auto f) {
        f[0] = x[0] * x[0] * x[0] + x[0] - target;
        return true;
    }));
    std::array x{0.0};
    for (target = 0; target < 20; target += 0.5) {
        const NonlinearResult& result = solver.newton(x);
        ASSERT_TRUE(result.converged());
        EXPECT_LT(result.iterations, 8);
        EXPECT_NEAR(x[0] * x[0] * x[0] + x[0], target, 1e-13);
    }
}

TEST(Nonlinear, ExceptionsComeOutOfEveryMethod) {
    int calls = 0;
    NonlinearProblem p = freudenstein_roth();
    auto residual = p.residual;
    std::array x{0.5, -2.0};
    NonlinearSolver counting(p);
    const int all_of_newton = counting.newton(x).evaluations;
    p.residual = [&, residual](auto x, auto f) {
        if (++calls > all_of_newton + 3) throw std::runtime_error("inside");
        return residual(x, f);
    };
    x = {0.5, -2.0};
    EXPECT_THROW(solve_nonlinear(p, x), std::runtime_error);
}

TEST(Newton, ConditionOnRequest) {
    NonlinearOptions options;
    options.estimate_condition = true;
    std::array x{0.0, 0.0};
    NonlinearSolver solver(problem(2,
                                   [](auto x, auto f) {
                                       f[0] = x[0] + x[1] - 2;
                                       f[1] = x[0] + (1 + 1e-7) * x[1] - 2;
                                       return true;
                                   }),
                           options);
    const NonlinearResult& result = solver.newton(x);
    EXPECT_TRUE(result.converged());
    ASSERT_TRUE(result.rcond);
    EXPECT_LT(*result.rcond, 1e-6);
    EXPECT_GT(*result.rcond, 1e-9);
}

// x³ + x = c, y = x²: near the last solution its matrix will do; far away a new one is made.
TEST(Newton, FollowsWithTheLastMatrix) {
    double c = 2;
    int matrices = 0;
    NonlinearProblem problem;
    problem.n = 2;
    problem.residual = [&](std::span<const double> x, std::span<double> f) {
        f[0] = x[0] * x[0] * x[0] + x[0] - c;
        f[1] = x[1] - x[0] * x[0];
        return true;
    };
    problem.jacobian = [&](std::span<const double> x, std::span<double> j) {
        ++matrices;
        j[0] = 3 * x[0] * x[0] + 1;
        j[1] = -2 * x[0];
        j[2] = 0;
        j[3] = 1;
        return true;
    };
    NonlinearSolver solver(std::move(problem));
    std::vector<double> x{0.5, 0.5};
    ASSERT_TRUE(solver.solve(x).converged());
    EXPECT_NEAR(x[0], 1, 1e-14);
    const int first = std::exchange(matrices, 0);
    EXPECT_GT(first, 0);
    c = 2.01;
    ASSERT_TRUE(solver.follow(x).converged());
    EXPECT_EQ(matrices, 0);
    EXPECT_NEAR(x[0] * x[0] * x[0] + x[0], c, 1e-13);
    EXPECT_NEAR(x[1], x[0] * x[0], 1e-13);
    c = 1000;
    ASSERT_TRUE(solver.follow(x).converged());
    EXPECT_GT(matrices, 0);
    EXPECT_NEAR(x[0] * x[0] * x[0] + x[0], c, 1e-10);
}

}  // namespace
}  // namespace cutset
