// Begins, and begins again after events, with dopri, which needs no past; goes on with a multistep method
// when no event comes soon, because a step of that costs fewer evaluations:
//   dopri to adams   after a few steps ("smooth") when the system is not stiff
//   dopri to bdf     when it is ("stiff"), or when dopri cannot go on ("short steps")
//   adams to bdf     by what is measured now and then, step times largest eigenvalue ("stiff"), and for a few
//                    steps to see which are longer ("trial"): a method of high order can be limited by
//                    stability at very small products
//   bdf to adams     by the same measure ("not stiff")
//   any to dopri     at events, unless the system was stiff ("event"); where many events come one after the
//                    other, each before dopri has taken the steps that tell of stiffness, that is measured;
//                    where derivatives jump without an event ("jumps"), for a while
// Counts decide, not clocks: a run repeats to the bit.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "numerics/integrators/dopri_integrator.h"
#include "numerics/integrators/integrator_makers.h"
#include "numerics/integrators/iteration_matrix.h"
#include "numerics/solver_messages.h"

namespace cutset {

namespace {

constexpr int dopri_limit = 15;      // steps of dopri before a multistep method takes over
constexpr int held_limit = 5;        // the same for steps in a row that could have been longer
constexpr int early_limit = 50;      // events in a row, each before that
constexpr long jumps_stay = 30'000;  // steps of dopri where derivatives jump
constexpr double stiff_growth = 20;  // steps of bdf so much longer than those of dopri tell of stiffness
// Step times |lambda|: above it, stability rather than accuracy limits the steps of dopri and of adams.
constexpr double dopri_product = 0.5, adams_product = 0.3;
constexpr long first_trial = 100, longest_wait = 1600;  // steps of adams before a trial of bdf
constexpr int trial_length = 60;                        // steps of bdf in it
constexpr double trial_gain = 2.5;                      // so much longer steps make bdf stay
constexpr int calm_limit = 2;                           // checks in a row that find no stiffness

enum Method { Dopri, Bdf, Adams };
constexpr std::array<std::string_view, 3> names{"dopri", "bdf", "adams"};
enum class Reason { Smooth, Stiff, NotStiff, Trial, ShortSteps, Event, Jumps };
constexpr std::array<std::string_view, 7> words{"smooth",      "stiff", "not stiff", "trial",
                                                "short steps", "event", "jumps"};

class AutoIntegrator : public Integrator {
  public:
    explicit AutoIntegrator(IvpProblem problem) : functions_(std::move(problem)) {
        auto dopri = std::make_unique<DopriIntegrator>(functions_.problem());
        dopri_ = dopri.get();
        integrators_[Dopri] = std::move(dopri);
    }

    std::string_view first_method() const override { return names[Dopri]; }
    SolverSwitches switches() const override { return switches_; }

    bool remember(MemoryStream& memory) override {
        memory("method", method_);
        if (method_ < Dopri || method_ > Adams) memory.fail();
        memory("pending", pending_);
        memory("reason", reason_);
        memory("stiff", stiff_);
        memory("dopri steps", dopri_steps_);
        memory("dopri longest", dopri_longest_);
        memory("jumpy steps", jumpy_steps_);
        memory("early starts", early_starts_);
        memory("early longest", early_longest_);
        memory("steps until check", steps_until_check_);
        memory("multistep steps", multistep_steps_);
        memory("rate", rate_);
        memory("patience", patience_);
        memory("calm checks", calm_checks_);
        memory("method steps", method_steps_);
        memory("adams longest", adams_longest_);
        memory("on trial", on_trial_);
        memory("trial after", trial_after_);
        bool measured = jacobian_.has_value();
        memory("measured", measured);
        if (measured && !jacobian_) jacobian_.emplace(functions_);
        if (measured) jacobian_->remember(memory);
        for (Method method : {Dopri, Bdf, Adams}) {
            bool made = integrators_[method] != nullptr;
            memory("made", made);
            if (!memory.good()) return false;
            if (!made) continue;
            make(method);
            if (!integrators_[method]->remember(memory)) return false;
        }
        state_.assign(current().state().begin(), current().state().end());
        return integrators_[method_] && memory.good();
    }

    void start(double t0, std::span<const double> x0, std::optional<double> first_step) override {
        state_.assign(x0.begin(), x0.end());
        pending_.reset();
        early_starts_ = method_ == Dopri && dopri_steps_ < dopri_limit ? early_starts_ + 1 : 0;
        early_longest_ = early_starts_ > 0 ? std::max(early_longest_, current().last_step()) : 0;
        dopri_steps_ = 0;
        dopri_longest_ = 0;
        on_trial_ = false;
        if (method_ != Dopri && !stiff_) {
            take(Dopri, t0, Reason::Event);
            first_step.reset();  // of another method: it may be much too long for this one
        }
        if (jacobian_) jacobian_->forget();
        current().start(t0, state_, first_step);
    }

    StepResult step(double t_stop) override {
        if (pending_) change(*std::exchange(pending_, std::nullopt), reason_);
        if (early_starts_ >= early_limit) {
            early_starts_ = 0;
            measure();
            if (std::exchange(early_longest_, 0) * rate_ >= dopri_product) {
                stiff_ = true;
                change(Bdf, Reason::Stiff);
            }
        }
        StepResult result = current().step(t_stop);
        if (result.status == StepStatus::Failed && method_ != Bdf && !current().failed_root_function() &&
            current().failure_reason() != explain_asked_to_stop() && !grows()) {
            change(Bdf, Reason::ShortSteps);
            stiff_ = true;
            result = current().step(t_stop);
        }
        if (result.status == StepStatus::Ok) look();
        return result;
    }

    void expect_jumps() override {
        jumpy_steps_ = jumps_stay;
        if (method_ != Dopri) plan(Dopri, Reason::Jumps);
    }

    void interpolate(double t, std::span<double> x, std::span<double> dx) override {
        current().interpolate(t, x, dx);
    }
    double time() const override { return current().time(); }
    std::span<const double> state() const override { return current().state(); }
    double last_step() const override { return current().last_step(); }
    std::string failure_reason() const override { return current().failure_reason(); }
    std::optional<std::size_t> limiting_state() const override { return current().limiting_state(); }
    std::optional<std::size_t> failed_root_function() const override {
        return current().failed_root_function();
    }
    std::vector<double> weighted_errors() const override { return current().weighted_errors(); }

    IntegratorStatistics statistics() const override {
        IntegratorStatistics sum;
        for (const auto& integrator : integrators_) {
            if (!integrator) continue;
            const IntegratorStatistics part = integrator->statistics();
            sum.steps += part.steps;
            sum.rhs_evaluations += part.rhs_evaluations;
            sum.jacobians += part.jacobians;
            sum.factorizations += part.factorizations;
            sum.symbolic_analyses += part.symbolic_analyses;
            sum.newton_iterations += part.newton_iterations;
            sum.error_test_failures += part.error_test_failures;
            sum.convergence_failures += part.convergence_failures;
            sum.root_evaluations += part.root_evaluations;
            sum.restarts += part.restarts;
            sum.jacobian_seconds += part.jacobian_seconds;
            sum.factor_seconds += part.factor_seconds;
            sum.solve_seconds += part.solve_seconds;
            if (integrator.get() == &current()) sum.last_order = part.last_order;
        }
        sum.rhs_evaluations += functions_.rhs_evaluations;
        sum.jacobians += functions_.jacobians;
        sum.jacobian_seconds += functions_.jacobian_seconds;
        sum.symbolic_analyses += functions_.symbolic_analyses;
        sum.restarts -= own_restarts_;
        return sum;
    }

  private:
    Integrator& current() const { return *integrators_[method_]; }

    void take(Method method, double time, Reason reason) {
        switches_.add({time, names[method_], names[method], words[std::size_t(reason)]});
        method_ = method;
        make(method);
    }
    void make(Method method) {
        if (integrators_[method]) return;
        integrators_[method] = method == Adams ? make_adams_integrator(functions_.problem())
                                               : make_bdf_integrator(functions_.problem());
    }

    // To another method, where the present one stands.
    void change(Method method, Reason reason) {
        const Integrator& before = current();
        const double time = before.time();
        state_.assign(before.state().begin(), before.state().end());
        take(method, time, reason);
        ++own_restarts_;
        calm_checks_ = 0;
        method_steps_ = 0;
        if (method == Adams) adams_longest_ = 0;
        if (method != Bdf) on_trial_ = false;
        steps_until_check_ = steps_to_next_check();
        current().start(time, state_, {});
        static_cast<IntegratorBase&>(current()).continue_phase(static_cast<const IntegratorBase&>(before));
    }

    void plan(Method method, Reason reason) {
        pending_ = method;
        reason_ = reason;
    }

    // After a good step: is another method better for what comes?
    void look() {
        const double h = current().last_step();
        if (method_ == Dopri) {
            ++dopri_steps_;
            dopri_longest_ = std::max(dopri_longest_, h);
            if (jumpy_steps_ > 0) {
                if (--jumpy_steps_ == 0) dopri_steps_ = 0;
            } else if (dopri_->stiff()) {
                stiff_ = true;
                plan(Bdf, Reason::Stiff);
            } else if (dopri_steps_ >= dopri_limit || dopri_->steps_held() >= held_limit) {
                if (multistep_steps_ >= steps_to_next_check()) measure();
                if (dopri_longest_ * rate_ < dopri_product)
                    plan(Adams, Reason::Smooth);
                else
                    plan(Bdf, Reason::Stiff);
            }
            return;
        }
        ++multistep_steps_;
        ++method_steps_;
        if (method_ == Adams) {
            adams_longest_ = std::max(adams_longest_, h);
            if (method_steps_ >= trial_after_ && h < 0.9 * functions_.problem().max_step) {
                on_trial_ = true;
                plan(Bdf, Reason::Trial);
                return;
            }
        } else if (on_trial_) {
            if (h > trial_gain * adams_longest_) {
                on_trial_ = false;
                return_to_stiffness();
            } else if (method_steps_ >= trial_length) {
                trial_after_ = std::min(2 * trial_after_, longest_wait);
                plan(Adams, Reason::NotStiff);
            }
            return;
        } else if (dopri_longest_ > 0 && h > stiff_growth * dopri_longest_) {
            stiff_ = true;
        }
        if (--steps_until_check_ > 0) return;
        steps_until_check_ = steps_to_next_check();
        measure();
        const bool calm = h * rate_ < adams_product;
        calm_checks_ = calm ? calm_checks_ + 1 : 0;
        if (method_ == Adams && !calm) {
            return_to_stiffness();
            plan(Bdf, Reason::Stiff);
        } else if (calm_checks_ >= calm_limit) {
            stiff_ = false;
            if (method_ == Bdf) plan(Adams, Reason::NotStiff);
        }
    }

    void return_to_stiffness() {
        stiff_ = true;
        patience_ = std::min(2 * patience_, 16L);
        trial_after_ = first_trial;
    }

    // A check costs as many evaluations as there are states, or few with a sparse Jacobian. Where adams goes
    // on in a stiff system it is slow, bdf is never much slower than adams.
    long steps_to_next_check() const {
        const IvpProblem& p = functions_.problem();
        const long cost = p.jacobian ? std::min<long>(p.n, 20) : static_cast<long>(p.n);
        return method_ == Adams ? std::max(50L, 3 * cost) : patience_ * std::max(200L, 10 * cost);
    }
    void measure() {
        rate_ = rate();
        multistep_steps_ = 0;
    }

    // Whether steps have become so short because the solution grows without bound: the slopes change by their
    // own size, and in their own direction, within a short time. An implicit method would step over that.
    bool grows() {
        constexpr double short_time = 1e5 * std::numeric_limits<double>::epsilon();
        const std::size_t n = state_.size();
        const auto x = current().state();
        const double t = current().time(), ahead = 1e-4 * short_time * std::abs(t);
        std::vector<double> f(n), there(n), next(n);
        functions_.begin_step();
        const bool known = functions_.rhs(t, x, f) == 0;
        for (std::size_t i = 0; i < n; ++i) there[i] = x[i] + ahead * f[i];
        const bool good = known && functions_.rhs(t, there, next) == 0;
        functions_.rethrow();
        if (!good) return false;
        double product = 0, square = 0;
        const IvpProblem& p = functions_.problem();
        for (std::size_t i = 0; i < n; ++i) {
            const double scale = p.relative_tolerance * std::abs(x[i]) + p.absolute_tolerance[i];
            if (scale == 0) continue;
            product += f[i] / scale * ((next[i] - f[i]) / scale);
            square += f[i] / scale * (f[i] / scale);
        }
        return product * short_time * std::abs(t) > square * ahead;
    }

    // |lambda| of the largest eigenvalue, by the growth of a vector under repeated multiplication with the
    // Jacobian matrix; infinite when that cannot be computed.
    double rate() {
        constexpr double unknown = std::numeric_limits<double>::infinity();
        const std::size_t n = state_.size();
        const auto x = current().state();
        const double t = current().time();
        const IvpProblem& p = functions_.problem();
        std::vector<double> f(n), weights(n), direction(n), product(n);
        if (!jacobian_) jacobian_.emplace(functions_);
        functions_.begin_step();
        for (std::size_t i = 0; i < n; ++i) {
            const double tolerance = p.relative_tolerance * std::abs(x[i]) + p.absolute_tolerance[i];
            weights[i] = tolerance > 0 ? 1 / tolerance : 1;
        }
        if (functions_.rhs(t, x, f) != 0 ||
            jacobian_->evaluate(t, x, f, weights, current().last_step()) != 0) {
            functions_.rethrow();
            return unknown;
        }
        // A direction with all components, the same in every run.
        for (std::size_t i = 0; i < n; ++i)
            direction[i] = (i % 2 == 0 ? 1 : -1) * (1 + 0.5 / static_cast<double>(i + 1)) / weights[i];
        const auto size = [&](const std::vector<double>& v) {
            double sum = 0;
            for (std::size_t i = 0; i < n; ++i) sum += v[i] * weights[i] * v[i] * weights[i];
            return std::sqrt(sum);
        };
        constexpr int multiplications = 24, settling = 8;
        double growth = 0;  // logarithm
        double before = size(direction);
        for (int k = 0; k < multiplications; ++k) {
            if (!jacobian_->multiply(direction, product)) return unknown;
            const double after = size(product);
            if (after == 0) return 0;
            if (!std::isfinite(after)) return unknown;
            if (k >= settling) growth += std::log(after / before);
            for (std::size_t i = 0; i < n; ++i) direction[i] = product[i] / after;
            before = 1;
        }
        return std::exp(growth / (multiplications - settling));
    }

    IvpFunctions functions_;                                  // for the Jacobian matrix
    std::optional<JacobianMatrix> jacobian_;                  // made when first needed
    std::array<std::unique_ptr<Integrator>, 3> integrators_;  // made when first needed
    DopriIntegrator* dopri_;
    Method method_ = Dopri;
    std::optional<Method> pending_;  // to change to before the next step, and why
    Reason reason_ = Reason::Stiff;
    SolverSwitches switches_;
    std::vector<double> state_;
    bool stiff_ = false;
    int dopri_steps_ = 0;  // since the last start
    double dopri_longest_ = 0;
    long jumpy_steps_ = 0;  // that dopri is still to take
    int early_starts_ = 0;  // in a row
    double early_longest_ = 0;
    long own_restarts_ = 0;  // by changes of method
    long steps_until_check_ = 0;
    long multistep_steps_ = std::numeric_limits<long>::max() / 2;  // since the rate was measured
    double rate_ = 0;
    long patience_ = 1;  // grows with every return of stiffness
    int calm_checks_ = 0;
    long method_steps_ = 0;  // of the present method
    double adams_longest_ = 0;
    bool on_trial_ = false;
    long trial_after_ = first_trial;
};

}  // namespace

std::unique_ptr<Integrator> make_auto_integrator(IvpProblem problem) {
    return std::make_unique<AutoIntegrator>(std::move(problem));
}

}  // namespace cutset
