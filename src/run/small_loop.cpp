#include "run/small_loop.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cutset {

namespace {

constexpr int most_corrections = 6;
constexpr int few_steps = 1;          // more: next time a new matrix saves more than it costs
constexpr double longest_step = 0.1;  // scaled
constexpr double slowest_rate = 0.1;
constexpr double noise = 1e-12;  // steps below that do not become shorter are rounding
// A step that is short against the nominal value only says nothing at an edge with infinite slope, as that of
// sqrt(x) at 0: the last one must be this part of x itself.
constexpr double part_of_unknown = 1e-3;

}  // namespace

template <std::size_t n>
bool SmallLoop::evaluate(const double* x, Interpreter& values, Vector& f) const {
    for (std::size_t i = 0; i < n; ++i) {
        if (!(x[i] >= loop_.minimum[i] && x[i] <= loop_.maximum[i])) return false;
        values[loop_.torn[i]] = x[i];
    }
    if (!values.run_trial(loop_)) return false;
    for (std::size_t i = 0; i < n; ++i) f[i] = values[loop_.residual_slots[i]];
    return true;
}

// The residuals have been computed at x.
template <std::size_t n>
bool SmallLoop::factor(const double* x, Interpreter& values) {
    if (!values.run(loop_.jacobian)) return false;
    for (std::size_t j = 0; j < n; ++j) weights_[j] = std::max(loop_.nominal[j], std::abs(x[j]));
    const bool regular = lu_.factor_next(n, [&](SmallLu& lu) {
        for (const JacobianEntry& e : loop_.jacobian_entries)
            lu.at(e.row, e.column) = values[e.slot] * weights_[e.column];
    });
    if (!regular) return false;
    const int sign = lu_.determinant_sign();
    turned_ = sign_ * sign < 0;
    if (!turned_) sign_ = sign;
    return !turned_;
}

bool SmallLoop::follow(std::span<double> x, double error, Interpreter& values) {
    return SmallLu::with_size(x.size(), [&](auto n) { return follow<n>(x.data(), error, values); });
}

template <std::size_t n>
bool SmallLoop::follow(double* x, double error, Interpreter& values) {
    iterations_ = 0;
    turned_ = false;
    Vector f;
    if (!evaluate<n>(x, values, f)) return false;
    if (!std::exchange(known_, false) && !factor<n>(x, values)) return false;
    std::array<Vector, most_corrections> steps;
    double squares[most_corrections], previous = 0;
    for (int k = 0; k < most_corrections; ++k) {
        ++iterations_;
        Vector& step = steps[static_cast<std::size_t>(k)];
        lu_.solve_rows<n>(f.data(), step.data());
        for (std::size_t i = 0; i < n; ++i) step[i] = -step[i];
        for (int j = 0; j < k; ++j) {
            const Vector& s = steps[static_cast<std::size_t>(j)];
            double product = 0;
            for (std::size_t i = 0; i < n; ++i) product += s[i] * step[i];
            product /= squares[j];
            if (j + 1 < k) {
                const Vector& next = steps[static_cast<std::size_t>(j) + 1];
                for (std::size_t i = 0; i < n; ++i) step[i] += next[i] * product;
            } else {
                const double longer = 1 / (1 - product);
                for (std::size_t i = 0; i < n; ++i) step[i] *= longer;
            }
        }
        double size = 0, square = 0;
        for (std::size_t i = 0; i < n; ++i) {
            size = std::max(size, std::abs(step[i]));
            square += step[i] * step[i];
        }
        if (!(size <= longest_step && std::isfinite(square))) return false;
        const double rate = k == 0 ? 1 : size / previous;
        const bool stands = k > 0 && rate > slowest_rate;
        if (stands && size > std::max(noise, error)) return false;
        if (!stands)
            for (std::size_t i = 0; i < n; ++i) x[i] += weights_[i] * step[i];
        bool determined = true;
        for (std::size_t i = 0; i < n; ++i)
            determined = determined && std::abs(weights_[i] * step[i]) <= part_of_unknown * std::abs(x[i]);
        // What is left is about rate * size.
        if (determined && (stands || square == 0 || rate * size <= error)) {
            known_ = k <= few_steps;
            return true;
        }
        if (stands) return false;
        if (!evaluate<n>(x, values, f)) return false;
        squares[k] = square;
        previous = size;
    }
    return false;
}

}  // namespace cutset
