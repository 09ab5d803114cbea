// The part of stepping that is the same for the methods of our own: start, stop times, tries of steps, roots
// on the dense output, failures, counters. A method computes one step and interpolates in it. Private to
// src/numerics.
//
// The method stands at (t_, y_), the end of its last step, with f_ = f(t_, y_). What the caller sees, time_
// and state_, lies before that after a root, or when the stop time was moved back: then the next calls go
// through the rest of the step before a new one is taken.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "numerics/ivp_functions.h"
#include "numerics/root_locator.h"

namespace cutset {

class SteppingIntegrator : public Integrator {
  public:
    void start(double t0, std::span<const double> x0, std::optional<double> first_step) override;
    StepResult step(double t_stop) override;
    void interpolate(double t, std::span<double> x, std::span<double> dx) override;
    double time() const override { return time_; }
    std::span<const double> state() const override { return state_; }
    double last_step() const override { return last_step_; }
    IntegratorStatistics statistics() const override;
    std::string failure_reason() const override { return failure_reason_; }
    std::optional<std::size_t> limiting_state() const override { return limiting_state_; }
    std::optional<std::size_t> failed_root_function() const override {
        return functions_.root_not_a_number();
    }
    std::vector<double> weighted_errors() const override { return failed_errors_; }

    // Steps in a row that the method would have made longer than `max_step` and stop times allow.
    int steps_held() const { return steps_held_; }

  protected:
    explicit SteppingIntegrator(IvpProblem problem);

    struct Attempt {
        enum class Outcome {
            Done,          // good when error <= 1
            Impossible,    // the derivatives cannot be evaluated somewhere in the step
            NotConverged,  // its equations could not be solved
        };
        Outcome outcome = Outcome::Done;
        double error = 0;     // norm in units of the tolerance
        double retry = 0.25;  // unless Done: the part of the step to try next
    };

    // ---- the method
    // Forget the past: y_ and f_ are new.
    virtual void begin() = 0;
    // From (t_, y_) with f_ over the step `h`: next_ and next_f_, and errors_ by state.
    virtual Attempt attempt(double h) = 0;
    // The attempt is taken: prepare the dense output. y_ and f_ are still those of its begin.
    virtual void accept(double h) = 0;
    // State and, when not empty, derivative at t_begin + theta * h of the last step.
    virtual void dense(double theta, std::span<double> x, std::span<double> dx) const = 0;
    // The step to try next: after an accepted one (not asked when that was cut short by a stop time, which
    // says little about the next), after one with too large an error, after one that could not be computed.
    virtual double after_accepted(double h, double error) = 0;
    virtual double after_rejected(double h, double error) = 0;
    virtual double after_obstacle(double h, double retry) { return h * retry; }
    virtual double order() const = 0;
    // The steps are given; tolerances have no meaning.
    virtual bool fixed() const { return false; }
    // With fixed steps: the length of the next one.
    virtual double next_fixed_step(double /*t_stop*/) { return 0; }

    // Norms in units of the tolerance relative * max(|y|, |next|) + absolute; the first also fills errors_.
    double error_norm(std::span<const double> error);
    double norm(std::span<const double> value, std::span<const double> at) const;
    double tolerance(std::size_t i, double size) const {
        return functions_.problem().relative_tolerance * size + functions_.problem().absolute_tolerance[i];
    }
    std::size_t size() const { return y_.size(); }
    // 0: done; otherwise the flag of `rhs`.
    int evaluate(double t, std::span<const double> x, std::span<double> dx) {
        return functions_.rhs(t, x, dx);
    }

    IvpFunctions functions_;
    double t_ = 0;
    std::vector<double> y_, f_;          // where the method stands
    std::vector<double> next_, next_f_;  // what an attempt computes
    std::vector<double> errors_;         // by state, in units of the tolerance
    IntegratorStatistics statistics_;

  private:
    enum class Progress { Good, Failed, Interrupted };

    Progress restart(double t_stop);
    Progress advance(double t_stop);
    Progress trouble(std::string reason);
    std::optional<Progress> stopped();
    double choose_first_step(double t_stop);
    bool hop(double t_stop);
    std::optional<std::size_t> zero_tolerance() const;
    StepResult finish(StepResult result, Progress progress);

    RootLocator locator_;
    double time_ = 0;
    std::vector<double> state_;
    double step_begin_ = 0;  // of the last step; it ends at t_
    double h_ = 0;           // to try next
    double last_step_ = 0;
    double requested_first_step_ = 0;
    std::array<double, 2> starts_{-std::numeric_limits<double>::infinity(),
                                  -std::numeric_limits<double>::infinity()};  // times of the last two
    bool needs_restart_ = true;
    bool roots_known_ = false;
    bool has_step_ = false;
    bool interrupted_ = false;
    int steps_held_ = 0;
    std::string failure_reason_;
    std::optional<std::size_t> limiting_state_;
    std::vector<double> failed_errors_;
    std::vector<double> scratch_, scratch_f_;
};

}  // namespace cutset
