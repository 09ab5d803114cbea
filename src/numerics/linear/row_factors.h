// Sparse factors L U of a matrix whose pivots and pattern are known, by rows, for factoring again and solving
// many times: one pass over contiguous memory each, with scaling and permutation in it.
//
// In the order of the pivots the matrix is block triangular,
//     [A11 A12 ...]
//     [    A22 ...]      A_bb = L_bb D_bb U_bb, L and U with ones on their diagonals,
// and blocks are solved from the last to the first. Row k of `before` has the elements right of its block and
// those of L, which are multiplied with what is known when row k is reached; row k of `after` those of U. In
// lines of sections each row needs the one just computed: its element is kept apart, so that nothing has to
// wait for memory; long runs of rows that need no other are worked through without looking at indices. Where
// much is filled in, as on grids, four rows are factored at a time, see row_panels.h.
// Private to src/numerics.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "numerics/linear/row_panels.h"

namespace cutset {

template <class Scalar>
class RowFactors {
  public:
    // What the factors look like: L (with or without its diagonal) and U (with it) by columns; row `rows[k]`
    // and column `columns[k]` of the matrix stand at place k; block b begins at place blocks[b].
    struct Structure {
        std::vector<int> l_starts, l_rows, u_starts, u_rows;
        std::vector<int> rows, columns, blocks;
    };
    // `starts` and `matrix_rows`: the pattern of the matrix, by columns. Linear in the elements of the
    // factors.
    void set_structure(const Structure& structure, std::span<const int> starts,
                       std::span<const int> matrix_rows);
    bool empty() const { return order_of_rows_.empty(); }
    void clear() { *this = {}; }

    // Factors are not trusted where multipliers are large. They are judged as those of the matrix with rows
    // scaled by r, positive powers of two; all ones at first.
    void judge_by(std::span<const double> r);
    // False when a pivot is zero or so small that the factors are not to be trusted; `bad_place` is then its
    // row's.
    bool factor(std::span<const Scalar> values);
    std::size_t bad_place() const { return bad_place_; }
    // The place of the first pivot that cannot be told from zero in the rounding of its own computation, or
    // the number of places.
    std::size_t first_noisy_pivot() const;
    int row_at(std::size_t place) const { return order_of_rows_[place]; }
    int column_at(std::size_t place) const { return order_of_columns_[place]; }

    // x := C A^-1 R x with diagonal matrices R and C, of ones when they are empty.
    void solve(std::span<Scalar> x, std::span<const double> r, std::span<const double> c) const;
    // For four vectors at once, to the same bits: the factors are read once.
    void solve(std::span<FourNumbers> x, std::span<const double> r,
               std::span<const double> c) const requires std::is_same_v<Scalar, double>;
    // x := A^-1 b with b_i = right(i), which is asked for once for each i; then left(i, x_i) is called once
    // for each i, after the last call of `right`. Both in the order of the pivots.
    template <class Right, class Left>
    void solve_through(Right right, Left left) const requires std::is_same_v<Scalar, double>;

  private:
    template <class Number>
    void solve_numbers(std::span<Number> b, std::vector<Number>& solution, std::span<const double> r,
                       std::span<const double> c) const;
    template <class Number, class Right, class Left>
    void solve_blocks(Number* x, Right right, Left left) const;
    void find_runs();
    void factor_run(int begin, int end, std::span<const Scalar> values, bool& good);
    // `x`: elements of a row of the matrix, `stride` numbers apart.
    void take_row(std::size_t k, std::span<const Scalar> values, Scalar* x, std::size_t stride);
    // Eliminates what is before the pivot from element e of L on. False when the factors are not to be
    // trusted.
    bool finish_row(std::size_t k, int e, Scalar* x, std::size_t stride);
    bool factor_panel(std::size_t begin, std::span<const Scalar> values);

    // Of row k in before_: what stands in front belongs to other blocks.
    int first_of_l(std::size_t k) const {
        return before_.starts[k] + outside_starts_[k + 1] - outside_starts_[k];
    }

    struct Rows {
        std::vector<int> starts, columns;
        std::vector<Scalar> values;
    };
    std::vector<int> order_of_rows_, order_of_columns_, blocks_;
    Rows before_, after_;
    std::vector<Scalar> inverse_pivots_;
    // l_k,k-1 and u_k,k+1, or zero; the other elements of row k end and begin there.
    std::vector<Scalar> chain_before_, chain_after_;
    std::vector<int> ends_before_, begins_after_;
    // Places in one block. `plain`: each row needs at most its neighbours, and row and column go on by
    // `row_step` and `column_step`, 1 or -1, from place to place.
    struct Run {
        int begin = 0, end = 0;
        bool plain = false;
        int row_step = 0, column_step = 0;
    };
    std::vector<Run> runs_;         // all places, rising
    std::vector<int> runs_starts_;  // by block: its first run
    std::vector<double> judge_;     // by place
    // The elements of the matrix by rows: those inside the blocks, with their columns, and those outside,
    // which are the first elements of `before_` in each row.
    std::vector<int> inside_starts_, inside_columns_, inside_from_;
    std::vector<int> outside_starts_, outside_from_;
    std::vector<int> diagonal_from_;  // by place: its element of the matrix; -1: none
    // l_kj d_j u_jk, places in before_ and after_: what is subtracted from the pivot of row k.
    std::vector<int> pair_starts_, pair_before_, pair_after_;
    std::vector<Scalar> diagonal_;
    std::vector<Scalar> work_;  // zero between calls
    RowPanels panels_;
    mutable std::vector<Scalar> solution_;
    mutable std::vector<FourNumbers> four_solutions_;
    std::size_t bad_place_ = 0;
};

// x := A^-1 of the right side, in the order of the pivots. `left` gets x by columns; before the last call
// of `right` only if there is one block.
template <class Scalar>
template <class Number, class Right, class Left>
inline void RowFactors<Scalar>::solve_blocks(Number* x, Right right, Left left) const {
    const int *const rows = order_of_rows_.data(), *const columns = order_of_columns_.data(),
                     *const before_starts = before_.starts.data(), *const after_starts = after_.starts.data(),
                     *const ends_before = ends_before_.data(), *const begins_after = begins_after_.data();
    const int *const before_columns = before_.columns.data(), *const after_columns = after_.columns.data();
    const Scalar *const before = before_.values.data(), *const after = after_.values.data();
    const Scalar *const chain_before = chain_before_.data(), *const chain_after = chain_after_.data(),
                        *const inverse_pivots = inverse_pivots_.data();
    for (std::size_t block = blocks_.size() - 1; block-- > 0;) {
        const auto first = static_cast<std::size_t>(runs_starts_[block]),
                   last = static_cast<std::size_t>(runs_starts_[block + 1]);
        Number reached{};
        for (std::size_t r = first; r < last; ++r) {
            const Run run = runs_[r];
            if (run.plain) {
                std::ptrdiff_t i = rows[run.begin];
                for (std::ptrdiff_t k = run.begin; k < run.end; ++k, i += run.row_step)
                    x[k] = reached = right(static_cast<std::size_t>(i)) - chain_before[k] * reached;
                continue;
            }
            for (std::ptrdiff_t k = run.begin; k < run.end; ++k) {
                Number sum = right(static_cast<std::size_t>(rows[k]));
                for (int e = before_starts[k], end = ends_before[k]; e < end; ++e)
                    sum -= before[e] * x[before_columns[e]];
                x[k] = reached = sum - chain_before[k] * reached;
            }
        }
        reached = Number{};
        for (std::size_t r = last; r-- > first;) {
            const Run run = runs_[r];
            if (run.plain) {
                std::ptrdiff_t i = columns[run.end - 1];
                for (std::ptrdiff_t k = run.end; k-- > run.begin; i -= run.column_step) {
                    x[k] = reached = x[k] * inverse_pivots[k] - chain_after[k] * reached;
                    left(static_cast<std::size_t>(i), reached);
                }
                continue;
            }
            for (std::ptrdiff_t k = run.end; k-- > run.begin;) {
                Number sum = x[k] * inverse_pivots[k];
                for (int e = begins_after[k], end = after_starts[k + 1]; e < end; ++e)
                    sum -= after[e] * x[after_columns[e]];
                x[k] = reached = sum - chain_after[k] * reached;
                left(static_cast<std::size_t>(columns[k]), reached);
            }
        }
    }
}

template <class Scalar>
template <class Right, class Left>
void RowFactors<Scalar>::solve_through(Right right, Left left) const requires std::is_same_v<Scalar, double> {
    double* const x = solution_.data();
    if (blocks_.size() == 2) return solve_blocks(x, right, left);
    solve_blocks(x, right, [](std::size_t, double) {});
    for (std::size_t k = 0; k < order_of_columns_.size(); ++k)
        left(static_cast<std::size_t>(order_of_columns_[k]), x[k]);
}

extern template class RowFactors<double>;
extern template class RowFactors<std::complex<double>>;

}  // namespace cutset
