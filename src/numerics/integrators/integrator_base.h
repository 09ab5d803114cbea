// What all integrators share: where they stand, the opening of a step, what is remembered of a failure.
// Private to src/numerics.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "numerics/integrators/ivp_functions.h"

namespace cutset {

class IntegratorBase : public Integrator {
  public:
    void start(double t0, std::span<const double> x0, std::optional<double> first_step) final;
    StepResult step(double t_stop) final;
    double time() const final { return problem_time(time_); }
    std::span<const double> state() const final { return state_; }
    double last_step() const final { return last_step_; }
    IntegratorStatistics statistics() const final;
    std::string failure_reason() const final { return failure_reason_; }
    std::optional<std::size_t> limiting_state() const final { return limiting_state_; }
    std::optional<std::size_t> failed_root_function() const final { return functions_.root_not_a_number(); }
    std::vector<double> weighted_errors() const final { return weighted_errors_; }
    bool remember(MemoryStream& memory) final;

    // After a `start` where another method stands: the phase that it is in goes on. Shortly behind the
    // beginning of a phase time is resolved from there: steps may be shorter than its rounding.
    void continue_phase(const IntegratorBase& before);

  protected:
    explicit IntegratorBase(IvpProblem problem);

    // ---- the method
    // time_ and state_ are new.
    virtual void started() {}
    // Whether the method has steps that could be shorter.
    virtual bool may_shift() const { return true; }
    // functions_.origin has changed, and with it time_; the method will be started again.
    virtual void shifted() {}
    // A step from time_, not past `t_stop`, which lies behind it; `result` is what to return when nothing
    // happens.
    virtual StepResult go(double t_stop, StepResult result) = 0;
    // May the base move time_ and state_ by a few units in the last place? Then it says so.
    virtual bool may_hop() const { return true; }
    virtual void hopped() {}
    // Whether the steps depend on tolerances.
    virtual bool uses_tolerances() const { return true; }
    // The rest of what Integrator::remember says: the members of the method.
    virtual bool remember_method(MemoryStream&) { return false; }
    // Adds the counters that are not kept in functions_.
    virtual void add_counters(IntegratorStatistics& sum) const = 0;

    // What the accessors say after a failure. `errors`: by state, in units of the tolerance; the largest one
    // names the limiting state, unless something else is known to.
    void remember_failure(std::string reason, std::span<const double> errors);

    // relative * size + absolute
    double tolerance(std::size_t i, double size) const {
        return functions_.problem().relative_tolerance * size + functions_.problem().absolute_tolerance[i];
    }
    // Whether steps of this length from time_ are so short that its rounding would move them, and time can be
    // counted from here instead: then the step shall fail, and is tried again so with this first step.
    bool is_unresolved(double h, double first_step);
    // Times of the method and of the problem: functions_.origin is in between.
    double problem_time(double t) const {
        return functions_.origin == 0 ? t : t == stop_ ? problem_stop_ : functions_.origin + t;
    }
    double method_time(double t) const {
        return functions_.origin == 0 ? t : t == problem_stop_ ? stop_ : t - functions_.origin;
    }

    // A state whose tolerance is zero.
    std::optional<std::size_t> zero_tolerance() const;

    IvpFunctions functions_;
    double time_ = 0;
    std::vector<double> state_;
    double last_step_ = 0;
    double requested_first_step_ = 0;  // 0: the method chooses
    bool needs_restart_ = true;        // what the method knows of the past is no longer true
    bool has_step_ = false;            // there is a last step to interpolate in
    std::optional<std::size_t> limiting_state_;

  private:
    bool hop(double t_stop);
    StepResult step_to(double t_stop);
    bool may_shift_here() const;
    bool shift_origin();

    bool unresolved_ = false;               // that is why the step fails
    double phase_begin_ = 0;                // time of the problem
    double stop_ = -1, problem_stop_ = -1;  // the stop time of the last step, by both
    std::string failure_reason_;
    std::vector<double> weighted_errors_;
    std::vector<double> slopes_;
};

}  // namespace cutset
