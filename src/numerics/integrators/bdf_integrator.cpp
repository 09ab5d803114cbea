// Backward differentiation formulas of order 1 to 5 with fixed leading coefficient (Byrne, Hindmarsh, ACM
// TOMS 1 (1975); Cohen, Hindmarsh, Computers in Physics 10 (1996)), the method of CVODE and with its strategy
// for steps, orders and matrices. The equations of a step, for the correction c to what the past predicts,
//     c + z_1 / l_1 = gamma f(t, z_0 + c),   gamma = h / l_1,
// are solved by Newton iterations with the matrix I - gamma J, which is kept as long as they converge.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "numerics/integrators/integrator_makers.h"
#include "numerics/integrators/iteration_matrix.h"
#include "numerics/integrators/nordsieck.h"
#include "numerics/integrators/stepping_integrator.h"
#include "numerics/nonlinear/accepted_correction.h"

namespace cutset {

namespace {

constexpr int most_order = Nordsieck::most_order;
// The iteration.
constexpr int most_iterations = 3;
constexpr double newton_part = 0.1;                 // of the tolerance that the iteration may leave
constexpr double rate_decay = 0.3;                  // how fast an old rate of convergence is forgotten
constexpr double divergence = 2;                    // a correction so much larger than the last one
constexpr double gamma_change = 0.3;                // beyond it the matrix is factored again
constexpr double gamma_same = 0.2;                  // within it a failure is the Jacobian's fault
constexpr long matrix_age = 20, jacobian_age = 51;  // steps
// When the residual is looked at once more, see `is_accepted`.
constexpr double strong_shrinking = 1000, sudden_growth = 2;
constexpr int most_unchecked = 8;
// Steps and orders.
constexpr double first_growth = 1e4, growth = 10, least_growth = 1.5;
constexpr double safety_lower = 6, safety_same = 6, safety_higher = 10;
constexpr double failed_least = 0.1, failed_twice = 0.2, obstacle_part = 0.25;
constexpr int failures_at_order = 3;  // then one order less
constexpr int long_wait = 10;

double step_ratio(double safety, double error, int power) {
    return 1 / (std::pow(safety * error, 1.0 / power) + 1e-6);
}

struct Coefficients {
    std::array<double, most_order + 1> l{};
    double error = 0;  // of the correction: the local error
    double error_lower = 1,
           error_higher = 0;  // of the last column, of differences of corrections: for other orders
    double difference = 0;    // scale of the corrections, to take such differences
};

// From order, step and past steps; `neighbours`: also those of the neighbouring orders.
Coefficients coefficients(int q, double h, std::span<const double> past, bool neighbours) {
    Coefficients k;
    auto& l = k.l;
    l[0] = l[1] = 1;
    double inverse = 1, star = 1, alpha = -1, alpha_hat = -1, sum = h;
    if (q > 1) {
        for (int j = 2; j < q; ++j) {
            sum += past[static_cast<std::size_t>(j - 2)];
            inverse = h / sum;
            alpha -= 1.0 / j;
            for (int i = j; i >= 1; --i) l[i] += l[i - 1] * inverse;
        }
        alpha -= 1.0 / q;
        star = -l[1] - alpha;
        sum += past[static_cast<std::size_t>(q - 2)];
        inverse = h / sum;
        alpha_hat = -l[1] - inverse;
        for (int i = q; i >= 1; --i) l[i] += l[i - 1] * star;
    }
    const double a1 = 1 - alpha_hat + alpha, a2 = 1 + q * a1;
    k.error = std::abs(a1 / (alpha * a2));
    k.difference = std::abs(a2 * star / (l[q] * inverse));
    if (!neighbours) return k;
    if (q > 1) {
        const double a3 = alpha + 1.0 / q, a4 = alpha_hat + inverse;
        k.error_lower = std::abs(star / l[q] * (1 - a4 + a3) / a3);
    }
    sum += past[static_cast<std::size_t>(q - 1)];
    inverse = h / sum;
    const double a5 = alpha - 1.0 / (q + 1), a6 = alpha_hat - inverse;
    k.error_higher = std::abs((1 - a6 + a5) / a2 / (inverse * (q + 2) * a5));
    return k;
}

class BdfIntegrator : public SteppingIntegrator {
  public:
    explicit BdfIntegrator(IvpProblem problem)
        : SteppingIntegrator(std::move(problem)),
          past_(size()),
          weights_(size()),
          correction_(size()),
          difference_(size()),
          slope_(size()),
          residual_(size()),
          jacobian_(functions_),
          matrix_(jacobian_) {}
    std::string_view first_method() const override { return "bdf"; }

  private:
    void remember_past(MemoryStream& memory) override {
        past_.remember(memory);
        memory("weights", weights_);
        memory("correction", correction_);
        memory("difference", difference_);
        memory("past begun", past_begun_);
        memory("new weights", new_weights_);
        memory("steps", steps_);
        memory("wait", wait_);
        memory("order change", order_change_);
        memory("ratio", ratio_);
        memory("most growth", most_growth_);
        memory("failures", failures_);
        memory("first wanted", first_wanted_);
        memory("before", before_);
        memory("saved difference", saved_difference_);
        memory("residual before", residual_before_);
        memory("unchecked", unchecked_);
        memory("convergence rate", convergence_rate_);
        memory("matrix gamma", matrix_gamma_);
        memory("matrix step", matrix_step_);
        memory("Jacobian step", jacobian_step_);
        jacobian_.remember(memory);
        matrix_.remember(memory);
        errors_set_ = true;
    }

    void begin() override {
        jacobian_.forget();
        past_begun_ = false;
        steps_ = 0;
        wait_ = 2;
        order_change_ = 0;
        most_growth_ = first_growth;
        failures_ = 0;
        before_ = Before::Step;
        saved_difference_ = 0;
        convergence_rate_ = 1;
        residual_before_ = 0;
        new_weights_ = errors_set_ = true;
        correction_kept_ = false;
    }

    Attempt attempt(double h) override {
        if (!past_begun_) past_.begin(y_, f_, h);
        past_begun_ = true;
        change_order();
        if (std::exchange(new_weights_, false))
            past_.predict(h, [&](std::size_t begin, std::span<const double> y) { weigh(begin, y); });
        else
            past_.predict(h);
        k_ = coefficients(past_.order(), h, past_.past_steps(), wait_ == 1);
        correction_kept_ = false;
        if (const auto failed = solve(h)) return *failed;
        errors_set_ = false;
        return {Attempt::Outcome::Done, correction_norm_ * k_.error};
    }

    // The states from `begin` on.
    void weigh(std::size_t begin, std::span<const double> states) {
        const IvpProblem& problem = functions_.problem();
        const double relative = problem.relative_tolerance;
        const double *absolute = problem.absolute_tolerance.data() + begin, *y = states.data();
        double* w = weights_.data() + begin;
        for (std::size_t i = 0; i < states.size(); ++i) {
            const double tolerance = relative * std::abs(y[i]) + absolute[i];
            w[i] = 1 / (tolerance == 0 ? std::numeric_limits<double>::min() : tolerance);
        }
    }

    double weighted_norm(const std::vector<double>& v) const {
        double even = 0, odd = 0;
        const double *a = v.data(), *w = weights_.data();
        const std::size_t n = v.size();
        std::size_t i = 0;
        for (; i + 2 <= n; i += 2) {
            const double first = a[i] * w[i], second = a[i + 1] * w[i + 1];
            even += first * first;
            odd += second * second;
        }
        if (i < n) even += a[i] * w[i] * (a[i] * w[i]);
        return std::sqrt((even + odd) / static_cast<double>(n));
    }

    void set_errors(std::span<const double> v, double factor) {
        for (std::size_t i = 0; i < v.size(); ++i) errors_[i] = std::abs(v[i] * weights_[i] * factor);
        errors_set_ = true;
    }
    void set_errors() override {
        if (!errors_set_) set_errors(correction_kept_ ? difference_ : correction_, k_.error);
    }

    void change_order() {
        const int change = std::exchange(order_change_, 0);
        if (change == 0) return;
        if (change > 0)
            past_.raise(difference_);
        else
            past_.lower();
        wait_ = past_.order() + 1;
        statistics_.last_order = past_.order();
    }

    // The correction, or why there is none.
    std::optional<Attempt> solve(double h) {
        const double gamma = h / k_.l[1];
        double ratio = steps_ > 0 ? gamma / matrix_gamma_ : 1;
        bool renew = before_ != Before::Step || steps_ == 0 || steps_ >= matrix_step_ + matrix_age ||
                     std::abs(ratio - 1) > gamma_change;
        bool new_jacobian =
            steps_ == 0 || steps_ >= jacobian_step_ + jacobian_age || before_ == Before::Obstacle;
        bool current = false;  // the Jacobian was evaluated here
        const std::span<const double> z0 = past_.predicted(0);
        const double slope_part = 1 / k_.l[1], t = t_ + h;
        for (;;) {
            int flag = evaluate(t, z0, slope_);
            if (flag != 0) return Attempt{Attempt::Outcome::Impossible};
            if (renew) {
                if (new_jacobian) {
                    flag = jacobian_.evaluate(t, z0, slope_, weights_, h);
                    if (flag != 0) return Attempt{Attempt::Outcome::Impossible};
                    jacobian_step_ = steps_;
                    current = true;
                }
                convergence_rate_ = 1;
                matrix_gamma_ = gamma;
                matrix_step_ = steps_;
                ratio = 1;
                if (!matrix_.factor(1, -gamma)) {
                    tell_singular();
                    return Attempt{Attempt::Outcome::NotConverged};
                }
            }
            bool converged = false;
            double before = 0, first_residual = 0;
            const double limit = newton_part / k_.error;
            const double scale = ratio == 1 ? 1 : 2 / (1 + ratio);
            for (int iteration = 0; flag == 0; ++iteration) {
                ++statistics_.newton_iterations;
                const double now = correct(iteration == 0, gamma, slope_part, scale);
                if (iteration == 0) first_residual = residual_norm_;
                if (iteration > 0) convergence_rate_ = std::max(rate_decay * convergence_rate_, now / before);
                if (now * std::min(1.0, convergence_rate_) <= limit) {
                    converged =
                        iteration > 0
                            ? residual_norm_ <=
                                  std::max(limit, accepted_correction::least_contraction * first_residual)
                            : is_accepted(now, limit) || contracts(t, gamma, slope_part, limit);
                    if (converged) correction_norm_ = iteration == 0 ? now : weighted_norm(correction_);
                    break;
                }
                if (iteration + 1 == most_iterations || !(now <= std::numeric_limits<double>::max()) ||
                    (iteration > 0 && now > divergence * before))
                    break;
                before = now;
                flag = evaluate(t, next_, slope_);
                if (flag < 0) return Attempt{Attempt::Outcome::Impossible};
            }
            if (converged) return std::nullopt;
            if (current) {
                set_errors(change_in_correction_ ? correction_ : residual_, 1);
                return Attempt{flag > 0 ? Attempt::Outcome::Impossible : Attempt::Outcome::NotConverged, 0,
                               obstacle_part};
            }
            // With another matrix it may.
            new_jacobian = std::abs(gamma / matrix_gamma_ - 1) < gamma_same || new_jacobian;
            renew = true;
        }
    }

    // One iteration: the correction and next_ from the slopes there. Returns the norm of the change, which
    // itself is in residual_ or correction_ afterwards. With sparse matrices each vector is read or written
    // once.
    double correct(bool first, double gamma, double slope_part, double scale) {
        const std::size_t n = size();
        change_in_correction_ = first && matrix_.sparse();
        double *r = residual_.data(), *c = correction_.data(), *y = next_.data();
        const double *f = slope_.data(), *p0 = past_.predicted(0).data(), *p1 = past_.predicted(1).data();
        if (matrix_.sparse()) {
            const double* w = weights_.data();
            double sum = 0, right = 0;
            if (first)
                matrix_.solve_through(
                    [=, &right](std::size_t i) {
                        const double r = gamma * f[i] - slope_part * p1[i];
                        right += r * w[i] * (r * w[i]);
                        return r;
                    },
                    [=, &sum](std::size_t i, double x) {
                        const double change = x * scale, weighted = change * w[i];
                        c[i] = change;
                        y[i] = p0[i] + change;
                        sum += weighted * weighted;
                    });
            else
                matrix_.solve_through(
                    [=, &right](std::size_t i) {
                        const double r = gamma * f[i] - slope_part * p1[i] - c[i];
                        right += r * w[i] * (r * w[i]);
                        return r;
                    },
                    [=, &sum](std::size_t i, double x) {
                        const double change = x * scale, weighted = change * w[i];
                        r[i] = change;
                        y[i] = p0[i] + (c[i] += change);
                        sum += weighted * weighted;
                    });
            residual_norm_ = std::sqrt(right / static_cast<double>(n));
            return std::sqrt(sum / static_cast<double>(n));
        }
        if (first)
            for (std::size_t i = 0; i < n; ++i) r[i] = gamma * f[i] - slope_part * p1[i];
        else
            for (std::size_t i = 0; i < n; ++i) r[i] = gamma * f[i] - slope_part * p1[i] - c[i];
        residual_norm_ = weighted_norm(residual_);
        matrix_.solve(residual_);
        if (scale != 1)
            for (std::size_t i = 0; i < n; ++i) r[i] *= scale;
        if (first)
            for (std::size_t i = 0; i < n; ++i) y[i] = p0[i] + (c[i] = r[i]);
        else
            for (std::size_t i = 0; i < n; ++i) y[i] = p0[i] + (c[i] += r[i]);
        return weighted_norm(residual_);
    }

    // Of a first correction that is short. To see what it makes of the residual takes another evaluation:
    // where the residual is suddenly larger than in the step before, where the matrix makes very much of it,
    // and from time to time.
    bool is_accepted(double correction, double limit) {
        using namespace accepted_correction;
        const double before = std::exchange(residual_before_, residual_norm_);
        if (correction <= rounding(functions_.problem().relative_tolerance) ||
            residual_norm_ <= std::max(limit, plain_shrinking * correction))
            return true;
        const bool accepted = residual_norm_ <= sudden_growth * before &&
                              residual_norm_ <= strong_shrinking * correction && unchecked_ < most_unchecked;
        unchecked_ = accepted ? unchecked_ + 1 : 0;
        return accepted;
    }

    // Whether the correction makes the residual smaller.
    bool contracts(double t, double gamma, double slope_part, double limit) {
        if (evaluate(t, next_, slope_) != 0) return false;
        const double *f = slope_.data(), *p1 = past_.predicted(1).data(), *c = correction_.data();
        const double* w = weights_.data();
        double sum = 0;
        for (std::size_t i = 0; i < size(); ++i) {
            const double r = (gamma * f[i] - slope_part * p1[i] - c[i]) * w[i];
            sum += r * r;
        }
        return std::sqrt(sum / static_cast<double>(size())) <=
               std::max(limit, accepted_correction::least_contraction * residual_norm_);
    }

    void tell_singular() {
        const auto unknown = matrix_.singular_unknown();
        if (!unknown) return;
        std::fill(errors_.begin(), errors_.end(), 0.0);
        errors_[*unknown] = std::numeric_limits<double>::infinity();
        errors_set_ = true;
    }

    void accept(double h) override {
        ++steps_;
        past_.take(h, k_.l, correction_);
        failures_ = 0;
        before_ = Before::Step;
        new_weights_ = true;
        --wait_;
        if (steps_ == 1) first_wanted_ = h * step_ratio(safety_same, correction_norm_ * k_.error, 2);
        choose(h, correction_norm_ * k_.error);
        if (wait_ == 1 && past_.order() < most_order) {
            keep_correction();
            saved_difference_ = k_.difference;
        }
        most_growth_ = growth;
    }

    void keep_correction() {
        std::swap(difference_, correction_);
        correction_kept_ = true;
    }

    // The ratio of the next step to this one, and its order.
    void choose(double h, double error) {
        ratio_ = 1;
        if (most_growth_ == 1) {
            wait_ = std::max(wait_, 2);
            return;
        }
        const int q = past_.order();
        const double same = step_ratio(safety_same, error, q + 1);
        double best = same;
        if (wait_ == 0) {
            wait_ = 2;
            double lower = 0, higher = 0;
            if (q > 1) {
                past_.copy_last_column(residual_);
                lower = step_ratio(safety_lower, weighted_norm(residual_) * k_.error_lower, q);
            }
            if (q < most_order && saved_difference_ != 0) {
                const double quotient =
                    k_.difference / saved_difference_ * std::pow(h / past_.past_steps()[1], q + 1);
                for (std::size_t i = 0; i < size(); ++i)
                    residual_[i] = correction_[i] - quotient * difference_[i];
                higher = step_ratio(safety_higher, weighted_norm(residual_) * k_.error_higher, q + 2);
            }
            best = std::max({lower, same, higher});
            if (best < least_growth) return;
            if (best != same) order_change_ = best == lower ? -1 : 1;
            if (order_change_ > 0) keep_correction();
        }
        if (best >= least_growth) ratio_ = std::min(best, most_growth_);
    }

    void dense(double theta, std::span<double> x, std::span<double> dx) const override {
        past_.at(theta - 1, x, dx);
    }

    double after_accepted(double h, double) override { return h * ratio_; }

    // The columns are known to rounding only; scaled up too much they tell nothing.
    double after_cut(double h, double wanted) override { return std::min(wanted, growth * h); }

    double after_rejected(double h, double error) override {
        ++failures_;
        most_growth_ = 1;
        before_ = Before::Failure;
        const int q = past_.order();
        if (failures_ <= failures_at_order) {
            const double part = std::max(failed_least, step_ratio(safety_same, error, q + 1));
            return h * (failures_ >= 2 ? std::min(part, failed_twice) : part);
        }
        if (q > 1) {
            past_.lower();
            wait_ = q;
        } else {
            wait_ = long_wait;
            if (evaluate(t_, y_, slope_) == 0) past_.begin_again(slope_, h * failed_least);
        }
        return h * failed_least;
    }

    double after_obstacle(double h, double) override {
        most_growth_ = 1;
        before_ = Before::Obstacle;
        return h * obstacle_part;
    }

    double order() const override { return 2; }  // where it begins, plus one

    // After an event the order is 1 again, and the last step is most often too long for that. What would have
    // been right after the last start is tried, which saves one attempt in four of a model with many events.
    double adjust_first_step(double proposed) const override {
        constexpr double least_part = 1e-2;
        return std::min(proposed, std::max(first_wanted_, least_part * proposed));
    }

    // As in CVODE: so that h² x''/2 is about the tolerance, with x'' from a difference of slopes over the
    // step itself, and no state changes by more than a tenth.
    double choose_first_step(double t_stop) override {
        const std::size_t n = size();
        weigh(0, y_);
        const double distance = t_stop - t_;
        const double least =
            100 * std::numeric_limits<double>::epsilon() * std::max(std::abs(t_), std::abs(t_stop));
        double fastest = 0;
        for (std::size_t i = 0; i < n; ++i)
            fastest = std::max(fastest, std::abs(f_[i]) / (0.1 * std::abs(y_[i]) + 1 / weights_[i]));
        double most = std::min(0.1 * distance, functions_.problem().max_step);
        if (most * fastest > 1) most = 1 / fastest;
        double h = std::sqrt(least * most), next = h;
        if (most < least) return h;
        for (int round = 1; round <= 4; ++round) {
            int flag = 1;
            for (int tries = 0; tries < 4 && flag > 0; ++tries) {
                for (std::size_t i = 0; i < n; ++i) next_[i] = y_[i] + h * f_[i];
                flag = evaluate(t_ + h, next_, slope_);
                if (flag > 0) h *= 0.2;
            }
            if (flag != 0) return h;
            for (std::size_t i = 0; i < n; ++i) residual_[i] = (slope_[i] - f_[i]) / h;
            const double bend = weighted_norm(residual_);
            next = bend * most * most > 2 ? std::sqrt(2 / bend) : std::sqrt(h * most);
            const double ratio = next / h;
            if (ratio > 0.5 && ratio < 2) break;
            if (round > 1 && ratio > 2) {
                next = h;
                break;
            }
            if (round < 4) h = next;
        }
        return std::clamp(0.5 * next, least, most);
    }

    enum class Before { Step, Failure, Obstacle };  // what the last attempt was

    Nordsieck past_;
    Coefficients k_;
    std::vector<double> weights_;
    std::vector<double> correction_, difference_;  // of this step, of one before
    std::vector<double> slope_, residual_;
    JacobianMatrix jacobian_;
    IterationMatrix<double> matrix_;
    bool past_begun_ = false, new_weights_ = true;
    bool correction_kept_ = false;  // that of the last attempt is now in difference_
    bool change_in_correction_ = false;
    bool errors_set_ = true;
    long steps_ = 0;  // since the start
    int wait_ = 2;    // steps before the order may change
    int order_change_ = 0;
    double ratio_ = 1, most_growth_ = growth;
    int failures_ = 0;  // of the error test, in a row
    double first_wanted_ =
        std::numeric_limits<double>::infinity();  // first step that the last start suggests
    Before before_ = Before::Step;
    double saved_difference_ = 0;
    double correction_norm_ = 0;
    double residual_norm_ = 0;    // before the last correction
    double residual_before_ = 0;  // before the first correction of the step before
    int unchecked_ = 0;           // steps whose first correction was accepted
    double convergence_rate_ = 1;
    double matrix_gamma_ = 0;
    long matrix_step_ = 0, jacobian_step_ = 0;  // when they were made
};

}  // namespace

std::unique_ptr<Integrator> make_bdf_integrator(IvpProblem problem) {
    return std::make_unique<BdfIntegrator>(std::move(problem));
}

}  // namespace cutset
