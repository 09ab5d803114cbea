#include "numerics/linear/matrix_lu.h"

#include <utility>

#include "base/diagnostic.h"

namespace cutset {

void MatrixLu::set_pattern(SparsePattern pattern) {
    CUTSET_ASSERT(pattern.rows == pattern.columns && pattern.starts.size() == pattern.columns + 1);
    pattern_ = std::move(pattern);
    use_dense_ = dense_is_cheaper(size(), pattern_);
    full_.clear();
    if (!use_dense_)
        sparse_.set_pattern(pattern_);
    else if (pattern_.elements() < size() * size())
        full_.assign(size() * size(), 0.0);
}

bool MatrixLu::factor(std::span<const double> values) {
    CUTSET_ASSERT(values.size() == pattern_.elements());
    if (!use_dense_) return sparse_.factor(values);
    if (full_.empty()) return dense_.factor(size(), values);
    for (std::size_t j = 0; j < size(); ++j)
        for (auto k = static_cast<std::size_t>(pattern_.starts[j]);
             k < static_cast<std::size_t>(pattern_.starts[j + 1]); ++k)
            full_[static_cast<std::size_t>(pattern_.row[k]) + j * size()] = values[k];
    return dense_.factor(size(), full_);
}

}  // namespace cutset
