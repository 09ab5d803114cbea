// Linear systems A z = b that may leave some of z open: LU factors of A with a border
//
//     [A  B] [z]   [b]
//     [C  0] [m] = [c]
//
// of as many rows and columns as the rank of A is below its size. Each column of B picks an equation that
// follows from others, each row of C an unknown that the equations leave open, which gets the value c. Where
// b is such that the equations agree m is zero; else m is what they contradict each other by.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "numerics/linear/matrix_lu.h"

namespace cutset {

class BorderedLu {
  public:
    void set_pattern(SparsePattern pattern);

    // False when a value is not finite or the rank cannot be told.
    bool factor(std::span<const double> values);

    std::size_t size() const { return pattern_.columns; }
    // The unknowns that are chosen, and the equations that follow from others; as many.
    std::span<const std::size_t> open() const { return open_; }
    std::span<const std::size_t> dependent() const { return dependent_; }
    // z with A z = 0, 1 at the k-th of the open unknowns and 0 at the others.
    std::span<const double> direction(std::size_t k) const {
        return std::span(directions_).subspan(k * size(), size());
    }
    // y with A^T y = 0, 1 at the k-th of the dependent equations and 0 at the others: how it follows from
    // others. Empty when that cannot be told.
    std::vector<double> combination(std::size_t k) const;

    // b := z with these values of the open unknowns; the equations that are dependent hold if they can.
    void solve(std::span<double> b, std::span<const double> chosen) const;

  private:
    bool try_borders();
    bool borders_by_singular_values();
    bool directions_hold();
    MatrixLu bordered(bool transposed) const;
    std::vector<double> bordered_values(bool transposed) const;

    SparsePattern pattern_;
    std::vector<double> values_;
    std::vector<std::size_t> open_, dependent_;
    MatrixLu lu_;
    std::vector<double> directions_;  // one after the other
    mutable std::vector<double> right_;
};

}  // namespace cutset
