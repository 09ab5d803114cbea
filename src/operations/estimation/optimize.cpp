#include "operations/estimation/optimize.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "operations/ensembles/sensitivity_messages.h"
#include "operations/estimation/optimization.h"
#include "operations/estimation/optimize_messages.h"

namespace cutset {

namespace optimization {

namespace {

constexpr int most_refinements = 6;   // of the grid of limits along the run
constexpr double most_smaller = 1e6;  // an objective that becomes zero is rounding there
constexpr double smaller_at_end = 3;  // times: the objective is then scaled anew

std::size_t prime(std::size_t n) {
    std::size_t p = 2;
    for (std::size_t found = 0;; ++p) {
        bool is = true;
        for (std::size_t d = 2; d * d <= p && is; ++d) is = p % d != 0;
        if (is && found++ == n) return p;
    }
}

}  // namespace

void Optimization::report(OptimizeResult& result) {
    Diagnostics& diagnostics = workspace_.diagnostics;
    std::vector<std::string> broken, at_bounds, growing, values;
    for (const OptimizedLimit& l : result.limits)
        if (!l.kept)
            broken.push_back(
                l.time ? fmt::format("{} ({} = {:.6g} at time {:.6g})", l.text, l.left, l.value, *l.time)
                       : fmt::format("{} ({} = {:.6g})", l.text, l.left, l.value));
    for (std::size_t j = 0; j < result.values.size(); ++j) {
        const OptimizedValue& v = result.values[j];
        if (v.at_lower || v.at_upper)
            at_bounds.push_back(fmt::format("{} = {:.6g}", v.parameter.path, v.value));
        if (std::abs(v.value) > 100 * sizes_[j])
            growing.push_back(fmt::format("{} = {:.3g}", v.parameter.path, v.value));
        values.push_back(fmt::format("{} = {:.6g}", v.parameter.path, v.value));
    }
    if (result.status <= OptimizerStatus::Acceptable && !broken.empty())
        result.status = OptimizerStatus::Infeasible;
    std::vector<std::string> idle;
    for (const OptimizedValue& v : result.values)
        if (!v.acts) idle.push_back(v.parameter.path);
    if (!idle.empty())
        diagnostics.report(optimize_messages::no_influence(
            idle, limits_.empty() ? "the objective" : "the objective and the conditions"));
    if (result.status == OptimizerStatus::Limit &&
        std::any_of(result.values.begin(), result.values.end(),
                    [](const OptimizedValue& v) { return std::abs(v.value) > 1e10; }))
        result.status = OptimizerStatus::Unbounded;
    if (result.status > OptimizerStatus::Acceptable) {
        for (OptimizedValue& v : result.values) v.multiplier = 0;
        for (OptimizedLimit& l : result.limits) l.multiplier = 0;
    }
    switch (result.status) {
        case OptimizerStatus::Solved:
            break;
        case OptimizerStatus::Acceptable:
            diagnostics.report(optimize_messages::roughly(result.message));
            break;
        case OptimizerStatus::Infeasible:
            diagnostics.report(optimize_messages::infeasible(broken, at_bounds));
            break;
        case OptimizerStatus::Unbounded:
            diagnostics.report(optimize_messages::unbounded(settings_.objective, growing));
            break;
        case OptimizerStatus::Limit:
            diagnostics.report(optimize_messages::limit_of_iterations(result.message));
            break;
        case OptimizerStatus::Undefined:
            diagnostics.report(optimize_messages::not_defined_at_start(result.message, values));
            break;
        case OptimizerStatus::Interrupted:
            diagnostics.report(optimize_messages::interrupted());
            break;
        case OptimizerStatus::Failed:
            diagnostics.report(optimize_messages::no_optimum(result.message));
            break;
    }
}

std::optional<OptimizeResult> Optimization::run() {
    if (!prepare() || !choose_method()) return std::nullopt;
    choose_derivatives();
    const bool by_derivatives = description().derivatives;
    OptimizeResult result;
    std::vector<double> guess;
    for (const ParameterRange& r : ranges_) guess.push_back(*r.guess);
    const std::optional<Evaluation> first = look_at_guess(guess, result);
    if (!first) return std::nullopt;

    std::optional<OptimizerResult> best = search(guess, *first, result);
    if (!best) return std::nullopt;
    const bool interrupted = is_interrupted();
    if (interrupted) {
        runs_->ignore_interrupt();  // for what is still to be shown
        best->status = OptimizerStatus::Interrupted;
    }
    if (interrupted || best->status == OptimizerStatus::Limit) take_best(*best);
    if (worse_than_first(*best, *first)) {
        best->status = OptimizerStatus::Failed;
        best->message =
            "the search ended at a value worse than the first: the objective may have kinks or steps";
    }
    if (best->status == OptimizerStatus::Solved && by_derivatives && first->good)
        solve_at_scale_of_end(*best, result);
    refine_grid(*best, result);
    if (!interrupted) {
        put_idle_back(*best);
        add_multipliers(*best);
    }
    fill(result, *best);
    report(result);
    result.method = description().name;
    if (description().derivatives)
        result.derivatives = !runs_->inexact().empty()                       ? "differences"
                             : mode_ == ParametricRuns::Derivatives::Adjoint ? "adjoint"
                                                                             : "forward";
    result.runs = runs_->runs();
    result.model = std::move(runs_);
    return result;
}

bool Optimization::is_interrupted() const {
    return settings_.runs.run.interrupt && *settings_.runs.run.interrupt;
}

const MethodDescription& Optimization::description() const {
    const auto& list = optimizer_list();
    return *std::find_if(list.begin(), list.end(),
                         [&](const MethodDescription& d) { return d.method == method_; });
}

// The method asked for, or the usual one, if it can do what is asked.
bool Optimization::choose_method() {
    Diagnostics& diagnostics = workspace_.diagnostics;
    method_ = settings_.method.value_or(OptimizerMethod::Ipopt);
    const MethodDescription& method = description();
    if (!method.constraints) {
        kinks_.clear();
        if (!limits_.empty()) {
            diagnostics.report(optimize_messages::method_without_limits(std::string(method.name)));
            return false;
        }
        drop_epigraph();
    }
    std::vector<std::string> without;
    for (const ParameterRange& r : ranges_)
        if (!std::isfinite(r.lower.value_or(-unlimited)) || !std::isfinite(r.upper.value_or(unlimited)))
            without.push_back(r.path);
    if (!without.empty() && (method.whole_box || settings_.starts > 1)) {
        diagnostics.report(optimize_messages::needs_bounds(
            settings_.starts > 1 ? "--starts" : "--method " + std::string(method.name), without));
        return false;
    }
    return true;
}

// The largest value over a run as it is, without conditions at the times of a grid.
void Optimization::drop_epigraph() {
    if (!epigraph_) return;
    epigraph_.reset();
    set_grid({});
}

// Backward in time pays with many parameters and few numbers at the end.
void Optimization::choose_derivatives() {
    const std::size_t at_end = criteria_->measures().size();
    if (times_.empty() && n() >= 10 * std::max<std::size_t>(at_end, 1))
        mode_ = ParametricRuns::Derivatives::Adjoint;
    if (settings_.derivatives) mode_ = *settings_.derivatives;
    if (!times_.empty() && mode_ == ParametricRuns::Derivatives::Adjoint)
        mode_ = ParametricRuns::Derivatives::Forward;
}

// Of a number and what a parameter moved by its own size makes of it.
double Optimization::size_of(const Number& v) const {
    double largest = std::abs(v.value);
    for (std::size_t j = 0; j < v.by.size(); ++j)
        if (std::isfinite(v.by[j])) largest = std::max(largest, std::abs(v.by[j]) * sizes_[j]);
    return largest > 1e-100 && std::isfinite(largest) ? largest : 1;
}

// The first values: what they give scales the problem. Nothing where no search can begin.
std::optional<Evaluation> Optimization::look_at_guess(const std::vector<double>& guess,
                                                      OptimizeResult& result) {
    limit_scales_.assign(limits_.size(), 1);
    objective_scale_ = settings_.maximize ? -1 : 1;
    acts_.assign(n(), false);
    const Evaluation first = evaluate(guess, true);
    if (first.good) {
        result.before = first.objective.value;
        result.objective_known_before = true;
        set_scales(first);
        if (description().derivatives && !runs_->inexact().empty()) avoid_inexact_derivatives();
    } else if (is_interrupted()) {
        workspace_.diagnostics.report(optimize_messages::interrupted_at_once());
        return std::nullopt;
    } else if (!description().whole_box && settings_.starts <= 1) {
        std::vector<std::string> values;
        for (std::size_t j = 0; j < n(); ++j)
            values.push_back(fmt::format("{} = {:.6g}", ranges_[j].path, guess[j]));
        workspace_.diagnostics.report(optimize_messages::not_defined_at_start(first.problem, values));
        return std::nullopt;
    }
    return first;
}

// So that tolerances mean the same for every unit.
void Optimization::set_scales(const Evaluation& first) {
    objective_scale_ /= size_of(first.objective);
    const auto bound = [](const Limit& l) {
        return std::isfinite(l.upper) ? std::abs(l.upper) : std::abs(l.lower);
    };
    for (std::size_t k = 0; k < scalars(); ++k) {
        const std::size_t l = criterion_limits_[k];
        limit_scales_[l] = 1 / std::max(size_of(first.limits[k]), bound(limits_[l]));
    }
    for (std::size_t k = 0; k < along_.size(); ++k) {
        double largest = bound(limits_[along_[k]]);
        for (const Number& v : first.along[k]) largest = std::max(largest, std::abs(v.value));
        limit_scales_[along_[k]] = largest > 0 ? 1 / largest : 1;
    }
}

void Optimization::avoid_inexact_derivatives() {
    const char* instead = "difference quotients of runs are used";
    if (!settings_.method) {
        instead = "a method without derivatives is used";
        method_ = limits_.empty() ? OptimizerMethod::Bobyqa : OptimizerMethod::Cobyla;
        kinks_.clear();
        if (limits_.empty()) drop_epigraph();
    }
    workspace_.diagnostics.report(sensitivity_messages::inexact_derivatives(runs_->inexact(), instead));
}

// Without conditions nothing excuses an end that is worse than the beginning.
bool Optimization::worse_than_first(const OptimizerResult& r, const Evaluation& first) const {
    const double begin = first.objective.value * objective_scale_;
    return first.good && limit_scales_.empty() && r.status <= OptimizerStatus::Acceptable &&
           r.objective > begin + 1e-9 * std::abs(begin);
}

// From the guess, and from as many further points as are asked for; the best end.
std::optional<OptimizerResult> Optimization::search(const std::vector<double>& guess, const Evaluation& first,
                                                    OptimizeResult& result) {
    const auto better = [](const OptimizerResult& a, const OptimizerResult& b) {
        const auto rank = [](const OptimizerResult& r) {
            return r.status <= OptimizerStatus::Acceptable ? 0 : r.status == OptimizerStatus::Limit ? 1 : 2;
        };
        if (rank(a) != rank(b)) return rank(a) < rank(b);
        return rank(a) < 2 ? a.objective < b.objective : a.violation < b.violation;
    };
    std::optional<OptimizerResult> best;
    for (std::size_t s = 0; s < std::max<std::size_t>(settings_.starts, 1); ++s) {
        std::vector<double> start = guess;
        for (std::size_t j = 0; s > 0 && j < n(); ++j)
            start[j] = *ranges_[j].lower + (*ranges_[j].upper - *ranges_[j].lower) * halton(s, prime(j));
        std::string problem;
        OptimizerResult solved = solve(start, problem);
        if (!problem.empty()) {
            workspace_.diagnostics.report(optimize_messages::no_module(problem));
            return std::nullopt;
        }
        result.iterations += solved.iterations;
        if (method_ == OptimizerMethod::Ipopt && !settings_.method)
            try_sequential(start, first, solved, result);
        if (settings_.starts > 1)
            result.starts.push_back(solved.status <= OptimizerStatus::Acceptable
                                        ? solved.objective / objective_scale_
                                        : std::numeric_limits<double>::quiet_NaN());
        if (!best || better(solved, *best)) best = std::move(solved);
        if (best->status == OptimizerStatus::Interrupted) break;
        if (is_interrupted()) break;
    }
    return best;
}

// Where an interior method finds no way, as at kinks, a sequential one may.
void Optimization::try_sequential(const std::vector<double>& start, const Evaluation& first,
                                  OptimizerResult& solved, OptimizeResult& result) {
    const bool worse = worse_than_first(solved, first);
    const bool no_way = solved.status == OptimizerStatus::Limit || solved.status == OptimizerStatus::Failed ||
                        solved.status == OptimizerStatus::Infeasible ||
                        solved.status == OptimizerStatus::Acceptable;
    if (!worse && !no_way) return;
    const bool from_start = solved.status == OptimizerStatus::Infeasible || worse;
    std::string problem;
    method_ = OptimizerMethod::Slsqp;
    const OptimizerResult second = solve(from_start ? start : parameters(solved.x), problem);
    method_ = OptimizerMethod::Ipopt;
    result.iterations += second.iterations;
    const bool as_good = solved.status > OptimizerStatus::Acceptable || worse ||
                         second.objective <= solved.objective + 1e-4 * std::abs(solved.objective);
    if (second.status <= OptimizerStatus::Acceptable && as_good &&
        !(second.violation > 10 * settings_.tolerance))
        solved = second;
}

// Where the objective is far smaller than at the first values, the precision asked for was that of those.
void Optimization::solve_at_scale_of_end(OptimizerResult& best, OptimizeResult& result) {
    const Evaluation end = evaluate(parameters(best.x), true);
    const double scale =
        end.good ? std::min(1 / size_of(end.objective), most_smaller * std::abs(objective_scale_)) : 0;
    if (!(scale > smaller_at_end * std::abs(objective_scale_))) return;
    const double before = std::exchange(objective_scale_, std::copysign(scale, objective_scale_));
    std::string problem;
    OptimizerResult again = solve(parameters(best.x), problem);
    result.iterations += again.iterations;
    if (again.status <= OptimizerStatus::Acceptable && !(again.violation > 10 * settings_.tolerance))
        best = std::move(again);
    else
        objective_scale_ = before;
}

// Limits along the run, at further times where they are broken between those of the grid.
void Optimization::refine_grid(OptimizerResult& best, OptimizeResult& result) {
    std::string problem;
    for (int round = 0; round < most_refinements && best.status <= OptimizerStatus::Acceptable; ++round) {
        if (!refine(parameters(best.x))) break;
        const OptimizerMethod first_method = method_;
        // From nearby a sequential method needs the fewest runs.
        if (!settings_.method && method_ == OptimizerMethod::Ipopt) method_ = OptimizerMethod::Slsqp;
        OptimizerResult again = solve(parameters(best.x), problem);
        method_ = first_method;
        if (again.status > OptimizerStatus::Acceptable) again = solve(parameters(best.x), problem);
        result.iterations += again.iterations;
        best = again;
    }
}

}  // namespace optimization

std::optional<OptimizeResult> optimize_parameters(Workspace& workspace, const OptimizeSettings& settings) {
    return optimization::Optimization(workspace, settings).run();
}

}  // namespace cutset
