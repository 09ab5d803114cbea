// The part of stepping that is the same for CVODE and IDA: their flags for success, stop time, root, too much
// work and illegal input have equal values. Private to src/numerics.
#pragma once

#include <string>
#include <vector>

#include "numerics/ivp_functions.h"
#include "numerics/sundials_support.h"

namespace cutset {

class SundialsIntegrator : public Integrator {
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
    std::vector<double> weighted_errors() const override { return weighted_errors_; }

  protected:
    explicit SundialsIntegrator(IvpProblem problem);

    // Each returns the solver's flag.
    virtual int reinitialize(double t, std::span<const double> x, double first_step) = 0;
    virtual int advance(double t_stop, double& reached) = 0;  // leaves the state in `y_`
    virtual int derivative(double t, int order, N_Vector result) = 0;
    virtual int root_directions(std::span<int> roots) = 0;
    virtual void errors_and_weights(N_Vector errors, N_Vector weights) const = 0;
    virtual double internal_time() const = 0;
    virtual double internal_last_step() const = 0;
    virtual void add_counters(IntegratorStatistics& sum) const = 0;  // since the last reinitialize
    virtual std::string explain(int flag, const std::string& detail) const = 0;

    IvpFunctions functions_;
    ContextPtr context_;
    VectorPtr y_;  // what the solver returns
    VectorPtr scratch_;
    VectorPtr weights_;
    std::string message_;  // the solver's own last message

  private:
    bool restart(double first_step);
    bool hop(double t_stop);
    void tell_step();
    std::optional<std::size_t> zero_weight() const;
    StepResult fail(StepResult result, std::string reason);

    bool needs_restart_ = true;
    bool first_step_chosen_ = false;  // by the caller, for the step to come
    int start_flag_ = 0;              // what the last reinitialisation returned
    bool has_step_ = false;           // the solver can interpolate
    double requested_first_step_ = 0;
    double time_ = 0;
    double last_step_ = 0;
    double interpolate_from_ = 0;
    double told_until_ = 0;  // the end of the last step that the problem's `tried_step` was told
    int stuck_steps_ = 0;
    bool stuck_by_evaluation_ = false;  // in one of them the derivatives could not be evaluated
    std::optional<std::size_t> stuck_state_;
    std::vector<double> state_;
    std::vector<int> roots_;
    std::string failure_reason_;
    std::optional<std::size_t> limiting_state_;
    std::vector<double> weighted_errors_;
    IntegratorStatistics before_;  // counters of earlier starts
};

}  // namespace cutset
