#include "numerics/linear/sparse.h"

#include <klu.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include "base/diagnostic.h"
#include "base/finite.h"
#include "numerics/floating_point.h"
#include "numerics/linear/scaling.h"

namespace cutset {

namespace {

// A diagonal element serves as pivot when it is at least this part of the largest in its column: fewer
// elements are filled in than with the largest one.
constexpr double diagonal_preference = 0.01;

// Measured: up to this size dense factors are at least as fast as sparse ones, whatever the pattern; above
// it, when the sparse ones have this part of the elements of a full matrix. Patterns that fill so much are
// not looked for above the largest size.
constexpr std::size_t always_dense = 4;
constexpr double nearly_full = 0.8;
constexpr std::size_t largest_dense = 3000;

// Zero for finite v, otherwise not.
double not_finite(double v) {
    return v * 0;
}
double not_finite(const std::complex<double>& v) {
    return v.real() * 0 + v.imag() * 0;
}

bool all_values_finite(std::span<const double> values) {
    return all_finite(values);
}
bool all_values_finite(std::span<const std::complex<double>> values) {
    double sum = 0;
    for (const auto& v : values) sum += not_finite(v);
    return sum == 0;
}

}  // namespace

template <class Scalar>
struct BasicSparseLu<Scalar>::Klu {
    static constexpr bool real = std::is_same_v<Scalar, double>;

    klu_common common;
    klu_symbolic* symbolic = nullptr;
    klu_numeric* numeric = nullptr;

    Klu() {
        klu_defaults(&common);
        common.ordering = 0;  // AMD: half the time of COLAMD on grids
        common.scale = -1;    // we scale ourselves
        common.tol = diagonal_preference;
        common.halt_if_singular = 1;
    }
    ~Klu() { free_symbolic(); }
    Klu(const Klu&) = delete;
    Klu& operator=(const Klu&) = delete;

    void free_numeric() {
        if (!numeric) return;
        if constexpr (real)
            klu_free_numeric(&numeric, &common);
        else
            klu_z_free_numeric(&numeric, &common);
        numeric = nullptr;
    }
    void free_symbolic() {
        free_numeric();
        if (symbolic) klu_free_symbolic(&symbolic, &common);
        symbolic = nullptr;
    }
    void check_memory() const {
        if (common.status == KLU_OUT_OF_MEMORY || common.status == KLU_TOO_LARGE) throw std::bad_alloc();
    }

    void analyze(std::vector<int>& starts, std::vector<int>& rows) {
        rows.reserve(1);  // an address is wanted also where there are no elements
        symbolic = klu_analyze(static_cast<int>(starts.size() - 1), starts.data(), rows.data(), &common);
        check_memory();
        CUTSET_ASSERT(symbolic);
    }
    // False when a pivot is zero, in common.singular_col.
    bool factor(std::vector<int>& starts, std::vector<int>& rows, std::vector<Scalar>& values) {
        free_numeric();
        rows.reserve(1);
        values.reserve(1);
        const TinyIsZero tiny;
        auto* x = reinterpret_cast<double*>(values.data());
        if constexpr (real)
            numeric = klu_factor(starts.data(), rows.data(), x, symbolic, &common);
        else
            numeric = klu_z_factor(starts.data(), rows.data(), x, symbolic, &common);
        check_memory();
        CUTSET_ASSERT(numeric || common.status == KLU_SINGULAR);
        if (common.status == KLU_SINGULAR) free_numeric();
        return numeric != nullptr;
    }
    void solve(std::span<Scalar> b) {
        const int n = static_cast<int>(b.size());
        auto* x = reinterpret_cast<double*>(b.data());
        if constexpr (real)
            klu_solve(symbolic, numeric, n, 1, x, &common);
        else
            klu_z_solve(symbolic, numeric, n, 1, x, &common);
    }
    void extract_pattern(std::vector<int>& l_starts, std::vector<int>& l_rows, std::vector<int>& u_starts,
                         std::vector<int>& u_rows) {
        // It wants room for the values too.
        std::vector<double> l(l_rows.size()), u(u_rows.size());
        if constexpr (real) {
            klu_extract(numeric, symbolic, l_starts.data(), l_rows.data(), l.data(), u_starts.data(),
                        u_rows.data(), u.data(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                        nullptr, &common);
        } else {
            std::vector<double> l_imaginary(l.size()), u_imaginary(u.size());
            klu_z_extract(numeric, symbolic, l_starts.data(), l_rows.data(), l.data(), l_imaginary.data(),
                          u_starts.data(), u_rows.data(), u.data(), u_imaginary.data(), nullptr, nullptr,
                          nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, &common);
        }
    }
};

template <class Scalar>
BasicSparseLu<Scalar>::BasicSparseLu(DenseLu::Options options) : options_(options) {}
template <class Scalar>
BasicSparseLu<Scalar>::~BasicSparseLu() = default;
template <class Scalar>
BasicSparseLu<Scalar>::BasicSparseLu(BasicSparseLu&&) noexcept = default;
template <class Scalar>
BasicSparseLu<Scalar>& BasicSparseLu<Scalar>::operator=(BasicSparseLu&&) noexcept = default;

template <class Scalar>
void BasicSparseLu<Scalar>::set_pattern(const SparsePattern& pattern) {
    CUTSET_ASSERT(pattern.rows == pattern.columns && pattern.starts.size() == pattern.columns + 1);
    if (pattern.elements() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw std::bad_alloc();
    starts_.assign(pattern.starts.begin(), pattern.starts.end());
    rows_.assign(pattern.row.begin(), pattern.row.end());
    klu_.reset();
    factors_.clear();
    factored_ = false;
}

template <class Scalar>
void BasicSparseLu<Scalar>::analyze() {
    if (klu_ || size() == 0) return;
    klu_ = std::make_unique<Klu>();
    klu_->analyze(starts_, rows_);
    ++analyses_;
}

template <class Scalar>
typename BasicSparseLu<Scalar>::Effort BasicSparseLu<Scalar>::effort() {
    if (size() == 0) return {};
    analyze();
    return {klu_->symbolic->lnz + klu_->symbolic->unz, klu_->symbolic->est_flops};
}

// scaled_ := R A C; false when something is not finite.
template <class Scalar>
bool BasicSparseLu<Scalar>::scale(std::span<const Scalar> values) {
    const std::size_t n = size();
    scaled_.resize(values.size());
    row_scale_.assign(n, 0.0);
    double sum = 0;
    for (std::size_t k = 0; k < values.size(); ++k) {
        double& largest = row_scale_[static_cast<std::size_t>(rows_[k])];
        largest = std::max(largest, magnitude(values[k]));
        sum += not_finite(values[k]);
    }
    if (sum != 0) return false;
    for (double& r : row_scale_) r = power_of_two_scale(r);
    for (std::size_t k = 0; k < values.size(); ++k)
        scaled_[k] = values[k] * row_scale_[static_cast<std::size_t>(rows_[k])];
    // The scale of a column changes neither pivots nor rounding, only what `rcond` measures.
    if (options_.singular_when == DenseLu::SingularWhen::ExactZero) return true;
    column_scale_.resize(n);
    for (std::size_t j = 0; j < n; ++j) {
        const auto begin = static_cast<std::size_t>(starts_[j]);
        const auto end = static_cast<std::size_t>(starts_[j + 1]);
        double largest = 0;
        for (std::size_t k = begin; k < end; ++k) largest = std::max(largest, magnitude(scaled_[k]));
        column_scale_[j] = power_of_two_scale(largest);
        for (std::size_t k = begin; k < end; ++k) scaled_[k] *= column_scale_[j];
    }
    return true;
}

template <class Scalar>
bool BasicSparseLu<Scalar>::factor(const SparsePattern& pattern, std::span<const Scalar> values) {
    if (!std::equal(starts_.begin(), starts_.end(), pattern.starts.begin(), pattern.starts.end()) ||
        !std::equal(rows_.begin(), rows_.end(), pattern.row.begin(), pattern.row.end()))
        set_pattern(pattern);
    return factor(values);
}

template <class Scalar>
bool BasicSparseLu<Scalar>::factor(std::span<const Scalar> values) {
    CUTSET_ASSERT(values.size() == rows_.size());
    factored_ = false;
    singular_column_.reset();
    singular_row_.reset();
    const bool again = !by_klu_ && !factors_.empty();
    if (rough() && again) {
        finite_ = all_values_finite(values);
        if (!finite_) return false;
        if (factors_.factor(values)) return factored_ = true;
    }
    finite_ = scale(values);
    if (!finite_) return false;
    if (size() == 0) return factored_ = true;
    analyze();
    const bool roundoff = options_.singular_when == DenseLu::SingularWhen::Roundoff;
    if (!again || rough() || !factors_.factor(scaled_)) {
        ++full_factorizations_;
        if (!klu_->factor(starts_, rows_, scaled_)) {
            singular_column_ = static_cast<std::size_t>(klu_->common.singular_col);
            if (roundoff) find_singular_row();
            return false;
        }
        by_klu_ = !renew_structure(values);
        if (by_klu_ && roundoff) return singular_at(factors_.bad_place());
    }
    if (roundoff)
        if (const std::size_t place = factors_.first_noisy_pivot(); place < size()) return singular_at(place);
    if (options_.refine) {
        residual_.resize(size());
        solution_.resize(size());
    }
    return factored_ = true;
}

template <class Scalar>
bool BasicSparseLu<Scalar>::choose_pivots(std::span<const Scalar> values) {
    factors_.clear();
    by_klu_ = false;
    return factor(values);
}

// The singular column of the transposed matrix.
template <class Scalar>
void BasicSparseLu<Scalar>::find_singular_row() {
    const std::size_t n = size();
    std::vector<int> starts(n + 1, 0), columns(rows_.size());
    std::vector<Scalar> values(rows_.size());
    for (int i : rows_) ++starts[static_cast<std::size_t>(i) + 1];
    for (std::size_t i = 0; i < n; ++i) starts[i + 1] += starts[i];
    std::vector<int> next(starts.begin(), starts.end() - 1);
    for (std::size_t j = 0; j < n; ++j) {
        for (auto k = static_cast<std::size_t>(starts_[j]); k < static_cast<std::size_t>(starts_[j + 1]);
             ++k) {
            const auto place = static_cast<std::size_t>(next[static_cast<std::size_t>(rows_[k])]++);
            columns[place] = static_cast<int>(j);
            values[place] = scaled_[k];
        }
    }
    Klu transposed;
    transposed.analyze(starts, columns);
    if (!transposed.factor(starts, columns, values))
        singular_row_ = static_cast<std::size_t>(transposed.common.singular_col);
}

template <class Scalar>
bool BasicSparseLu<Scalar>::singular_at(std::size_t place) {
    singular_column_ = static_cast<std::size_t>(factors_.column_at(place));
    singular_row_ = static_cast<std::size_t>(factors_.row_at(place));
    return false;
}

// The factors by rows from those of KLU, which are given up unless ours fail.
template <class Scalar>
bool BasicSparseLu<Scalar>::renew_structure(std::span<const Scalar> values) {
    pivot_values_.assign(values.begin(), values.end());
    const std::size_t n = size();
    const klu_numeric& numeric = *klu_->numeric;
    const klu_symbolic& symbolic = *klu_->symbolic;
    typename RowFactors<Scalar>::Structure s;
    s.l_starts.resize(n + 1);
    s.u_starts.resize(n + 1);
    s.l_rows.resize(static_cast<std::size_t>(numeric.lnz));
    s.u_rows.resize(static_cast<std::size_t>(numeric.unz));
    s.rows.assign(numeric.Pnum, numeric.Pnum + n);
    s.columns.assign(symbolic.Q, symbolic.Q + n);
    s.blocks.assign(symbolic.R, symbolic.R + symbolic.nblocks + 1);
    klu_->extract_pattern(s.l_starts, s.l_rows, s.u_starts, s.u_rows);
    factors_.set_structure(s, starts_, rows_);
    if (rough()) factors_.judge_by(row_scale_);
    if (!factors_.factor(rough() ? values : scaled_)) return false;
    klu_->free_numeric();
    return true;
}

// b := C (R A C)^-1 R b.
template <class Scalar>
void BasicSparseLu<Scalar>::solve_scaled(std::span<Scalar> b) const {
    if (!by_klu_ && rough()) return factors_.solve(b, {}, {});
    if (!by_klu_) return factors_.solve(b, row_scale_, column_scale_);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] *= row_scale_[i];
    klu_->solve(b);
    for (std::size_t i = 0; i < column_scale_.size(); ++i) b[i] *= column_scale_[i];
}

template <class Scalar>
void BasicSparseLu<Scalar>::solve(std::span<Scalar> b) const {
    CUTSET_ASSERT(factored_ && b.size() == size());
    if (b.empty()) return;
    if (!options_.refine) return solve_scaled(b);
    std::copy(b.begin(), b.end(), solution_.begin());
    solve_scaled(solution_);
    // The residual of the scaled equations, R b - (R A C)(C^-1 x).
    for (std::size_t i = 0; i < b.size(); ++i) residual_[i] = b[i] * row_scale_[i];
    for (std::size_t j = 0; j < b.size(); ++j) {
        const Scalar x = column_scale_.empty() ? solution_[j] : solution_[j] / column_scale_[j];
        for (auto k = static_cast<std::size_t>(starts_[j]); k < static_cast<std::size_t>(starts_[j + 1]); ++k)
            residual_[static_cast<std::size_t>(rows_[k])] -= scaled_[k] * x;
    }
    if (by_klu_)
        klu_->solve(residual_);
    else
        factors_.solve(residual_, {}, {});
    for (std::size_t i = 0; i < b.size(); ++i) {
        const Scalar change = column_scale_.empty() ? residual_[i] : residual_[i] * column_scale_[i];
        const Scalar refined = solution_[i] + change;
        // An overflow in the residual must not spoil a solution that is representable.
        b[i] = not_finite(refined) == 0 ? refined : solution_[i];
    }
}

template <class Scalar>
void BasicSparseLu<Scalar>::solve(std::span<FourNumbers> b) const requires std::is_same_v<Scalar, double> {
    // Clang 14 compiles it for complex numbers too, requires or not.
    if constexpr (std::is_same_v<Scalar, double>) {
        CUTSET_ASSERT(factored_ && b.size() == size());
        if (!by_klu_ && rough()) return factors_.solve(b, {}, {});
        if (!by_klu_) return factors_.solve(b, row_scale_, column_scale_);
        std::vector<double> one(b.size());
        for (int side = 0; side < 4; ++side) {
            for (std::size_t i = 0; i < one.size(); ++i) one[i] = b[i][side];
            solve_scaled(one);
            for (std::size_t i = 0; i < one.size(); ++i) b[i][side] = one[i];
        }
    }
}

template <class Scalar>
double BasicSparseLu<Scalar>::rcond() const {
    CUTSET_ASSERT(!rough());
    if (!factored_) return 0;
    if (size() == 0) return 1;
    auto* starts = const_cast<int*>(starts_.data());
    auto* values = reinterpret_cast<double*>(const_cast<Scalar*>(scaled_.data()));
    if (!klu_->factor(const_cast<std::vector<int>&>(starts_), const_cast<std::vector<int>&>(rows_),
                      const_cast<std::vector<Scalar>&>(scaled_)))
        return 0;
    if constexpr (Klu::real)
        klu_condest(starts, values, klu_->symbolic, klu_->numeric, &klu_->common);
    else
        klu_z_condest(starts, values, klu_->symbolic, klu_->numeric, &klu_->common);
    const double result = 1 / klu_->common.condest;
    if (!by_klu_) klu_->free_numeric();
    return result;
}

SparsePattern full_pattern(std::size_t n) {
    SparsePattern p{n, n, {0}, {}};
    p.row.reserve(n * n);
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = 0; i < n; ++i) p.row.push_back(static_cast<std::int64_t>(i));
        p.starts.push_back(static_cast<std::int64_t>(p.row.size()));
    }
    return p;
}

bool dense_is_cheaper(std::size_t n, const SparsePattern& pattern) {
    const double limit = nearly_full * static_cast<double>(n) * static_cast<double>(n);
    if (n <= always_dense || static_cast<double>(pattern.elements()) > limit) return true;
    if (n > largest_dense) return false;
    SparseLu lu;
    lu.set_pattern(pattern);
    return lu.effort().elements > limit;
}

template class BasicSparseLu<double>;
template class BasicSparseLu<std::complex<double>>;

}  // namespace cutset
