#include "numerics/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace cutset {
namespace {

using Point = NonlinearProgram::Point;

OptimizerResult solve(const NonlinearProgram& program, OptimizerOptions options = {}) {
    std::string problem;
    const auto result = optimize(program, options, problem);
    EXPECT_TRUE(result) << problem;
    return result.value_or(OptimizerResult{});
}

// Problem 71 of Hock and Schittkowski: x1 x4 (x1 + x2 + x3) + x3, product >= 25, sum of squares = 40.
NonlinearProgram problem71(bool with_hessian) {
    NonlinearProgram p;
    p.start = {1, 5, 5, 1};
    p.lower.assign(4, 1);
    p.upper.assign(4, 5);
    p.constraint_lower = {25, 40};
    p.constraint_upper = {unlimited, 40};
    p.objective = [](Point x, double& f) {
        f = x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2];
        return true;
    };
    p.gradient = [](Point x, std::span<double> g) {
        g[0] = x[3] * (2 * x[0] + x[1] + x[2]);
        g[1] = x[0] * x[3];
        g[2] = x[0] * x[3] + 1;
        g[3] = x[0] * (x[0] + x[1] + x[2]);
        return true;
    };
    p.constraints = [](Point x, std::span<double> c) {
        c[0] = x[0] * x[1] * x[2] * x[3];
        c[1] = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
        return true;
    };
    p.jacobian_pattern = full_pattern(2, 4);
    p.jacobian = [](Point x, std::span<double> v) {
        for (std::size_t j = 0; j < 4; ++j) {
            v[2 * j] = 1;
            for (std::size_t i = 0; i < 4; ++i)
                if (i != j) v[2 * j] *= x[i];
            v[2 * j + 1] = 2 * x[j];
        }
        return true;
    };
    if (with_hessian) {
        p.hessian_pattern.rows = p.hessian_pattern.columns = 4;
        p.hessian_pattern.starts = {0, 4, 7, 9, 10};
        p.hessian_pattern.row = {0, 1, 2, 3, 1, 2, 3, 2, 3, 3};
        p.hessian = [](Point x, double s, std::span<const double> l, std::span<double> h) {
            h[0] = s * 2 * x[3] + 2 * l[1];
            h[1] = s * x[3] + l[0] * x[2] * x[3];
            h[2] = s * x[3] + l[0] * x[1] * x[3];
            h[3] = s * (2 * x[0] + x[1] + x[2]) + l[0] * x[1] * x[2];
            h[4] = 2 * l[1];
            h[5] = l[0] * x[0] * x[3];
            h[6] = s * x[0] + l[0] * x[0] * x[2];
            h[7] = 2 * l[1];
            h[8] = s * x[0] + l[0] * x[0] * x[1];
            h[9] = 2 * l[1];
            return true;
        };
    }
    return p;
}

void expect_optimum71(const OptimizerResult& r, double tolerance) {
    EXPECT_EQ(r.status, OptimizerStatus::Solved) << r.message;
    EXPECT_NEAR(r.objective, 17.0140173, tolerance);
    const double x[] = {1, 4.7429994, 3.8211503, 1.3794082};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(r.x[i], x[i], 10 * tolerance);
    EXPECT_LT(r.violation, 1e-6);
}

TEST(Optimizer, PublishedOptimumWithExactHessian) {
    const OptimizerResult r = solve(problem71(true));
    expect_optimum71(r, 1e-6);
    EXPECT_NEAR(r.multipliers[0], -0.55229366, 1e-5);
    EXPECT_NEAR(r.multipliers[1], 0.16146856, 1e-5);
    EXPECT_NEAR(r.lower_multipliers[0], 1.0878712, 1e-5);
    EXPECT_LT(r.iterations, 15u);
}

TEST(Optimizer, PublishedOptimumByQuasiNewton) {
    expect_optimum71(solve(problem71(false)), 1e-6);
}

TEST(Optimizer, PublishedOptimumBySlsqpAndCobyla) {
    OptimizerOptions options;
    options.method = OptimizerMethod::Slsqp;
    expect_optimum71(solve(problem71(false), options), 1e-5);
    options.method = OptimizerMethod::Cobyla;
    options.max_iterations = 20000;
    options.tolerance = 1e-6;
    expect_optimum71(solve(problem71(false), options), 1e-4);
}

NonlinearProgram rosenbrock_program() {
    NonlinearProgram p;
    p.start = {-1.2, 1};
    p.lower = {-5, -5};
    p.upper = {5, 5};
    p.objective = [](Point x, double& f) {
        f = 100 * std::pow(x[1] - x[0] * x[0], 2) + std::pow(1 - x[0], 2);
        return true;
    };
    p.gradient = [](Point x, std::span<double> g) {
        g[0] = -400 * x[0] * (x[1] - x[0] * x[0]) - 2 * (1 - x[0]);
        g[1] = 200 * (x[1] - x[0] * x[0]);
        return true;
    };
    return p;
}

TEST(Optimizer, EveryMethodFindsTheValley) {
    for (const MethodDescription& d : optimizer_list()) {
        OptimizerOptions options;
        options.method = d.method;
        options.max_iterations = 40000;
        options.tolerance = d.whole_box ? 1e-6 : 1e-10;
        NonlinearProgram p = rosenbrock_program();
        if (!d.derivatives) p.gradient = nullptr;
        const OptimizerResult r = solve(p, options);
        EXPECT_LE(r.status, OptimizerStatus::Limit) << d.name << ": " << r.message;
        const double tolerance = d.whole_box ? 0.05 : d.method == OptimizerMethod::Cobyla ? 1e-2 : 1e-4;
        EXPECT_NEAR(r.x[0], 1, tolerance) << d.name;
        EXPECT_NEAR(r.x[1], 1, 2 * tolerance) << d.name;
    }
}

TEST(Optimizer, WholeBoxMethodsAreDeterministic) {
    OptimizerOptions options;
    options.method = OptimizerMethod::RandomSearch;
    options.max_iterations = 500;
    const NonlinearProgram p = rosenbrock_program();
    EXPECT_EQ(solve(p, options).x, solve(p, options).x);
}

TEST(Optimizer, TellsInfeasible) {
    NonlinearProgram p = rosenbrock_program();
    p.constraint_lower = {-unlimited};
    p.constraint_upper = {-1};
    p.constraints = [](Point x, std::span<double> c) {
        c[0] = x[0] * x[0] + x[1] * x[1];
        return true;
    };
    p.jacobian_pattern = full_pattern(1, 2);
    p.jacobian = [](Point x, std::span<double> v) {
        v[0] = 2 * x[0];
        v[1] = 2 * x[1];
        return true;
    };
    const OptimizerResult r = solve(p);
    EXPECT_EQ(r.status, OptimizerStatus::Infeasible) << r.message;
    EXPECT_NEAR(r.violation, 1, 1e-3);
}

TEST(Optimizer, TellsUnbounded) {
    NonlinearProgram p;
    p.start = {1};
    p.objective = [](Point x, double& f) {
        f = -x[0];
        return true;
    };
    p.gradient = [](Point, std::span<double> g) {
        g[0] = -1;
        return true;
    };
    EXPECT_EQ(solve(p).status, OptimizerStatus::Unbounded);
}

// x - log x has its minimum at 1 and no value for x <= 0, where the first steps lead.
TEST(Optimizer, StepsBackWhereFunctionsAreNotDefined) {
    NonlinearProgram p;
    p.start = {30};
    p.objective = [](Point x, double& f) {
        f = x[0] - std::log(x[0]);
        return x[0] > 0;
    };
    p.gradient = [](Point x, std::span<double> g) {
        g[0] = 1 - 1 / x[0];
        return x[0] > 0;
    };
    for (OptimizerMethod method : {OptimizerMethod::Ipopt, OptimizerMethod::Slsqp}) {
        OptimizerOptions options;
        options.method = method;
        const OptimizerResult r = solve(p, options);
        EXPECT_LE(r.status, OptimizerStatus::Acceptable) << r.message;
        EXPECT_NEAR(r.x[0], 1, 1e-5);
    }
    p.start = {-1};
    EXPECT_EQ(solve(p).status, OptimizerStatus::Undefined);
}

TEST(Optimizer, CanBeInterrupted) {
    std::atomic<bool> interrupt = true;
    OptimizerOptions options;
    options.interrupt = &interrupt;
    EXPECT_EQ(solve(rosenbrock_program(), options).status, OptimizerStatus::Interrupted);
    interrupt = false;
    options.progress = [](const OptimizerProgress& p) { return p.iteration < 3; };
    const OptimizerResult r = solve(rosenbrock_program(), options);
    EXPECT_EQ(r.status, OptimizerStatus::Interrupted);
    EXPECT_EQ(r.iterations, 3u);
}

// x' = u in 10^4 steps from 0 to 1 with the least sum of squares of u: all u equal. Half the variables are
// states.
TEST(Optimizer, ManySparseVariables) {
    constexpr std::size_t n = 5000;
    NonlinearProgram p;
    p.start.assign(2 * n, 0);
    p.lower.assign(2 * n, -10);
    p.upper.assign(2 * n, 10);
    p.lower[n - 1] = p.upper[n - 1] = 1;  // x at the end
    p.constraint_lower.assign(n, 0);
    p.constraint_upper.assign(n, 0);
    const double h = 1.0 / n;
    p.objective = [=](Point z, double& f) {
        f = 0;
        for (std::size_t i = 0; i < n; ++i) f += h * z[n + i] * z[n + i];
        return true;
    };
    p.gradient = [=](Point z, std::span<double> g) {
        std::fill(g.begin(), g.end(), 0.0);
        for (std::size_t i = 0; i < n; ++i) g[n + i] = 2 * h * z[n + i];
        return true;
    };
    p.constraints = [=](Point z, std::span<double> c) {
        for (std::size_t i = 0; i < n; ++i) c[i] = z[i] - (i ? z[i - 1] : 0) - h * z[n + i];
        return true;
    };
    SparsePattern& pattern = p.jacobian_pattern;
    pattern.rows = n;
    pattern.columns = 2 * n;
    pattern.starts = {0};
    for (std::size_t j = 0; j < 2 * n; ++j) {
        pattern.row.push_back(static_cast<std::int64_t>(j % n));
        if (j + 1 < n) pattern.row.push_back(static_cast<std::int64_t>(j + 1));
        pattern.starts.push_back(static_cast<std::int64_t>(pattern.row.size()));
    }
    p.jacobian = [=](Point, std::span<double> v) {
        std::size_t k = 0;
        for (std::size_t j = 0; j < 2 * n; ++j) {
            v[k++] = j < n ? 1 : -h;
            if (j + 1 < n) v[k++] = -1;
        }
        return true;
    };
    p.hessian_pattern.rows = p.hessian_pattern.columns = 2 * n;
    p.hessian_pattern.starts.assign(n + 1, 0);
    for (std::size_t i = 0; i < n; ++i) {
        p.hessian_pattern.row.push_back(static_cast<std::int64_t>(n + i));
        p.hessian_pattern.starts.push_back(static_cast<std::int64_t>(i + 1));
    }
    p.hessian = [=](Point, double s, std::span<const double>, std::span<double> v) {
        std::fill(v.begin(), v.end(), 2 * h * s);
        return true;
    };
    const OptimizerResult r = solve(p);
    EXPECT_EQ(r.status, OptimizerStatus::Solved) << r.message;
    EXPECT_NEAR(r.objective, 1, 1e-8);
    EXPECT_NEAR(r.x[n + 17], 1, 1e-6);
}

}  // namespace
}  // namespace cutset
