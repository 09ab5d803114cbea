// LU factors of small dense matrices, real and complex, by columns with partial pivoting, and solving with
// those of any size: what LAPACK's getrf and getrs do, in the same layout (unit L below U, pivots counted
// from 1), without their overhead, which for ten unknowns is ten times the work. Private to src/numerics.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <utility>

namespace cutset {

// Larger matrices are for factor_blocks (block_factors.h), which is faster from here on.
inline constexpr std::size_t largest_kernel_size = 96;

inline double pivot_size(double v) {
    return std::abs(v);
}
inline double pivot_size(const std::complex<double>& v) {
    return std::abs(v.real()) + std::abs(v.imag());
}

// The first of the largest elements from k to end.
template <class Scalar>
std::size_t find_pivot(const Scalar* column, std::size_t k, std::size_t end) {
    std::size_t at = k;
    double largest = pivot_size(column[k]);
    for (std::size_t i = k + 1; i < end; ++i)
        if (const double size = pivot_size(column[i]); size > largest) {
            largest = size;
            at = i;
        }
    return at;
}

// y := y - f x
inline void subtract_multiple(std::size_t n, double f, const double* x, double* y) {
    if (n <= 1) {
        if (n == 1) *y -= f * *x;
        return;
    }
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) y[i] -= f * x[i];
}
// Without the special cases of infinite factors that operator* has.
inline std::complex<double> product(const std::complex<double>& a, const std::complex<double>& b) {
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}
inline void subtract_multiple(std::size_t n, std::complex<double> f, const std::complex<double>* x,
                              std::complex<double>* y) {
    const double *from = reinterpret_cast<const double*>(x), re = f.real(), im = f.imag();
    double* to = reinterpret_cast<double*>(y);
#pragma GCC ivdep
    for (std::size_t i = 0; i < 2 * n; i += 2) {
        to[i] -= re * from[i] - im * from[i + 1];
        to[i + 1] -= re * from[i + 1] + im * from[i];
    }
}
inline void scale_by(std::size_t n, double f, double* x) {
    for (std::size_t i = 0; i < n; ++i) x[i] *= f;
}
inline void scale_by(std::size_t n, std::complex<double> f, std::complex<double>* x) {
    for (std::size_t i = 0; i < n; ++i) x[i] = product(f, x[i]);
}

// Divides all of the n numbers but the first by the first.
template <class Scalar>
void divide_by_pivot(std::size_t n, Scalar* x) {
    const Scalar inverse = Scalar(1) / x[0];
    if (std::isfinite(pivot_size(inverse)))
        scale_by(n - 1, inverse, x + 1);
    else  // a pivot so small that its reciprocal overflows
        for (std::size_t i = 1; i < n; ++i) x[i] /= x[0];
}

// A := its factors. Returns 0, or the number (from 1) of the first pivot that is exactly zero.
template <class Scalar>
int factor_small(std::size_t n, Scalar* a, int* pivots) {
    int first_zero = 0;
    for (std::size_t k = 0; k < n; ++k) {
        Scalar* column = a + k * n;
        // Many matrices are nearly banded: zeros at the end of the column stay.
        std::size_t end = n;
        while (end > k + 1 && column[end - 1] == Scalar(0)) --end;
        const std::size_t p = find_pivot(column, k, end);
        pivots[k] = static_cast<int>(p + 1);
        if (column[p] == Scalar(0)) {
            if (first_zero == 0) first_zero = static_cast<int>(k + 1);
            continue;
        }
        if (p != k)
            for (std::size_t j = 0; j < n; ++j) std::swap(a[k + j * n], a[p + j * n]);
        divide_by_pivot(end - k, column + k);
        if (end == k + 1) continue;
        for (std::size_t j = k + 1; j < n; ++j) {
            Scalar* other = a + j * n;
            if (other[k] != Scalar(0))
                subtract_multiple(end - k - 1, other[k], column + k + 1, other + k + 1);
        }
    }
    return first_zero;
}

// Where the elements of the factors are, by column: rows from first[k] to last[k], the latter not included.
inline void find_extents(std::size_t n, const double* lu, int* first, int* last) {
    for (std::size_t k = 0; k < n; ++k) {
        const double* column = lu + k * n;
        std::size_t begin = 0, end = n;
        while (begin < k && column[begin] == 0) ++begin;
        while (end > k + 1 && column[end - 1] == 0) --end;
        first[k] = static_cast<int>(begin);
        last[k] = static_cast<int>(end);
    }
}

// Reciprocals of the pivots; 0 where they overflow.
inline void invert_pivots(std::size_t n, const double* lu, double* inverse) {
    for (std::size_t k = 0; k < n; ++k) {
        const double over = 1 / lu[k + k * n];
        inverse[k] = std::isfinite(over) ? over : 0;
    }
}

// b := A^-1 b, with these extents and reciprocals. Four columns at a time, so that each element of b is read
// and written once for them: a chain through memory is what a small system waits for.
inline void solve_within(std::size_t n, const double* lu, const int* pivots, const int* first,
                         const int* last, const double* inverse, double* b) {
    const auto over = [&](std::size_t k, double v) {
        return inverse[k] != 0 ? v * inverse[k] : v / lu[k + k * n];
    };
    for (std::size_t k = 0; k < n; ++k)
        if (const auto p = static_cast<std::size_t>(pivots[k] - 1); p != k) std::swap(b[k], b[p]);
    std::size_t k = 0;
    for (; k + 4 <= n; k += 4) {
        const double *c0 = lu + k * n, *c1 = c0 + n, *c2 = c1 + n, *c3 = c2 + n;
        const double x0 = b[k], x1 = b[k + 1] - c0[k + 1] * x0,
                     x2 = b[k + 2] - c0[k + 2] * x0 - c1[k + 2] * x1,
                     x3 = b[k + 3] - c0[k + 3] * x0 - c1[k + 3] * x1 - c2[k + 3] * x2;
        b[k + 1] = x1;
        b[k + 2] = x2;
        b[k + 3] = x3;
        const auto end = static_cast<std::size_t>(
            std::max(std::max(last[k], last[k + 1]), std::max(last[k + 2], last[k + 3])));
#pragma GCC ivdep
        for (std::size_t i = k + 4; i < end; ++i)
            b[i] = b[i] - c0[i] * x0 - c1[i] * x1 - c2[i] * x2 - c3[i] * x3;
    }
    for (; k < n; ++k)
        subtract_multiple(static_cast<std::size_t>(last[k]) - k - 1, b[k], lu + k * n + k + 1, b + k + 1);
    while (k % 4 != 0) {
        --k;
        const auto begin = static_cast<std::size_t>(first[k]);
        b[k] /= lu[k + k * n];
        subtract_multiple(k - begin, b[k], lu + k * n + begin, b + begin);
    }
    while (k > 0) {
        k -= 4;
        const double *c0 = lu + k * n, *c1 = c0 + n, *c2 = c1 + n, *c3 = c2 + n;
        const double x3 = over(k + 3, b[k + 3]), x2 = over(k + 2, b[k + 2] - c3[k + 2] * x3),
                     x1 = over(k + 1, b[k + 1] - c3[k + 1] * x3 - c2[k + 1] * x2),
                     x0 = over(k, b[k] - c3[k] * x3 - c2[k] * x2 - c1[k] * x1);
        b[k] = x0;
        b[k + 1] = x1;
        b[k + 2] = x2;
        b[k + 3] = x3;
        const auto begin = static_cast<std::size_t>(
            std::min(std::min(first[k], first[k + 1]), std::min(first[k + 2], first[k + 3])));
#pragma GCC ivdep
        for (std::size_t i = begin; i < k; ++i)
            b[i] = b[i] - c3[i] * x3 - c2[i] * x2 - c1[i] * x1 - c0[i] * x0;
    }
}

// b := A^-1 b.
template <class Scalar>
void solve_with_factors(std::size_t n, const Scalar* lu, const int* pivots, Scalar* b) {
    for (std::size_t k = 0; k < n; ++k) std::swap(b[k], b[static_cast<std::size_t>(pivots[k] - 1)]);
    for (std::size_t k = 0; k + 1 < n; ++k) subtract_multiple(n - k - 1, b[k], lu + k * n + k + 1, b + k + 1);
    for (std::size_t k = n; k-- > 0;) {
        b[k] /= lu[k + k * n];
        subtract_multiple(k, b[k], lu + k * n, b);
    }
}

}  // namespace cutset
