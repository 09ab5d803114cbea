#include "numerics/linear/backward_elimination.h"

#include <algorithm>

#include "base/diagnostic.h"

namespace cutset {

namespace {

constexpr DenseLu::Options unrefined{.singular_when = DenseLu::SingularWhen::ExactZero, .refine = false};

}  // namespace

BackwardElimination::BackwardElimination(const SparsePattern& pattern, std::size_t n, std::size_t computed)
    : n_(n), kept_(pattern.rows - computed), implicit_(unrefined) {
    const auto for_each_element = [&](auto visit) {
        for (std::size_t column = 0; column < pattern.columns; ++column)
            for (auto k = static_cast<std::size_t>(pattern.starts[column]);
                 k < static_cast<std::size_t>(pattern.starts[column + 1]); ++k)
                visit(static_cast<std::size_t>(pattern.row[k]), column, static_cast<std::uint32_t>(k));
    };
    std::vector<bool> is_followed(kept_, false), reaches(n_, false);
    std::vector<std::uint32_t> counts(computed, 0);
    for_each_element([&](std::size_t row, std::size_t column, std::uint32_t) {
        if (row < kept_ && column >= kept_) is_followed[row] = true;
        if (row >= n_ && column < n_) reaches[column] = true;
        if (row < kept_ || row == column) return;
        CUTSET_ASSERT(column < row);
        ++counts[row - kept_];
    });
    reaching_ = static_cast<std::size_t>(std::count(reaches.begin(), reaches.end(), true));
    std::vector<std::uint32_t> number(kept_);
    for (std::size_t row = 0; row < kept_; ++row) {
        if (!is_followed[row]) continue;
        number[row] = static_cast<std::uint32_t>(rows_.size());
        rows_.push_back(static_cast<std::uint32_t>(row));
    }
    first_.resize((rows_.size() + lanes - 1) / lanes);
    starts_.assign(1, 0);
    for (std::uint32_t count : counts) starts_.push_back(starts_.back() + count);
    inner_.resize(starts_.back());
    std::vector<std::uint32_t> next = starts_;
    for_each_element([&](std::size_t row, std::size_t column, std::uint32_t k) {
        if (row >= kept_) {
            if (row != column) inner_[next[row - kept_]++] = {static_cast<std::uint32_t>(column), k};
        } else if (is_followed[row]) {
            first_[number[row] / lanes].push_back(
                {static_cast<std::uint32_t>(column * lanes + number[row] % lanes), k});
        } else {
            direct_.push_back({static_cast<std::uint32_t>(column * kept_ + row), k});
        }
    });
    followed_.resize(rows_.empty() ? 0 : pattern.columns);
    reduced_.resize(kept_ * kept_);
    right_.resize(kept_ - n_);
}

bool BackwardElimination::pays() const {
    return first_.size() * lanes <= reaching_ && kept_ <= 2 * n_;
}

void BackwardElimination::sweep(std::span<const double> elements) {
    for (std::size_t group = 0; group < first_.size(); ++group) {
        std::fill(followed_.begin(), followed_.end(), EightNumbers{});
        for (const Place& p : first_[group]) followed_[p.to / lanes][p.to % lanes] = elements[p.element];
        EightNumbers* const columns = followed_.data();
        for (std::size_t z = starts_.size() - 1; z-- > 0;) {
            const EightNumbers factor = columns[kept_ + z];
            for (std::uint32_t k = starts_[z]; k < starts_[z + 1]; ++k)
                columns[inner_[k].to] += factor * elements[inner_[k].element];
        }
        const std::size_t begin = group * lanes, end = std::min(begin + lanes, rows_.size());
        for (std::size_t c = 0; c < kept_; ++c)
            for (std::size_t r = begin; r < end; ++r) reduced_[c * kept_ + rows_[r]] = columns[c][r - begin];
    }
}

bool BackwardElimination::evaluate(std::span<const double> elements, std::span<double> full) {
    std::fill(reduced_.begin(), reduced_.end(), 0.0);
    for (const Place& p : direct_) reduced_[p.to] = elements[p.element];
    sweep(elements);
    if (kept_ > n_) return eliminate_implicit(full);
    std::copy(reduced_.begin(), reduced_.end(), full.begin());
    return true;
}

// J = A - B E⁻¹ C
bool BackwardElimination::eliminate_implicit(std::span<double> full) {
    const std::size_t m = kept_ - n_;
    const std::span<double> matrix = implicit_.place(m);
    for (std::size_t j = 0; j < m; ++j)
        std::copy_n(&reduced_[(n_ + j) * kept_ + n_], m, matrix.begin() + static_cast<std::ptrdiff_t>(j * m));
    if (!implicit_.factor_placed()) return false;
    for (std::size_t j = 0; j < n_; ++j) {
        const double* from = &reduced_[j * kept_];
        double* const to = &full[j * n_];
        std::copy_n(from, n_, to);
        std::copy_n(from + n_, m, right_.begin());
        if (std::all_of(right_.begin(), right_.end(), [](double v) { return v == 0; })) continue;
        implicit_.solve(right_);
        for (std::size_t u = 0; u < m; ++u) {
            const double* const column = &reduced_[(n_ + u) * kept_];
            for (std::size_t i = 0; i < n_; ++i) to[i] -= column[i] * right_[u];
        }
    }
    return true;
}

}  // namespace cutset
