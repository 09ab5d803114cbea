// "Integration" of a model without states: time only moves, but the roots of g(t) are still events.
//
// One step goes to the stop time. On the way g is sampled every `max_step` (or at 1000 points of the step
// when that is not given).
#include <algorithm>
#include <cmath>

#include "base/diagnostic.h"
#include "numerics/integrator_makers.h"
#include "numerics/root_locator.h"
#include "numerics/solver_messages.h"

namespace cutset {

namespace {

constexpr double default_samples = 1000;

class StatelessIntegrator : public Integrator {
  public:
    explicit StatelessIntegrator(IvpProblem problem) : functions_(std::move(problem)), locator_(functions_) {}

    void start(double t0, std::span<const double> x0, std::optional<double>) override {
        CUTSET_ASSERT(x0.empty());
        time_ = t0;
        started_ = false;
        failure_reason_.clear();
        ++statistics_.restarts;
    }

    StepResult step(double t_stop) override {
        CUTSET_ASSERT(std::isfinite(t_stop));
        functions_.begin_step();
        StepResult result{StepStatus::Ok, time_, time_, {}};
        if (functions_.interrupt_requested()) {
            result.status = StepStatus::Interrupted;
            return result;
        }
        if (t_stop <= time_) return result;
        ++statistics_.steps;
        if (functions_.problem().roots == 0) {
            advance_to(t_stop);
            result.time = time_;
            return result;
        }
        if (!started_) {
            if (!locator_.start(time_, {})) return fail(result);
            started_ = true;
        }
        const double from = time_;
        const double max_step = functions_.problem().max_step;
        const double spacing = std::isfinite(max_step) ? max_step : (t_stop - from) / default_samples;
        for (double k = 1; time_ < t_stop; ++k) {
            if (functions_.interrupt_requested()) {
                last_step_ = time_ - from;
                result.status = StepStatus::Interrupted;
                result.time = time_;
                return result;
            }
            double next = std::min(from + k * spacing, t_stop);
            if (!(next > time_)) next = t_stop;  // spacing below the resolution of time
            const auto found = locator_.search(next, {}, [](double, std::span<double>) {});
            if (found == RootLocator::Outcome::Failed) return fail(result);
            time_ = next;
            if (found == RootLocator::Outcome::Found) {
                result.status = StepStatus::Root;
                result.roots = locator_.directions();
                break;
            }
        }
        last_step_ = time_ - from;
        result.time = time_;
        return result;
    }

    void interpolate(double, std::span<double>, std::span<double>) override {}
    double time() const override { return time_; }
    std::span<const double> state() const override { return {}; }
    double last_step() const override { return last_step_; }
    IntegratorStatistics statistics() const override {
        IntegratorStatistics result = statistics_;
        result.root_evaluations = functions_.root_evaluations;
        return result;
    }
    std::string_view first_method() const override { return "none"; }
    std::string failure_reason() const override { return failure_reason_; }
    std::optional<std::size_t> limiting_state() const override { return {}; }
    std::optional<std::size_t> failed_root_function() const override {
        return functions_.root_not_a_number();
    }
    std::vector<double> weighted_errors() const override { return {}; }

  private:
    void advance_to(double t) {
        last_step_ = t - time_;
        time_ = t;
    }
    StepResult fail(StepResult result) {
        result.status = StepStatus::Failed;
        result.time = time_;
        started_ = false;
        failure_reason_ = functions_.root_not_a_number() ? explain_root_function_not_a_number()
                                                         : explain_root_function_failed();
        return result;
    }

    IvpFunctions functions_;
    RootLocator locator_;
    bool started_ = false;
    double time_ = 0;
    double last_step_ = 0;
    std::string failure_reason_;
    IntegratorStatistics statistics_;
};

}  // namespace

std::unique_ptr<Integrator> make_stateless_integrator(IvpProblem problem) {
    return std::make_unique<StatelessIntegrator>(std::move(problem));
}

}  // namespace cutset
