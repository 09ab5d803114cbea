// The full matrix J of a linear relation with implicit and computed intermediate quantities u and z,
//     y = A x + B u + F z,   0 = C x + E u + G z,   z = P x + Q u + T z     →     y = J x
// with T strictly lower triangular: each z is computed from those before it.
//
// Rows with elements in F or G are followed backwards through the rows of z, all of them together; what is
// left in x and u is small and full. The work is the number of elements times that of the rows followed: no
// factors of a matrix as large as u and z, no column for each x. Private to src/numerics.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "numerics/linear/linear.h"
#include "numerics/linear/sparse_pattern.h"

namespace cutset {

class BackwardElimination {
  public:
    // The elements of [A B F; C E G; P Q T-I], of which the first n rows and columns are those of y and x,
    // the last `computed` those of z. Diagonal elements of T-I are -1.
    BackwardElimination(const SparsePattern& pattern, std::size_t n, std::size_t computed);

    // Whether sparse factors of [E G; Q T-I] and a solution for each x would take longer.
    bool pays() const;
    // J by columns, from values by element of the pattern. False when the u are not determined.
    bool evaluate(std::span<const double> elements, std::span<double> full);

  private:
    using EightNumbers [[gnu::vector_size(8 * sizeof(double))]] = double;
    static constexpr std::size_t lanes = 8;
    struct Place {
        std::uint32_t to, element;
    };
    void sweep(std::span<const double> elements);
    bool eliminate_implicit(std::span<double> full);

    std::size_t n_, kept_;                   // rows of x, of x and u
    std::size_t reaching_ = 0;               // columns of x with elements in C or P
    std::vector<std::uint32_t> rows_;        // that are followed, eight at a time
    std::vector<Place> direct_;              // elements of the others in [A B; C E], by columns
    std::vector<std::vector<Place>> first_;  // by eight rows: their elements, by column and row
    std::vector<std::uint32_t> starts_;      // by z
    std::vector<Place> inner_;               // rows of z without the diagonal, by column
    std::vector<EightNumbers> followed_;     // eight rows, by column
    std::vector<double> reduced_;            // [A B; C E] without z, by columns
    std::vector<double> right_;
    DenseLu implicit_;
};

}  // namespace cutset
