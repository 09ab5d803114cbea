// Adams-Moulton formulas of order 1 to 12 with variable step in Nordsieck's form (Byrne, Hindmarsh, ACM TOMS
// 1 (1975); Hindmarsh and others, SUNDIALS, ACM TOMS 31 (2005)): the method of CVODE, with its strategy for
// steps and orders and with its arithmetic to the last bit, but with a memory that can be kept. The equations
// of a step, for the correction c to what the past predicts,
//     c = (h f(t, z_0 + c) - z_1) / l_1,
// are solved by a few fixed-point iterations.
#include <cvode/cvode.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "numerics/floating_point.h"
#include "numerics/integrators/integrator_makers.h"
#include "numerics/integrators/sundials_integrator.h"
#include "numerics/solver_messages.h"

namespace cutset {

namespace {

constexpr int most_order = 12;
// The iteration.
constexpr int most_iterations = 3;
constexpr double newton_part = 0.1;  // of the tolerance that the iteration may leave
constexpr double rate_decay = 0.3, divergence = 2;
// Steps and orders.
constexpr double first_growth = 10000, growth = 10, least_growth = 1.5, least_part = 0.1;
constexpr double safety_lower = 6, safety_same = 6, safety_higher = 10, addition = 0.000001;
constexpr double failed_most = 0.2, obstacle_part = 0.25;
constexpr int most_obstacles = 10, most_failures = 7, failures_at_order = 3, small_failures = 2;
constexpr int long_wait = 10;
// The first step.
constexpr double shortest_first = 100, longest_first = 0.1;
constexpr int most_tries = 4;
constexpr double fuzz = 100;  // units in the last place: times that are one

double power(double base, double exponent) {
    return base <= 0 ? 0 : std::pow(base, exponent);
}
double power(double base, int exponent) {
    double product = 1;
    for (int i = 1; i <= std::abs(exponent); ++i) product *= base;
    return exponent < 0 ? 1 / product : product;
}
double step_ratio(double safety, double error, int order) {
    return 1 / (power(safety * error, 1.0 / order) + addition);
}

// Sum of (-1)^i a_i / (i + k): an integral from -1 to 0.
double alternating_sum(int end, const double* a, int k) {
    double sum = 0;
    int sign = 1;
    for (int i = 0; i <= end; ++i, sign = -sign) sum += sign * (a[i] / (i + k));
    return sum;
}

class AdamsIntegrator : public SundialsIntegrator {
  public:
    explicit AdamsIntegrator(IvpProblem problem) : SundialsIntegrator(std::move(problem)) {
        const IvpProblem& p = functions_.problem();
        const auto vector = [&] {
            VectorPtr v = make_vector(p.n, context_.get());
            N_VConst(0, v.get());
            return v;
        };
        for (VectorPtr& z : past_) z = vector();
        for (VectorPtr* v : {&absolute_, &error_weights_, &correction_, &before_, &image_, &work_, &iterate_})
            *v = vector();
        std::copy(p.absolute_tolerance.begin(), p.absolute_tolerance.end(),
                  elements(absolute_.get()).begin());
        smallest_absolute_zero_ = N_VMin(absolute_.get()) == 0;
        if (std::isfinite(p.max_step)) inverse_longest_ = 1 / p.max_step;
    }

    std::string_view first_method() const override { return "adams"; }

  private:
    N_Vector z(int j) const { return past_[static_cast<std::size_t>(j)].get(); }

    bool remember_solver(MemoryStream& memory) override {
        for (VectorPtr& column : past_) {
            std::span<double> values = elements(column.get());
            memory("column", values);
        }
        for (VectorPtr* v : {&error_weights_, &correction_}) {
            std::span<double> values = elements(v->get());
            memory("weights and correction", values);
        }
        memory("solver time", t_);
        memory("solver step", h_);
        memory("last solver step", last_h_);
        memory("scale", scale_);
        memory("proposed", proposed_);
        memory("wanted step", wanted_h_);
        memory("wanted order", wanted_order_);
        memory("growth", eta_);
        memory("most growth", most_growth_);
        memory("order", order_);
        memory("last order", last_order_);
        memory("wait", wait_);
        memory("past steps", tau_);
        memory("tests", tq_);
        memory("saved test", saved_test_);
        memory("returned", returned_);
        memory("stop", stop_);
        memory("stop set", stop_set_);
        memory("steps", steps_);
        if (order_ < 1 || order_ > most_order || wanted_order_ < 1 || wanted_order_ > most_order)
            memory.fail();
        return true;
    }

    int reinitialize(double t, std::span<const double> x, double first_step) override {
        t_ = t;
        order_ = 1;
        wait_ = 2;
        most_growth_ = first_growth;
        last_order_ = 0;
        last_h_ = 0;
        std::copy(x.begin(), x.end(), elements(z(0)).begin());
        steps_ = iterations_ = error_failures_ = convergence_failures_ = 0;
        proposed_ = first_step;
        return CV_SUCCESS;
    }

    int evaluate(double t, N_Vector x, N_Vector dx) { return functions_.rhs(t, elements(x), elements(dx)); }

    // False where a tolerance is zero.
    bool weigh(N_Vector x, N_Vector weights) {
        N_VAbs(x, work_.get());
        N_VLinearSum(functions_.problem().relative_tolerance, work_.get(), 1, absolute_.get(), work_.get());
        if (smallest_absolute_zero_ && N_VMin(work_.get()) <= 0) return false;
        N_VInv(work_.get(), weights);
        return true;
    }
    double norm(N_Vector v) const { return N_VWrmsNorm(v, error_weights_.get()); }
    double roundoff(double h) const { return fuzz * epsilon * (std::abs(t_) + std::abs(h)); }

    int advance(double t_stop, bool new_stop, double& reached) override {
        if (new_stop) {
            if (steps_ > 0 && (t_stop - t_) * h_ < 0) return CV_ILL_INPUT;
            stop_ = t_stop;
            stop_set_ = true;
        }
        if (steps_ == 0) {
            returned_ = reached = t_;
            if (const int flag = begin(t_stop)) return flag;
        } else {
            if (std::abs(t_ - returned_) > roundoff(h_)) return give(CV_SUCCESS, reached);
            if (at_stop()) return give_stop(reached);
            keep_before_stop();
        }
        if (steps_ > 0 && !weigh(z(0), error_weights_.get())) return give(CV_ILL_INPUT, reached);
        if (epsilon * norm(z(0)) > 1) return give(CV_TOO_MUCH_ACC, reached);
        if (const int flag = step()) return give(flag, reached);
        if (at_stop()) {
            t_ = stop_;
            return give_stop(reached);
        }
        keep_before_stop();
        return give(CV_SUCCESS, reached);
    }
    int give(int flag, double& reached) {
        returned_ = reached = t_;
        N_VScale(1, z(0), y_.get());
        return flag;
    }
    int give_stop(double& reached) {
        derivative(stop_, 0, y_.get());
        returned_ = reached = stop_;
        stop_set_ = false;
        return CV_TSTOP_RETURN;
    }
    bool at_stop() const { return stop_set_ && std::abs(t_ - stop_) <= roundoff(h_); }
    // The next step ends there.
    void keep_before_stop() {
        if (!stop_set_ || !((t_ + wanted_h_ - stop_) * h_ > 0)) return;
        wanted_h_ = (stop_ - t_) * (1 - 4 * epsilon);
        eta_ = wanted_h_ / h_;
    }

    // ---- the first step
    int begin(double t_stop) {
        if (!weigh(z(0), error_weights_.get())) return CV_ILL_INPUT;
        const int flag = evaluate(t_, z(0), z(1));
        if (flag < 0) return CV_RHSFUNC_FAIL;
        if (flag > 0) return CV_FIRST_RHSFUNC_ERR;
        if (stop_set_ && (stop_ - t_) * (t_stop - t_) <= 0) return CV_ILL_INPUT;
        h_ = proposed_;
        if (h_ == 0)
            if (const int problem =
                    choose_first(stop_set_ && (t_stop - t_) * (t_stop - stop_) > 0 ? stop_ : t_stop))
                return problem;
        if (const double ratio = std::abs(h_) * inverse_longest_; ratio > 1) h_ /= ratio;
        if (stop_set_ && (t_ + h_ - stop_) * h_ > 0) h_ = (stop_ - t_) * (1 - 4 * epsilon);
        scale_ = wanted_h_ = h_;
        N_VScale(h_, z(1), z(1));
        return CV_SUCCESS;
    }

    // So that h² x''/2 is about the tolerance.
    int choose_first(double until) {
        const double distance = until - t_, unit = epsilon * std::max(std::abs(t_), std::abs(until));
        if (distance < 2 * unit) return CV_TOO_CLOSE;
        const double least = shortest_first * unit, most = longest_possible(distance);
        double h = std::sqrt(least * most), next = h, good = h;
        if (most < least) {
            h_ = h;
            return CV_SUCCESS;
        }
        for (int round = 1; round <= most_tries; ++round) {
            std::optional<double> bend;
            for (int tries = 1; tries <= most_tries && !bend; ++tries) {
                bool stop = false;
                bend = second_derivative(h, stop);
                if (stop) return CV_RHSFUNC_FAIL;
                if (!bend) h *= 0.2;
            }
            if (!bend) {
                if (round <= 2) return CV_REPTD_RHSFUNC_ERR;
                next = good;
                break;
            }
            good = h;
            next = *bend * most * most > 2 ? std::sqrt(2 / *bend) : std::sqrt(h * most);
            if (round == most_tries) break;
            const double ratio = next / h;
            if (ratio > 0.5 && ratio < 2) break;
            if (round > 1 && ratio > 2) {
                next = h;
                break;
            }
            h = next;
        }
        h_ = 0.5 * next;
        if (h_ < least) h_ = least;
        if (h_ > most) h_ = most;
        return CV_SUCCESS;
    }
    // No state is to change by more than a tenth.
    double longest_possible(double distance) {
        N_Vector sizes = correction_.get(), limits = image_.get();
        N_VAbs(z(0), sizes);
        weigh(z(0), limits);
        N_VInv(limits, limits);
        N_VLinearSum(longest_first, sizes, 1, limits, limits);
        N_VAbs(z(1), sizes);
        N_VDiv(sizes, limits, limits);
        const double inverse = N_VMaxNorm(limits), longest = longest_first * distance;
        return longest * inverse > 1 ? 1 / inverse : longest;
    }
    std::optional<double> second_derivative(double h, bool& stop) {
        N_VLinearSum(h, z(1), 1, z(0), iterate_.get());
        const int flag = evaluate(t_ + h, iterate_.get(), work_.get());
        stop = flag < 0;
        if (flag != 0) return std::nullopt;
        N_VLinearSum(1 / h, work_.get(), -1 / h, z(1), work_.get());
        return norm(work_.get());
    }

    // ---- a step
    int step() {
        int obstacles = 0, failures = 0;
        if (steps_ > 0 && wanted_h_ != h_) adjust();
        const double from = t_;
        double error = 0;
        for (;;) {
            predict();
            set_coefficients();
            if (!solve()) {
                ++convergence_failures_;
                undo(from);
                most_growth_ = 1;
                if (++obstacles == most_obstacles) return CV_CONV_FAILURE;
                eta_ = obstacle_part;
                rescale();
                continue;
            }
            error = correction_norm_ * tq_[2];
            if (error <= 1) break;
            if (const int flag = after_failure(error, ++failures, from)) return flag;
        }
        complete();
        prepare_next(error);
        most_growth_ = growth;
        N_VScale(tq_[2], correction_.get(), correction_.get());
        return CV_SUCCESS;
    }

    int after_failure(double error, int failures, double from) {
        ++error_failures_;
        undo(from);
        if (failures == most_failures) return CV_ERR_FAILURE;
        most_growth_ = 1;
        if (failures <= failures_at_order) {
            eta_ = std::max(least_part, step_ratio(safety_same, error, order_ + 1));
            if (failures >= small_failures) eta_ = std::min(eta_, failed_most);
            rescale();
            return CV_SUCCESS;
        }
        eta_ = least_part;
        if (order_ > 1) {
            lower();
            wait_ = order_;
            --order_;
            rescale();
            return CV_SUCCESS;
        }
        h_ *= eta_;
        scale_ = h_;
        wait_ = long_wait;
        const int flag = evaluate(t_, z(0), work_.get());
        if (flag != 0) return flag < 0 ? CV_RHSFUNC_FAIL : CV_UNREC_RHSFUNC_ERR;
        N_VScale(h_, work_.get(), z(1));
        return CV_SUCCESS;
    }

    void adjust() {
        if (wanted_order_ != order_) {
            if (wanted_order_ > order_)
                N_VConst(0, z(order_ + 1));
            else
                lower();
            order_ = wanted_order_;
            wait_ = order_ + 1;
        }
        rescale();
    }
    // The past as a polynomial of one order less.
    void lower() {
        if (order_ <= 2) return;
        std::array<double, most_order + 2> l{};
        l[1] = 1;
        double sum = 0;
        for (int j = 1; j <= order_ - 2; ++j) {
            sum += tau_[static_cast<std::size_t>(j)];
            const double xi = sum / scale_;
            for (std::size_t i = static_cast<std::size_t>(j) + 1; i >= 1; --i) l[i] = l[i] * xi + l[i - 1];
        }
        for (std::size_t j = 1; j + 2 <= static_cast<std::size_t>(order_); ++j)
            l[j + 1] = order_ * (l[j] / static_cast<double>(j + 1));
        for (int j = 2; j < order_; ++j)
            N_VLinearSum(-l[static_cast<std::size_t>(j)], z(order_), 1, z(j), z(j));
    }
    void rescale() {
        double part = eta_;
        for (int j = 1; j <= order_; ++j, part = eta_ * part) N_VScale(part, z(j), z(j));
        h_ = scale_ * eta_;
        scale_ = h_;
    }
    void predict() {
        t_ += h_;
        if (stop_set_ && (t_ - stop_) * h_ > 0) t_ = stop_;
        for (int k = 1; k <= order_; ++k)
            for (int j = order_; j >= k; --j) N_VLinearSum(1, z(j - 1), 1, z(j), z(j - 1));
    }
    void undo(double from) {
        t_ = from;
        for (int k = 1; k <= order_; ++k)
            for (int j = order_; j >= k; --j) N_VLinearSum(1, z(j - 1), -1, z(j), z(j - 1));
    }

    // l: of the polynomial that a correction adds; tq: what makes errors of corrections, at the order below
    // (1), the present one (2) and the next (3), and of differences of corrections (5).
    void set_coefficients() {
        const auto q = static_cast<std::size_t>(order_);
        if (order_ == 1) {
            l_[0] = l_[1] = tq_[1] = tq_[5] = 1;
            tq_[2] = 0.5;
            tq_[3] = 1.0 / 12;
            tq_[4] = newton_part / tq_[2];
            return;
        }
        std::array<double, most_order + 1> m{};
        m[0] = 1;
        double sum = h_;
        for (std::size_t j = 1; j < q; ++j) {
            if (j == q - 1 && wait_ == 1)
                tq_[1] = order_ * alternating_sum(order_ - 2, m.data(), 2) / m[q - 2];
            const double inverse = h_ / sum;
            for (std::size_t i = j; i >= 1; --i) m[i] += m[i - 1] * inverse;
            sum += tau_[j];
        }
        const double inverse = 1 / alternating_sum(order_ - 1, m.data(), 1);
        const double second = alternating_sum(order_ - 1, m.data(), 2);
        l_[0] = 1;
        for (std::size_t i = 1; i <= q; ++i) l_[i] = inverse * (m[i - 1] / static_cast<double>(i));
        const double xi = sum / h_, xi_inverse = 1 / xi;
        tq_[2] = second * inverse / xi;
        tq_[5] = xi / l_[q];
        if (wait_ == 1) {
            for (std::size_t i = q; i >= 1; --i) m[i] += m[i - 1] * xi_inverse;
            tq_[3] = alternating_sum(order_, m.data(), 2) * inverse / (order_ + 1);
        }
        tq_[4] = newton_part / tq_[2];
    }

    bool solve() {
        const double part = 1 / l_[1], limit = tq_[4];
        N_Vector c = correction_.get();
        N_VConst(0, c);
        double rate = 1, last = 0;
        for (int k = 0; k < most_iterations; ++k) {
            N_VScale(1, c, before_.get());
            N_VLinearSum(1, z(0), 1, c, iterate_.get());
            if (evaluate(t_, iterate_.get(), image_.get()) != 0) return false;
            N_VLinearSum(h_, image_.get(), -1, z(1), image_.get());
            N_VScale(part, image_.get(), image_.get());
            N_VScale(1, image_.get(), c);
            ++iterations_;
            N_VLinearSum(1, c, -1, before_.get(), work_.get());
            const double change = norm(work_.get());
            if (k > 0) rate = std::max(rate_decay * rate, change / last);
            if (change * std::min(1.0, rate) / limit <= 1) {
                correction_norm_ = k == 0 ? change : norm(c);
                return true;
            }
            if (k >= 1 && change > divergence * last) return false;
            last = change;
        }
        return false;
    }

    void complete() {
        const auto q = static_cast<std::size_t>(order_);
        ++steps_;
        last_h_ = h_;
        last_order_ = order_;
        for (std::size_t i = q; i >= 2; --i) tau_[i] = tau_[i - 1];
        if (order_ == 1 && steps_ > 1) tau_[2] = tau_[1];
        tau_[1] = h_;
        for (int j = 0; j <= order_; ++j)
            N_VLinearSum(l_[static_cast<std::size_t>(j)], correction_.get(), 1, z(j), z(j));
        if (--wait_ == 1 && order_ != most_order) {
            N_VScale(1, correction_.get(), z(most_order));
            saved_test_ = tq_[5];
        }
    }

    // The length and the order of the next step.
    void prepare_next(double error) {
        if (most_growth_ == 1) {
            wait_ = std::max(wait_, 2);
            wanted_order_ = order_;
            wanted_h_ = h_;
            eta_ = 1;
            return;
        }
        const double same = step_ratio(safety_same, error, order_ + 1);
        eta_ = same;
        wanted_order_ = order_;
        if (wait_ == 0) {
            wait_ = 2;
            const double lower = growth_at_lower(), higher = growth_at_higher();
            const double best = std::max(lower, std::max(same, higher));
            if (best > 0 && best < least_growth) {
                eta_ = 1;
            } else if (best != same) {
                eta_ = best;
                wanted_order_ = best == lower ? order_ - 1 : order_ + 1;
            }
        }
        if (eta_ > 0 && eta_ < least_growth) {
            eta_ = 1;
            wanted_h_ = h_;
            return;
        }
        if (eta_ >= least_growth) {
            eta_ = std::min(eta_, most_growth_);
            eta_ /= std::max(1.0, std::abs(h_) * inverse_longest_ * eta_);
        } else {
            eta_ = std::max(eta_, least_part);
        }
        wanted_h_ = h_ * eta_;
    }
    double growth_at_lower() const {
        return order_ > 1 ? step_ratio(safety_lower, norm(z(order_)) * tq_[1], order_) : 0;
    }
    double growth_at_higher() const {
        if (order_ == most_order || saved_test_ == 0) return 0;
        const double quotient = tq_[5] / saved_test_ * power(h_ / tau_[2], order_ + 1);
        N_VLinearSum(-quotient, z(most_order), 1, correction_.get(), work_.get());
        return step_ratio(safety_higher, norm(work_.get()) * tq_[3], order_ + 2);
    }

    // ---- what the caller asks for
    int derivative(double t, int k, N_Vector result) override {
        if (k > order_) return CV_BAD_K;
        const double slack = fuzz * epsilon * (std::abs(t_) + std::abs(last_h_));
        if ((t - (t_ - last_h_ - slack)) * (t - (t_ + slack)) > 0) return CV_BAD_T;
        std::array<double, most_order + 1> factors{};
        std::array<N_Vector, most_order + 1> columns{};
        int count = 0;
        const double s = (t - t_) / h_;
        for (int j = order_; j >= k; --j, ++count) {
            double& factor = factors[static_cast<std::size_t>(count)] = 1;
            for (int i = j; i >= j - k + 1; --i) factor *= i;
            for (int i = 0; i < j - k; ++i) factor *= s;
            columns[static_cast<std::size_t>(count)] = z(j);
        }
        N_VLinearCombination(count, factors.data(), columns.data(), result);
        if (k > 0) N_VScale(power(h_, -k), result, result);
        return CV_SUCCESS;
    }
    void errors_and_weights(N_Vector errors, N_Vector weights) const override {
        N_VScale(1, correction_.get(), errors);
        N_VScale(1, error_weights_.get(), weights);
    }
    double internal_time() const override { return t_; }
    double internal_last_step() const override { return last_h_; }
    void add_new_counters(IntegratorStatistics& sum) const override {
        sum.steps += steps_;
        sum.newton_iterations += iterations_;
        sum.error_test_failures += error_failures_;
        sum.convergence_failures += convergence_failures_;
        sum.last_order = last_order_;
    }
    std::string explain(int flag, const std::string& detail) const override {
        return explain_cvode_flag(flag, detail);
    }

    std::array<VectorPtr, most_order + 1> past_;  // columns; the last one also keeps an earlier correction
    VectorPtr absolute_, error_weights_, correction_, before_, image_, work_, iterate_;
    bool smallest_absolute_zero_ = false;
    double inverse_longest_ = 0;
    double t_ = 0, h_ = 0, last_h_ = 0;
    double scale_ = 0;      // the step that the columns belong to
    double proposed_ = 0;   // first step; 0: none
    double wanted_h_ = 0;   // of the next step
    int wanted_order_ = 1;  // the same
    double eta_ = 1;        // ratio of the next step to this one
    double most_growth_ = first_growth;
    int order_ = 1, last_order_ = 0;
    int wait_ = 2;                              // steps before the order may change
    std::array<double, most_order + 2> tau_{};  // past steps, the last one in [1]
    std::array<double, most_order + 1> l_{};
    std::array<double, 6> tq_{};
    double saved_test_ = 0;
    double correction_norm_ = 0;
    double returned_ = 0;  // the time given last
    double stop_ = 0;
    bool stop_set_ = false;
    long steps_ = 0, iterations_ = 0, error_failures_ = 0, convergence_failures_ = 0;  // since the start
};

}  // namespace

std::unique_ptr<Integrator> make_adams_integrator(IvpProblem problem) {
    return std::make_unique<AdamsIntegrator>(std::move(problem));
}

}  // namespace cutset
