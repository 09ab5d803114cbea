#include "numerics/small_lu.h"

#include <cmath>
#include <type_traits>
#include <utility>

namespace cutset {

namespace {

// Calls f with the number n as a constant: loops of known length are much faster.
template <class F>
auto with_size(std::size_t n, F f) {
    switch (n) {
        case 0:
            return f(std::integral_constant<std::size_t, 0>());
        case 1:
            return f(std::integral_constant<std::size_t, 1>());
        case 2:
            return f(std::integral_constant<std::size_t, 2>());
        case 3:
            return f(std::integral_constant<std::size_t, 3>());
        case 4:
            return f(std::integral_constant<std::size_t, 4>());
        case 5:
            return f(std::integral_constant<std::size_t, 5>());
        case 6:
            return f(std::integral_constant<std::size_t, 6>());
        case 7:
            return f(std::integral_constant<std::size_t, 7>());
        default:
            return f(std::integral_constant<std::size_t, SmallLu::most>());
    }
}

}  // namespace

bool SmallLu::factor(double least) {
    return with_size(n_, [&](auto n) { return factor_rows<n>(least); });
}

void SmallLu::solve(const double* b, double* x) const {
    with_size(n_, [&](auto n) { solve_rows<n>(b, x); });
}

template <std::size_t n>
bool SmallLu::factor_rows(double least) {
    constexpr std::size_t width = n + n % 2;
    bool finite = true;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < n; ++i) {
        Vector& row = upper_[i];
        double largest = 0, sum = 0;
#pragma GCC unroll 8
        for (std::size_t j = 0; j < n; ++j) {
            largest = std::max(largest, std::abs(row[j]));
            sum += row[j] - row[j];  // 0, unless an element is not finite
        }
        scale_[i] = 1 / largest;
        finite = finite && sum == 0 && std::isfinite(scale_[i]);
#pragma GCC unroll 8
        for (std::size_t j = 0; j < width; ++j) row[j] *= scale_[i];
        order_[i] = i;
    }
    if (!finite) return false;
#pragma GCC unroll 8
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
#pragma GCC unroll 8
        for (std::size_t i = k + 1; i < n; ++i)
            if (std::abs(upper_[i][k]) > std::abs(upper_[pivot][k])) pivot = i;
        if (!(std::abs(upper_[pivot][k]) > least)) return false;
        if (pivot != k) {
#pragma GCC unroll 8
            for (std::size_t j = 0; j < width; ++j) {
                std::swap(upper_[k][j], upper_[pivot][j]);
                std::swap(lower_[k][j], lower_[pivot][j]);
            }
            std::swap(order_[k], order_[pivot]);
        }
        const Vector& from = upper_[k];
        const double over = 1 / from[k];
        if (!std::isfinite(over)) return false;
#pragma GCC unroll 8
        for (std::size_t i = k + 1; i < n; ++i) {
            Vector& row = upper_[i];
            const double times = lower_[i][k] = row[k] * over;
#pragma GCC unroll 8
            for (std::size_t j = 0; j < width; ++j) row[j] -= times * from[j];
        }
        upper_[k][k] = over;
    }
    return true;
}

template <std::size_t n>
void SmallLu::solve_rows(const double* b, double* x) const {
    Vector y;  // in registers, with all loops unrolled
#pragma GCC unroll 8
    for (std::size_t i = 0; i < n; ++i) {
        double sum = scale_[order_[i]] * b[order_[i]];
#pragma GCC unroll 8
        for (std::size_t j = 0; j < i; ++j) sum -= lower_[i][j] * y[j];
        y[i] = sum;
    }
#pragma GCC unroll 8
    for (std::size_t r = 1; r <= n; ++r) {
        const std::size_t i = n - r;
        double sum = y[i];
#pragma GCC unroll 8
        for (std::size_t j = i + 1; j < n; ++j) sum -= upper_[i][j] * y[j];
        y[i] = sum * upper_[i][i];
    }
    std::copy_n(y.begin(), n, x);
}

}  // namespace cutset
