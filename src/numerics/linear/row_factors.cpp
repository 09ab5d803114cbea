#include "numerics/linear/row_factors.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "base/diagnostic.h"
#include "numerics/floating_point.h"

namespace cutset {

namespace {

// Multipliers above this come from a pivot that has become bad.
constexpr double largest_multiplier = 1e8;
// Shorter runs are not worth a loop of their own.
constexpr int shortest_run = 8;

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

}  // namespace

template <class Scalar>
void RowFactors<Scalar>::set_structure(const Structure& s, std::span<const int> starts,
                                       std::span<const int> matrix_rows) {
    const std::size_t n = s.rows.size();
    order_of_rows_ = s.rows;
    order_of_columns_ = s.columns;
    blocks_ = s.blocks;
    std::vector<int> place_of_row(n), block_end(n);
    for (std::size_t k = 0; k < n; ++k) place_of_row[at(s.rows[k])] = static_cast<int>(k);
    for (std::size_t b = 0; b + 1 < blocks_.size(); ++b)
        std::fill(block_end.begin() + blocks_[b], block_end.begin() + blocks_[b + 1], blocks_[b + 1]);

    // Calls visit(place of the row, place of the column, element) by rising columns.
    const auto for_each_element = [&](auto visit) {
        for (std::size_t j = 0; j < n; ++j) {
            const std::size_t column = at(s.columns[j]);
            for (int e = starts[column]; e < starts[column + 1]; ++e)
                visit(at(place_of_row[at(matrix_rows[at(e)])]), j, e);
        }
    };
    inside_starts_.assign(n + 1, 0);
    outside_starts_.assign(n + 1, 0);
    diagonal_from_.assign(n, -1);
    for_each_element([&](std::size_t i, std::size_t j, int e) {
        ++(j < at(block_end[i]) ? inside_starts_ : outside_starts_)[i + 1];
        if (i == j) diagonal_from_[i] = e;
    });
    for (std::size_t i = 0; i < n; ++i) {
        inside_starts_[i + 1] += inside_starts_[i];
        outside_starts_[i + 1] += outside_starts_[i];
    }
    inside_columns_.resize(at(inside_starts_[n]));
    inside_from_.resize(inside_columns_.size());
    outside_from_.resize(at(outside_starts_[n]));
    std::vector<int> outside_columns(outside_from_.size());
    std::vector<int> next_inside(inside_starts_), next_outside(outside_starts_);
    for_each_element([&](std::size_t i, std::size_t j, int e) {
        if (j < at(block_end[i])) {
            const std::size_t place = at(next_inside[i]++);
            inside_columns_[place] = static_cast<int>(j);
            inside_from_[place] = e;
        } else {
            const std::size_t place = at(next_outside[i]++);
            outside_columns[place] = static_cast<int>(j);
            outside_from_[place] = e;
        }
    });

    // Columns one after the other give rows in rising order.
    const auto for_each_factor = [&](const std::vector<int>& column_starts, const std::vector<int>& rows,
                                     auto visit) {
        for (std::size_t j = 0; j < n; ++j)
            for (int e = column_starts[j]; e < column_starts[j + 1]; ++e)
                if (at(rows[at(e)]) != j) visit(at(rows[at(e)]), j);
    };
    before_.starts.assign(n + 1, 0);
    after_.starts.assign(n + 1, 0);
    for_each_factor(s.l_starts, s.l_rows, [&](std::size_t i, std::size_t) { ++before_.starts[i + 1]; });
    for_each_factor(s.u_starts, s.u_rows, [&](std::size_t i, std::size_t) { ++after_.starts[i + 1]; });
    for (std::size_t i = 0; i < n; ++i) {
        before_.starts[i + 1] += before_.starts[i] + outside_starts_[i + 1] - outside_starts_[i];
        after_.starts[i + 1] += after_.starts[i];
    }
    before_.columns.resize(at(before_.starts[n]));
    after_.columns.resize(at(after_.starts[n]));
    std::vector<int> next(before_.starts);
    for (std::size_t i = 0; i < n; ++i)
        for (int e = outside_starts_[i]; e < outside_starts_[i + 1]; ++e)
            before_.columns[at(next[i]++)] = outside_columns[at(e)];
    for_each_factor(s.l_starts, s.l_rows, [&](std::size_t i, std::size_t j) {
        before_.columns[at(next[i]++)] = static_cast<int>(j);
    });
    next = after_.starts;
    for_each_factor(s.u_starts, s.u_rows, [&](std::size_t i, std::size_t j) {
        after_.columns[at(next[i]++)] = static_cast<int>(j);
    });
    before_.values.resize(before_.columns.size() + 1);  // see RowPanels::eliminate
    after_.values.resize(after_.columns.size());
    inverse_pivots_.resize(n);
    chain_before_.assign(n, Scalar(0));
    chain_after_.assign(n, Scalar(0));
    ends_before_.assign(before_.starts.begin() + 1, before_.starts.end());
    begins_after_.assign(after_.starts.begin(), after_.starts.end() - 1);
    for (std::size_t k = 0; k < n; ++k) {
        const int last = before_.starts[k + 1] - 1, first = after_.starts[k];
        if (last >= before_.starts[k] && before_.columns[at(last)] == static_cast<int>(k) - 1)
            --ends_before_[k];
        if (first < after_.starts[k + 1] && after_.columns[at(first)] == static_cast<int>(k) + 1)
            ++begins_after_[k];
    }
    diagonal_.resize(n);
    work_.assign(n, Scalar(0));
    solution_.resize(n);
    judge_.assign(n, 1.0);
    find_runs();
    if constexpr (std::is_same_v<Scalar, double>) {
        std::vector<int> l_begins(n);
        for (std::size_t k = 0; k < n; ++k) l_begins[k] = first_of_l(k);
        panels_.set_structure({l_begins, std::span(before_.starts).subspan(1), before_.columns, after_.starts,
                               after_.columns, blocks_});
    }

    // U by columns again: for column k its rows j and places, to meet row k of L.
    std::vector<int> u_starts(n + 1, 0), u_rows(after_.columns.size()), u_places(after_.columns.size());
    for (int j : after_.columns) ++u_starts[at(j) + 1];
    for (std::size_t j = 0; j < n; ++j) u_starts[j + 1] += u_starts[j];
    next = u_starts;
    for (std::size_t i = 0; i < n; ++i)
        for (int e = after_.starts[i]; e < after_.starts[i + 1]; ++e) {
            const std::size_t place = at(next[at(after_.columns[at(e)])]++);
            u_rows[place] = static_cast<int>(i);
            u_places[place] = e;
        }
    pair_starts_.assign(1, 0);
    pair_before_.clear();
    pair_after_.clear();
    for (std::size_t k = 0; k < n; ++k) {
        int u = u_starts[k];
        for (int e = first_of_l(k); e < before_.starts[k + 1]; ++e) {
            while (u < u_starts[k + 1] && u_rows[at(u)] < before_.columns[at(e)]) ++u;
            if (u == u_starts[k + 1]) break;
            if (u_rows[at(u)] != before_.columns[at(e)]) continue;
            pair_before_.push_back(e);
            pair_after_.push_back(u_places[at(u)]);
        }
        pair_starts_.push_back(static_cast<int>(pair_before_.size()));
    }
}

template <class Scalar>
void RowFactors<Scalar>::find_runs() {
    runs_.clear();
    runs_starts_.assign(1, 0);
    for (std::size_t b = 0; b + 1 < blocks_.size(); ++b) {
        const int last = blocks_[b + 1];
        const auto lonely = [&](int k) {
            return ends_before_[at(k)] == before_.starts[at(k)] &&
                   begins_after_[at(k)] == after_.starts[at(k) + 1];
        };
        const auto step = [&](const std::vector<int>& order, int k) {
            return order[at(k)] - order[at(k) - 1];
        };
        for (int k = blocks_[b]; k < last;) {
            Run run{k, k + 1};
            if (lonely(k) && k + 1 < last) {
                run.row_step = step(order_of_rows_, k + 1);
                run.column_step = step(order_of_columns_, k + 1);
                while (run.end < last && lonely(run.end) && step(order_of_rows_, run.end) == run.row_step &&
                       step(order_of_columns_, run.end) == run.column_step)
                    ++run.end;
                run.plain = std::abs(run.row_step) == 1 && std::abs(run.column_step) == 1 &&
                            run.end - run.begin >= shortest_run;
                if (!run.plain) run.end = k + 1;
            }
            k = run.end;
            if (!run.plain && static_cast<int>(runs_.size()) > runs_starts_.back() && !runs_.back().plain)
                runs_.back().end = run.end;
            else
                runs_.push_back(run);
        }
        runs_starts_.push_back(static_cast<int>(runs_.size()));
    }
}

template <class Scalar>
void RowFactors<Scalar>::judge_by(std::span<const double> r) {
    for (std::size_t k = 0; k < judge_.size(); ++k) judge_[k] = r[at(order_of_rows_[k])];
}

// Rows of a plain run but its first: as `factor` would do it.
template <class Scalar>
void RowFactors<Scalar>::factor_run(int begin, int end, std::span<const Scalar> values, bool& good) {
    const int *const starts = inside_starts_.data(), *const columns = inside_columns_.data(),
                     *const from = inside_from_.data();
    Scalar inverse = inverse_pivots_[at(begin) - 1], u = chain_after_[at(begin) - 1];
    for (std::ptrdiff_t k = begin; k < end; ++k) {
        // before the pivot, at it, behind it
        Scalar a[3] = {};
        for (int f = starts[k]; f < starts[k + 1]; ++f) a[columns[f] - k + 1] = values[at(from[f])];
        diagonal_[at(static_cast<int>(k))] = a[1];
        const auto place = static_cast<std::size_t>(k);
        const Scalar l = a[0] * inverse;
        good &= magnitude(l) * judge_[place] <= largest_multiplier * judge_[place - 1];
        chain_before_[place] = l;
        if (before_.starts[place] < before_.starts[place + 1]) before_.values[at(before_.starts[place])] = l;
        inverse = Scalar(1) / (a[1] - a[0] * u);
        good &= magnitude(inverse) <= std::numeric_limits<double>::max();
        inverse_pivots_[place] = inverse;
        u = a[2] * inverse;
        chain_after_[place] = u;
        if (after_.starts[place] < after_.starts[place + 1]) after_.values[at(after_.starts[place])] = u;
        if (!good) {
            bad_place_ = place;
            return;
        }
    }
}

template <class Scalar>
bool RowFactors<Scalar>::factor(std::span<const Scalar> values) {
    const std::size_t n = order_of_rows_.size();
    const TinyIsZero tiny;
    bool good = true;
    std::size_t run = 0;
    for (std::size_t k = 0; k < n; ++k) {
        while (at(runs_[run].end) <= k) ++run;
        if (runs_[run].plain && static_cast<int>(k) == runs_[run].begin + 1) {
            factor_run(runs_[run].begin + 1, runs_[run].end, values, good);
            if (!good) return false;
            k = at(runs_[run].end) - 1;
            continue;
        }
        if (panels_.begins_at(k)) {
            if (!factor_panel(k, values)) return false;
            k += RowPanels::rows - 1;
            continue;
        }
        take_row(k, values, work_.data(), 1);
        if (!finish_row(k, first_of_l(k), work_.data(), 1)) return false;
    }
    return true;
}

template <class Scalar>
void RowFactors<Scalar>::take_row(std::size_t k, std::span<const Scalar> values, Scalar* x,
                                  std::size_t stride) {
    int e = before_.starts[k];
    for (int f = outside_starts_[k]; f < outside_starts_[k + 1]; ++f, ++e)
        before_.values[at(e)] = values[at(outside_from_[at(f)])];
    for (int f = inside_starts_[k]; f < inside_starts_[k + 1]; ++f)
        x[stride * at(inside_columns_[at(f)])] = values[at(inside_from_[at(f)])];
    diagonal_[k] = x[stride * k];
}

template <class Scalar>
bool RowFactors<Scalar>::finish_row(std::size_t k, int e, Scalar* x, std::size_t stride) {
    const int* const after_columns = after_.columns.data();
    Scalar* const after_values = after_.values.data();
    const double judged = largest_multiplier / judge_[k];
    bool good = true;
    for (const int end = before_.starts[k + 1]; e < end; ++e) {
        const std::size_t j = at(before_.columns[at(e)]);
        const Scalar m = x[stride * j], l = m * inverse_pivots_[j];
        x[stride * j] = Scalar(0);
        before_.values[at(e)] = l;
        good &= magnitude(l) <= judged * judge_[j];
        for (int u = after_.starts[j], last = after_.starts[j + 1]; u < last; ++u)
            x[stride * at(after_columns[u])] -= m * after_values[u];
    }
    if (ends_before_[k] < e) chain_before_[k] = before_.values[at(e - 1)];
    const Scalar inverse = inverse_pivots_[k] = Scalar(1) / x[stride * k];
    good &= magnitude(inverse) <= std::numeric_limits<double>::max();
    x[stride * k] = Scalar(0);
    for (int u = after_.starts[k], last = after_.starts[k + 1]; u < last; ++u) {
        after_values[u] = x[stride * at(after_columns[u])] * inverse;
        x[stride * at(after_columns[u])] = Scalar(0);
    }
    if (begins_after_[k] > after_.starts[k]) chain_after_[k] = after_values[after_.starts[k]];
    if (!good) bad_place_ = k;
    return good;
}

// Rows in common as far as the panel, then one after the other.
template <class Scalar>
bool RowFactors<Scalar>::factor_panel(std::size_t begin, std::span<const Scalar> values) {
    if constexpr (std::is_same_v<Scalar, double>) {
        std::array<double, RowPanels::rows> limits;
        for (std::size_t r = 0; r < RowPanels::rows; ++r) {
            take_row(begin + r, values, panels_.work(r), RowPanels::rows);
            limits[r] = largest_multiplier / judge_[begin + r];
        }
        const auto good = panels_.eliminate(begin,
                                            {after_.starts, after_.columns, after_.values.data(),
                                             inverse_pivots_.data(), judge_.data(), before_.values.data()},
                                            limits);
        for (std::size_t r = 0; r < RowPanels::rows; ++r) {
            const std::size_t k = begin + r;
            int e = before_.starts[k + 1];
            while (e > first_of_l(k) && before_.columns[at(e - 1)] >= static_cast<int>(begin)) --e;
            if (finish_row(k, e, panels_.work(r), RowPanels::rows) && good[r]) continue;
            bad_place_ = k;
            panels_.clear_work();
            return false;
        }
    }
    return true;
}

// d_k = a_kk - sum_{j<k} l_kj d_j u_jk carries a rounding error of about eps * (|a_kk| + sum |l_kj d_j
// u_jk|).
template <class Scalar>
std::size_t RowFactors<Scalar>::first_noisy_pivot() const {
    const std::size_t n = order_of_rows_.size();
    for (std::size_t k = 0; k < n; ++k) {
        const int begin = pair_starts_[k], end = pair_starts_[k + 1];
        if (begin == end) continue;
        double terms = magnitude(diagonal_[k]);
        for (int p = begin; p < end; ++p)
            terms +=
                magnitude(before_.values[at(pair_before_[at(p)])] * after_.values[at(pair_after_[at(p)])] /
                          inverse_pivots_[at(before_.columns[at(pair_before_[at(p)])])]);
        const double rounding = epsilon * std::sqrt(static_cast<double>(end - begin)) * terms;
        if (2 * rounding * magnitude(inverse_pivots_[k]) >= 1) return k;
    }
    return n;
}

template <class Scalar>
template <class Number>
void RowFactors<Scalar>::solve_numbers(std::span<Number> b, std::vector<Number>& solution,
                                       std::span<const double> r, std::span<const double> c) const {
    const std::size_t n = b.size();
    solution.resize(n);
    Number* const x = solution.data();
    const auto nothing = [](std::size_t, const Number&) {};
    if (r.empty())
        solve_blocks(
            x, [&](std::size_t i) { return b[i]; }, nothing);
    else
        solve_blocks(
            x, [&](std::size_t i) { return b[i] * r[i]; }, nothing);
    const int* const columns = order_of_columns_.data();
    if (c.empty())
        for (std::size_t k = 0; k < n; ++k) b[at(columns[k])] = x[k];
    else
        for (std::size_t k = 0; k < n; ++k) b[at(columns[k])] = x[k] * c[at(columns[k])];
}

template <class Scalar>
void RowFactors<Scalar>::solve(std::span<Scalar> b, std::span<const double> r,
                               std::span<const double> c) const {
    solve_numbers(b, solution_, r, c);
}

template <class Scalar>
void RowFactors<Scalar>::solve(std::span<FourNumbers> b, std::span<const double> r,
                               std::span<const double> c) const requires std::is_same_v<Scalar, double> {
    // Clang 14 compiles it for complex numbers too, requires or not.
    if constexpr (std::is_same_v<Scalar, double>) solve_numbers(b, four_solutions_, r, c);
}

template class RowFactors<double>;
template class RowFactors<std::complex<double>>;

}  // namespace cutset
