#include "numerics/linear.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/diagnostic.h"
#include "numerics/lapack.h"

namespace cutset {

namespace {

// The power of two that brings `size` into [1/2, 1); 1 for zero.
double power_of_two_scale(double size) {
    if (size == 0) return 1;
    int exponent = 0;
    std::frexp(size, &exponent);
    return std::ldexp(1.0, -std::clamp(exponent, -1000, 1000));
}

bool all_finite(std::span<const double> values) {
    return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace

bool DenseLu::factor(std::size_t n, std::span<const double> a) {
    CUTSET_ASSERT(a.size() >= n * n);
    n_ = n;
    factored_ = false;
    singular_column_.reset();
    singular_row_.reset();
    finite_ = all_finite(a.first(n * n));
    if (!finite_) return false;
    if (n == 0) return factored_ = true;

    lu_.assign(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(n * n));
    if (options_.refine) original_ = lu_;
    row_scale_.assign(n, 0.0);
    column_scale_.assign(n, 0.0);
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i) row_scale_[i] = std::max(row_scale_[i], std::abs(lu_[i + j * n]));
    for (double& r : row_scale_) r = power_of_two_scale(r);
    norm_ = 0;
    for (std::size_t j = 0; j < n; ++j) {
        double* column = &lu_[j * n];
        double size = 0;
        for (std::size_t i = 0; i < n; ++i) {
            column[i] *= row_scale_[i];
            size = std::max(size, std::abs(column[i]));
        }
        double c = column_scale_[j] = power_of_two_scale(size);
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) {
            column[i] *= c;
            sum += std::abs(column[i]);
        }
        norm_ = std::max(norm_, sum);
    }
    if (options_.singular_when == SingularWhen::Roundoff) scaled_ = lu_;

    int size = static_cast<int>(n);
    int info = 0;
    pivots_.resize(n);
    dgetrf_(&size, &size, lu_.data(), &size, pivots_.data(), &info);
    CUTSET_ASSERT(info >= 0);
    std::optional<std::size_t> zero_pivot;
    if (info > 0) zero_pivot = static_cast<std::size_t>(info - 1);

    if (zero_pivot || options_.singular_when == SingularWhen::Roundoff) {
        row_order_.resize(n);
        std::iota(row_order_.begin(), row_order_.end(), std::size_t{0});
        for (std::size_t i = 0; i < n; ++i) std::swap(row_order_[i], row_order_[pivots_[i] - 1]);
    }
    if (options_.singular_when == SingularWhen::Roundoff) {
        // u_ii = a_ii - sum_{k<i} l_ik u_ki carries a rounding error of about eps * (|a_ii| + sum |l_ik
        // u_ki|): a pivot no larger than that is zero as far as anybody can tell.
        std::size_t end = zero_pivot.value_or(n);
        for (std::size_t i = 0; i < end; ++i) {
            double terms = std::abs(scaled_[row_order_[i] + i * n]);
            for (std::size_t k = 0; k < i; ++k) terms += std::abs(lu_[i + k * n] * lu_[k + i * n]);
            double rounding =
                std::numeric_limits<double>::epsilon() * std::sqrt(static_cast<double>(i)) * terms;
            if (i > 0 && std::abs(lu_[i + i * n]) <= 2 * rounding) {
                zero_pivot = i;
                break;
            }
        }
    }
    if (zero_pivot) {
        singular_column_ = zero_pivot;
        singular_row_ = row_order_[*zero_pivot];
        return false;
    }
    residual_.resize(n);
    solution_.resize(n);
    return factored_ = true;
}

// b := C (R A C)^-1 R b.
void DenseLu::solve_scaled(std::span<double> b) const {
    for (std::size_t i = 0; i < n_; ++i) b[i] *= row_scale_[i];
    int size = static_cast<int>(n_);
    int one = 1;
    int info = 0;
    dgetrs_("N", &size, &one, lu_.data(), &size, pivots_.data(), b.data(), &size, &info, 1);
    CUTSET_ASSERT(info == 0);
    for (std::size_t i = 0; i < n_; ++i) b[i] *= column_scale_[i];
}

void DenseLu::solve(std::span<double> b) const {
    CUTSET_ASSERT(factored_ && b.size() == n_);
    if (n_ == 0) return;
    if (!options_.refine) return solve_scaled(b);
    std::copy(b.begin(), b.end(), solution_.begin());
    solve_scaled(solution_);
    std::copy(b.begin(), b.end(), residual_.begin());
    for (std::size_t j = 0; j < n_; ++j)
        for (std::size_t i = 0; i < n_; ++i) residual_[i] -= original_[i + j * n_] * solution_[j];
    solve_scaled(residual_);
    for (std::size_t i = 0; i < n_; ++i) {
        double refined = solution_[i] + residual_[i];
        // An overflow in the residual must not spoil a solution that is representable.
        b[i] = std::isfinite(refined) ? refined : solution_[i];
    }
}

double DenseLu::rcond() const {
    if (!factored_) return 0;
    if (n_ == 0) return 1;
    int size = static_cast<int>(n_);
    int info = 0;
    double result = 0;
    std::vector<double> work(4 * n_);
    std::vector<int> integers(n_);
    dgecon_("1", &size, lu_.data(), &size, &norm_, &result, work.data(), integers.data(), &info, 1);
    CUTSET_ASSERT(info >= 0);
    return result;
}

std::optional<std::size_t> solve_least_norm(std::size_t n, std::span<double> a, std::span<double> b,
                                            double rank_tolerance) {
    CUTSET_ASSERT(a.size() == n * n && b.size() == n);
    if (n == 0) return 0;
    if (!all_finite(a) || !all_finite(b)) return std::nullopt;
    int size = static_cast<int>(n);
    int one = 1;
    int rank = 0;
    int info = 0;
    int query = -1;
    double work_size = 0;
    std::vector<int> column_pivots(n, 0);
    dgelsy_(&size, &size, &one, a.data(), &size, b.data(), &size, column_pivots.data(), &rank_tolerance,
            &rank, &work_size, &query, &info);
    CUTSET_ASSERT(info == 0);
    std::vector<double> work(std::max<std::size_t>(1, static_cast<std::size_t>(work_size)));
    int work_length = static_cast<int>(work.size());
    dgelsy_(&size, &size, &one, a.data(), &size, b.data(), &size, column_pivots.data(), &rank_tolerance,
            &rank, work.data(), &work_length, &info);
    CUTSET_ASSERT(info == 0);
    return static_cast<std::size_t>(rank);
}

}  // namespace cutset
