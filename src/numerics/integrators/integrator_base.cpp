#include "numerics/integrators/integrator_base.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/diagnostic.h"
#include "numerics/floating_point.h"

namespace cutset {

IntegratorBase::IntegratorBase(IvpProblem problem)
    : functions_(std::move(problem)), state_(functions_.problem().n), slopes_(state_.size()) {}

void IntegratorBase::start(double t0, std::span<const double> x0, std::optional<double> first_step) {
    CUTSET_ASSERT(x0.size() == state_.size());
    // x0 may be our own state().
    if (x0.data() != state_.data()) std::copy(x0.begin(), x0.end(), state_.begin());
    functions_.origin = 0;
    phase_begin_ = time_ = t0;
    requested_first_step_ = first_step.value_or(0);
    needs_restart_ = true;
    has_step_ = false;
    failure_reason_.clear();
    limiting_state_.reset();
    weighted_errors_.clear();
    started();
}

void IntegratorBase::continue_phase(const IntegratorBase& before) {
    phase_begin_ = before.phase_begin_;
    functions_.origin = before.functions_.origin;
    time_ = before.time_;
    stop_ = before.stop_;
    problem_stop_ = before.problem_stop_;
}

bool IntegratorBase::remember(MemoryStream& memory) {
    memory("origin", functions_.origin);
    memory("phase begin", phase_begin_);
    memory("stop", stop_);
    memory("stop of problem", problem_stop_);
    memory("time", time_);
    memory("state", state_);
    memory("last step", last_step_);
    memory("first step", requested_first_step_);
    memory("restart", needs_restart_);
    memory("stepped", has_step_);
    return remember_method(memory) && memory.good();
}

namespace {

// A phase that fails within so many units in the last place of the time behind its beginning may be a
// transient that is shorter than these.
constexpr double short_phase = 1e6 * epsilon;
// The rounding of time makes steps of this part of it longer or shorter by up to 1e-8 of themselves, all of
// them alike where they are equal.
constexpr double shortest_resolved = 1e8 * epsilon;
// A stop time that is nearer is hopped to.
constexpr double nearest_step = 10 * epsilon;

}  // namespace

StepResult IntegratorBase::step(double t_stop) {
    CUTSET_ASSERT(std::isfinite(t_stop));
    const double longest = std::min(t_stop - time(), functions_.problem().max_step);
    if (needs_restart_ && longest > nearest_step * std::abs(t_stop) &&
        is_unresolved(longest, requested_first_step_))
        shift_origin();
    StepResult result = step_to(t_stop);
    if (result.status == StepStatus::Failed && shift_origin()) result = step_to(t_stop);
    return result;
}

// From here on the method counts time from here, where a phase has just begun: its steps can then be as short
// as they have to be. Once in a phase.
bool IntegratorBase::shift_origin() {
    if (!may_shift_here() || functions_.asked_to_stop() || functions_.root_not_a_number()) return false;
    functions_.origin = time_;
    time_ = 0;
    stop_ = problem_stop_ = std::numeric_limits<double>::quiet_NaN();
    if (!std::exchange(unresolved_, false)) requested_first_step_ = 0;
    needs_restart_ = true;
    has_step_ = false;
    shifted();
    return true;
}

bool IntegratorBase::may_shift_here() const {
    return functions_.origin == 0 && std::abs(time_ - phase_begin_) <= short_phase * std::abs(time_) &&
           may_shift();
}

bool IntegratorBase::is_unresolved(double h, double first_step) {
    unresolved_ = h < shortest_resolved * std::abs(time_) && may_shift_here();
    if (unresolved_) requested_first_step_ = first_step;
    return unresolved_;
}

StepResult IntegratorBase::step_to(double problem_stop) {
    functions_.begin_step();
    limiting_state_.reset();
    const double t_stop = stop_ = method_time(problem_stop);
    problem_stop_ = problem_stop;
    StepResult result{StepStatus::Ok, time_, time_, {}};
    if (functions_.interrupt_requested()) {
        result.status = StepStatus::Interrupted;
    } else if (t_stop > time_) {
        if (may_hop() && t_stop - time_ <= nearest_step * std::max(std::abs(time_), std::abs(t_stop)) &&
            hop(t_stop))
            result.time = time_;
        else
            result = go(t_stop, result);
    }
    result.from = problem_time(result.from);
    result.time = problem_time(result.time);
    return result;
}

// The stop time is nearer than a step can be: one explicit Euler step of a few units in the last place.
bool IntegratorBase::hop(double t_stop) {
    if (functions_.rhs(time_, state_, slopes_) != 0) return false;
    for (std::size_t i = 0; i < state_.size(); ++i) state_[i] += (t_stop - time_) * slopes_[i];
    time_ = t_stop;
    hopped();
    needs_restart_ = true;
    has_step_ = false;
    return true;
}

std::optional<std::size_t> IntegratorBase::zero_tolerance() const {
    for (std::size_t i = 0; i < state_.size(); ++i)
        if (tolerance(i, std::abs(state_[i])) == 0) return i;
    return std::nullopt;
}

void IntegratorBase::remember_failure(std::string reason, std::span<const double> errors) {
    failure_reason_ = std::move(reason);
    weighted_errors_.assign(errors.begin(), errors.end());
    limiting_state_.reset();
    double largest = 0;
    for (std::size_t i = 0; i < weighted_errors_.size(); ++i) {
        double& error = weighted_errors_[i];
        error = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::abs(error);
        if (error > largest) {
            largest = error;
            limiting_state_ = i;
        }
    }
    if (uses_tolerances() && zero_tolerance()) limiting_state_ = zero_tolerance();
    if (functions_.derivative_not_finite()) limiting_state_ = functions_.derivative_not_finite();
    if (functions_.root_not_a_number()) limiting_state_.reset();
}

IntegratorStatistics IntegratorBase::statistics() const {
    IntegratorStatistics result;
    add_counters(result);
    result.rhs_evaluations = functions_.rhs_evaluations;
    result.jacobians = functions_.jacobians;
    result.factorizations = functions_.factorizations;
    result.symbolic_analyses = functions_.symbolic_analyses;
    result.root_evaluations = functions_.root_evaluations;
    result.jacobian_seconds = functions_.jacobian_seconds;
    result.factor_seconds = functions_.factor_seconds;
    result.solve_seconds = functions_.solve_seconds;
    return result;
}

}  // namespace cutset
