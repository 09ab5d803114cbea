// Radau IIA of order 5, an implicit Runge-Kutta method with three stages, stiffly accurate (Hairer, Wanner,
// Solving Ordinary Differential Equations II, IV.8). With Z the stages less x, the equations of a step
//     Z = h (A x I) F(x + Z)
// are solved by simplified Newton iterations for W = (T^-1 x I) Z, where T makes A^-1 block diagonal, with
// blocks gamma and (alpha -beta; beta alpha): one real and one complex system of size n for each iteration.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>

#include "base/diagnostic.h"
#include "numerics/floating_point.h"
#include "numerics/integrators/integrator_makers.h"
#include "numerics/integrators/iteration_matrix.h"
#include "numerics/integrators/stepping_integrator.h"
#include "numerics/nonlinear/accepted_correction.h"

namespace cutset {

namespace {

constexpr double sqrt6 = 2.449489742783178098197;
constexpr double c1 = (4 - sqrt6) / 10, c2 = (4 + sqrt6) / 10;
constexpr std::array<double, 3> c{c1, c2, 1};
// The error: gamma0 h (f(x) + (e1 z1 + e2 z2 + e3 z3) / h), filtered by the real matrix.
constexpr std::array<double, 3> e{-(13 + 7 * sqrt6) / 3, (-13 + 7 * sqrt6) / 3, -1.0 / 3};
// Eigenvalues of A^-1.
constexpr double gamma_ = 3.637834252744495732208;
constexpr double alpha = 2.681082873627752133896, beta = 3.050430199247410569426;
constexpr double T[3][3] = {
    {9.1232394870892942792e-02, -0.14125529502095420843, -3.0029194105147424492e-02},
    {0.24171793270710701896, 0.20412935229379993199, 0.38294211275726193779},
    {0.96604818261509293619, 1, 0},
};
constexpr double T_inverse[3][3] = {
    {4.3255798900631553510, 0.33919925181580986954, 0.54177053993587487119},
    {-4.1787185915519047273, -0.32768282076106238708, 0.47662355450055045196},
    {-0.50287263494578687595, 2.5719269498556054292, -0.59603920482822492497},
};
constexpr int most_newton_iterations = 7;
constexpr double good_contraction = 1e-3;  // below it the Jacobian matrix is kept for another step
constexpr double safety = 0.9;
constexpr double keep_from = 1,
                 keep_to = 1.2;  // a step that would change so little keeps its length and matrices

class RadauIntegrator : public SteppingIntegrator {
  public:
    explicit RadauIntegrator(IvpProblem problem)
        : SteppingIntegrator(std::move(problem)),
          scale_(size()),
          weights_(size()),
          error_(size()),
          stage_(size()),
          right_(size()),
          jacobian_(functions_),
          real_(jacobian_),
          complex_(jacobian_) {
        for (auto* vectors : {&z_, &w_, &slopes_})
            for (auto& v : *vectors) v.resize(size());
        for (auto& v : dense_) v.resize(size());
        statistics_.last_order = 5;
        // The estimate is of order 3, the solution of order 5: the tolerance of the estimate is larger, so
        // that the error of the solution is about what was asked for.
        const double relative = functions_.problem().relative_tolerance;
        if (relative > 0) loosening_ = std::max(0.1 * std::cbrt(1 / relative), 0.1);
        newton_tolerance_ = std::min(0.03, std::sqrt(std::max(relative * loosening_, 1e-10)));
        newton_tolerance_ =
            std::max(newton_tolerance_, 10 * epsilon / std::max(relative * loosening_, 1e-10));
    }
    std::string_view first_method() const override { return "radau"; }

  private:
    void remember_past(MemoryStream& memory) override {
        for (auto& v : dense_) memory("dense", v);
        memory("dense step", step_);
        memory("step before", step_before_);
        memory("error before", error_before_);
        memory("contraction", contraction_);
        memory("contraction sum", contraction_sum_);
        memory("iterations", iterations_);
        memory("matrices' step", matrices_step_);
        memory("Jacobian usable", jacobian_usable_);
        memory("Jacobian current", jacobian_current_);
        memory("matrices usable", matrices_usable_);
        memory("has past", has_past_);
        memory("first", first_);
        memory("grow not", grow_not_);
        jacobian_.remember(memory);
        real_.remember(memory);
        complex_.remember(memory);
    }

    void begin() override {
        jacobian_.forget();
        jacobian_usable_ = matrices_usable_ = has_past_ = false;
        first_ = true;
        contraction_sum_ = 1;
        error_before_ = 0;
    }

    Attempt attempt(double h) override {
        const std::size_t n = size();
        for (std::size_t i = 0; i < n; ++i) {
            scale_[i] = loosening_ * tolerance(i, std::abs(y_[i]));
            if (scale_[i] == 0) scale_[i] = std::numeric_limits<double>::min();
            weights_[i] = 1 / scale_[i];
        }
        if (!jacobian_usable_) {
            if (jacobian_.evaluate(t_, y_, f_, weights_, h) != 0) return {Attempt::Outcome::Impossible};
            jacobian_usable_ = jacobian_current_ = true;
            matrices_usable_ = false;
        }
        if ((!matrices_usable_ || h != matrices_step_) && !factor(h))
            return {Attempt::Outcome::NotConverged, 0, 0.5};
        if (const auto failed = newton(h)) return *failed;
        for (std::size_t i = 0; i < n; ++i) next_[i] = y_[i] + z_[2][i];
        const double error = estimate(h);
        if (!(error <= 1)) return {Attempt::Outcome::Done, error};
        if (evaluate(t_ + h, next_, next_f_) != 0) return {Attempt::Outcome::Impossible};
        if (!is_accepted(h)) return {Attempt::Outcome::NotConverged, 0, 0.5};
        return {Attempt::Outcome::Done, error};
    }

    // Of the last stage, which is the end of the step, given the slopes there.
    double residual(const std::vector<double>& slopes, double h) const {
        double squares = 0;
        for (std::size_t i = 0; i < slopes.size(); ++i) {
            const double r =
                h * slopes[i] - (T[2][0] * gamma_ * w_[0][i] + alpha * w_[1][i] - beta * w_[2][i]);
            squares += (r / scale_[i]) * (r / scale_[i]);
        }
        return std::sqrt(squares / static_cast<double>(slopes.size()));
    }

    bool is_accepted(double h) const {
        using namespace accepted_correction;
        if (correction_ <= rounding(functions_.problem().relative_tolerance) ||
            residual_ <= std::max(newton_tolerance_, plain_shrinking * correction_))
            return true;
        return residual(next_f_, h) <= std::max(newton_tolerance_, least_contraction * residual_);
    }

    bool factor(double h) {
        matrices_usable_ = real_.factor(gamma_ / h, -1) && complex_.factor(std::complex(alpha, beta) / h, -1);
        matrices_step_ = h;
        return matrices_usable_;
    }

    // The stages z_, or why not.
    std::optional<Attempt> newton(double h) {
        const std::size_t n = size();
        for (int s = 0; s < 3; ++s) {
            if (has_past_)
                extrapolate(c[s] * h / step_, z_[s]);
            else
                std::fill(z_[s].begin(), z_[s].end(), 0.0);
        }
        for (std::size_t i = 0; i < n; ++i)
            for (int r = 0; r < 3; ++r)
                w_[r][i] =
                    T_inverse[r][0] * z_[0][i] + T_inverse[r][1] * z_[1][i] + T_inverse[r][2] * z_[2][i];
        contraction_sum_ = std::pow(std::max(contraction_sum_, epsilon), 0.8);
        contraction_ = good_contraction;
        double size_before = 0, ratio_before = 0;
        for (int iteration = 1; iteration <= most_newton_iterations; ++iteration) {
            ++statistics_.newton_iterations;
            for (int s = 0; s < 3; ++s) {
                for (std::size_t i = 0; i < n; ++i) stage_[i] = y_[i] + z_[s][i];
                if (evaluate(t_ + c[s] * h, stage_, slopes_[s]) != 0)
                    return Attempt{Attempt::Outcome::Impossible, 0, 0.5};
            }
            residual_ = residual(slopes_[2], h);
            const double squares = correct(h);
            iterations_ = iteration;
            const double now = std::sqrt(squares / static_cast<double>(3 * n));
            correction_ = now;
            if (!std::isfinite(now)) return Attempt{Attempt::Outcome::NotConverged, 0, 0.5};
            if (iteration > 1) {
                const double ratio = now / size_before;
                contraction_ = iteration == 2 ? ratio : std::sqrt(ratio * ratio_before);
                ratio_before = ratio;
                if (!(contraction_ < 0.99)) return Attempt{Attempt::Outcome::NotConverged, 0, 0.5};
                contraction_sum_ = contraction_ / (1 - contraction_);
                const int left = most_newton_iterations - 1 - iteration;
                const double at_end =
                    contraction_sum_ * now * std::pow(contraction_, left) / newton_tolerance_;
                if (at_end >= 1 && left >= 0) {
                    const double excess = std::clamp(at_end, 1e-4, 20.0);
                    return Attempt{Attempt::Outcome::NotConverged, 0,
                                   0.8 * std::pow(excess, -1.0 / (4 + left))};
                }
            }
            size_before = std::max(now, epsilon);
            if (contraction_sum_ * now <= newton_tolerance_) return std::nullopt;
        }
        return Attempt{Attempt::Outcome::NotConverged, 0, 0.5};
    }

    // One Newton correction of w_ and z_; the sum of the squares of its scaled elements.
    double correct(double h) {
        const std::size_t n = size();
        std::vector<double>& real = error_;
        for (std::size_t i = 0; i < n; ++i) {
            const std::array<double, 3> f{slopes_[0][i], slopes_[1][i], slopes_[2][i]};
            std::array<double, 3> g{};
            for (int r = 0; r < 3; ++r)
                g[r] = T_inverse[r][0] * f[0] + T_inverse[r][1] * f[1] + T_inverse[r][2] * f[2];
            real[i] = g[0] - gamma_ / h * w_[0][i];
            right_[i] = {g[1] - alpha / h * w_[1][i] + beta / h * w_[2][i],
                         g[2] - alpha / h * w_[2][i] - beta / h * w_[1][i]};
        }
        real_.solve(real);
        complex_.solve(right_);
        double squares = 0;
        for (std::size_t i = 0; i < n; ++i) {
            const std::array<double, 3> d{real[i], right_[i].real(), right_[i].imag()};
            for (int r = 0; r < 3; ++r) {
                w_[r][i] += d[r];
                squares += (d[r] / scale_[i]) * (d[r] / scale_[i]);
            }
            for (int r = 0; r < 3; ++r)
                z_[r][i] = T[r][0] * w_[0][i] + T[r][1] * w_[1][i] + T[r][2] * w_[2][i];
        }
        return squares;
    }

    // Filtered once only. A second time would let the first step after an event pass over a transient that is
    // much shorter, with the right value at its end; inside the step the polynomial would be wrong by all of
    // the transient.
    double estimate(double h) {
        for (std::size_t i = 0; i < size(); ++i)
            error_[i] = f_[i] + (e[0] * z_[0][i] + e[1] * z_[1][i] + e[2] * z_[2][i]) / h;
        real_.solve(error_);
        // A transient is in the estimate, and not in the solution: the tolerance is not larger for it.
        return first_ ? loosening_ * scaled_norm(error_) : scaled_norm(error_);
    }

    double scaled_norm(const std::vector<double>& v) {
        double sum = 0;
        for (std::size_t i = 0; i < v.size(); ++i) {
            errors_[i] = std::abs(v[i] / scale_[i]);
            sum += errors_[i] * errors_[i];
        }
        return std::max(std::sqrt(sum / static_cast<double>(v.size())), 1e-10);
    }

    // The collocation polynomial through the begin and the three stages, as differences from the end, in
    // s = (t - end) / h. Its error is that of the estimate, which is allowed to be larger than the tolerance:
    // both come from the fourth derivative, which is the difference of slopes at the begin. Adding it makes
    // the dense output one order better, with the same values at the ends.
    void accept(double h) override {
        for (std::size_t i = 0; i < size(); ++i) {
            const double z1 = z_[0][i], z2 = z_[1][i], z3 = z_[2][i];
            dense_[0][i] = next_[i];
            dense_[1][i] = (z2 - z3) / (c2 - 1);
            const double middle = (z1 - z2) / (c1 - c2);
            dense_[2][i] = (middle - dense_[1][i]) / (c1 - 1);
            dense_[3][i] = dense_[2][i] - (middle - z1 / c1) / c2;
            dense_[4][i] = gamma_ * error_[i];
        }
        step_ = h;
        has_past_ = true;
        first_ = false;
        jacobian_current_ = false;
        if (contraction_ > good_contraction) jacobian_usable_ = false;
    }

    // The polynomial less its value at the end of the step.
    void extrapolate(double s, std::span<double> x) const {
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] = s * (dense_[1][i] + (s - (c2 - 1)) * (dense_[2][i] + (s - (c1 - 1)) * dense_[3][i]));
    }

    void dense(double theta, std::span<double> x, std::span<double> dx) const override {
        const double s = theta - 1, s2 = s - (c2 - 1), s1 = s - (c1 - 1);
        const double quartic = theta * s * s * (1 - 2.5 * theta), quartic_slope = -10 * s1 * s2 * s;
        extrapolate(s, x);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += dense_[0][i] + quartic * dense_[4][i];
        for (std::size_t i = 0; i < dx.size(); ++i)
            dx[i] = (dense_[1][i] + (s + s2) * dense_[2][i] + (s2 * s1 + s * s1 + s * s2) * dense_[3][i] +
                     quartic_slope * dense_[4][i]) /
                    step_;
    }

    // h / quotient, from the error and the effort of the iteration.
    double quotient(double error) const {
        const double factor = std::min(
            safety, safety * (1 + 2 * most_newton_iterations) / (iterations_ + 2 * most_newton_iterations));
        return std::clamp(std::pow(error, 0.25) / factor, 1.0 / 8, 5.0);
    }

    double after_accepted(double h, double error) override {
        double q = quotient(error);
        if (error_before_ > 0) {
            // Gustafsson's prediction: the error changes as it did from the step before.
            const double predicted =
                step_before_ / h * std::pow(error * error / error_before_, 0.25) / safety;
            q = std::max(q, std::clamp(predicted, 1.0 / 8, 5.0));
        }
        step_before_ = h;
        error_before_ = std::max(error, 1e-2);
        double next = h / q;
        if (grow_not_) next = std::min(next, h);
        grow_not_ = false;
        if (jacobian_usable_ && next >= keep_from * h && next <= keep_to * h) return h;
        return next;
    }

    double after_rejected(double h, double error) override {
        grow_not_ = true;
        if (!jacobian_current_) jacobian_usable_ = false;
        return first_ ? 0.1 * h : h / quotient(error);
    }

    double after_obstacle(double h, double retry) override {
        grow_not_ = true;
        // With an old matrix the iteration may have failed for that only.
        if (!jacobian_current_) jacobian_usable_ = false;
        return h * retry;
    }

    double order() const override { return 5; }

    double loosening_ = 1;
    double newton_tolerance_ = 0.01;
    double residual_ = 0, correction_ = 0;  // before the last correction, and its size
    std::vector<double> scale_, weights_, error_, stage_;
    std::array<std::vector<double>, 3> z_, w_, slopes_;
    std::array<std::vector<double>, 5> dense_;
    std::vector<std::complex<double>> right_;
    JacobianMatrix jacobian_;
    IterationMatrix<double> real_;
    IterationMatrix<std::complex<double>> complex_;
    double matrices_step_ = 0;
    double step_ = 0;                            // of the dense output
    double step_before_ = 0, error_before_ = 0;  // of the last step that the controller saw
    double contraction_ = 0, contraction_sum_ = 1;
    int iterations_ = 0;
    bool jacobian_usable_ = false;
    bool jacobian_current_ = false;  // computed where the step begins
    bool matrices_usable_ = false;
    bool has_past_ = false;
    bool first_ = true;
    bool grow_not_ = false;
};

}  // namespace

std::unique_ptr<Integrator> make_radau_integrator(IvpProblem problem) {
    return std::make_unique<RadauIntegrator>(std::move(problem));
}

}  // namespace cutset
