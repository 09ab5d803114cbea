// "Integration" of a model without states: time only moves, but the roots of g(t) are still events.
//
// One step goes to the stop time. On the way g is sampled every `max_step` (or at 1000 points of the step
// when that is not given); where roots come faster, first a little beyond the distance of the last two: the
// next one is then found with few evaluations.
#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/floating_point.h"
#include "numerics/integrators/integrator_base.h"
#include "numerics/integrators/integrator_makers.h"
#include "numerics/integrators/root_locator.h"
#include "numerics/solver_messages.h"

namespace cutset {

namespace {

constexpr double default_samples = 1000;

class StatelessIntegrator : public IntegratorBase {
  public:
    explicit StatelessIntegrator(IvpProblem problem)
        : IntegratorBase(std::move(problem)), locator_(functions_) {}
    void interpolate(double, std::span<double>, std::span<double>) override {}
    std::string_view first_method() const override { return "none"; }

  private:
    void started() override { ++statistics_.restarts; }
    bool remember_method(MemoryStream& memory) override {
        locator_.remember(memory);
        memory("last root", last_root_);
        memory("distance of roots", distance_);
        return true;
    }
    bool may_hop() const override { return false; }
    bool may_shift() const override { return false; }
    void add_counters(IntegratorStatistics& sum) const override { sum = statistics_; }

    StepResult go(double t_stop, StepResult result) override {
        ++statistics_.steps;
        if (functions_.problem().roots == 0) {
            advance_to(t_stop);
            result.time = time_;
            return result;
        }
        if (needs_restart_) {
            if (!locator_.start(time_, {})) return fail(result);
            needs_restart_ = false;
        }
        const double from = time_;
        const double max_step = functions_.problem().max_step;
        const double spacing = std::isfinite(max_step) ? max_step : (t_stop - from) / default_samples;
        double soon = std::min(std::max(1.5 * distance_, 8 * epsilon * std::abs(from)), spacing);
        double begin = from;
        for (double k = 1; time_ < t_stop; ++k) {
            if (functions_.must_stop()) {
                last_step_ = time_ - from;
                result.status = StepStatus::Interrupted;
                result.time = time_;
                return result;
            }
            double next = std::min(begin + k * spacing, t_stop);
            if (soon < spacing) {
                begin = time_ + soon;
                next = std::min(begin, t_stop);
                soon *= 2;
                k = 0;
            }
            if (!(next > time_)) next = t_stop;  // spacing below the resolution of time
            const auto found = locator_.search(next, {}, [](double, std::span<double>) {});
            if (found == RootLocator::Outcome::Failed) return fail(result);
            time_ = next;
            if (found == RootLocator::Outcome::Found) {
                distance_ = time_ - last_root_;
                last_root_ = time_;
                result.status = StepStatus::Root;
                result.roots = locator_.directions();
                break;
            }
        }
        last_step_ = time_ - from;
        result.time = time_;
        return result;
    }

    void advance_to(double t) {
        last_step_ = t - time_;
        time_ = t;
    }
    StepResult fail(StepResult result) {
        result.status = StepStatus::Failed;
        result.time = time_;
        needs_restart_ = true;
        remember_failure(functions_.root_not_a_number() ? explain_root_function_not_a_number()
                                                        : explain_root_function_failed(),
                         {});
        return result;
    }

    RootLocator locator_;
    IntegratorStatistics statistics_;
    double last_root_ = -std::numeric_limits<double>::infinity();
    double distance_ = std::numeric_limits<double>::infinity();  // of the last two roots
};

}  // namespace

std::unique_ptr<Integrator> make_stateless_integrator(IvpProblem problem) {
    return std::make_unique<StatelessIntegrator>(std::move(problem));
}

}  // namespace cutset
