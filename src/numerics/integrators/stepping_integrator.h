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
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "numerics/integrators/integrator_base.h"
#include "numerics/integrators/root_locator.h"

namespace cutset {

class SteppingIntegrator : public IntegratorBase {
  public:
    void interpolate(double t, std::span<double> x, std::span<double> dx) override;

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
    // Its members that the next steps depend on.
    virtual void remember_past(MemoryStream& memory) = 0;
    // Forget the past: y_ and f_ are new.
    virtual void begin() = 0;
    // From (t_, y_) with f_ over the step `h`: next_ and next_f_, and errors_ by state.
    virtual Attempt attempt(double h) = 0;
    // The attempt is taken: prepare the dense output. y_ and f_ are still those of its begin.
    virtual void accept(double h) = 0;
    // State and, when not empty, derivative at t_begin + theta * h of the last step.
    virtual void dense(double theta, std::span<double> x, std::span<double> dx) const = 0;
    // The step to try next: after an accepted one, after one that was cut short by a stop time (which says
    // little about the next: it was to be `wanted`), after one with too large an error, after one that could
    // not be computed.
    virtual double after_accepted(double h, double error) = 0;
    virtual double after_cut(double /*h*/, double wanted) { return wanted; }
    virtual double after_rejected(double h, double error) = 0;
    virtual double after_obstacle(double h, double retry) { return h * retry; }
    virtual double order() const = 0;
    // From (t_, y_) with f_, where the caller has proposed none.
    virtual double choose_first_step(double t_stop);
    // The same where the caller has.
    virtual double adjust_first_step(double proposed) const { return proposed; }
    // errors_ of the last attempt are wanted, if the method has not set them there.
    virtual void set_errors() {}
    // The steps are given; tolerances have no meaning.
    virtual bool fixed() const { return false; }
    // With fixed steps: the length of the next one.
    virtual double next_fixed_step(double /*t_stop*/) { return 0; }

    // Norms in units of the tolerance relative * max(|y|, |next|) + absolute; the first also fills errors_.
    double error_norm(std::span<const double> error);
    double norm(std::span<const double> value, std::span<const double> at) const;
    std::size_t size() const { return y_.size(); }
    // 0: done; otherwise the flag of `rhs`.
    int evaluate(double t, std::span<const double> x, std::span<double> dx) {
        return functions_.rhs(t, x, dx);
    }

    double t_ = 0;
    std::vector<double> y_, f_;          // where the method stands
    std::vector<double> next_, next_f_;  // what an attempt computes
    std::vector<double> errors_;         // by state, in units of the tolerance
    IntegratorStatistics statistics_;

  private:
    enum class Progress { Good, Failed, Interrupted };

    void started() override;
    void shifted() override;
    bool may_shift() const override { return !fixed(); }
    StepResult go(double t_stop, StepResult result) override;
    bool may_hop() const override { return !inside_step(); }
    void hopped() override;
    bool remember_method(MemoryStream& memory) override;
    bool uses_tolerances() const override { return !fixed(); }
    void add_counters(IntegratorStatistics& sum) const override { sum = statistics_; }

    // What the caller sees lies before the end of the last step.
    bool inside_step() const { return !needs_restart_ && time_ < t_; }
    Progress restart(double t_stop);
    Progress advance(double t_stop);
    Progress trouble(std::string reason);
    std::string why_not_fixed() const;
    std::optional<Progress> stopped();
    StepResult finish(StepResult result, Progress progress);

    RootLocator locator_;
    double step_begin_ = 0;  // of the last step; it ends at t_
    double h_ = 0;           // to try next
    double obstacle_ =
        -std::numeric_limits<double>::infinity();  // end of the last step that could not be computed
    std::array<double, 2> starts_{-std::numeric_limits<double>::infinity(),
                                  -std::numeric_limits<double>::infinity()};  // times of the last two
    bool tried_ = false;                                                      // a step, since the start
    bool roots_known_ = false;
    int steps_held_ = 0;
    std::vector<double> scratch_, scratch_f_;
};

}  // namespace cutset
