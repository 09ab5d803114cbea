// NLopt: methods for few variables, local or over the whole box, most of them without derivatives.
#include <nlopt.h>

#include <algorithm>
#include <cmath>

#include "numerics/optimizers/module.h"

namespace cutset::optimizers {

namespace {

nlopt_algorithm algorithm_of(OptimizerMethod method) {
    switch (method) {
        case OptimizerMethod::Slsqp:
            return NLOPT_LD_SLSQP;
        case OptimizerMethod::Bobyqa:
            return NLOPT_LN_BOBYQA;
        case OptimizerMethod::NelderMead:
            return NLOPT_LN_SBPLX;
        case OptimizerMethod::Direct:
            return NLOPT_GN_DIRECT_L;
        case OptimizerMethod::RandomSearch:
            return NLOPT_GN_CRS2_LM;
        case OptimizerMethod::Isres:
            return NLOPT_GN_ISRES;
        default:
            return NLOPT_LN_COBYLA;
    }
}

// One bound of one constraint.
struct Side {
    std::size_t constraint;
    double sign, bound;  // sign * (c - bound) <= 0, or = 0
};

class Run {
  public:
    Run(const NonlinearProgram& program, const OptimizerOptions& options)
        : program_(program), options_(options), n_(program.variables()), c_(program.constraint_count()) {
        for (std::size_t i = 0; i < c_.size(); ++i) {
            const double low = program.constraint_lower[i], high = program.constraint_upper[i];
            if (low == high) {
                equations_.push_back({i, 1, low});
                continue;
            }
            if (std::isfinite(high)) limits_.push_back({i, 1, high});
            if (std::isfinite(low)) limits_.push_back({i, -1, low});
        }
        jacobian_.resize(program.jacobian_pattern.elements());
    }

    OptimizerResult solve() {
        nlopt_srand(options_.seed);
        solver_ = nlopt_create(algorithm_of(options_.method), static_cast<unsigned>(n_));
        std::vector<double> x = program_.start;
        if (!program_.lower.empty()) {
            nlopt_set_lower_bounds(solver_, program_.lower.data());
            nlopt_set_upper_bounds(solver_, program_.upper.data());
            for (std::size_t i = 0; i < n_; ++i)
                x[i] = std::clamp(x[i], program_.lower[i], program_.upper[i]);
        }
        const nlopt_result accepted = nlopt_set_min_objective(solver_, objective, this);
        const std::vector<double> tolerances(2 * c_.size() + 1, options_.constraint_tolerance);
        bool usable = accepted > 0;
        if (!limits_.empty())
            usable &= nlopt_add_inequality_mconstraint(solver_, static_cast<unsigned>(limits_.size()), limits,
                                                       this, tolerances.data()) > 0;
        if (!equations_.empty())
            usable &= nlopt_add_equality_mconstraint(solver_, static_cast<unsigned>(equations_.size()),
                                                     equations, this, tolerances.data()) > 0;
        if (!usable) {
            nlopt_destroy(solver_);
            result_.x = x;
            result_.message = "this method takes bounds only, no constraints";
            return result_;
        }
        nlopt_set_xtol_rel(solver_, options_.tolerance);
        nlopt_set_ftol_rel(solver_, options_.tolerance * 1e-2);
        nlopt_set_maxeval(solver_, static_cast<int>(std::min<std::size_t>(options_.max_iterations, 1 << 30)));
        if (std::isfinite(options_.max_seconds)) nlopt_set_maxtime(solver_, options_.max_seconds);
        double start_value = 0;
        if (!program_.objective(x, start_value) || !std::isfinite(start_value)) {
            // Methods that look at the whole box find other points.
            if (options_.method != OptimizerMethod::Direct &&
                options_.method != OptimizerMethod::RandomSearch &&
                options_.method != OptimizerMethod::Isres) {
                nlopt_destroy(solver_);
                result_.x = x;
                result_.status = OptimizerStatus::Undefined;
                result_.message = "a function has no value at the start";
                return result_;
            }
        } else {
            note(start_value);
        }
        double value = 0;
        const nlopt_result code = nlopt_optimize(solver_, x.data(), &value);
        nlopt_destroy(solver_);
        finish(code, std::move(x));
        return result_;
    }

  private:
    void note(double value) {
        if (!std::isfinite(largest_) || value > largest_) largest_ = value;
        if (!std::isfinite(smallest_) || value < smallest_) smallest_ = value;
    }
    // Worse than all that were seen, and not so far away that models of the objective lose their sense.
    double bad_value() const {
        if (!std::isfinite(largest_)) return 1e10;
        return largest_ + std::max(1.0, largest_ - smallest_);
    }
    bool stopped() {
        if ((options_.interrupt && *options_.interrupt) || result_.status == OptimizerStatus::Interrupted) {
            result_.status = OptimizerStatus::Interrupted;
            nlopt_force_stop(solver_);
            return true;
        }
        return false;
    }

    static double objective(unsigned n, const double* x, double* gradient, void* self) {
        Run& run = *static_cast<Run*>(self);
        if (run.stopped()) return run.bad_value();
        ++run.result_.evaluations;
        const std::span<const double> point(x, n);
        double value = 0;
        bool defined = run.program_.objective(point, value) && std::isfinite(value);
        if (defined && gradient) {
            const std::span<double> g(gradient, n);
            defined = run.program_.gradient(point, g) &&
                      std::all_of(g.begin(), g.end(), [](double v) { return std::isfinite(v); });
        }
        if (!defined) {
            ++run.result_.undefined;
            if (gradient) std::fill_n(gradient, n, 0.0);
            return run.bad_value();
        }
        run.note(value);
        if (run.options_.progress) {
            const double violation = run.evaluate(point) ? violation_at(run.program_, point, run.c_) : 0;
            if (!run.options_.progress(
                    {run.result_.evaluations, value, violation, std::numeric_limits<double>::quiet_NaN()}))
                run.result_.status = OptimizerStatus::Interrupted;
        }
        return value;
    }

    bool evaluate(std::span<const double> x) {
        return c_.empty() || (program_.constraints(x, c_) &&
                              std::all_of(c_.begin(), c_.end(), [](double v) { return std::isfinite(v); }));
    }

    void sides(const std::vector<Side>& list, double* values, unsigned n, const double* x, double* gradient) {
        const std::span<const double> point(x, n);
        const bool defined = evaluate(point) && (!gradient || program_.jacobian(point, jacobian_));
        if (!defined) {
            ++result_.undefined;
            std::fill_n(values, list.size(), 1.0);  // as if not kept
            if (gradient) std::fill_n(gradient, list.size() * n, 0.0);
            return;
        }
        for (std::size_t k = 0; k < list.size(); ++k)
            values[k] = list[k].sign * (c_[list[k].constraint] - list[k].bound);
        if (!gradient) return;
        std::fill_n(gradient, list.size() * n, 0.0);
        const SparsePattern& p = program_.jacobian_pattern;
        std::vector<std::vector<std::size_t>> places(c_.size());
        for (std::size_t k = 0; k < list.size(); ++k) places[list[k].constraint].push_back(k);
        for (std::size_t j = 0; j < p.columns; ++j)
            for (auto e = p.starts[j]; e < p.starts[j + 1]; ++e)
                for (std::size_t k : places[static_cast<std::size_t>(p.row[static_cast<std::size_t>(e)])])
                    gradient[k * n + j] = list[k].sign * jacobian_[static_cast<std::size_t>(e)];
    }
    static void limits(unsigned, double* values, unsigned n, const double* x, double* gradient, void* self) {
        Run& run = *static_cast<Run*>(self);
        run.sides(run.limits_, values, n, x, gradient);
    }
    static void equations(unsigned, double* values, unsigned n, const double* x, double* gradient,
                          void* self) {
        Run& run = *static_cast<Run*>(self);
        run.sides(run.equations_, values, n, x, gradient);
    }

    void finish(nlopt_result code, std::vector<double> x) {
        result_.x = std::move(x);
        result_.iterations = result_.evaluations;
        const bool defined =
            program_.objective(result_.x, result_.objective) && std::isfinite(result_.objective);
        if (evaluate(result_.x)) result_.constraints = c_;
        result_.violation = violation_at(program_, result_.x, result_.constraints);
        if (result_.status == OptimizerStatus::Interrupted || code == NLOPT_FORCED_STOP) {
            result_.status = OptimizerStatus::Interrupted;
            result_.message = "stopped";
        } else if (code == NLOPT_MAXEVAL_REACHED || code == NLOPT_MAXTIME_REACHED) {
            result_.status = OptimizerStatus::Limit;
            result_.message = "the limit of evaluations or time was reached";
        } else if (code > 0) {
            result_.status = OptimizerStatus::Solved;
            result_.message = "an optimum was found";
        } else if (code == NLOPT_ROUNDOFF_LIMITED) {
            result_.status = OptimizerStatus::Acceptable;
            result_.message = "rounding errors let it go no further";
        } else if (code == NLOPT_INVALID_ARGS) {
            result_.message = "this method needs finite bounds of all variables";
        } else {
            result_.message = "NLopt stopped with code " + std::to_string(static_cast<int>(code));
        }
        if (result_.status == OptimizerStatus::Interrupted) return;
        if (!defined) {
            result_.status = OptimizerStatus::Undefined;
            result_.message = "no point was found where all functions have values";
        } else if (result_.status <= OptimizerStatus::Acceptable &&
                   result_.violation > 10 * std::max(options_.constraint_tolerance, 1e-8)) {
            result_.status = OptimizerStatus::Infeasible;
            result_.message = "no point was found that keeps all constraints";
        }
        if (result_.status <= OptimizerStatus::Acceptable && std::abs(result_.objective) > 1e250)
            result_.status = OptimizerStatus::Unbounded;
    }

    const NonlinearProgram& program_;
    const OptimizerOptions& options_;
    std::size_t n_;
    std::vector<double> c_, jacobian_;
    std::vector<Side> limits_, equations_;
    nlopt_opt solver_ = nullptr;
    OptimizerResult result_;
    double largest_ = std::numeric_limits<double>::quiet_NaN(), smallest_ = largest_;
};

}  // namespace

OptimizerResult solve_by_nlopt(const NonlinearProgram& program, const OptimizerOptions& options) {
    return Run(program, options).solve();
}

}  // namespace cutset::optimizers
