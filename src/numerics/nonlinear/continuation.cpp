// Third method for F(x) = 0: Newton homotopy by arc length.
//
// The curve  H(y) = F(x) - (1 - lambda) F(x0) = 0,  y = (x / w, lambda), starts in (x0, 0). Tangent t of the
// curve from
//     [ J W   F(x0) ]       [ 0 ]
//     [ t_old^T     ] t  =  [ 1 ],
// predictor y + ds t, corrector Newton on H together with  t^T (y - y_predicted) = 0. The matrix stays
// regular where lambda turns back, so the curve is followed through folds.
//
// The curve may lead through infinity: 1/x = c from a positive c to a negative one. An unknown that gets
// large is therefore replaced by its reciprocal, y = w / x, until that gets large.
//
// Where lambda turns back before 1 and does not return, the other end of the curve may lead there: from x =
// 0, x^3 - 3 x + 2.5 falls to its least value at 1, and has its zero at -2.05, behind the largest one at -1.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "numerics/nonlinear/nonlinear_system.h"

namespace cutset {

namespace {

constexpr double corrector_tolerance = 1e-6;
constexpr int corrector_iterations = 6;
constexpr int most_steps = 2000;
constexpr double shortest = 1e-9;
constexpr double longest = 2;
constexpr double farthest = 4;  // of the scaled unknowns: then their reciprocals are followed

}  // namespace

bool NonlinearSystem::continuation(std::span<double> x) {
    return follow_homotopy(x, 1) || follow_homotopy(x, -1);
}

bool NonlinearSystem::follow_homotopy(std::span<double> x, double direction) {
    const std::size_t n = size();
    const std::size_t m = n + 1;
    std::vector<double> w(n), f0(n), f(n), j(pattern().elements()), physical(n), slope(n);
    if (!residual(x, f0)) return false;
    for (std::size_t k = 0; k < n; ++k) w[k] = weight(k, x[k]);
    // J with a border of one column and one row.
    SparsePattern bordered{m, m, {0}, {}};
    for (std::size_t k = 0; k < n; ++k) {
        bordered.row.insert(bordered.row.end(), pattern().row.begin() + pattern().starts[k],
                            pattern().row.begin() + pattern().starts[k + 1]);
        bordered.row.push_back(static_cast<std::int64_t>(n));
        bordered.starts.push_back(static_cast<std::int64_t>(bordered.row.size()));
    }
    for (std::size_t i = 0; i < m; ++i) bordered.row.push_back(static_cast<std::int64_t>(i));
    bordered.starts.push_back(static_cast<std::int64_t>(bordered.row.size()));
    std::vector<double> matrix(bordered.elements());
    MatrixLu lu;
    lu.set_pattern(std::move(bordered));

    std::vector<double> y(m), predicted(m), candidate(m), tangent(m), new_tangent(m), right(m);
    for (std::size_t k = 0; k < n; ++k) y[k] = x[k] / w[k];
    y[n] = 0;
    tangent[n] = direction;

    std::vector<std::uint8_t> reciprocal(n, false);  // y = w / x
    const auto unscaled = [&](std::size_t k, double scaled) {
        return reciprocal[k] ? w[k] / scaled : w[k] * scaled;
    };
    auto evaluate = [&](const std::vector<double>& at) {
        for (std::size_t k = 0; k < n; ++k) {
            physical[k] = unscaled(k, at[k]);
            slope[k] = reciprocal[k] ? -w[k] / (at[k] * at[k]) : w[k];
        }
        return inside(physical) && residual(physical, f) && jacobian(physical, f, j);
    };
    // The bordered matrix with `border` as its last row; J as evaluated last.
    auto factor = [&](const std::vector<double>& border) {
        for_each_element([&](std::size_t k, std::size_t, std::size_t column) {
            matrix[k + column] = j[k] * slope[column];
        });
        for (std::size_t k = 0; k < n; ++k)
            matrix[static_cast<std::size_t>(pattern().starts[k + 1]) + k] = border[k];
        double* last = matrix.data() + pattern().elements() + n;
        std::copy(f0.begin(), f0.end(), last);
        last[n] = border[n];
        return lu.factor(matrix);
    };
    auto compute_tangent = [&] {
        if (!factor(tangent)) return false;
        std::fill(new_tangent.begin(), new_tangent.end(), 0.0);
        new_tangent[n] = 1;
        lu.solve(new_tangent);
        double norm = 0;
        for (double v : new_tangent) norm += v * v;
        norm = std::sqrt(norm);
        if (!std::isfinite(norm) || norm == 0) return false;
        for (double& v : new_tangent) v /= norm;
        tangent = new_tangent;
        return true;
    };

    if (!evaluate(y) || !compute_tangent()) return false;
    double ds = 0.1;
    for (int step = 0; step < most_steps && ds > shortest; ++step) {
        for (std::size_t k = 0; k < m; ++k) predicted[k] = y[k] + ds * tangent[k];
        candidate = predicted;
        bool converged = false;
        int iteration = 0;
        while (iteration < corrector_iterations && !converged) {
            ++iteration;
            if (!evaluate(candidate) || !factor(tangent)) break;
            ++result.iterations;
            for (std::size_t i = 0; i < n; ++i) right[i] = -(f[i] - (1 - candidate[n]) * f0[i]);
            right[n] = 0;
            for (std::size_t k = 0; k < m; ++k) right[n] -= tangent[k] * (candidate[k] - predicted[k]);
            lu.solve(right);
            double change = 0;
            for (std::size_t k = 0; k < m; ++k) {
                candidate[k] += right[k];
                change = std::max(change, std::abs(right[k]) / std::max(1.0, std::abs(candidate[k])));
            }
            if (!(change < 1)) break;  // far from the curve, or not a number
            converged = change <= corrector_tolerance;
        }
        // A jump to another part of the curve shows as a correction that is longer than the step.
        if (converged) {
            double correction = 0;
            for (std::size_t k = 0; k < m; ++k) correction += std::pow(candidate[k] - predicted[k], 2);
            converged = std::sqrt(correction) <= 0.5 * ds;
        }
        if (!converged || !evaluate(candidate)) {
            ds *= 0.25;
            continue;
        }
        if ((y[n] - 1) * (candidate[n] - 1) <= 0) {
            // Between the two points lies lambda = 1.
            const double part = (1 - y[n]) / (candidate[n] - y[n]);
            for (std::size_t k = 0; k < n; ++k) x[k] = unscaled(k, std::lerp(y[k], candidate[k], part));
            return true;
        }
        y = candidate;
        bool replaced = false;
        for (std::size_t k = 0; k < n; ++k) {
            if (std::abs(y[k]) <= farthest) continue;
            tangent[k] /= -y[k] * y[k];
            y[k] = 1 / y[k];
            reciprocal[k] = !reciprocal[k];
            replaced = true;
        }
        if ((replaced && !evaluate(y)) || !compute_tangent()) return false;
        if (iteration <= 3) ds = std::min(2 * ds, longest);
    }
    return false;
}

}  // namespace cutset
