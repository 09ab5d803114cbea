// Where a sparse matrix has elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cutset {

// By columns: the elements of column j are those from starts[j] to starts[j + 1]. A list of values for a
// pattern has the same order.
struct SparsePattern {
    std::size_t rows = 0, columns = 0;
    std::vector<std::int64_t> starts;  // columns + 1 of them
    std::vector<std::int64_t> row;     // rising in each column

    std::size_t elements() const { return row.size(); }
    friend bool operator==(const SparsePattern&, const SparsePattern&) = default;
};

}  // namespace cutset
