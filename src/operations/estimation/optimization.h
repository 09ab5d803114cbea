// The search behind optimize_parameters(). Private to src/operations/estimation.
//
//   optimize.cpp                the search as a whole, and what is said about it
//   optimization_measures.cpp   the question, and the numbers that a run gives for it
//   optimization_program.cpp    the nonlinear program that is solved
//   optimization_result.cpp     the solution: finer grids, multipliers, the result
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "operations/estimation/optimize.h"

namespace cutset::optimization {

// A number and its derivatives by the parameters.
struct Number {
    double value = 0;
    std::vector<double> by;
};

struct Evaluation {
    std::vector<double> at;  // parameters
    bool good = false, has_derivatives = false;
    std::string problem;
    Number objective;
    Number smooth;                           // what is left of the objective beside its kinks
    std::vector<std::vector<Number>> kinks;  // by kink, then by branch
    std::vector<Number> limits;              // by limit that is a number
    std::vector<std::vector<Number>> along;  // by limit along the run, then by time of the grid
};

// A term of the objective that is the largest of its branches: c*abs(e), c*max(a, b). The largest is bounded
// by a variable of its own instead, so that the program is smooth.
struct Kink {
    std::vector<Criterion> branches;
};

class Optimization {
  public:
    Optimization(Workspace& workspace, const OptimizeSettings& settings)
        : workspace_(workspace), settings_(settings) {}

    std::optional<OptimizeResult> run();

  private:
    bool prepare();
    bool choose_method();
    bool is_interrupted() const;
    const MethodDescription& description() const;  // of the method chosen
    void drop_epigraph();
    void choose_derivatives();
    std::optional<Evaluation> look_at_guess(const std::vector<double>& guess, OptimizeResult& result);
    void set_scales(const Evaluation& first);
    double size_of(const Number& v) const;
    void avoid_inexact_derivatives();
    std::optional<OptimizerResult> search(const std::vector<double>& guess, const Evaluation& first,
                                          OptimizeResult& result);
    void try_sequential(const std::vector<double>& start, const Evaluation& first, OptimizerResult& solved,
                        OptimizeResult& result);
    bool worse_than_first(const OptimizerResult& r, const Evaluation& first) const;
    void solve_at_scale_of_end(OptimizerResult& best, OptimizeResult& result);
    void refine_grid(OptimizerResult& best, OptimizeResult& result);
    void separate_kinks();
    void set_grid(std::vector<double> grid);
    Number measure(std::size_t k, const ParametricRuns::Outcome& outcome, bool derivatives, bool& good) const;
    Number criterion(const Criterion& c, const std::vector<Number>& measures, bool derivatives);
    Evaluation evaluate(std::span<const double> p, bool derivatives);
    const Evaluation& at(std::span<const double> u, bool derivatives);
    double objective_of(const Evaluation& e) const;
    double violation_of(const Evaluation& e) const;
    void keep_if_best(std::span<const double> u, const Evaluation& e);
    void take_best(OptimizerResult& solved);
    std::vector<double> parameters(std::span<const double> u) const;
    NonlinearProgram make_program(const std::vector<double>& start, double bound_start);
    OptimizerResult solve(const std::vector<double>& start, std::string& problem);
    bool refine(const std::vector<double>& p);
    void put_idle_back(OptimizerResult& solved);
    void add_multipliers(OptimizerResult& solved);
    void fill(OptimizeResult& result, const OptimizerResult& solved);
    void report(OptimizeResult& result);
    std::size_t n() const { return ranges_.size(); }
    std::size_t scalars() const { return criterion_limits_.size(); }
    std::size_t constraint_count() const {
        return scalars() + (along_.size() + (epigraph_ ? 1 : 0)) * grid_.size() + branches();
    }
    std::size_t branches() const {
        std::size_t count = 0;
        for (const Kink& k : kinks_) count += k.branches.size();
        return count;
    }

    Workspace& workspace_;
    OptimizeSettings settings_;
    std::unique_ptr<Criteria> criteria_;
    std::unique_ptr<ParametricRuns> runs_;
    std::vector<ParameterRange> ranges_;
    Criterion objective_, smooth_;
    std::vector<Kink> kinks_;
    std::vector<Limit> limits_;
    std::vector<std::size_t> criterion_limits_, along_;  // numbers of limits
    std::optional<std::size_t> epigraph_;                // output whose maximum is the objective
    std::vector<VariableIndex> outputs_;
    std::vector<std::size_t> measure_output_, along_output_;
    std::vector<double> grid_, times_;
    std::vector<std::size_t> grid_rows_;
    std::vector<double> sizes_;         // of parameters
    double objective_scale_ = 1;        // sign included
    std::vector<double> limit_scales_;  // by limit
    OptimizerMethod method_ = OptimizerMethod::Ipopt;
    ParametricRuns::Derivatives mode_ = ParametricRuns::Derivatives::Forward;
    std::vector<Evaluation> recent_;
    struct Seen {
        std::vector<double> u;
        Evaluation evaluation;
    };
    std::optional<Seen> best_;  // what a search shows that comes to no end
    std::size_t iterations_ = 0;
    std::vector<bool> acts_;  // by parameter: a derivative by it was not zero somewhere
    std::map<std::pair<std::size_t, std::size_t>, Expr> partial_;  // by expression and measure
};

// The element of that number of the Halton sequence with that base, between 0 and 1: the same every time.
double halton(std::size_t index, std::size_t base);

}  // namespace cutset::optimization
