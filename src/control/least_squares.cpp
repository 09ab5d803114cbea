#include "control/least_squares.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "control/decompositions.h"

namespace cutset {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Levenberg's and Marquardt's method, with bounds.
class Marquardt {
  public:
    explicit Marquardt(const LeastSquaresProblem& problem)
        : problem_(problem),
          n_(problem.start.size()),
          p_(problem.start.cwiseMax(problem.lower).cwiseMin(problem.upper)),
          scale_(VectorXd::Zero(n_)) {}

    LeastSquaresResult run() {
        result_.parameters = p_;
        result_.at_bound.assign(static_cast<std::size_t>(n_), false);
        if (!problem_.evaluate(p_, r_, &j_) || !r_.allFinite() || !j_.allFinite()) return std::move(result_);
        cost_ = r_.squaredNorm();
        result_.status = LeastSquaresStatus::Limit;
        int iteration = 0;
        for (; iteration < problem_.max_iterations; ++iteration) {
            if (problem_.progress && !problem_.progress(iteration, cost_)) {
                result_.status = LeastSquaresStatus::Stopped;
                break;
            }
            if (is_stationary()) {
                result_.status = LeastSquaresStatus::Converged;
                break;
            }
            const bool moved = move();
            if (result_.status == LeastSquaresStatus::Converged) {
                ++iteration;
                break;
            }
            if (!moved) {
                result_.status = LeastSquaresStatus::Stuck;
                break;
            }
        }
        result_.parameters = p_;
        result_.residuals = r_;
        result_.jacobian = j_;
        result_.sum_of_squares = cost_;
        result_.iterations = iteration;
        for (Eigen::Index i = 0; i < n_; ++i)
            result_.at_bound[static_cast<std::size_t>(i)] =
                p_[i] <= problem_.lower[i] || p_[i] >= problem_.upper[i];
        return std::move(result_);
    }

  private:
    // Where the residuals are orthogonal to all columns that can move; sets what can move, and scales.
    bool is_stationary() {
        const VectorXd gradient = j_.transpose() * r_;
        // Parameters at a bound that the descent leads beyond stay there.
        free_.clear();
        for (Eigen::Index i = 0; i < n_; ++i) {
            const bool low = p_[i] <= problem_.lower[i] && gradient[i] > 0;
            const bool high = p_[i] >= problem_.upper[i] && gradient[i] < 0;
            result_.at_bound[static_cast<std::size_t>(i)] = low || high;
            if (!low && !high) free_.push_back(i);
        }
        double angle = 0;
        const double length = r_.norm();
        for (Eigen::Index i : free_) {
            const double column = j_.col(i).norm();
            if (column > 0 && length > 0) angle = std::max(angle, std::abs(gradient[i]) / (column * length));
        }
        if (free_.empty() || length == 0 || angle <= problem_.tolerance) return true;
        for (Eigen::Index i = 0; i < n_; ++i)
            scale_[i] = std::max({scale_[i], j_.col(i).norm(), 1e-12 * length / problem_.sizes[i]});
        return false;
    }

    // Where a step leads: [J; sqrt(damping) D] step = [-r; 0] by QR, cut at the bounds.
    VectorXd step_to() const {
        const auto m = static_cast<Eigen::Index>(free_.size());
        MatrixXd a(j_.rows() + m, m);
        VectorXd b = VectorXd::Zero(j_.rows() + m);
        b.head(j_.rows()) = -r_;
        a.bottomRows(m).setZero();
        for (Eigen::Index k = 0; k < m; ++k) {
            const Eigen::Index i = free_[static_cast<std::size_t>(k)];
            a.col(k).head(j_.rows()) = j_.col(i);
            a(j_.rows() + k, k) = std::sqrt(damping_) * scale_[i];
        }
        const VectorXd step = least_squares_solution(a, b);
        VectorXd next = p_;
        for (Eigen::Index k = 0; k < m; ++k) next[free_[static_cast<std::size_t>(k)]] += step[k];
        return next.cwiseMax(problem_.lower).cwiseMin(problem_.upper);
    }

    double relative(const VectorXd& change) const {
        return (change.array().abs() / problem_.sizes.array().max(p_.array().abs())).maxCoeff();
    }

    // The first step that helps, with more and more damping; false when there is none.
    bool move() {
        for (int attempt = 0; attempt < 40; ++attempt) {
            const VectorXd next = step_to();
            const VectorXd change = next - p_;
            const double predicted = cost_ - (r_ + j_ * change).squaredNorm();
            VectorXd trial;
            const bool defined = problem_.evaluate(next, trial, nullptr) && trial.allFinite();
            const double better = defined ? cost_ - trial.squaredNorm() : -1;
            if (defined && better > 1e-4 * predicted && better > 0) {
                const double ratio = predicted > 0 ? better / predicted : 1;
                damping_ *= ratio > 0.75 ? 0.1 : ratio < 0.25 ? 4 : 1;
                damping_ = std::max(damping_, 1e-15);
                if (accept(next, change)) return true;
            }
            if (defined && (relative(change) <= 1e-12 || predicted <= 1e-14 * cost_)) {
                // No step makes a difference that the numbers can show.
                result_.status = LeastSquaresStatus::Converged;
                return false;
            }
            damping_ *= 4;
            if (damping_ > 1e20) return false;
        }
        return false;
    }

    bool accept(const VectorXd& next, const VectorXd& change) {
        VectorXd full;
        MatrixXd slopes;
        if (!problem_.evaluate(next, full, &slopes) || !full.allFinite() || !slopes.allFinite()) return false;
        const double old_cost = cost_;
        p_ = next;
        r_ = full;
        j_ = slopes;
        cost_ = r_.squaredNorm();
        if (old_cost - cost_ <= problem_.tolerance * problem_.tolerance * old_cost ||
            relative(change) <= problem_.tolerance * 1e-2)
            result_.status = LeastSquaresStatus::Converged;
        return true;
    }

    const LeastSquaresProblem& problem_;
    const Eigen::Index n_;
    VectorXd p_, r_;  // parameters and residuals
    MatrixXd j_;
    VectorXd scale_;  // of the columns, the largest met: Marquardt's scaling
    double cost_ = 0, damping_ = 1e-3;
    std::vector<Eigen::Index> free_;
    LeastSquaresResult result_;
};

}  // namespace

LeastSquaresResult solve_least_squares(const LeastSquaresProblem& problem) {
    return Marquardt(problem).run();
}

namespace {

// The regularised incomplete beta function by its continued fraction (Lentz).
double incomplete_beta(double a, double b, double x) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(b, a, 1 - x);
    const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) +
                                  b * std::log1p(-x)) /
                         a;
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (std::abs(d) < tiny ? tiny : d);
    double h = d;
    for (int m = 1; m < 500; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double change = 1;
        for (const double k : {even, odd}) {
            d = 1 + k * d;
            c = 1 + k / c;
            d = 1 / (std::abs(d) < tiny ? tiny : d);
            if (std::abs(c) < tiny) c = tiny;
            change = d * c;
            h *= change;
        }
        if (std::abs(change - 1) < 1e-15) break;
    }
    return front * h;
}

}  // namespace

double student_quantile(double probability, double freedom) {
    // P(|T| < t) = 1 - I_x(freedom/2, 1/2) with x = freedom/(freedom + t²)
    const auto inside = [&](double t) {
        return 1 - incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
    };
    double low = 0, high = 2;
    while (inside(high) < probability && high < 1e9) high *= 2;
    for (int i = 0; i < 200 && high - low > 1e-14 * high; ++i) {
        const double middle = (low + high) / 2;
        (inside(middle) < probability ? low : high) = middle;
    }
    return (low + high) / 2;
}

Uncertainty uncertainty(const LeastSquaresResult& result, const VectorXd& sizes, bool known_variance) {
    constexpr double rank_tolerance = 1e-7;  // of singular values: derivatives are not much more exact
    Uncertainty u;
    const Eigen::Index n = result.parameters.size(), rows = result.residuals.size();
    u.freedom = rows > n ? static_cast<std::size_t>(rows - n) : 0;
    u.variance = known_variance  ? 1
                 : u.freedom > 0 ? result.sum_of_squares / static_cast<double>(u.freedom)
                                 : std::numeric_limits<double>::quiet_NaN();  // nothing is left to tell it
    const double infinity = std::numeric_limits<double>::infinity();
    u.covariance = MatrixXd::Zero(n, n);
    u.correlation = MatrixXd::Identity(n, n);
    u.deviation = u.interval = VectorXd::Constant(n, infinity);
    std::vector<Eigen::Index> free;
    for (Eigen::Index i = 0; i < n; ++i) {
        if (result.jacobian.col(i).cwiseAbs().maxCoeff() == 0)
            u.idle.push_back(static_cast<std::size_t>(i));
        else if (!result.at_bound[static_cast<std::size_t>(i)])
            free.push_back(i);
    }
    const auto m = static_cast<Eigen::Index>(free.size());
    if (m == 0) return u;
    MatrixXd scaled(rows, m);
    for (Eigen::Index k = 0; k < m; ++k) {
        const Eigen::Index i = free[static_cast<std::size_t>(k)];
        scaled.col(k) = result.jacobian.col(i) * sizes[i];
    }
    u.singular_values = singular_values(scaled, false).values;
    // Columns may be small because a parameter has little influence; what counts is dependence, so each
    // column has length one for the rank.
    MatrixXd unit = scaled;
    for (Eigen::Index k = 0; k < m; ++k) unit.col(k).normalize();
    const SingularValues dependence = right_singular_vectors(unit);
    const VectorXd& s = dependence.values;
    MatrixXd inverse = MatrixXd::Zero(m, m);
    std::vector<bool> determined(static_cast<std::size_t>(m), true);
    for (Eigen::Index k = 0; k < m; ++k) {
        const bool dependent = k >= s.size() || s[k] <= rank_tolerance * s[0];
        const VectorXd v = dependence.V.col(k);
        if (!dependent) {
            inverse += v * v.transpose() / (s[k] * s[k]);
            continue;
        }
        VectorXd direction = VectorXd::Zero(n);
        for (Eigen::Index i = 0; i < m; ++i) {
            if (std::abs(v[i]) > 1e-3) determined[static_cast<std::size_t>(i)] = false;
            direction[free[static_cast<std::size_t>(i)]] = v[i] / scaled.col(i).norm();
        }
        u.undetermined.push_back(direction.normalized());
    }
    const double t = known_variance  ? 1.959963984540054
                     : u.freedom > 0 ? student_quantile(0.95, static_cast<double>(u.freedom))
                                     : infinity;
    for (Eigen::Index a = 0; a < m; ++a) {
        const Eigen::Index i = free[static_cast<std::size_t>(a)];
        const double la = result.jacobian.col(i).norm();
        for (Eigen::Index b = 0; b < m; ++b) {
            const Eigen::Index k = free[static_cast<std::size_t>(b)];
            const double lb = result.jacobian.col(k).norm();
            u.covariance(i, k) = u.variance * inverse(a, b) / (la * lb);
            const double both = std::sqrt(inverse(a, a) * inverse(b, b));
            u.correlation(i, k) = a == b ? 1 : both > 0 ? inverse(a, b) / both : 0;
        }
        if (!determined[static_cast<std::size_t>(a)]) {
            u.covariance(i, i) = infinity;
            continue;
        }
        if (std::isnan(u.variance)) continue;
        u.deviation[i] = std::sqrt(u.covariance(i, i));
        u.interval[i] = t * u.deviation[i];
    }
    return u;
}

}  // namespace cutset
