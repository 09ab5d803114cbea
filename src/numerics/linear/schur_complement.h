// Elimination of intermediate quantities z from a sparse linear relation
//
//     y = T k + F z,   0 = P k + E z     →     y = (T - F E⁻¹ P) k
//
// The pattern of the result is found once, from structure: z is solved in strongly connected groups, one
// after the other, so that what is sparse stays sparse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "numerics/linear/matrix_lu.h"
#include "numerics/linear/sparse_pattern.h"

namespace cutset {

class SchurComplement {
  public:
    struct Element {
        std::uint32_t row, column;
    };
    // The elements of [T F; P E], of which the first rows and columns are kept.
    SchurComplement(std::span<const Element> elements, std::size_t kept_rows, std::size_t kept_columns,
                    std::size_t intermediates);

    const SparsePattern& pattern() const { return pattern_; }
    // By element of `pattern`, from values by element. False when E is singular.
    bool evaluate(std::span<const double> elements, std::span<double> result);
    // After `evaluate` returned false: an intermediate quantity that is not determined.
    std::optional<std::size_t> singular() const { return singular_; }

  private:
    struct Place {
        std::uint32_t column;
        std::uint32_t element;
    };
    struct Group {
        std::vector<std::uint32_t> members;  // intermediates, rising
        std::vector<std::uint32_t> columns;  // that they depend on, rising
        std::vector<std::uint32_t> matrix;   // elements of E within the group, as in the pattern of `lu`
        MatrixLu lu;
        std::vector<double> solution;  // by column, then by member
    };
    void find_groups(const std::vector<std::vector<Place>>& inner);
    bool solve(Group& group, std::span<const double> elements);

    std::size_t kept_columns_;
    std::vector<std::vector<Place>> kept_direct_, kept_inner_;  // by kept row: T, F
    std::vector<std::vector<Place>> direct_, outer_;            // by intermediate: P; E outside its group
    std::vector<Group> groups_;                                 // in the order of computation
    std::vector<std::uint32_t> group_of_, member_of_;           // by intermediate
    SparsePattern pattern_;
    std::vector<std::vector<Place>> result_;  // by kept row: column and place in the pattern
    std::vector<double> sum_;                 // by kept column
    std::optional<std::size_t> singular_;
};

}  // namespace cutset
