#include "numerics/linear/small_lu.h"

#include <cmath>
#include <utility>

namespace cutset {

bool SmallLu::factor(double least) {
    return with_size(n_, [&](auto n) { return factor_rows<n>(least); });
}

bool SmallLu::factor_in_order(double least) {
    return with_size(n_, [&](auto n) { return factor_rows_in_order<n>(least); });
}

// Pivots, and exchanges of rows: the scales are positive.
int SmallLu::determinant_sign() const {
    int sign = 1;
    for (std::size_t i = 0; i < n_; ++i) {
        if (upper_[i][i] < 0) sign = -sign;
        for (std::size_t j = i + 1; j < n_; ++j)
            if (order_[j] < order_[i]) sign = -sign;
    }
    return sign;
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

// False also where a pivot is much smaller than what it shall eliminate. What is not finite reaches a pivot.
template <std::size_t n>
bool SmallLu::factor_rows_in_order(double least) {
    constexpr std::size_t width = n + n % 2;
    constexpr double largest_multiplier = 8;
    std::array<Vector, n> rows;
#pragma GCC unroll 8
    for (std::size_t i = 0; i < n; ++i) {
        const Vector& from = upper_[order_[i]];
        const double scale = scale_[order_[i]];
#pragma GCC unroll 8
        for (std::size_t j = 0; j < width; ++j) rows[i][j] = from[j] * scale;
    }
    double largest = 0;
#pragma GCC unroll 8
    for (std::size_t k = 0; k < n; ++k) {
        const Vector& from = rows[k];
        const double over = 1 / from[k];
        if (!(std::abs(from[k]) > least && std::isfinite(over) && over != 0)) return false;
#pragma GCC unroll 8
        for (std::size_t i = k + 1; i < n; ++i) {
            const double times = lower_[i][k] = rows[i][k] * over;
            largest = std::max(largest, std::abs(times));
#pragma GCC unroll 8
            for (std::size_t j = 0; j < width; ++j) rows[i][j] -= times * from[j];
        }
        rows[k][k] = over;
    }
    if (largest > largest_multiplier) return false;
    std::copy(rows.begin(), rows.end(), upper_.begin());
    return true;
}

}  // namespace cutset
