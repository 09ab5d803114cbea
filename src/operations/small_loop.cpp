#include "operations/small_loop.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cutset {

namespace {

constexpr int most_steps = 6;
constexpr int few_steps = 1;          // more: next time a new matrix saves more than it costs
constexpr double longest_step = 0.1;  // scaled
constexpr double slowest_rate = 0.1;
constexpr double error_left = 1e-14;
constexpr double noise = 1e-10;  // steps below that do not become shorter are rounding

}  // namespace

bool SmallLoop::evaluate(std::span<const double> x, Interpreter& values, Vector& f) const {
    for (std::size_t i = 0; i < x.size(); ++i) {
        if (!(x[i] >= loop_.minimum[i] && x[i] <= loop_.maximum[i])) return false;
        values[loop_.torn[i]] = x[i];
    }
    if (!values.run(loop_.residual)) return false;
    for (std::size_t i = 0; i < x.size(); ++i) f[i] = values[loop_.residual_slots[i]];
    return true;
}

// The residuals have been computed at x.
bool SmallLoop::factor(std::span<const double> x, Interpreter& values) {
    if (!values.run(loop_.jacobian)) return false;
    const std::size_t n = x.size();
    for (std::size_t j = 0; j < n; ++j) weights_[j] = std::max(loop_.nominal[j], std::abs(x[j]));
    for (std::size_t i = 0; i < n; ++i) std::fill_n(factors_[i].begin(), n, 0.0);
    for (const JacobianEntry& e : loop_.jacobian_entries)
        factors_[e.row][e.column] = values[e.slot] * weights_[e.column];
    for (std::size_t i = 0; i < n; ++i) {
        double largest = 0;
        for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, std::abs(factors_[i][j]));
        row_scale_[i] = 1 / largest;
        if (!std::isfinite(row_scale_[i])) return false;
        for (std::size_t j = 0; j < n; ++j) factors_[i][j] *= row_scale_[i];
        order_[i] = i;
    }
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < n; ++i)
            if (std::abs(factors_[i][k]) > std::abs(factors_[pivot][k])) pivot = i;
        if (pivot != k) {
            std::swap(factors_[k], factors_[pivot]);
            std::swap(order_[k], order_[pivot]);
        }
        const double over = 1 / factors_[k][k];
        if (!std::isfinite(over)) return false;
        factors_[k][k] = over;
        for (std::size_t i = k + 1; i < n; ++i) {
            if (factors_[i][k] == 0) continue;
            const double times = factors_[i][k] *= over;
            for (std::size_t j = k + 1; j < n; ++j) factors_[i][j] -= times * factors_[k][j];
        }
    }
    return true;
}

// The scaled step that makes the residuals zero.
void SmallLoop::solve(const Vector& f, Vector& step) const {
    const std::size_t n = loop_.torn.size();
    for (std::size_t i = 0; i < n; ++i) {
        double sum = -row_scale_[order_[i]] * f[order_[i]];
        for (std::size_t j = 0; j < i; ++j) sum -= factors_[i][j] * step[j];
        step[i] = sum;
    }
    for (std::size_t i = n; i-- > 0;) {
        double sum = step[i];
        for (std::size_t j = i + 1; j < n; ++j) sum -= factors_[i][j] * step[j];
        step[i] = sum * factors_[i][i];
    }
}

bool SmallLoop::follow(std::span<double> x, Interpreter& values) {
    const std::size_t n = x.size();
    iterations_ = 0;
    Vector f;
    if (!evaluate(x, values, f)) return false;
    if (!std::exchange(known_, false) && !factor(x, values)) return false;
    std::array<Vector, most_steps> steps;
    double squares[most_steps], previous = 0;
    for (int k = 0; k < most_steps; ++k) {
        ++iterations_;
        Vector& step = steps[static_cast<std::size_t>(k)];
        solve(f, step);
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
        bool finite = true;
        for (std::size_t i = 0; i < n; ++i) {
            size = std::max(size, std::abs(step[i]));
            square += step[i] * step[i];
            finite = finite && std::isfinite(step[i]);
        }
        if (!finite || size > longest_step) return false;
        const double rate = k == 0 ? 1 : size / previous;
        const bool stands = k > 0 && rate > slowest_rate;
        if (stands && size > noise) return false;
        if (!stands)
            for (std::size_t i = 0; i < n; ++i) x[i] += weights_[i] * step[i];
        // What is left is about rate * size.
        if (stands || square == 0 || rate * size <= error_left) {
            known_ = k <= few_steps;
            return true;
        }
        if (!evaluate(x, values, f)) return false;
        squares[k] = square;
        previous = size;
    }
    return false;
}

}  // namespace cutset
