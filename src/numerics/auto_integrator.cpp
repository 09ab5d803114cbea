// Dopri or cvode, whichever has less work to do: begins with dopri, which costs six evaluations a step and
// nothing to start, and changes
//   to cvode   when stability limits the steps of dopri ("stiff"), when the longest step or stop times do
//              ("smooth": a step of cvode is cheaper), or when dopri cannot go on ("short steps")
//   to dopri   when the steps of cvode are so short that those of dopri, several times longer, would be
//   stable
//              ("not stiff"), or when events come one upon another ("events").
// Counts decide, not clocks: a run repeats to the bit.
#include <algorithm>
#include <cmath>
#include <utility>

#include "numerics/dopri_integrator.h"
#include "numerics/integrator_makers.h"

namespace cutset {

namespace {

constexpr int held_limit = 10;        // steps of dopri in a row that could have been longer
constexpr int long_stretch = 30;      // longest steps between two events that make a start of cvode worth it
constexpr int calm_limit = 2;         // checks in a row that find no stiffness
constexpr double work_ratio = 4;      // evaluations of a step of dopri by those of a step of cvode
constexpr double stable_product = 3;  // step times |lambda| within the region of stability of dopri

class AutoIntegrator : public Integrator {
  public:
    explicit AutoIntegrator(IvpProblem problem)
        : functions_(problem),
          dopri_(std::move(problem)),
          current_(&dopri_),
          jacobian_(),
          direction_(functions_.problem().n) {}

    std::string_view first_method() const override { return "dopri"; }
    std::span<const SolverSwitch> switches() const override { return switches_; }

    void start(double t0, std::span<const double> x0, std::optional<double> first_step) override {
        const bool short_stretch = t0 - stretch_begin_ < long_stretch * functions_.problem().max_step;
        state_.assign(x0.begin(), x0.end());
        if (current_ != &dopri_ && !stiff_ && started_ && short_stretch &&
            std::isfinite(functions_.problem().max_step)) {
            note(t0, "events");
            current_ = &dopri_;
        }
        started_ = true;
        stretch_begin_ = t0;
        pending_ = {};
        current_->start(t0, state_, first_step);
    }

    StepResult step(double t_stop) override {
        if (!pending_.empty()) change(std::exchange(pending_, {}));
        StepResult result = current_->step(t_stop);
        if (result.status == StepStatus::Failed && current_ == &dopri_) {
            change("short steps");
            stiff_ = true;
            const double from = result.from;
            result = current_->step(t_stop);
            result.from = from;
        }
        if (result.status == StepStatus::Ok) look(t_stop);
        return result;
    }

    void interpolate(double t, std::span<double> x, std::span<double> dx) override {
        current_->interpolate(t, x, dx);
    }
    double time() const override { return current_->time(); }
    std::span<const double> state() const override { return current_->state(); }
    double last_step() const override { return current_->last_step(); }
    std::string failure_reason() const override { return current_->failure_reason(); }
    std::optional<std::size_t> limiting_state() const override { return current_->limiting_state(); }
    std::optional<std::size_t> failed_root_function() const override {
        return current_->failed_root_function();
    }
    std::vector<double> weighted_errors() const override { return current_->weighted_errors(); }

    IntegratorStatistics statistics() const override {
        IntegratorStatistics sum = dopri_.statistics();
        if (cvode_) {
            const IntegratorStatistics other = cvode_->statistics();
            sum.steps += other.steps;
            sum.rhs_evaluations += other.rhs_evaluations;
            sum.jacobians += other.jacobians;
            sum.newton_iterations += other.newton_iterations;
            sum.error_test_failures += other.error_test_failures;
            sum.convergence_failures += other.convergence_failures;
            sum.root_evaluations += other.root_evaluations;
            sum.restarts += other.restarts - own_restarts_;
            sum.last_order = current_ == &dopri_ ? sum.last_order : other.last_order;
        }
        sum.rhs_evaluations += functions_.rhs_evaluations;
        sum.jacobians += functions_.jacobians;
        return sum;
    }

  private:
    void note(double time, std::string_view reason) {
        const bool to_cvode = current_ == &dopri_;
        switches_.push_back({time, to_cvode ? "dopri" : "cvode", to_cvode ? "cvode" : "dopri", reason});
    }

    // To the other method, where the present one stands.
    void change(std::string_view reason) {
        note(current_->time(), reason);
        state_.assign(current_->state().begin(), current_->state().end());
        const double time = current_->time();
        std::optional<double> first_step;
        if (current_ == &dopri_) {
            if (!cvode_) cvode_ = make_cvode_integrator(functions_.problem());
            current_ = cvode_.get();
        } else {
            first_step = current_->last_step();
            current_ = &dopri_;
        }
        ++own_restarts_;
        steps_until_check_ = check_interval_ = std::max<long>(50, 2 * static_cast<long>(state_.size()));
        steps_until_check_ *= patience_;
        calm_checks_ = 0;
        current_->start(time, state_, first_step);
    }

    // After a good step: is the other method better for what comes?
    void look(double t_stop) {
        if (current_->time() >= t_stop && current_ != &dopri_) return;
        if (current_ == &dopri_) {
            if (dopri_.stiff()) {
                stiff_ = true;
                patience_ = std::min(2 * patience_, 16L);
                pending_ = "stiff";
            } else if (dopri_.steps_held() >= held_limit) {
                stiff_ = false;
                pending_ = "smooth";
            }
            return;
        }
        if (--steps_until_check_ > 0) return;
        steps_until_check_ = check_interval_ * patience_;
        const double h = current_->last_step();
        calm_checks_ =
            work_ratio * h < functions_.problem().max_step && explicit_would_do(h) ? calm_checks_ + 1 : 0;
        if (calm_checks_ < calm_limit) return;
        stiff_ = false;
        pending_ = "not stiff";
    }

    // Dopri would be stable with the steps that make it as fast as cvode with the step h. |lambda| by the
    // growth of a vector under repeated multiplication with the Jacobian matrix.
    bool explicit_would_do(double h) {
        const std::size_t n = direction_.size();
        const auto x = current_->state();
        const double t = current_->time();
        const IvpProblem& p = functions_.problem();
        std::vector<double> f(n), weights(n), product(n);
        jacobian_.resize(n * n);
        functions_.begin_step();
        for (std::size_t i = 0; i < n; ++i) {
            const double tolerance = p.relative_tolerance * std::abs(x[i]) + p.absolute_tolerance[i];
            weights[i] = tolerance > 0 ? 1 / tolerance : 1;
        }
        if (functions_.rhs(t, x, f) != 0 || functions_.jacobian(t, x, f, weights, h, jacobian_) != 0) {
            functions_.rethrow();
            return false;
        }
        // A direction with all components, the same in every run.
        for (std::size_t i = 0; i < n; ++i)
            direction_[i] = (i % 2 == 0 ? 1 : -1) * (1 + 0.5 / static_cast<double>(i + 1)) / weights[i];
        const auto size = [&](const std::vector<double>& v) {
            double sum = 0;
            for (std::size_t i = 0; i < n; ++i) sum += v[i] * weights[i] * v[i] * weights[i];
            return std::sqrt(sum);
        };
        constexpr int multiplications = 24, settling = 8;
        double growth = 0;  // logarithm
        double before = size(direction_);
        for (int k = 0; k < multiplications; ++k) {
            std::fill(product.begin(), product.end(), 0.0);
            for (std::size_t j = 0; j < n; ++j)
                for (std::size_t i = 0; i < n; ++i) product[i] += jacobian_[j * n + i] * direction_[j];
            const double after = size(product);
            if (after == 0) return true;
            if (!std::isfinite(after)) return false;
            if (k >= settling) growth += std::log(after / before);
            for (std::size_t i = 0; i < n; ++i) direction_[i] = product[i] / after;
            before = 1;
        }
        const double rate = std::exp(growth / (multiplications - settling));
        return work_ratio * h * rate < stable_product;
    }

    IvpFunctions functions_;  // for the Jacobian matrix
    DopriIntegrator dopri_;
    std::unique_ptr<Integrator> cvode_;  // made when first needed
    Integrator* current_;
    std::vector<SolverSwitch> switches_;
    std::string_view pending_;  // the reason for a change before the next step
    std::vector<double> state_, jacobian_, direction_;
    bool started_ = false;
    bool stiff_ = false;
    double stretch_begin_ = 0;  // time of the last start
    long own_restarts_ = 0;     // by changes of method
    long check_interval_ = 50, steps_until_check_ = 50;
    long patience_ = 1;  // grows with every return of stiffness
    int calm_checks_ = 0;
};

}  // namespace

std::unique_ptr<Integrator> make_auto_integrator(IvpProblem problem) {
    return std::make_unique<AutoIntegrator>(std::move(problem));
}

}  // namespace cutset
