#include "numerics/integrators/stepping_integrator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/diagnostic.h"
#include "numerics/floating_point.h"
#include "numerics/solver_messages.h"

namespace cutset {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// A stop time that is so little beyond the end of the step is reached with it.
constexpr double stretch = 1 + 1e-3;
// No quantity of a model is so large; a method that got there was unstable, or the solution is.
constexpr double unbounded = 1e60;

}  // namespace

SteppingIntegrator::SteppingIntegrator(IvpProblem problem)
    : IntegratorBase(std::move(problem)),
      y_(state_.size()),
      f_(y_.size()),
      next_(y_.size()),
      next_f_(y_.size()),
      errors_(y_.size()),
      locator_(functions_),
      scratch_(y_.size()),
      scratch_f_(y_.size()) {}

void SteppingIntegrator::started() {
    // Where events come one upon another, the next is likely to be as near: no first step passes over it. Two
    // intervals, because one event may be the end of another.
    const double lately = time_ - starts_[1];
    if (lately > 0 && time_ >= starts_[0]) requested_first_step_ = std::min(requested_first_step_, lately);
    starts_[1] = starts_[0];
    starts_[0] = time_;
    roots_known_ = false;
    steps_held_ = 0;
    obstacle_ = -infinity;
}

void SteppingIntegrator::shifted() {
    roots_known_ = false;
    steps_held_ = 0;
    obstacle_ = -infinity;
}

bool SteppingIntegrator::remember_method(MemoryStream& memory) {
    memory("end", t_);
    memory("state at end", y_);
    memory("slope at end", f_);
    memory("begin", step_begin_);
    memory("next step", h_);
    memory("obstacle", obstacle_);
    memory("starts", starts_);
    memory("tried", tried_);
    memory("roots known", roots_known_);
    memory("held", steps_held_);
    memory("order", statistics_.last_order);
    locator_.remember(memory);
    remember_past(memory);
    return true;
}

double SteppingIntegrator::error_norm(std::span<const double> error) {
    double sum = 0;
    for (std::size_t i = 0; i < error.size(); ++i) {
        const double e = std::abs(error[i]);
        const double scaled = e == 0 ? 0 : e / tolerance(i, std::max(std::abs(y_[i]), std::abs(next_[i])));
        errors_[i] = std::isnan(scaled) ? infinity : scaled;
        sum += errors_[i] * errors_[i];
    }
    return std::sqrt(sum / static_cast<double>(error.size()));
}

double SteppingIntegrator::norm(std::span<const double> value, std::span<const double> at) const {
    double sum = 0;
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (value[i] == 0) continue;
        const double scaled = value[i] / tolerance(i, std::abs(at[i]));
        sum += scaled * scaled;
    }
    return std::sqrt(sum / static_cast<double>(value.size()));
}

// What ends a step at once, if something has happened that does.
std::optional<SteppingIntegrator::Progress> SteppingIntegrator::stopped() {
    functions_.rethrow();
    if (functions_.interrupted()) return Progress::Interrupted;
    if (functions_.asked_to_stop()) return trouble(explain_asked_to_stop());
    return std::nullopt;
}

SteppingIntegrator::Progress SteppingIntegrator::trouble(std::string reason) {
    set_errors();
    remember_failure(std::move(reason), errors_);
    return Progress::Failed;
}

// Why a fixed step could not be done.
std::string SteppingIntegrator::why_not_fixed() const {
    const bool huge = std::any_of(y_.begin(), y_.end(), [](double v) { return !(std::abs(v) < unbounded); });
    return huge ? explain_fixed_step_unstable() : explain_fixed_step_impossible();
}

// Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, II.4: so that an explicit Euler step is
// small, then from the second derivative that such a step shows.
double SteppingIntegrator::choose_first_step(double t_stop) {
    const double longest = std::min(functions_.problem().max_step, t_stop - t_);
    const double size = norm(y_, y_), slope = norm(f_, y_);
    double h = size < 1e-5 || slope < 1e-5 ? 1e-6 : 0.01 * size / slope;
    h = std::min(h, longest);
    for (int tries = 0; tries < 10; ++tries, h *= 0.1) {
        for (std::size_t i = 0; i < y_.size(); ++i) scratch_[i] = y_[i] + h * f_[i];
        const int flag = evaluate(t_ + h, scratch_, scratch_f_);
        if (flag < 0) return h;
        if (flag > 0) continue;
        for (std::size_t i = 0; i < y_.size(); ++i) scratch_f_[i] -= f_[i];
        const double bend = norm(scratch_f_, y_) / h;
        const double largest = std::max(slope, bend);
        const double next =
            largest <= 1e-15 ? std::max(1e-6, h * 1e-3) : std::pow(0.01 / largest, 1 / order());
        return std::min({100 * h, next, longest});
    }
    return h;
}

SteppingIntegrator::Progress SteppingIntegrator::restart(double t_stop) {
    ++statistics_.restarts;
    has_step_ = tried_ = false;
    t_ = step_begin_ = time_;
    y_ = state_;
    std::fill(errors_.begin(), errors_.end(), 0.0);
    const int flag = evaluate(t_, y_, f_);
    if (const auto end = stopped()) return *end;
    if (flag != 0) return trouble(explain_evaluation_at_start());
    if (!fixed()) {
        if (zero_tolerance()) return trouble(explain_zero_tolerance());
        if (epsilon * norm(y_, y_) > 1) return trouble(explain_too_accurate());
    }
    const double requested = std::exchange(requested_first_step_, 0.0);
    h_ = fixed() ? 0 : requested > 0 ? adjust_first_step(requested) : choose_first_step(t_stop);
    if (const auto end = stopped()) return *end;
    if (!fixed() && is_unresolved(h_, requested)) return Progress::Failed;
    begin();
    needs_restart_ = false;
    return Progress::Good;
}

void SteppingIntegrator::hopped() {
    if (!needs_restart_) requested_first_step_ = h_;
    roots_known_ = roots_known_ && functions_.problem().roots == 0;
}

SteppingIntegrator::Progress SteppingIntegrator::advance(double t_stop) {
    const double max_step = fixed() ? infinity : functions_.problem().max_step;
    double last_error = 0;
    std::optional<Attempt::Outcome> obstacle;
    for (;;) {
        if (fixed()) h_ = next_fixed_step(t_stop);
        const double remaining = t_stop - t_;
        double h = std::min(h_, max_step);
        const bool at_longest = h_ > max_step;
        const bool to_stop = h * stretch >= remaining;
        const bool cut = to_stop && remaining < h;
        if (to_stop) h = remaining;
        // The first step after a start is tried in any case: its failure tells more than its length.
        const double shortest = 4 * epsilon * std::abs(t_) + 1e-30 * remaining;
        if (!tried_ && !to_stop) h = std::max(h, 4 * shortest);
        if (h <= shortest && !to_stop) {
            // Where steps have become so short before a place that cannot be passed, that is the reason.
            if (!obstacle && obstacle_ > t_) {
                obstacle = attempt(obstacle_ - t_).outcome;
                if (const auto end = stopped()) return *end;
            }
            return trouble(zero_tolerance()                           ? explain_zero_tolerance()
                           : obstacle == Attempt::Outcome::Impossible ? explain_evaluation_failed()
                           : obstacle == Attempt::Outcome::NotConverged && has_step_ ? explain_convergence()
                           : last_error > 1 && !std::isfinite(last_error)            ? explain_error_test()
                                                                          : explain_step_underflow());
        }
        Attempt tried = attempt(h);
        tried_ = true;
        if (const auto end = stopped()) return *end;
        if (std::isnan(tried.error)) tried.error = infinity;
        const bool done = tried.outcome == Attempt::Outcome::Done;
        const bool good = done && tried.error <= 1;
        if (functions_.problem().tried_step)
            functions_.problem().tried_step({functions_.origin + t_, h, done ? tried.error : infinity, good});
        if (good) {
            accept(h);
            step_begin_ = t_;
            t_ = to_stop ? t_stop : t_ + h;
            std::swap(y_, next_);
            std::swap(f_, next_f_);
            ++statistics_.steps;
            has_step_ = true;
            last_step_ = h;
            if (cut) {
                last_step_ = std::min(h_, max_step);
                if (last_step_ > 2 * h) ++steps_held_;
                h_ = after_cut(h, h_);
            } else {
                h_ = after_accepted(h, tried.error);
                steps_held_ = at_longest && h_ > max_step ? steps_held_ + 1 : 0;
            }
            return Progress::Good;
        }
        if (done) {
            ++statistics_.error_test_failures;
            last_error = tried.error;
            obstacle.reset();
            h_ = after_rejected(h, tried.error);
            if (!has_step_ && is_unresolved(h_, h_)) return Progress::Failed;
        } else {
            ++statistics_.convergence_failures;
            if (fixed()) return trouble(why_not_fixed());
            obstacle = tried.outcome;
            if (tried.outcome == Attempt::Outcome::Impossible) obstacle_ = t_ + h;
            h_ = after_obstacle(h, tried.retry);
        }
    }
}

StepResult SteppingIntegrator::finish(StepResult result, Progress progress) {
    result.status = progress == Progress::Failed ? StepStatus::Failed : StepStatus::Interrupted;
    result.time = time_;
    needs_restart_ = true;
    roots_known_ = false;
    has_step_ = false;
    return result;
}

StepResult SteppingIntegrator::go(double t_stop, StepResult result) {
    if (!inside_step()) {
        Progress progress = needs_restart_ ? restart(t_stop) : Progress::Good;
        if (progress == Progress::Good && functions_.problem().roots > 0 && !roots_known_) {
            roots_known_ = locator_.start(time_, state_);
            // What is just at its limit may leave it, which is no root: the caller sees it after a short
            // step.
            if (roots_known_ && locator_.any_zero()) h_ *= 1e-4;
            if (!roots_known_)
                progress = trouble(functions_.root_not_a_number() ? explain_root_function_not_a_number()
                                                                  : explain_root_function_failed());
        }
        if (progress == Progress::Good) progress = advance(t_stop);
        if (progress != Progress::Good) return finish(result, progress);
    }

    double reached = std::min(t_, t_stop);
    const auto state_at = [this](double t, std::span<double> x) {
        dense((t - step_begin_) / (t_ - step_begin_), x, {});
    };
    if (reached == t_ && functions_.problem().roots == 0) {
        state_ = y_;
        time_ = result.time = reached;
        return result;
    }
    if (reached == t_)
        scratch_ = y_;
    else
        state_at(reached, scratch_);
    if (functions_.problem().roots > 0) {
        const auto found = locator_.search(reached, scratch_, state_at);
        if (found == RootLocator::Outcome::Failed)
            return finish(result,
                          trouble(functions_.root_not_a_number() ? explain_root_function_not_a_number()
                                                                 : explain_root_function_failed()));
        if (found == RootLocator::Outcome::Found) {
            result.status = StepStatus::Root;
            result.roots = locator_.directions();
        }
    }
    time_ = result.time = reached;
    state_ = scratch_;
    return result;
}

void SteppingIntegrator::interpolate(double t, std::span<double> x, std::span<double> dx) {
    CUTSET_ASSERT(x.size() == state_.size() && (dx.empty() || dx.size() == state_.size()));
    t = method_time(t);
    const bool exact = !has_step_ || needs_restart_ || t >= time_;
    if (exact) {
        std::copy(state_.begin(), state_.end(), x.begin());
    } else {
        t = std::max(t, step_begin_);
        dense((t - step_begin_) / (t_ - step_begin_), x, dx);
    }
    if (dx.empty() || !exact) return;
    if (has_step_ && !needs_restart_) {
        dense((time_ - step_begin_) / (t_ - step_begin_), scratch_, dx);
    } else if (functions_.rhs_at_rest(time_, state_, dx) != 0) {
        std::fill(dx.begin(), dx.end(), std::numeric_limits<double>::quiet_NaN());
        functions_.rethrow();
    }
}

}  // namespace cutset
