#include "operations/small_loop.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cutset {

namespace {

constexpr int most_steps = 6;
constexpr int few_steps = 2;          // more: next time a new matrix saves more than it costs
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

// By Gauss and Jordan with exchanges of rows, which are scaled by their largest elements. The residuals have
// been computed at x.
bool SmallLoop::invert(std::span<const double> x, Interpreter& values) {
    if (!values.run(loop_.jacobian)) return false;
    const std::size_t n = x.size();
    std::array<Vector, most_unknowns> matrix{};
    for (std::size_t j = 0; j < n; ++j) weights_[j] = std::max(loop_.nominal[j], std::abs(x[j]));
    for (const JacobianEntry& e : loop_.jacobian_entries)
        matrix[e.row][e.column] = values[e.slot] * weights_[e.column];
    inverse_ = {};
    for (std::size_t i = 0; i < n; ++i) {
        double largest = 0;
        for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, std::abs(matrix[i][j]));
        if (!(largest > 0) || !std::isfinite(1 / largest)) return false;
        for (std::size_t j = 0; j < n; ++j) matrix[i][j] /= largest;
        inverse_[i][i] = 1 / largest;
    }
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k + 1; i < n; ++i)
            if (std::abs(matrix[i][k]) > std::abs(matrix[pivot][k])) pivot = i;
        const double over = 1 / matrix[pivot][k];
        if (!std::isfinite(over)) return false;
        std::swap(matrix[k], matrix[pivot]);
        std::swap(inverse_[k], inverse_[pivot]);
        for (std::size_t j = 0; j < n; ++j) {
            matrix[k][j] *= over;
            inverse_[k][j] *= over;
        }
        for (std::size_t i = 0; i < n; ++i) {
            const double factor = matrix[i][k];
            if (i == k || factor == 0) continue;
            for (std::size_t j = 0; j < n; ++j) {
                matrix[i][j] -= factor * matrix[k][j];
                inverse_[i][j] -= factor * inverse_[k][j];
            }
        }
    }
    return true;
}

bool SmallLoop::follow(std::span<double> x, Interpreter& values) {
    const std::size_t n = x.size();
    iterations_ = 0;
    Vector f;
    if (!evaluate(x, values, f)) return false;
    if (!std::exchange(known_, false) && !invert(x, values)) return false;
    std::array<Vector, most_steps> steps;
    double squares[most_steps], previous = 0;
    for (int k = 0; k < most_steps; ++k) {
        ++iterations_;
        Vector& step = steps[static_cast<std::size_t>(k)];
        for (std::size_t i = 0; i < n; ++i) {
            double sum = 0;
            for (std::size_t j = 0; j < n; ++j) sum -= inverse_[i][j] * f[j];
            step[i] = sum;
        }
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
