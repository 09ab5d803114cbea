#include "numerics/linear/bordered_lu.h"

#include <algorithm>
#include <cmath>

#include "base/diagnostic.h"
#include "base/finite.h"
#include "numerics/linear/dense_decompositions.h"
#include "numerics/linear/scaling.h"

namespace cutset {

namespace {

constexpr double is_zero = 1e-9;      // part of the terms that an equation is the sum of
constexpr double unseen_part = 1e-4;  // times `is_zero`: of a component, as a part of the largest one
constexpr double no_rank = 1e-12;     // part of the largest singular value
constexpr std::size_t largest_decomposed = 500;

// Of `count` columns of n numbers each: as many rows, chosen by elimination with the largest pivots, in which
// the columns are independent.
std::vector<std::size_t> independent_rows(std::vector<double> columns, std::size_t n, std::size_t count) {
    std::vector<std::size_t> rows;
    for (std::size_t k = 0; k < count; ++k) {
        std::size_t best = k * n;
        for (std::size_t e = k * n; e < count * n; ++e)
            if (std::abs(columns[e]) > std::abs(columns[best])) best = e;
        const std::size_t row = best % n, column = best / n;
        rows.push_back(row);
        std::swap_ranges(columns.begin() + static_cast<std::ptrdiff_t>(k * n),
                         columns.begin() + static_cast<std::ptrdiff_t>((k + 1) * n),
                         columns.begin() + static_cast<std::ptrdiff_t>(column * n));
        if (columns[k * n + row] == 0) continue;
        for (std::size_t j = k + 1; j < count; ++j) {
            const double factor = columns[j * n + row] / columns[k * n + row];
            for (std::size_t i = 0; i < n; ++i) columns[j * n + i] -= factor * columns[k * n + i];
        }
    }
    return rows;
}

// The pattern with a border: column n + k has row to_rows[k], row n + k has column to_columns[k].
SparsePattern with_border(const SparsePattern& a, std::span<const std::size_t> rows,
                          std::span<const std::size_t> columns) {
    const std::size_t n = a.columns;
    SparsePattern p;
    p.rows = p.columns = n + rows.size();
    p.starts.push_back(0);
    for (std::size_t j = 0; j < n; ++j) {
        p.row.insert(p.row.end(), a.row.begin() + a.starts[j], a.row.begin() + a.starts[j + 1]);
        for (std::size_t k = 0; k < columns.size(); ++k)
            if (columns[k] == j) p.row.push_back(static_cast<std::int64_t>(n + k));
        p.starts.push_back(static_cast<std::int64_t>(p.row.size()));
    }
    for (std::size_t row : rows) {
        p.row.push_back(static_cast<std::int64_t>(row));
        p.starts.push_back(static_cast<std::int64_t>(p.row.size()));
    }
    return p;
}

// For each element of the transposed pattern its place in `a`.
SparsePattern transpose(const SparsePattern& a, std::vector<std::size_t>& places) {
    SparsePattern p;
    p.rows = a.columns;
    p.columns = a.rows;
    p.starts.assign(p.columns + 1, 0);
    for (std::int64_t row : a.row) ++p.starts[static_cast<std::size_t>(row) + 1];
    for (std::size_t j = 0; j < p.columns; ++j) p.starts[j + 1] += p.starts[j];
    p.row.resize(a.row.size());
    places.resize(a.row.size());
    std::vector<std::int64_t> next(p.starts.begin(), p.starts.end() - 1);
    for (std::size_t j = 0; j < a.columns; ++j)
        for (auto k = a.starts[j]; k < a.starts[j + 1]; ++k) {
            const auto at = static_cast<std::size_t>(
                next[static_cast<std::size_t>(a.row[static_cast<std::size_t>(k)])]++);
            p.row[at] = static_cast<std::int64_t>(j);
            places[at] = static_cast<std::size_t>(k);
        }
    return p;
}

}  // namespace

void BorderedLu::set_pattern(SparsePattern pattern) {
    CUTSET_ASSERT(pattern.rows == pattern.columns);
    pattern_ = std::move(pattern);
    open_.clear();
    dependent_.clear();
    directions_.clear();
    values_.clear();
}

MatrixLu BorderedLu::bordered(bool transposed) const {
    MatrixLu lu;
    std::vector<std::size_t> places;
    if (transposed)
        lu.set_pattern(with_border(transpose(pattern_, places), open_, dependent_));
    else
        lu.set_pattern(with_border(pattern_, dependent_, open_));
    return lu;
}

std::vector<double> BorderedLu::bordered_values(bool transposed) const {
    std::vector<std::size_t> places(values_.size());
    SparsePattern pattern = pattern_;
    if (transposed)
        pattern = transpose(pattern_, places);
    else
        for (std::size_t k = 0; k < places.size(); ++k) places[k] = k;
    const std::vector<std::size_t>& below = transposed ? dependent_ : open_;
    std::vector<double> values;
    for (std::size_t j = 0; j < size(); ++j) {
        for (auto k = pattern.starts[j]; k < pattern.starts[j + 1]; ++k)
            values.push_back(values_[places[static_cast<std::size_t>(k)]]);
        for (std::size_t column : below)
            if (column == j) values.push_back(1);
    }
    values.insert(values.end(), open_.size(), 1.0);
    return values;
}

bool BorderedLu::factor(std::span<const double> values) {
    CUTSET_ASSERT(values.size() == pattern_.elements());
    if (!values_.empty() && std::equal(values.begin(), values.end(), values_.begin(), values_.end()) &&
        lu_.size() == size() + open_.size())
        return true;
    values_.assign(values.begin(), values.end());
    if (!all_finite(values)) {
        values_.clear();
        return false;
    }
    // The borders of the last matrix often serve.
    if (!open_.empty()) {
        lu_ = bordered(false);
        if (lu_.factor(bordered_values(false)) && directions_hold()) return true;
        open_.clear();
        dependent_.clear();
    }
    if (try_borders() || borders_by_singular_values()) return true;
    values_.clear();
    return false;
}

// Where several dependent columns make rounding look like rank: rows and columns are scaled, and what is open
// are the singular vectors without singular values.
bool BorderedLu::borders_by_singular_values() {
    const std::size_t n = size();
    if (n > largest_decomposed) return false;
    std::vector<double> a(n * n, 0.0), rows(n, 0.0), columns(n, 0.0);
    for (std::size_t j = 0; j < n; ++j)
        for (auto e = pattern_.starts[j]; e < pattern_.starts[j + 1]; ++e)
            a[j * n + static_cast<std::size_t>(pattern_.row[static_cast<std::size_t>(e)])] =
                values_[static_cast<std::size_t>(e)];
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i) rows[i] = std::max(rows[i], std::abs(a[j * n + i]));
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i) {
            a[j * n + i] *= power_of_two_scale(rows[i]);
            columns[j] = std::max(columns[j], std::abs(a[j * n + i]));
        }
    for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i) a[j * n + i] *= power_of_two_scale(columns[j]);
    std::vector<double> singular, u(n * n), vt(n * n);
    const int size = static_cast<int>(n);
    if (!dense::singular_values(size, size, a.data(), singular, u.data(), vt.data())) return false;
    std::size_t rank = 0;
    while (rank < n && singular[rank] > no_rank * singular[0]) ++rank;
    const std::size_t count = n - rank;
    std::vector<double> right(count * n);
    for (std::size_t k = 0; k < count; ++k)
        for (std::size_t i = 0; i < n; ++i) right[k * n + i] = vt[i * n + rank + k];
    open_ = independent_rows(std::move(right), n, count);
    dependent_ = independent_rows({u.begin() + static_cast<std::ptrdiff_t>(rank * n), u.end()}, n, count);
    lu_ = bordered(false);
    return lu_.factor(bordered_values(false)) && directions_hold();
}

// One after the other. A column that depends on those before it has a part in what is open; a column of the
// transposed matrix is an equation that follows from those before it. A border is never among them.
bool BorderedLu::try_borders() {
    while (true) {
        lu_ = bordered(false);
        if (lu_.factor(bordered_values(false))) return lu_.rcond() > no_rank && directions_hold();
        MatrixLu transposed = bordered(true);
        if (transposed.factor(bordered_values(true))) return false;
        const auto column = lu_.singular_column(), row = transposed.singular_column();
        if (!column || !row || *column >= size() || *row >= size()) return false;
        open_.push_back(*column);
        dependent_.push_back(*row);
    }
}

// Whether what is open solves the equations: else the border is too large for this matrix.
bool BorderedLu::directions_hold() {
    const std::size_t n = size(), borders = open_.size();
    directions_.assign(n * borders, 0.0);
    right_.resize(n + borders);
    std::vector<double> sums(n), sizes(n);
    for (std::size_t k = 0; k < borders; ++k) {
        std::fill(right_.begin(), right_.end(), 0.0);
        right_[n + k] = 1;
        lu_.solve(right_);
        if (!all_finite(right_)) return false;
        std::copy_n(right_.begin(), n, directions_.begin() + static_cast<std::ptrdiff_t>(k * n));
        std::fill(sums.begin(), sums.end(), 0.0);
        std::fill(sizes.begin(), sizes.end(), 0.0);
        // Components that ought to be zero are so but for the rounding of the largest.
        double largest = 0;
        for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, std::abs(right_[j]));
        for (std::size_t j = 0; j < n; ++j)
            for (auto e = pattern_.starts[j]; e < pattern_.starts[j + 1]; ++e) {
                const auto row = static_cast<std::size_t>(pattern_.row[static_cast<std::size_t>(e)]);
                const double term = values_[static_cast<std::size_t>(e)] * right_[j];
                sums[row] += term;
                sizes[row] +=
                    std::abs(term) + unseen_part * std::abs(values_[static_cast<std::size_t>(e)]) * largest;
            }
        for (std::size_t i = 0; i < n; ++i)
            if (std::abs(sums[i]) > is_zero * sizes[i]) return false;
    }
    return true;
}

std::vector<double> BorderedLu::combination(std::size_t k) const {
    MatrixLu transposed = bordered(true);
    if (!transposed.factor(bordered_values(true))) return {};
    std::vector<double> y(size() + open_.size(), 0.0);
    y[size() + k] = 1;
    transposed.solve(y);
    y.resize(size());
    return y;
}

void BorderedLu::solve(std::span<double> b, std::span<const double> chosen) const {
    const std::size_t n = size();
    CUTSET_ASSERT(b.size() == n && chosen.size() == open_.size());
    right_.resize(n + open_.size());
    std::copy(b.begin(), b.end(), right_.begin());
    std::copy(chosen.begin(), chosen.end(), right_.begin() + static_cast<std::ptrdiff_t>(n));
    lu_.solve(right_);
    std::copy_n(right_.begin(), n, b.begin());
}

}  // namespace cutset
