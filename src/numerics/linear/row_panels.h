// Rows of sparse factors, four at a time: for RowFactors, where much is filled in.
//
// Rows that follow each other have almost the same elements of L on grids and the like. Worked on together,
// each element of U is read once for four rows, and four numbers are multiplied at once. Rows of U that are
// alike but for their first element form groups; of a group up to eight rows are subtracted in one go, so
// that a number is found by its index once for 32 products. Private to src/numerics.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace cutset {

// Elements of four vectors at one place.
using FourNumbers [[gnu::vector_size(4 * sizeof(double))]] = double;

class RowPanels {
  public:
    static constexpr std::size_t rows = 4;

    // L and U by rows, columns rising; the elements of L in row k are those from l_begins[k] to l_ends[k].
    struct Pattern {
        std::span<const int> l_begins, l_ends, l_columns, u_starts, u_columns;
        std::span<const int> blocks;
    };
    void set_structure(const Pattern& pattern);

    bool begins_at(std::size_t place) const { return !panel_at_.empty() && panel_at_[place] >= 0; }

    // The elements of row `row` of a panel, `rows` numbers apart, by columns; zero between calls.
    double* work(std::size_t row) { return reinterpret_cast<double*>(work_.data()) + row; }
    void clear_work();

    // Eliminates from the rows of the panel that begins at `place`, which are in `work`, all that is before
    // it, and writes their elements of L. `l` has room for one more, which is written where a row has none.
    struct Factors {
        std::span<const int> u_starts, u_columns;
        const double *u, *inverse_pivots, *judge;
        double* l;
    };
    // By row: whether all of its |l_kj| are at most limits[row]*judge[j].
    std::array<bool, rows> eliminate(std::size_t place, const Factors& factors,
                                     const std::array<double, rows>& limits);

  private:
    std::vector<int> group_end_;     // by row of U: the last of its group
    std::vector<int> panel_at_;      // by place: the panel that begins there, or -1; empty: there is none
    std::vector<int> panel_starts_;  // in columns_
    std::vector<int> columns_;       // of L in any of the rows, before the panel
    std::vector<int> places_;        // `rows` for each of columns_: of their elements in L
    std::vector<FourNumbers> work_;
};

}  // namespace cutset
