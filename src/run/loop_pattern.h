// Where the Jacobian of a loop has elements.
#pragma once

#include "ir/program.h"
#include "numerics/linear/sparse_pattern.h"

namespace cutset {

inline SparsePattern jacobian_pattern(const Loop& loop) {
    SparsePattern pattern;
    pattern.rows = pattern.columns = loop.torn.size();
    pattern.starts.assign(pattern.columns + 1, 0);
    for (const JacobianEntry& e : loop.jacobian_entries) {
        ++pattern.starts[e.column + 1];
        pattern.row.push_back(e.row);
    }
    for (std::size_t j = 0; j < pattern.columns; ++j) pattern.starts[j + 1] += pattern.starts[j];
    return pattern;
}

}  // namespace cutset
