// Decompositions of matrices that linear analysis stands on: the routines of
// numerics/linear/dense_decompositions.h with matrices of Eigen. Each gives nothing when its matrix is not
// finite or the iteration did not converge.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <optional>
#include <vector>

#include "control/matrix_product.h"

namespace cutset {

using Complexes = std::vector<std::complex<double>>;

struct EigenDecomposition {
    Complexes values;
    Eigen::MatrixXcd right, left;  // A v = l v, w^H A = l w^H; unit columns; empty when not asked for
};
std::optional<EigenDecomposition> eigen_decomposition(const Eigen::MatrixXd& A, bool vectors);

// A = Q T Q^T, T upper quasi-triangular with 2 by 2 blocks for complex pairs.
struct RealSchur {
    Eigen::MatrixXd T, Q;
    Complexes values;  // in the order of the diagonal
};
std::optional<RealSchur> real_schur(const Eigen::MatrixXd& A);
// Moves the eigenvalues with select = 1 to the top left. False: too close to be exchanged.
bool reorder(RealSchur& schur, const std::vector<int>& select);

// op(A) X + sign X op(B) = C with quasi-triangular A and B.
std::optional<Eigen::MatrixXd> solve_triangular_sylvester(const Eigen::MatrixXd& A, bool transpose_a,
                                                          const Eigen::MatrixXd& B, bool transpose_b,
                                                          int sign, const Eigen::MatrixXd& C);

// The s with det(A - s B) = 0 as alpha/beta.
struct GeneralizedEigenvalues {
    Complexes alpha;
    std::vector<double> beta;
};
std::optional<GeneralizedEigenvalues> generalized_eigenvalues(const Eigen::MatrixXd& A,
                                                              const Eigen::MatrixXd& B);

// Q^T A Z = S, Q^T B Z = T.
struct GeneralizedSchur {
    Eigen::MatrixXd S, T, Q, Z;
    GeneralizedEigenvalues values;
};
std::optional<GeneralizedSchur> generalized_schur(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
bool reorder(GeneralizedSchur& schur, const std::vector<int>& select);

// D of powers of two such that the rows and columns of D^-1 A D have about equal norms.
Eigen::VectorXd balancing(const Eigen::MatrixXd& A);

// M = U diag(values) V^T with square orthogonal U and V; values descending.
struct SingularValues {
    Eigen::MatrixXd U, V;
    Eigen::VectorXd values;
};
// Values only on request. M must be finite.
SingularValues singular_values(const Eigen::MatrixXd& M, bool vectors = true);
Eigen::VectorXd singular_values(const Eigen::MatrixXcd& M);

// M = U diag(values) V^T: values and V only, for M with many rows.
SingularValues right_singular_vectors(const Eigen::MatrixXd& M);

// M = Q R: the columns of Q after as many as M has, orthogonal to those of M, which are independent.
Eigen::MatrixXd orthogonal_rest(const Eigen::MatrixXd& M);
Eigen::MatrixXcd orthogonal_rest(const Eigen::MatrixXcd& M);
// log |det M|
double log_determinant(const Eigen::MatrixXd& M);

// The shortest x with the smallest |M x - b|.
Eigen::VectorXd least_squares_solution(const Eigen::MatrixXd& M, const Eigen::VectorXd& b);

// A = U T U^H, T upper triangular.
struct ComplexSchur {
    Eigen::MatrixXcd T, U;
};
std::optional<ComplexSchur> complex_schur(const Eigen::MatrixXd& A);

// M = V diag(values) V^T, ascending.
struct SymmetricEigen {
    Eigen::VectorXd values;
    Eigen::MatrixXd V;
};
std::optional<SymmetricEigen> symmetric_eigen(const Eigen::MatrixXd& M);

// Solves with a square matrix by Gaussian elimination with exchanges of rows and columns; nothing when a
// pivot is below `rank_limit` times the largest.
class CompletePivoting {
  public:
    static std::optional<CompletePivoting> factor(const Eigen::MatrixXd& A, double rank_limit);
    Eigen::MatrixXd solve(const Eigen::MatrixXd& right) const;

  private:
    Eigen::MatrixXd factors_;
    std::vector<Eigen::Index> rows_, columns_;  // exchanged with, step by step
};

// Solves with a square matrix by Gaussian elimination with row exchanges.
template <class Matrix>
class LinearSolver {
  public:
    explicit LinearSolver(Matrix A);
    double reciprocal_condition() const { return reciprocal_condition_; }  // 0: singular
    Matrix solve(Matrix right) const;                                      // A^-1 right
    Matrix solve_transposed(Matrix right) const;                           // A^-T right

  private:
    Matrix factors_;
    std::vector<int> pivots_;
    double reciprocal_condition_;
};
using RealSolver = LinearSolver<Eigen::MatrixXd>;
using ComplexSolver = LinearSolver<Eigen::MatrixXcd>;

}  // namespace cutset
