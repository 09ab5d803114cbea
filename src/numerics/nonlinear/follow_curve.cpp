#include "numerics/nonlinear/follow_curve.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "numerics/linear/matrix_lu.h"

namespace cutset {

namespace {

constexpr int correction_iterations = 8;
constexpr double sharpest_bend = 0.9;       // cosine between tangents of neighbours
constexpr double largest_correction = 0.4;  // of the step: more is a jump to another curve
constexpr int fold_iterations = 40;

class Follower {
  public:
    Follower(const CurveProblem& problem, const CurveOptions& options,
             const std::function<bool(const CurvePoint&)>& accept)
        : problem_(problem),
          options_(options),
          accept_(accept),
          n_(problem.n),
          size_(problem.n + problem.intermediates + 1),
          range_(std::abs(options.to - options.from)),
          direction_(options.to < options.from ? -1 : 1),
          elements_(problem.pattern.elements()),
          f_(problem.n),
          z_(problem.n) {
        border();
    }

    CurveResult run(std::span<const double> start) {
        w_.resize(n_ + 1);
        for (std::size_t i = 0; i < n_; ++i) w_[i + 1] = std::max(problem_.nominal[i], std::abs(start[i]));
        w_[0] = range_;
        y_.resize(n_ + 1);
        y_[0] = options_.from / w_[0];
        for (std::size_t i = 0; i < n_; ++i) y_[i + 1] = start[i] / w_[i + 1];
        tangent_.assign(n_ + 1, 0);
        tangent_[0] = direction_;
        if (!evaluate(y_) || !turn(tangent_)) return {CurveEnd::Lost, 0};
        // With its first tangent the curve may be vertical: then any side will do.
        if (tangent_[0] * direction_ < 0)
            for (double& t : tangent_) t = -t;
        const std::vector<double> beginning = y_, first_tangent = tangent_;
        if (!hand_over(y_, tangent_[0], false)) return {CurveEnd::Stopped, 0};
        double step = options_.longest / 4;
        std::size_t points = 1;
        double farthest = 0;
        while (points < options_.most_points) {
            if (step < options_.shortest) return {CurveEnd::Lost, 0};
            std::vector<double> next, next_tangent = tangent_;
            int iterations = 0;
            if (!correct(y_, tangent_, step, next, iterations) || !turn(next_tangent)) {
                step *= 0.25;
                continue;
            }
            double cosine = 0;
            for (std::size_t i = 0; i <= n_; ++i) cosine += tangent_[i] * next_tangent[i];
            if (cosine < sharpest_bend && step > 1e-4 * options_.longest) {
                step *= 0.5;
                continue;
            }
            // Bounds: the point on the bound is the end.
            if (const auto bound = beyond(next)) {
                bisect(step, [&](const std::vector<double>& y) { return !beyond(y); });
                return {CurveEnd::Bound, *bound};
            }
            const double p = next[0] * w_[0];
            const bool past_end = (p - options_.to) * direction_ > 0;
            const bool past_begin = (p - options_.from) * direction_ < -1e-12 * range_;
            if (tangent_[0] * next_tangent[0] < 0 && !past_end)
                if (!find_fold(step, next_tangent[0])) return {CurveEnd::Stopped, 0};
            if (past_end || past_begin) {
                const double at = past_end ? options_.to : options_.from;
                std::vector<double> last;
                if (hit(next, at, last) && !hand_over(last, next_tangent[0], false))
                    return {CurveEnd::Stopped, 0};
                return {past_end ? CurveEnd::Reached : CurveEnd::Returned, 0};
            }
            y_ = next;
            tangent_ = next_tangent;
            ++points;
            if (!hand_over(y_, tangent_[0], false)) return {CurveEnd::Stopped, 0};
            double distance = 0;
            for (std::size_t i = 0; i <= n_; ++i)
                distance = std::max(distance, std::abs(y_[i] - beginning[i]));
            farthest = std::max(farthest, distance);
            if (points > 8 && distance < 0.5 * step && farthest > 4 * step) return {CurveEnd::Closed, 0};
            if (iterations <= 3 && cosine > 0.5 * (1 + sharpest_bend)) step *= 1.6;
            step = std::min(step, options_.longest);
        }
        return {CurveEnd::TooLong, 0};
    }

  private:
    // The pattern of the Jacobian with one row more, for the tangent; p is the first column.
    void border() {
        const SparsePattern& from = problem_.pattern;
        SparsePattern to{size_, size_, {0}, {}};
        for (std::size_t c = 0; c < from.columns; ++c) {
            to.row.insert(to.row.end(), from.row.begin() + from.starts[c],
                          from.row.begin() + from.starts[c + 1]);
            if (c <= n_) to.row.push_back(std::int64_t(size_ - 1));
            to.starts.push_back(std::int64_t(to.row.size()));
        }
        bordered_.resize(to.elements());
        lu_.set_pattern(std::move(to));
    }

    bool evaluate(const std::vector<double>& y) {
        for (std::size_t i = 0; i < n_; ++i) z_[i] = y[i + 1] * w_[i + 1];
        if (!problem_.residual(z_, y[0] * w_[0], f_)) return false;
        for (double v : f_)
            if (!std::isfinite(v)) return false;
        return problem_.jacobian(elements_);
    }
    bool factor(const std::vector<double>& last_row) {
        const SparsePattern& from = problem_.pattern;
        std::size_t k = 0;
        for (std::size_t c = 0; c < from.columns; ++c) {
            for (auto i = from.starts[c]; i < from.starts[c + 1]; ++i)
                bordered_[k++] = elements_[std::size_t(i)] * (c <= n_ ? w_[c] : 1);
            if (c <= n_) bordered_[k++] = last_row[c];
        }
        return lu_.factor(bordered_);
    }
    // The tangent at the point of the last evaluation, to the same side as before.
    bool turn(std::vector<double>& tangent) {
        if (!factor(tangent)) return false;
        std::vector<double> t(size_, 0.0);
        t[size_ - 1] = 1;
        lu_.solve(t);
        double norm = 0;
        for (std::size_t i = 0; i <= n_; ++i) norm += t[i] * t[i];
        norm = std::sqrt(norm);
        if (!std::isfinite(norm) || norm == 0) return false;
        for (std::size_t i = 0; i <= n_; ++i) tangent[i] = t[i] / norm;
        return true;
    }

    // The point of the curve at a distance along the tangent.
    bool correct(const std::vector<double>& from, const std::vector<double>& tangent, double step,
                 std::vector<double>& y, int& iterations) {
        y.resize(n_ + 1);
        for (std::size_t i = 0; i <= n_; ++i) y[i] = from[i] + step * tangent[i];
        const std::vector<double> predicted = y;
        return newton(y, predicted, tangent, iterations) && near(y, predicted, step);
    }
    bool near(const std::vector<double>& y, const std::vector<double>& predicted, double step) const {
        double distance = 0;
        for (std::size_t i = 0; i <= n_; ++i) distance += std::pow(y[i] - predicted[i], 2);
        return std::sqrt(distance) <= largest_correction * step + 1e-9;
    }
    bool newton(std::vector<double>& y, const std::vector<double>& plane, const std::vector<double>& normal,
                int& iterations) {
        std::vector<double> right(size_);
        for (iterations = 1; iterations <= correction_iterations; ++iterations) {
            if (!evaluate(y) || !factor(normal)) return false;
            std::fill(right.begin(), right.end(), 0.0);
            for (std::size_t i = 0; i < n_; ++i) right[i] = -f_[i];
            for (std::size_t i = 0; i <= n_; ++i) right[size_ - 1] -= normal[i] * (y[i] - plane[i]);
            lu_.solve(right);
            double change = 0;
            for (std::size_t i = 0; i <= n_; ++i) {
                y[i] += right[i];
                change = std::max(change, std::abs(right[i]) / std::max(1.0, std::abs(y[i])));
            }
            if (!(change < 10)) return false;
            if (change <= options_.tolerance) return evaluate(y);
        }
        return false;
    }

    // The point with that value of p, from a point near it.
    bool hit(const std::vector<double>& from, double p, std::vector<double>& y) {
        y = from;
        for (std::size_t i = 0; i <= n_; ++i) {
            const double part = from[0] == y_[0] ? 1 : (p / w_[0] - y_[0]) / (from[0] - y_[0]);
            y[i] = y_[i] + part * (from[i] - y_[i]);
        }
        y[0] = p / w_[0];
        std::vector<double> normal(n_ + 1, 0.0);
        normal[0] = 1;
        const std::vector<double> plane = y;
        int iterations = 0;
        return newton(y, plane, normal, iterations);
    }

    // Between y_ and a point `step` ahead dp/ds changes sign.
    bool find_fold(double step, double slope_after) {
        double a = 0, b = step, fa = tangent_[0], fb = slope_after;
        std::vector<double> best;
        for (int k = 0; k < fold_iterations && std::abs(b - a) > 1e-12 * step; ++k) {
            double s = b - fb * (b - a) / (fb - fa);
            // Regula falsi creeps: a bisection every third time.
            if (!(s > std::min(a, b) && s < std::max(a, b)) || k % 3 == 2) s = std::midpoint(a, b);
            std::vector<double> y, t = tangent_;
            int iterations = 0;
            if (!correct(y_, tangent_, s, y, iterations) || !turn(t)) break;
            best = y;
            if (std::abs(t[0]) < 1e-10) break;
            if (t[0] * fa > 0) {
                a = s;
                fa = t[0];
            } else {
                b = s;
                fb = t[0];
            }
        }
        return best.empty() || hand_over(best, 0, true);
    }

    template <class Good>
    void bisect(double step, Good good) {
        double a = 0, b = step;
        std::vector<double> best;
        for (int k = 0; k < 50; ++k) {
            const double s = std::midpoint(a, b);
            std::vector<double> y;
            int iterations = 0;
            if (!correct(y_, tangent_, s, y, iterations)) return;
            if (good(y)) {
                a = s;
                best = y;
            } else {
                b = s;
            }
        }
        if (!best.empty()) hand_over(best, tangent_[0], false);
    }

    std::optional<std::size_t> beyond(const std::vector<double>& y) const {
        for (std::size_t i = 0; i < n_; ++i) {
            const double x = y[i + 1] * w_[i + 1];
            if (!problem_.lower.empty() && x < problem_.lower[i]) return i;
            if (!problem_.upper.empty() && x > problem_.upper[i]) return i;
        }
        return std::nullopt;
    }

    // The values of the problem are those of the point when `accept` is called.
    bool hand_over(const std::vector<double>& y, double slope, bool fold) {
        evaluate(y);
        CurvePoint point;
        for (std::size_t i = 0; i < n_; ++i) point.z.push_back(y[i + 1] * w_[i + 1]);
        point.p = y[0] * w_[0];
        point.slope = slope;
        point.fold = fold;
        return accept_(point);
    }

    const CurveProblem& problem_;
    const CurveOptions& options_;
    const std::function<bool(const CurvePoint&)>& accept_;
    std::size_t n_, size_;
    double range_, direction_;
    std::vector<double> elements_, bordered_, f_, z_;
    std::vector<double> w_, y_, tangent_;
    MatrixLu lu_{{.singular_when = DenseLu::SingularWhen::ExactZero}};
};

}  // namespace

CurveResult follow_curve(const CurveProblem& problem, std::span<const double> z, const CurveOptions& options,
                         const std::function<bool(const CurvePoint&)>& accept) {
    return Follower(problem, options, accept).run(z);
}

}  // namespace cutset
