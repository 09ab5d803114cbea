#include "numerics/linear/linear.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/diagnostic.h"
#include "base/finite.h"
#include "numerics/floating_point.h"
#include "numerics/linear/block_factors.h"
#include "numerics/linear/dense_kernels.h"
#include "numerics/linear/lapack.h"
#include "numerics/linear/scaling.h"

namespace cutset {

namespace {

constexpr double certain_pivot = 1e-8;  // as a part of the sum of its column
constexpr double similar_rows = 1e3;    // the largest over the smallest

// sizes := the largest element of each row.
void measure_rows(std::size_t n, const double* a, double* sizes) {
    std::fill_n(sizes, n, 0.0);
    for (std::size_t j = 0; j < n; ++j) {
        const double* column = a + j * n;
#pragma GCC ivdep
        for (std::size_t i = 0; i < n; ++i) {
            const double size = std::abs(column[i]);
            sizes[i] = size > sizes[i] ? size : sizes[i];
        }
    }
}

}  // namespace

void DenseLu::begin(std::size_t n) {
    n_ = n;
    factored_ = false;
    singular_column_.reset();
    singular_row_.reset();
    lu_.resize(n * n);
    row_scale_.resize(n);
    finite_ = scaled_ = true;
}

// lu_ := its factors; the first pivot that is exactly zero.
std::optional<std::size_t> DenseLu::eliminate() {
    pivots_.resize(n_);
    const int zero = factor_full(n_, lu_.data(), pivots_.data());
    if (zero > 0) return static_cast<std::size_t>(zero - 1);
    return std::nullopt;
}

void DenseLu::order_rows() {
    row_order_.resize(n_);
    std::iota(row_order_.begin(), row_order_.end(), std::size_t{0});
    for (std::size_t i = 0; i < n_; ++i) std::swap(row_order_[i], row_order_[pivots_[i] - 1]);
}

bool DenseLu::end(std::optional<std::size_t> zero_pivot) {
    if (zero_pivot) {
        singular_column_ = zero_pivot;
        singular_row_ = row_order_[*zero_pivot];
        return false;
    }
    residual_.resize(n_);
    solution_.resize(n_);
    first_.resize(n_);
    last_.resize(n_);
    find_extents(n_, lu_.data(), first_.data(), last_.data());
    inverse_pivots_.resize(n_);
    invert_pivots(n_, lu_.data(), inverse_pivots_.data());
    return factored_ = true;
}

bool DenseLu::factor(std::size_t n, std::span<const double> a) {
    CUTSET_ASSERT(a.size() >= n * n);
    begin(n);
    if (n == 0) return factored_ = true;
    finite_ = all_finite(a.first(n * n));
    if (!finite_) return false;
    double* rows = row_scale_.data();
    measure_rows(n, a.data(), rows);
    if (options_.refine) original_.assign(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(n * n));
    for (double& r : row_scale_) r = power_of_two_scale(r);
    column_sizes_.resize(n);
    for (std::size_t j = 0; j < n; ++j) {
        const double* from = &a[j * n];
        double* to = &lu_[j * n];
        double sum = 0;
#pragma GCC ivdep
        for (std::size_t i = 0; i < n; ++i) to[i] = from[i] * rows[i];
        for (std::size_t i = 0; i < n; ++i) sum += std::abs(to[i]);
        column_sizes_[j] = sum;
    }
    std::optional<std::size_t> zero_pivot = eliminate();

    // A pivot that is not small is no doubt one: only the others need the test.
    bool doubtful = zero_pivot.has_value();
    if (options_.singular_when == SingularWhen::Roundoff)
        for (std::size_t i = 0; i < n; ++i)
            doubtful |= std::abs(lu_[i * (n + 1)]) <= certain_pivot * column_sizes_[i];
    if (doubtful) order_rows();
    if (doubtful && options_.singular_when == SingularWhen::Roundoff) {
        // u_ii = a_ii - sum_{k<i} l_ik u_ki carries a rounding error of about eps * (|a_ii| + sum |l_ik
        // u_ki|): a pivot no larger than that is zero within rounding.
        std::size_t end = zero_pivot.value_or(n);
        for (std::size_t i = 0; i < end; ++i) {
            const std::size_t row = row_order_[i];
            double terms = std::abs(a[row + i * n] * row_scale_[row]);
            for (std::size_t k = 0; k < i; ++k) terms += std::abs(lu_[i + k * n] * lu_[k + i * n]);
            double rounding = epsilon * std::sqrt(static_cast<double>(i)) * terms;
            if (i > 0 && std::abs(lu_[i + i * n]) <= 2 * rounding) {
                zero_pivot = i;
                break;
            }
        }
    }
    return end(zero_pivot);
}

std::span<double> DenseLu::place(std::size_t n) {
    CUTSET_ASSERT(!options_.refine && options_.singular_when == SingularWhen::ExactZero);
    begin(n);
    return lu_;
}

bool DenseLu::factor_placed() {
    const std::size_t n = n_;
    if (n == 0) return factored_ = true;
    double* rows = row_scale_.data();
    measure_rows(n, lu_.data(), rows);
    const auto [least, most] = std::minmax_element(row_scale_.begin(), row_scale_.end());
    // Rows of about one size need no scaling for the choice of pivots.
    scaled_ = !(*most <= similar_rows * *least) || !std::isfinite(*most);
    if (scaled_) {
        finite_ = all_finite(lu_);
        if (!finite_) return false;
        for (double& r : row_scale_) r = power_of_two_scale(r);
        for (std::size_t j = 0; j < n; ++j) {
            double* to = &lu_[j * n];
#pragma GCC ivdep
            for (std::size_t i = 0; i < n; ++i) to[i] *= rows[i];
        }
    }
    const std::optional<std::size_t> zero_pivot = eliminate();
    if (zero_pivot) order_rows();
    return end(zero_pivot);
}

// b := (R A)^-1 R b.
void DenseLu::solve_scaled(std::span<double> b) const {
    if (scaled_)
        for (std::size_t i = 0; i < n_; ++i) b[i] *= row_scale_[i];
    solve_within(n_, lu_.data(), pivots_.data(), first_.data(), last_.data(), inverse_pivots_.data(),
                 b.data());
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
    CUTSET_ASSERT(options_.singular_when == SingularWhen::Roundoff);
    int size = static_cast<int>(n_);
    int info = 0;
    // Columns are brought to size one, which changes neither pivots nor rounding, only what is measured here.
    double result = 0, norm = 0;
    std::vector<double> work(4 * n_), scaled = lu_;
    for (std::size_t j = 0; j < n_; ++j) {
        const double scale = power_of_two_scale(column_sizes_[j]);
        norm = std::max(norm, scale * column_sizes_[j]);
        for (std::size_t i = 0; i <= j; ++i) scaled[i + j * n_] *= scale;
    }
    std::vector<int> integers(n_);
    dgecon_("1", &size, scaled.data(), &size, &norm, &result, work.data(), integers.data(), &info, 1);
    CUTSET_ASSERT(info >= 0);
    return result;
}

}  // namespace cutset
