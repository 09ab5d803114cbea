// Sparse linear systems A x = b by KLU: analyse a pattern once, factor many matrices of it, solve with each
// many times. The sparse counterpart of DenseLu (linear.h), with the same scaling by powers of two and the
// same words for what is singular.
//
// KLU chooses order and pivots; the factors are kept and used by rows (row_factors.h). A matrix whose pattern
// was factored before is factored again with the pivots of that time; where they have become bad, with new
// ones.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "base/memory.h"
#include "numerics/linear/linear.h"
#include "numerics/linear/row_factors.h"
#include "numerics/linear/sparse_pattern.h"

namespace cutset {

template <class Scalar>
class BasicSparseLu {
  public:
    explicit BasicSparseLu(DenseLu::Options options = {});
    ~BasicSparseLu();
    BasicSparseLu(BasicSparseLu&&) noexcept;
    BasicSparseLu& operator=(BasicSparseLu&&) noexcept;

    // The pattern of the matrices to come, square. The symbolic analysis is done at the first `factor`.
    void set_pattern(const SparsePattern& pattern);

    // Factors the matrix with these values on the pattern. False when it is singular or holds a value that is
    // not finite; `solve` must not be called then.
    bool factor(std::span<const Scalar> values);
    // The same; the analysis of the last pattern is kept when this one is equal.
    bool factor(const SparsePattern& pattern, std::span<const Scalar> values);

    // The values whose pivots are used, and pivots for values that were so returned: what `factor` gives
    // depends on nothing else that went before. Empty: none are known.
    std::span<const Scalar> pivot_values() const {
        return factors_.empty() && !by_klu_ ? std::span<const Scalar>() : pivot_values_;
    }
    bool choose_pivots(std::span<const Scalar> values);
    void remember_pivots(MemoryStream& memory) {
        std::vector<Scalar> values(pivot_values().begin(), pivot_values().end());
        memory.list("pivots", values);
        if (memory.restores() && memory.good() && !values.empty() &&
            (values.size() != rows_.size() || !choose_pivots(values)))
            memory.fail();
    }

    // b := A^-1 b.
    void solve(std::span<Scalar> b) const;
    // For four vectors at once, without refinement.
    void solve(std::span<FourNumbers> b) const requires std::is_same_v<Scalar, double>;
    // Without refinement, with b_i = right(i), asked for once for each i; then left(i, x_i) is called once
    // for each i. Vectors are read and written where they are used, not moved through memory in between.
    template <class Right, class Left>
    void solve_through(Right right, Left left) const requires std::is_same_v<Scalar, double> {
        if (!by_klu_ && rough()) return factors_.solve_through(right, left);
        solution_.resize(size());
        for (std::size_t i = 0; i < size(); ++i) solution_[i] = right(i);
        solve_scaled(solution_);
        for (std::size_t i = 0; i < size(); ++i) left(i, solution_[i]);
    }

    // Estimate of 1/cond_1 of the scaled matrix, not for those that only an exact zero makes singular and
    // that are not refined; 0 when `factor` returned false.
    double rcond() const;

    // After `factor` returned false: a column that depends on others, and (with Roundoff) such a row. Empty
    // when the matrix had a value that is not finite.
    std::optional<std::size_t> singular_column() const { return singular_column_; }
    std::optional<std::size_t> singular_row() const { return singular_row_; }
    bool finite() const { return finite_; }

    std::size_t size() const { return starts_.size() - 1; }
    // Elements of the factors, and multiplications and additions to compute them, as the analysis estimates
    // them.
    struct Effort {
        double elements = 0;
        double operations = 0;
    };
    Effort effort();

    // Counted since construction.
    long analyses() const { return analyses_; }
    long full_factorizations() const { return full_factorizations_; }  // with new pivots

  private:
    struct Klu;

    void analyze();
    bool scale(std::span<const Scalar> values);
    bool renew_structure(std::span<const Scalar> values);
    // The caller corrects errors by iterative refinement: our factors are of the matrix as it is, and the
    // scales are those of its last new pivots.
    bool rough() const {
        return !options_.refine && options_.singular_when == DenseLu::SingularWhen::ExactZero;
    }
    bool singular_at(std::size_t place);
    void find_singular_row();
    void solve_scaled(std::span<Scalar> b) const;

    DenseLu::Options options_;
    std::vector<int> starts_{0},
        rows_;  // the pattern; short indices, because moving memory is most of the work
    std::unique_ptr<Klu> klu_;
    RowFactors<Scalar> factors_;
    bool by_klu_ = false;  // its factors are used, because numbers are too small for ours
    bool factored_ = false;
    bool finite_ = true;
    std::optional<std::size_t> singular_column_;
    std::optional<std::size_t> singular_row_;
    std::vector<Scalar> pivot_values_;  // of the matrix that the pivots were chosen for
    std::vector<Scalar> scaled_;        // R A C, when last scaled
    std::vector<double> row_scale_, column_scale_;
    mutable std::vector<Scalar> residual_, solution_;
    long analyses_ = 0, full_factorizations_ = 0;
};

using SparseLu = BasicSparseLu<double>;
using ComplexSparseLu = BasicSparseLu<std::complex<double>>;

extern template class BasicSparseLu<double>;
extern template class BasicSparseLu<std::complex<double>>;

// The pattern of a full n by n matrix.
SparsePattern full_pattern(std::size_t n);

// Whether n by n dense factors are cheaper than sparse ones of the pattern, by size and fill.
bool dense_is_cheaper(std::size_t n, const SparsePattern& pattern);

}  // namespace cutset
