#include "control/least_squares.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "control/decompositions.h"

namespace cutset {

using Eigen::MatrixXd;
using Eigen::VectorXd;

LeastSquaresResult solve_least_squares(const LeastSquaresProblem& problem) {
    LeastSquaresResult result;
    const Eigen::Index n = problem.start.size();
    VectorXd p = problem.start.cwiseMax(problem.lower).cwiseMin(problem.upper);
    VectorXd r;
    MatrixXd j;
    result.parameters = p;
    result.at_bound.assign(static_cast<std::size_t>(n), false);
    if (!problem.evaluate(p, r, &j) || !r.allFinite() || !j.allFinite()) return result;
    double cost = r.squaredNorm();
    double damping = 1e-3;
    result.status = LeastSquaresStatus::Limit;
    VectorXd scale = VectorXd::Zero(n);  // of the columns, the largest met: Marquardt's scaling
    int iteration = 0;
    for (; iteration < problem.max_iterations; ++iteration) {
        if (problem.progress && !problem.progress(iteration, cost)) {
            result.status = LeastSquaresStatus::Stopped;
            break;
        }
        const VectorXd gradient = j.transpose() * r;
        // Parameters at a bound that the descent leads beyond stay there.
        std::vector<Eigen::Index> free;
        for (Eigen::Index i = 0; i < n; ++i) {
            const bool low = p[i] <= problem.lower[i] && gradient[i] > 0;
            const bool high = p[i] >= problem.upper[i] && gradient[i] < 0;
            result.at_bound[static_cast<std::size_t>(i)] = low || high;
            if (!low && !high) free.push_back(i);
        }
        // Converged when the residuals are orthogonal to all columns that can move.
        double angle = 0;
        const double length = r.norm();
        for (Eigen::Index i : free) {
            const double column = j.col(i).norm();
            if (column > 0 && length > 0) angle = std::max(angle, std::abs(gradient[i]) / (column * length));
        }
        if (free.empty() || length == 0 || angle <= problem.tolerance) {
            result.status = LeastSquaresStatus::Converged;
            break;
        }
        const auto m = static_cast<Eigen::Index>(free.size());
        for (Eigen::Index i = 0; i < n; ++i)
            scale[i] = std::max({scale[i], j.col(i).norm(), 1e-12 * length / problem.sizes[i]});
        bool moved = false;
        for (int attempt = 0; attempt < 40; ++attempt) {
            // [J; sqrt(damping) D] step = [-r; 0] by QR
            MatrixXd a(j.rows() + m, m);
            VectorXd b = VectorXd::Zero(j.rows() + m);
            b.head(j.rows()) = -r;
            a.bottomRows(m).setZero();
            for (Eigen::Index k = 0; k < m; ++k) {
                a.col(k).head(j.rows()) = j.col(free[static_cast<std::size_t>(k)]);
                a(j.rows() + k, k) = std::sqrt(damping) * scale[free[static_cast<std::size_t>(k)]];
            }
            const VectorXd step = least_squares_solution(a, b);
            VectorXd next = p;
            for (Eigen::Index k = 0; k < m; ++k) next[free[static_cast<std::size_t>(k)]] += step[k];
            next = next.cwiseMax(problem.lower).cwiseMin(problem.upper);
            const VectorXd change = next - p;
            const double predicted = cost - (r + j * change).squaredNorm();
            VectorXd trial;
            const bool defined = problem.evaluate(next, trial, nullptr) && trial.allFinite();
            const double better = defined ? cost - trial.squaredNorm() : -1;
            if (defined && better > 1e-4 * predicted && better > 0) {
                const double ratio = predicted > 0 ? better / predicted : 1;
                damping *= ratio > 0.75 ? 0.1 : ratio < 0.25 ? 4 : 1;
                damping = std::max(damping, 1e-15);
                VectorXd full;
                MatrixXd slopes;
                if (problem.evaluate(next, full, &slopes) && full.allFinite() && slopes.allFinite()) {
                    const double old_cost = cost;
                    p = next;
                    r = full;
                    j = slopes;
                    cost = r.squaredNorm();
                    moved = true;
                    const double relative =
                        (change.array().abs() / problem.sizes.array().max(p.array().abs())).maxCoeff();
                    if (old_cost - cost <= problem.tolerance * problem.tolerance * old_cost ||
                        relative <= problem.tolerance * 1e-2)
                        result.status = LeastSquaresStatus::Converged;
                    break;
                }
            }
            const double relative =
                (change.array().abs() / problem.sizes.array().max(p.array().abs())).maxCoeff();
            if (defined && (relative <= 1e-12 || predicted <= 1e-14 * cost)) {
                // No step makes a difference that the numbers can show.
                result.status = LeastSquaresStatus::Converged;
                break;
            }
            damping *= 4;
            if (damping > 1e20) break;
        }
        if (result.status == LeastSquaresStatus::Converged) {
            ++iteration;
            break;
        }
        if (!moved) {
            result.status = LeastSquaresStatus::Stuck;
            break;
        }
    }
    result.parameters = p;
    result.residuals = r;
    result.jacobian = j;
    result.sum_of_squares = cost;
    result.iterations = iteration;
    for (Eigen::Index i = 0; i < n; ++i)
        result.at_bound[static_cast<std::size_t>(i)] = p[i] <= problem.lower[i] || p[i] >= problem.upper[i];
    return result;
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
