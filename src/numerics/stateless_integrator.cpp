// "Integration" of a model without states: time only moves, but the roots of g(t) are still events.
//
// One step goes to the stop time. On the way g is sampled every `max_step` (or at 1000 points of the step
// when that is not given); a change of sign between samples is narrowed down to rounding by regula falsi
// (Illinois) with bisections.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/diagnostic.h"
#include "numerics/solver_messages.h"
#include "numerics/sundials_integrator.h"

namespace cutset {

namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double default_samples = 1000;

class StatelessIntegrator : public Integrator {
  public:
    explicit StatelessIntegrator(IvpProblem problem)
        : functions_(std::move(problem)),
          at_time_(functions_.problem().roots),
          ahead_(functions_.problem().roots),
          middle_(functions_.problem().roots),
          roots_(functions_.problem().roots) {}

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
            if (!evaluate(time_, at_time_)) return fail(result);
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
            if (!evaluate(next, ahead_)) return fail(result);
            if (crosses(at_time_, ahead_)) {
                if (!locate(next)) return fail(result);
                last_step_ = next - from;
                time_ = next;
                for (std::size_t i = 0; i < roots_.size(); ++i)
                    roots_[i] = !crosses(at_time_[i], ahead_[i]) ? 0 : at_time_[i] > 0 ? -1 : 1;
                at_time_ = ahead_;
                result.status = StepStatus::Root;
                result.time = time_;
                result.roots = roots_;
                return result;
            }
            at_time_ = ahead_;
            time_ = next;
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
    std::string failure_reason() const override { return failure_reason_; }
    std::optional<std::size_t> limiting_state() const override { return {}; }
    std::optional<std::size_t> failed_root_function() const override {
        return functions_.root_not_a_number();
    }
    std::vector<double> weighted_errors() const override { return {}; }

  private:
    bool evaluate(double t, std::vector<double>& g) {
        bool ok = functions_.root_functions(t, {}, g) == 0;
        functions_.rethrow();
        return ok;
    }
    // From a value that is not zero to zero or to the other sign.
    static bool crosses(double before, double after) {
        return before != 0 && (after == 0 || (before > 0) != (after > 0));
    }
    static bool crosses(const std::vector<double>& before, const std::vector<double>& after) {
        for (std::size_t i = 0; i < before.size(); ++i)
            if (crosses(before[i], after[i])) return true;
        return false;
    }
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

    // Narrows (time_, high] down to the first crossing in it; g is known at both ends. Afterwards `high` is
    // just behind the root, `ahead_` is g there and `at_time_` is g just before.
    bool locate(double& high) {
        double low = time_;
        double weight = 1;  // Illinois: halves the value at an end that stays
        int last_side = 0;
        for (int iteration = 1; high - low > 2 * epsilon * std::max(std::abs(low), std::abs(high));
             ++iteration) {
            double fraction = 0.5;
            if (iteration % 3 != 0) {
                // The crossing that the secants put first.
                fraction = 1;
                for (std::size_t i = 0; i < at_time_.size(); ++i)
                    if (crosses(at_time_[i], ahead_[i]))
                        fraction = std::min(fraction, at_time_[i] / (at_time_[i] - weight * ahead_[i]));
            }
            double middle = low + fraction * (high - low);
            // Not onto an end: a small way inside, so that both sides shrink.
            double margin = std::max(epsilon * std::abs(high), 1e-3 * (high - low));
            if (high - low < 4 * margin) margin = 0.25 * (high - low);
            middle = std::clamp(middle, low + margin, high - margin);
            if (!(middle > low && middle < high)) break;
            if (!evaluate(middle, middle_)) return false;
            if (crosses(at_time_, middle_)) {
                high = middle;
                std::swap(ahead_, middle_);
                weight = last_side == 1 ? weight / 2 : 1;
                last_side = 1;
            } else {
                low = middle;
                // A g_i that was zero before and is not now has become active, as after a step.
                std::swap(at_time_, middle_);
                weight = last_side == -1 ? weight * 2 : 1;
                last_side = -1;
            }
        }
        return true;
    }

    IvpFunctions functions_;
    bool started_ = false;
    double time_ = 0;
    double last_step_ = 0;
    std::vector<double> at_time_;
    std::vector<double> ahead_;
    std::vector<double> middle_;
    std::vector<int> roots_;
    std::string failure_reason_;
    IntegratorStatistics statistics_;
};

}  // namespace

std::unique_ptr<Integrator> make_stateless_integrator(IvpProblem problem) {
    return std::make_unique<StatelessIntegrator>(std::move(problem));
}

}  // namespace cutset
