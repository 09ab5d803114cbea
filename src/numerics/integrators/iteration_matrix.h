// The Jacobian J = df/dx of an IvpProblem as last evaluated, and the matrices that implicit methods make of
// it,
//     M = shift I + factor J,     in rows of algebraic unknowns  M = J,
// factored. Small or nearly full systems are dense (LAPACK); others sparse (KLU), with the intermediate
// quantities as further unknowns,
//     [shift I + factor A   factor B] [dx]   [r]
//     [C                    E       ] [dz] = [0]
// so that the elements stay few and J itself is never formed. Private to src/numerics.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "numerics/integrators/ivp_functions.h"
#include "numerics/linear/backward_elimination.h"
#include "numerics/linear/linear.h"
#include "numerics/linear/sparse.h"

namespace cutset {

class JacobianMatrix {
  public:
    // `functions` must live as long.
    explicit JacobianMatrix(IvpFunctions& functions);

    // The model may have changed: a constant Jacobian is evaluated again.
    void forget() { evaluated_ = false; }
    void remember(MemoryStream& memory);
    // At (t, x) with fx = f(t, x); weights and step are for difference quotients. 0: done; > 0: not possible
    // here; < 0: stop.
    int evaluate(double t, std::span<const double> x, std::span<const double> fx,
                 std::span<const double> weights, double h);
    // product := J v; false when it is not determined.
    bool multiply(std::span<const double> v, std::span<double> product);

    // The form of the values as last evaluated.
    bool dense() const { return dense_; }
    bool always_dense() const { return always_dense_; }
    std::size_t size() const { return n_; }                     // n
    std::size_t unknowns() const { return n_ + m_; }            // n + m
    std::size_t differential() const { return differential_; }  // rows that are no residuals
    const SparsePattern& pattern() const { return functions_.problem().jacobian->pattern; }
    // Dense: n by n, by columns. Sparse: in the order of the pattern.
    std::span<const double> values() const { return dense_ ? full_ : values_; }
    IvpFunctions& functions() const { return functions_; }

  private:
    void prepare_intermediates();
    bool factor_intermediates();
    int form_full();
    bool form_by_columns();
    void add_intermediates(std::span<const std::size_t> columns);

    IvpFunctions& functions_;
    std::size_t n_, m_, differential_;
    bool always_dense_ = true;
    bool dense_ = true;
    bool evaluated_ = false;
    bool formed_ = false;         // full_ and the factors of intermediates belong to values_
    std::vector<double> full_;    // when dense
    std::vector<double> values_;  // of the sparse pattern
    std::vector<double> new_values_;
    std::optional<BackwardElimination> backward_;  // where it is the shorter way to full_
    // E and where its elements are among the values.
    std::optional<SparseLu> intermediates_;
    std::vector<std::size_t> intermediate_places_;
    std::vector<double> intermediate_values_;
    std::vector<double> work_;
    std::vector<FourNumbers> sides_;  // of intermediates, for four columns
    bool intermediates_factored_ = false;
};

template <class Scalar>
class IterationMatrix {
  public:
    // `jacobian` must live as long.
    explicit IterationMatrix(JacobianMatrix& jacobian);

    // From the Jacobian as last evaluated. False when the matrix is singular; `solve` must not be called
    // then.
    bool factor(Scalar shift, double factor);
    // After the Jacobian that it was made of.
    void remember(MemoryStream& memory);
    // r := M^-1 r.
    void solve(std::span<Scalar> r);
    // Whether the matrix of the last `factor` is sparse: then x := M^-1 b with b_i = right(i), asked for once
    // for each i, and after that left(i, x_i) for each i, in any order.
    bool sparse() const { return !factored_dense_; }
    template <class Right, class Left>
    void solve_through(Right right, Left left) requires std::is_same_v<Scalar, double> {
        IvpFunctions& functions = jacobian_.functions();
        const IvpFunctions::Timer timer(functions, functions.solve_seconds, functions.solves);
        const std::size_t n = jacobian_.size();
        if (jacobian_.unknowns() == n) return sparse_.solve_through(right, left);
        sparse_.solve_through([&](std::size_t i) { return i < n ? right(i) : 0.0; },
                              [&](std::size_t i, double x) {
                                  if (i < n) left(i, x);
                              });
    }
    // After `factor` returned false: the unknown that the equations do not determine, if it can be told.
    std::optional<std::size_t> singular_unknown() const;

  private:
    bool factor_dense(Scalar shift, double factor);
    bool factor_sparse(Scalar shift, double factor);

    JacobianMatrix& jacobian_;
    Scalar shift_ = 0;  // of the last matrix
    double factor_ = 0;
    bool made_ = false;  // it could be factored
    bool factored_dense_ = true;
    // Dense.
    std::vector<Scalar> full_;
    DenseLu dense_;            // of real matrices
    std::vector<int> pivots_;  // of complex ones
    // Sparse.
    BasicSparseLu<Scalar> sparse_;
    // Of the elements of the Jacobian in the matrix, empty when it has the diagonal already; of the
    // differential unknowns.
    std::vector<std::uint32_t> places_, diagonal_;
    std::vector<Scalar> values_;
    std::vector<Scalar> unknowns_;
};

extern template class IterationMatrix<double>;
extern template class IterationMatrix<std::complex<double>>;

}  // namespace cutset
