// The part of stepping that is the same for CVODE, IDA and our own Adams method, which speaks as CVODE does:
// their flags for success, stop time, too much work and illegal input have equal values. Roots are located
// here, between the ends of their steps, by the rules of all integrators; they know nothing of them. Private
// to src/numerics.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "numerics/integrators/integrator_base.h"
#include "numerics/integrators/iteration_matrix.h"
#include "numerics/integrators/root_locator.h"
#include "numerics/integrators/sundials_support.h"

namespace cutset {

class SundialsIntegrator : public IntegratorBase {
  public:
    void interpolate(double t, std::span<double> x, std::span<double> dx) override;

  protected:
    explicit SundialsIntegrator(IvpProblem problem);

    // Each returns the solver's flag.
    virtual int reinitialize(double t, std::span<const double> x, double first_step) = 0;
    // Leaves the state in `y_`. `new_stop`: the solver does not know this stop time yet.
    virtual int advance(double t_stop, bool new_stop, double& reached) = 0;
    virtual int derivative(double t, int order, N_Vector result) = 0;
    virtual void errors_and_weights(N_Vector errors, N_Vector weights) const = 0;
    virtual double internal_time() const = 0;
    virtual double internal_last_step() const = 0;
    virtual void add_new_counters(IntegratorStatistics& sum) const = 0;  // since the last reinitialize
    virtual std::string explain(int flag, const std::string& detail) const = 0;
    // False when the solver keeps its memory to itself.
    virtual bool remember_solver(MemoryStream&) { return false; }

    // Factors for an implicit method, 0 or > 0 when the matrix is singular, and solves. What happened last
    // tells which unknown made the iteration fail.
    int factor(IterationMatrix<double>& matrix, double shift, double factor);
    void solve(IterationMatrix<double>& matrix, std::span<double> b);

    ContextPtr context_;
    VectorPtr y_;  // what the solver returns
    VectorPtr scratch_;
    VectorPtr weights_;
    std::string message_;  // the solver's own last message

  private:
    void started() override;
    void shifted() override { started(); }
    bool remember_method(MemoryStream& memory) override;
    StepResult go(double t_stop, StepResult result) override;
    void add_counters(IntegratorStatistics& sum) const override;

    bool restart(double first_step);
    // The solver stands beyond time_, at the end of the step in which a root was found.
    bool inside_step() const { return has_step_ && !needs_restart_ && step_end_ > time_; }
    // A step of the solver; nothing when it was good, else what to return.
    std::optional<StepResult> advance_solver(double t_stop, const StepResult& result);
    void tell_step();
    StepResult fail(StepResult result, std::string reason, bool not_solved = false);
    StepResult fail_at_root(const StepResult& result);

    double known_stop_ = 0;           // the stop time that the solver knows
    double internal_time_ = 0;        // where the solver stands; after a root it is ahead of us
    double step_end_ = 0;             // the time of y_, the same but for rounding
    bool first_step_chosen_ = false;  // by the caller, for the step to come
    int start_flag_ = 0;              // what the last reinitialisation returned
    double interpolate_from_ = 0;
    double told_until_ = 0;  // the end of the last step that the problem's `tried_step` was told
    std::span<const double> last_correction_;  // of Newton's method; in memory of the solver
    std::optional<std::size_t> singular_unknown_;
    int stuck_steps_ = 0;
    bool stuck_by_evaluation_ = false;  // in one of them the derivatives could not be evaluated
    std::optional<std::size_t> stuck_state_;
    std::vector<double> next_;  // the state to come
    RootLocator locator_;
    IntegratorStatistics before_;  // counters of earlier starts
};

}  // namespace cutset
