#include "numerics/integrators/sundials_integrator.h"

#include <cvode/cvode.h>
#include <ida/ida.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/diagnostic.h"
#include "numerics/floating_point.h"
#include "numerics/solver_messages.h"

namespace cutset {

static_assert(std::array{CV_SUCCESS, CV_TSTOP_RETURN, CV_TOO_MUCH_WORK, CV_ILL_INPUT, CV_CONV_FAILURE} ==
              std::array{IDA_SUCCESS, IDA_TSTOP_RETURN, IDA_TOO_MUCH_WORK, IDA_ILL_INPUT, IDA_CONV_FAIL});

namespace {

// A step that is only a few units in the last place of the time; this many in a row and time stands still.
constexpr double stuck_step = 4 * epsilon;
constexpr int stuck_limit = 20;

}  // namespace

SundialsIntegrator::SundialsIntegrator(IvpProblem problem)
    : IntegratorBase(std::move(problem)),
      context_(make_context()),
      y_(make_vector(functions_.problem().n, context_.get())),
      scratch_(make_vector(functions_.problem().n, context_.get())),
      weights_(make_vector(functions_.problem().n, context_.get())),
      next_(functions_.problem().n),
      locator_(functions_, RootLocator::Care::AtZeros) {
    N_VConst(0, y_.get());
    N_VConst(0, scratch_.get());
    N_VConst(1, weights_.get());
}

void SundialsIntegrator::started() {
    stuck_steps_ = 0;
    told_until_ = time_;
}

bool SundialsIntegrator::remember_method(MemoryStream& memory) {
    if (!remember_solver(memory)) return false;
    std::span<double> y = elements(y_.get());
    memory("state at end", y);
    memory("known stop", known_stop_);
    memory("end", internal_time_);
    memory("end of step", step_end_);
    memory("interpolated from", interpolate_from_);
    memory("told until", told_until_);
    memory("stuck", stuck_steps_);
    memory("stuck by evaluation", stuck_by_evaluation_);
    memory("stuck state", stuck_state_);
    locator_.remember(memory);
    return true;
}

bool SundialsIntegrator::restart(double first_step) {
    add_new_counters(before_);
    ++before_.restarts;
    has_step_ = false;
    needs_restart_ = false;
    internal_time_ = time_;
    known_stop_ = std::numeric_limits<double>::quiet_NaN();
    start_flag_ = reinitialize(time_, state_, std::min(first_step, functions_.problem().max_step));
    return start_flag_ == CV_SUCCESS;
}

int SundialsIntegrator::factor(IterationMatrix<double>& matrix, double shift, double factor) {
    if (matrix.factor(shift, factor)) return 0;
    singular_unknown_ = matrix.singular_unknown();
    return 1;
}

void SundialsIntegrator::solve(IterationMatrix<double>& matrix, std::span<double> b) {
    matrix.solve(b);
    last_correction_ = b;
    singular_unknown_.reset();
}

StepResult SundialsIntegrator::fail(StepResult result, std::string reason, bool not_solved) {
    result.status = StepStatus::Failed;
    result.time = time_;
    needs_restart_ = true;
    errors_and_weights(scratch_.get(), weights_.get());
    // Where the equations of the step had no solution, the unknown whose corrections did not become small.
    if (not_solved && !last_correction_.empty())
        std::copy(last_correction_.begin(), last_correction_.end(), elements(scratch_.get()).begin());
    N_VProd(scratch_.get(), weights_.get(), scratch_.get());
    remember_failure(std::move(reason), elements(scratch_.get()));
    if (not_solved && singular_unknown_ && !functions_.derivative_not_finite())
        limiting_state_ = singular_unknown_;
    return result;
}

void SundialsIntegrator::tell_step() {
    told_until_ = internal_time_;
    errors_and_weights(scratch_.get(), weights_.get());
    functions_.problem().tried_step({functions_.origin + interpolate_from_, last_step_,
                                     N_VWrmsNorm(scratch_.get(), weights_.get()), true});
}

std::optional<StepResult> SundialsIntegrator::advance_solver(double t_stop, const StepResult& result) {
    last_correction_ = {};
    singular_unknown_.reset();
    int flag = CV_SUCCESS;
    double reached = time_;
    bool restarted = false;
    for (;;) {
        if (needs_restart_ || internal_time_ > t_stop) {
            double first_step = std::exchange(requested_first_step_, 0.0);
            first_step_chosen_ = first_step > 0;
            restarted = true;
            if (!restart(first_step)) {
                flag = start_flag_;
                break;
            }
            if (functions_.problem().roots > 0 && !locator_.start(time_, state_)) return fail_at_root(result);
        }
        flag = advance(t_stop, std::exchange(known_stop_, t_stop) != t_stop, reached);
        // Having got there, the solver forgets its stop time.
        if (flag != CV_SUCCESS) known_stop_ = std::numeric_limits<double>::quiet_NaN();
        internal_time_ = internal_time();
        if (flag == CV_TOO_MUCH_WORK) continue;
        if (flag == CV_ILL_INPUT && !restarted) {
            needs_restart_ = true;
            continue;
        }
        if (flag < 0 && std::exchange(first_step_chosen_, false) && !functions_.interrupted() &&
            !functions_.asked_to_stop()) {
            // The first step that the caller proposed may have been much too long: let the solver choose.
            functions_.rethrow();
            needs_restart_ = true;
            continue;
        }
        break;
    }
    first_step_chosen_ = false;
    functions_.rethrow();
    if (functions_.interrupted()) {
        needs_restart_ = true;
        return StepResult{StepStatus::Interrupted, result.from, result.time, {}};
    }
    // The fixed-point iteration takes a request to stop as one more reason for a shorter step, hence the
    // second test.
    if (flag < 0 || functions_.asked_to_stop()) {
        return fail(result,
                    functions_.asked_to_stop() ? explain_asked_to_stop()
                    : zero_tolerance()         ? explain_zero_tolerance()
                                               : explain(flag, message_),
                    flag == CV_CONV_FAILURE);
    }
    // The solver's time may lie within rounding before the stop time last reached, or behind this one.
    step_end_ = std::clamp(reached, time_, t_stop);
    has_step_ = true;
    last_step_ = internal_last_step();
    interpolate_from_ = internal_time_ - last_step_;
    if (functions_.problem().tried_step && interpolate_from_ >= told_until_) tell_step();
    return std::nullopt;
}

StepResult SundialsIntegrator::fail_at_root(const StepResult& result) {
    return fail(result, functions_.root_not_a_number() ? explain_root_function_not_a_number()
                                                       : explain_root_function_failed());
}

StepResult SundialsIntegrator::go(double t_stop, StepResult result) {
    const bool goes_on = inside_step();
    if (!goes_on)
        if (const auto end = advance_solver(t_stop, result)) return *end;

    double reached = std::min(step_end_, t_stop);
    const auto state_at = [this](double t, std::span<double> x) {
        const int flag = derivative(std::clamp(t, interpolate_from_, internal_time_), 0, scratch_.get());
        CUTSET_ASSERT(flag == CV_SUCCESS);
        const std::span<const double> values = elements(scratch_.get());
        std::copy(values.begin(), values.end(), x.begin());
    };
    if (reached == step_end_) {
        const std::span<const double> y = elements(y_.get());
        std::copy(y.begin(), y.end(), next_.begin());
    } else {
        state_at(reached, next_);
    }
    if (functions_.problem().roots > 0) {
        const auto found = locator_.search(reached, next_, state_at);
        if (found == RootLocator::Outcome::Failed) return fail_at_root(result);
        if (found == RootLocator::Outcome::Found) {
            result.status = StepStatus::Root;
            result.roots = locator_.directions();
        }
    }
    std::swap(state_, next_);
    time_ = result.time = reached;
    if (goes_on || result.status == StepStatus::Root) return result;
    if (last_step_ > stuck_step * std::abs(time_)) {
        stuck_steps_ = 0;
        return result;
    }
    if (stuck_steps_ == 0) {
        stuck_by_evaluation_ = false;
        stuck_state_.reset();
    }
    ++stuck_steps_;
    stuck_by_evaluation_ |= functions_.evaluation_failed();
    if (functions_.derivative_not_finite()) stuck_state_ = functions_.derivative_not_finite();
    if (stuck_steps_ >= stuck_limit && time_ < t_stop) {
        stuck_steps_ = 0;
        result = fail(result, stuck_by_evaluation_ ? explain_evaluation_failed() : explain_step_underflow());
        if (stuck_state_) limiting_state_ = stuck_state_;
    }
    return result;
}

void SundialsIntegrator::interpolate(double t, std::span<double> x, std::span<double> dx) {
    CUTSET_ASSERT(x.size() == state_.size() && (dx.empty() || dx.size() == state_.size()));
    t = method_time(t);
    if (!has_step_ || needs_restart_ || t == time_) {
        std::copy(state_.begin(), state_.end(), x.begin());
    } else {
        t = std::clamp(t, std::min(interpolate_from_, time_), time_);
        int flag = derivative(t, 0, scratch_.get());
        CUTSET_ASSERT(flag == CV_SUCCESS);
        std::span<const double> values = elements(scratch_.get());
        std::copy(values.begin(), values.end(), x.begin());
    }
    if (dx.empty()) return;
    if (has_step_ && !needs_restart_) {
        int flag = derivative(std::clamp(t, std::min(interpolate_from_, time_), time_), 1, scratch_.get());
        CUTSET_ASSERT(flag == CV_SUCCESS);
    } else if (functions_.rhs_at_rest(time_, state_, elements(scratch_.get())) != 0) {
        N_VConst(std::numeric_limits<double>::quiet_NaN(), scratch_.get());
        functions_.rethrow();
    }
    std::span<const double> values = elements(scratch_.get());
    std::copy(values.begin(), values.end(), dx.begin());
}

void SundialsIntegrator::add_counters(IntegratorStatistics& sum) const {
    sum = before_;
    add_new_counters(sum);
}

}  // namespace cutset
