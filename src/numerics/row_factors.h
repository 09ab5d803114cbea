// Sparse factors L U of a matrix whose pivots and pattern are known, by rows, for factoring again and solving
// many times: one pass over contiguous memory each, with scaling and permutation in it.
//
// In the order of the pivots the matrix is block triangular,
//     [A11 A12 ...]
//     [    A22 ...]      A_bb = L_bb D_bb U_bb, L and U with ones on their diagonals,
// and blocks are solved from the last to the first. Row k of `before` has the elements right of its block and
// those of L, which are multiplied with what is known when row k is reached; row k of `after` those of U. In
// lines of sections each row needs the one just computed: its element is kept apart, so that nothing has to
// wait for memory.
// Private to src/numerics.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace cutset {

// Elements of four vectors at one place.
using FourNumbers [[gnu::vector_size(4 * sizeof(double))]] = double;

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

  private:
    template <class Number>
    void solve_numbers(std::span<Number> b, std::vector<Number>& solution, std::span<const double> r,
                       std::span<const double> c) const;
    template <class Number, class Right>
    void solve_blocks(Number* x, Right right) const;

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
    // The elements of the matrix by rows: those inside the blocks, with their columns, and those outside,
    // which are the first elements of `before_` in each row.
    std::vector<int> inside_starts_, inside_columns_, inside_from_;
    std::vector<int> outside_starts_, outside_from_;
    std::vector<int> diagonal_from_;  // by place: its element of the matrix; -1: none
    // l_kj d_j u_jk, places in before_ and after_: what is subtracted from the pivot of row k.
    std::vector<int> pair_starts_, pair_before_, pair_after_;
    std::vector<Scalar> diagonal_;
    std::vector<Scalar> work_;  // zero between calls
    mutable std::vector<Scalar> solution_;
    mutable std::vector<FourNumbers> four_solutions_;
    std::size_t bad_place_ = 0;
};

extern template class RowFactors<double>;
extern template class RowFactors<std::complex<double>>;

}  // namespace cutset
