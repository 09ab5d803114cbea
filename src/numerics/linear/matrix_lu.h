// Linear systems whose matrix is given by a pattern and values: factored dense or sparse, whichever is
// cheaper. The options and what `factor` and the others say are those of DenseLu and SparseLu.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "numerics/linear/linear.h"
#include "numerics/linear/sparse.h"

namespace cutset {

class MatrixLu {
  public:
    explicit MatrixLu(DenseLu::Options options = {}) : dense_(options), sparse_(options) {}

    // The pattern of the matrices to come, square. For sparse ones it is analysed once.
    void set_pattern(SparsePattern pattern);
    const SparsePattern& pattern() const { return pattern_; }
    bool dense() const { return use_dense_; }

    // Factors the matrix with these values on the pattern.
    bool factor(std::span<const double> values);
    // What the factors of the next matrix depend on besides its values.
    void remember_pivots(MemoryStream& memory) {
        if (!use_dense_) sparse_.remember_pivots(memory);
    }
    // b := A^-1 b.
    void solve(std::span<double> b) const { use_dense_ ? dense_.solve(b) : sparse_.solve(b); }

    double rcond() const { return use_dense_ ? dense_.rcond() : sparse_.rcond(); }
    std::optional<std::size_t> singular_column() const {
        return use_dense_ ? dense_.singular_column() : sparse_.singular_column();
    }
    std::optional<std::size_t> singular_row() const {
        return use_dense_ ? dense_.singular_row() : sparse_.singular_row();
    }
    bool finite() const { return use_dense_ ? dense_.finite() : sparse_.finite(); }
    std::size_t size() const { return pattern_.columns; }

  private:
    SparsePattern pattern_;
    bool use_dense_ = true;
    std::vector<double> full_;
    DenseLu dense_;
    SparseLu sparse_;
};

}  // namespace cutset
