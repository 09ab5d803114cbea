// Dense linear systems A x = b: factor once, solve many times.
//
// Physical units make coefficients differ by 1e12 and more, so rows and columns are scaled first by powers of
// two (exact):  (R A C)(C^-1 x) = R b.  Partial pivoting then compares like with like.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace cutset {

class DenseLu {
  public:
    enum class SingularWhen {
        Roundoff,   // a pivot that cannot be told from zero in the rounding of its own computation
        ExactZero,  // only a pivot that is exactly zero; for iterations that correct themselves
    };
    struct Options {
        SingularWhen singular_when = SingularWhen::Roundoff;
        bool refine = true;  // one step of iterative refinement in every solve
    };

    DenseLu() = default;
    explicit DenseLu(Options options) : options_(options) {}

    // Factors the n by n matrix `a`, stored by columns. False when it is singular or holds a value that is
    // not finite; `solve` must not be called then.
    bool factor(std::size_t n, std::span<const double> a);

    // The same for a matrix that is written where its factors will be: the elements by columns go to what
    // `place` returns, then `factor_placed` is called. Without refinement only.
    std::span<double> place(std::size_t n);
    bool factor_placed();

    // b := A^-1 b.
    void solve(std::span<double> b) const;

    // Estimate of 1/cond_1 of the scaled matrix; 0 when `factor` returned false. Only with Roundoff.
    double rcond() const;

    // After `factor` returned false: the unknown (column) that the equations do not determine, given the
    // columns before it, and the equation (row) that was left over there. Empty when the matrix had a value
    // that is not finite.
    std::optional<std::size_t> singular_column() const { return singular_column_; }
    std::optional<std::size_t> singular_row() const { return singular_row_; }
    // After `factor` returned false: false when some element was not finite.
    bool finite() const { return finite_; }

    std::size_t size() const { return n_; }

  private:
    void begin(std::size_t n);
    std::optional<std::size_t> eliminate();
    bool end(std::optional<std::size_t> zero_pivot);
    void order_rows();
    void solve_scaled(std::span<double> b) const;

    Options options_;
    std::size_t n_ = 0;
    bool factored_ = false;
    bool finite_ = true;
    bool scaled_ = true;  // rows are
    std::optional<std::size_t> singular_column_;
    std::optional<std::size_t> singular_row_;
    std::vector<double> original_;      // A, kept for refinement
    std::vector<double> lu_;            // factors of R A
    std::vector<double> row_scale_;     // diagonal of R
    std::vector<double> column_sizes_;  // sums of the columns of |R A|
    std::vector<int> pivots_;
    std::vector<int> first_, last_;  // by column: where the factors have elements
    std::vector<double> inverse_pivots_;
    std::vector<std::size_t> row_order_;  // the row that the exchanges brought to each place
    mutable std::vector<double> residual_;
    mutable std::vector<double> solution_;
};

}  // namespace cutset
