// Ipopt: an interior point method with filter line search; linear systems by MUMPS.
#define HAVE_CSTDDEF  // which the headers of Ipopt ask for
#include <algorithm>
#include <cmath>
#include <coin/IpIpoptApplication.hpp>
#include <coin/IpIpoptCalculatedQuantities.hpp>
#include <coin/IpSolveStatistics.hpp>
#include <coin/IpTNLP.hpp>

#include "numerics/optimizers/module.h"

namespace cutset::optimizers {

namespace {

using Ipopt::Index;
using Ipopt::Number;

constexpr double no_bound = 2e19;  // Ipopt takes what is beyond 1e19 for infinite

double bound(double value) {
    return std::clamp(value, -no_bound, no_bound);
}

bool all_finite(std::span<const double> values) {
    return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

void copy_pattern(const SparsePattern& pattern, Index* row, Index* column) {
    std::size_t k = 0;
    for (std::size_t j = 0; j < pattern.columns; ++j)
        for (; k < static_cast<std::size_t>(pattern.starts[j + 1]); ++k) {
            row[k] = static_cast<Index>(pattern.row[k]);
            column[k] = static_cast<Index>(j);
        }
}

class Adapter : public Ipopt::TNLP {
  public:
    Adapter(const NonlinearProgram& program, const OptimizerOptions& options, OptimizerResult& result)
        : program_(program), options_(options), result_(result) {}

    bool get_nlp_info(Index& n, Index& m, Index& jacobian, Index& hessian, IndexStyleEnum& style) override {
        n = static_cast<Index>(program_.variables());
        m = static_cast<Index>(program_.constraint_count());
        jacobian = static_cast<Index>(program_.jacobian_pattern.elements());
        hessian = program_.hessian ? static_cast<Index>(program_.hessian_pattern.elements()) : 0;
        style = C_STYLE;
        return true;
    }

    bool get_bounds_info(Index n, Number* lower, Number* upper, Index m, Number* constraint_lower,
                         Number* constraint_upper) override {
        for (Index i = 0; i < n; ++i) {
            lower[i] = program_.lower.empty() ? -no_bound : bound(program_.lower[i]);
            upper[i] = program_.upper.empty() ? no_bound : bound(program_.upper[i]);
        }
        for (Index i = 0; i < m; ++i) {
            constraint_lower[i] = bound(program_.constraint_lower[i]);
            constraint_upper[i] = bound(program_.constraint_upper[i]);
        }
        return true;
    }

    bool get_starting_point(Index n, bool with_x, Number* x, bool with_bounds, Number* lower, Number* upper,
                            Index m, bool with_multipliers, Number* multipliers) override {
        if (with_x) std::copy_n(program_.start.begin(), n, x);
        const auto fill = [](const std::vector<double>& from, Number* to, Index count, double otherwise) {
            if (from.size() == static_cast<std::size_t>(count))
                std::copy(from.begin(), from.end(), to);
            else
                std::fill_n(to, count, otherwise);
        };
        if (with_bounds) {
            fill(program_.start_lower_multipliers, lower, n, 1);
            fill(program_.start_upper_multipliers, upper, n, 1);
        }
        if (with_multipliers) fill(program_.start_multipliers, multipliers, m, 0);
        return true;
    }

    bool eval_f(Index n, const Number* x, bool, Number& value) override {
        ++result_.evaluations;
        return counted(program_.objective({x, static_cast<std::size_t>(n)}, value) && std::isfinite(value));
    }

    bool eval_grad_f(Index n, const Number* x, bool, Number* gradient) override {
        const auto count = static_cast<std::size_t>(n);
        return counted(program_.gradient({x, count}, {gradient, count}) && all_finite({gradient, count}));
    }

    bool eval_g(Index n, const Number* x, bool, Index m, Number* c) override {
        const auto count = static_cast<std::size_t>(m);
        if (count == 0) return true;
        return counted(program_.constraints({x, static_cast<std::size_t>(n)}, {c, count}) &&
                       all_finite({c, count}));
    }

    bool eval_jac_g(Index n, const Number* x, bool, Index, Index elements, Index* row, Index* column,
                    Number* values) override {
        if (!values) {
            copy_pattern(program_.jacobian_pattern, row, column);
            return true;
        }
        const auto count = static_cast<std::size_t>(elements);
        if (count == 0) return true;
        return counted(program_.jacobian({x, static_cast<std::size_t>(n)}, {values, count}) &&
                       all_finite({values, count}));
    }

    bool eval_h(Index n, const Number* x, bool, Number factor, Index m, const Number* multipliers, bool,
                Index elements, Index* row, Index* column, Number* values) override {
        if (!program_.hessian) return false;
        if (!values) {
            copy_pattern(program_.hessian_pattern, row, column);
            return true;
        }
        const auto count = static_cast<std::size_t>(elements);
        return counted(program_.hessian({x, static_cast<std::size_t>(n)}, factor,
                                        {multipliers, static_cast<std::size_t>(m)}, {values, count}) &&
                       all_finite({values, count}));
    }

    bool intermediate_callback(Ipopt::AlgorithmMode, Index iteration, Number objective, Number violation,
                               Number stationarity, Number, Number, Number, Number, Number, Index,
                               const Ipopt::IpoptData*, Ipopt::IpoptCalculatedQuantities*) override {
        result_.iterations = static_cast<std::size_t>(iteration);
        if (options_.interrupt && *options_.interrupt) return false;
        if (!options_.progress) return true;
        return options_.progress({result_.iterations, objective, violation, stationarity});
    }

    void finalize_solution(Ipopt::SolverReturn, Index n, const Number* x, const Number* lower,
                           const Number* upper, Index m, const Number* c, const Number* multipliers,
                           Number objective, const Ipopt::IpoptData*,
                           Ipopt::IpoptCalculatedQuantities*) override {
        result_.x.assign(x, x + n);
        result_.objective = objective;
        result_.constraints.assign(c, c + m);
        result_.multipliers.assign(multipliers, multipliers + m);
        result_.lower_multipliers.assign(lower, lower + n);
        result_.upper_multipliers.assign(upper, upper + n);
    }

  private:
    bool counted(bool defined) {
        if (!defined) ++result_.undefined;
        return defined;
    }
    const NonlinearProgram& program_;
    const OptimizerOptions& options_;
    OptimizerResult& result_;
};

struct Meaning {
    Ipopt::ApplicationReturnStatus code;
    OptimizerStatus status;
    const char* sentence;
};
constexpr Meaning meanings[] = {
    {Ipopt::Solve_Succeeded, OptimizerStatus::Solved, "an optimum was found"},
    {Ipopt::Solved_To_Acceptable_Level, OptimizerStatus::Acceptable,
     "the optimality conditions hold roughly; no better point was found"},
    {Ipopt::Feasible_Point_Found, OptimizerStatus::Solved, "a point that keeps all constraints was found"},
    {Ipopt::Infeasible_Problem_Detected, OptimizerStatus::Infeasible,
     "no point near this one comes closer to keeping all constraints"},
    {Ipopt::Search_Direction_Becomes_Too_Small, OptimizerStatus::Acceptable,
     "steps became too small to go on"},
    {Ipopt::Diverging_Iterates, OptimizerStatus::Unbounded, "variables grow without limit"},
    {Ipopt::User_Requested_Stop, OptimizerStatus::Interrupted, "stopped"},
    {Ipopt::Maximum_Iterations_Exceeded, OptimizerStatus::Limit, "the limit of iterations was reached"},
    {Ipopt::Maximum_CpuTime_Exceeded, OptimizerStatus::Limit, "the limit of time was reached"},
    {Ipopt::Restoration_Failed, OptimizerStatus::Failed,
     "no point was found that keeps the constraints better"},
    {Ipopt::Error_In_Step_Computation, OptimizerStatus::Failed, "no direction could be computed"},
    {Ipopt::Not_Enough_Degrees_Of_Freedom, OptimizerStatus::Infeasible,
     "there are more equations than variables"},
    {Ipopt::Invalid_Number_Detected, OptimizerStatus::Undefined, "a function has no value at the start"},
    {Ipopt::Invalid_Problem_Definition, OptimizerStatus::Failed, "bounds exclude each other"},
    {Ipopt::Invalid_Option, OptimizerStatus::Failed, "a setting is not known to Ipopt"},
    {Ipopt::Insufficient_Memory, OptimizerStatus::Failed, "there is not enough memory"},
};

// Quasi-Newton steps may have been too short to show it: going on in the direction from the start to here, a
// thousand times as far and more, the objective keeps falling within bounds and constraints.
bool falls_forever(const NonlinearProgram& program, const OptimizerResult& result) {
    double last = result.objective;
    for (const double factor : {1e3, 1e6, 1e9}) {
        std::vector<double> x = program.start, c(program.constraint_count());
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] += factor * (result.x[i] - x[i]);
            if (!program.lower.empty()) x[i] = std::clamp(x[i], program.lower[i], program.upper[i]);
        }
        double value = 0;
        if (!program.objective(x, value) || !(value < last - 10 * std::abs(last))) return false;
        if (!c.empty() && !program.constraints(x, c)) return false;
        if (violation_at(program, x, c) > 1e-6) return false;
        last = value;
    }
    return true;
}

}  // namespace

OptimizerResult solve_by_ipopt(const NonlinearProgram& program, const OptimizerOptions& options) {
    OptimizerResult result;
    Ipopt::SmartPtr<Ipopt::IpoptApplication> application = new Ipopt::IpoptApplication(false);
    const auto settings = application->Options();
    bool known = true;
    settings->SetIntegerValue("print_level", 0);
    settings->SetStringValue("sb", "yes");
    settings->SetStringValue("linear_solver", "mumps");
    settings->SetNumericValue("tol", options.tolerance);
    settings->SetNumericValue("acceptable_tol", std::max(1e-6, 100 * options.tolerance));
    settings->SetNumericValue("constr_viol_tol", options.constraint_tolerance);
    settings->SetIntegerValue("max_iter", static_cast<Index>(options.max_iterations));
    settings->SetNumericValue("bound_relax_factor", options.bound_relaxation);
    settings->SetStringValue("mu_strategy", options.monotone ? "monotone" : "adaptive");
    settings->SetNumericValue("diverging_iterates_tol", 1e15);
    if (std::isfinite(options.max_seconds)) settings->SetNumericValue("max_cpu_time", options.max_seconds);
    if (!program.hessian) settings->SetStringValue("hessian_approximation", "limited-memory");
    if (options.warm_start) {
        settings->SetStringValue("warm_start_init_point", "yes");
        settings->SetNumericValue("mu_init", 1e-5);
        for (const char* name :
             {"warm_start_bound_push", "warm_start_bound_frac", "warm_start_slack_bound_push",
              "warm_start_slack_bound_frac", "warm_start_mult_bound_push"})
            settings->SetNumericValue(name, 1e-6);
    }
    // A value may be a number, a whole number or a word; Ipopt knows which it wants.
    for (const auto& [name, value] : options.settings) {
        char* end = nullptr;
        const double number = std::strtod(value.c_str(), &end);
        const bool numeric = !value.empty() && *end == 0;
        known &= (numeric && settings->SetNumericValue(name, number)) ||
                 (numeric && settings->SetIntegerValue(name, static_cast<Index>(number))) ||
                 settings->SetStringValue(name, value);
    }
    if (!known || application->Initialize("") != Ipopt::Solve_Succeeded) {
        result.message = "a setting is not known to Ipopt";
        return result;
    }
    Ipopt::SmartPtr<Ipopt::TNLP> adapter = new Adapter(program, options, result);
    const Ipopt::ApplicationReturnStatus status = application->OptimizeTNLP(adapter);
    result.status = OptimizerStatus::Failed;
    result.message = "Ipopt stopped with code " + std::to_string(static_cast<int>(status));
    for (const Meaning& m : meanings)
        if (m.code == status) {
            result.status = m.status;
            result.message = m.sentence;
        }
    if (result.x.empty()) result.x = program.start;
    if (const Ipopt::SmartPtr<Ipopt::SolveStatistics> statistics = application->Statistics();
        Ipopt::IsValid(statistics)) {
        Number dual = 0, constraint = 0, complementarity = 0, error = 0;
        statistics->Infeasibilities(dual, constraint, complementarity, error);
        result.stationarity = dual;
        result.iterations = static_cast<std::size_t>(statistics->IterationCount());
    }
    result.violation = violation_at(program, result.x, result.constraints);
    if (result.status == OptimizerStatus::Limit && falls_forever(program, result)) {
        result.status = OptimizerStatus::Unbounded;
        result.message = "variables grow without limit";
    }
    // A point that keeps no constraint is no acceptable one.
    if (result.status == OptimizerStatus::Acceptable &&
        result.violation > 1e3 * std::max(options.constraint_tolerance, 1e-8))
        result.status = OptimizerStatus::Infeasible;
    return result;
}

}  // namespace cutset::optimizers
