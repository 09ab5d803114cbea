// Decompositions of dense real matrices by LAPACK. Matrices are square of order n and stored by columns
// without gaps; results are written over the arguments as said. Each returns false when the iteration did not
// converge or (reordering, Sylvester) the problem is too ill-conditioned; nothing is to be used then.
#pragma once

#include <complex>
#include <optional>
#include <vector>

namespace cutset::dense {

using Complexes = std::vector<std::complex<double>>;

// Eigenvalues of A after balancing (permutation and scaling), with the columns of V and W filled as dgeev
// does: a complex pair occupies two columns, real and imaginary part. A V = V L, W^T A = L W^T (transposed,
// conjugated). V and W may both be null. A is destroyed.
bool eigen(int n, double* a, Complexes& values, double* right, double* left);

// Scaling by powers of two, A := D^-1 A D; `scale` gets D. No permutation.
void balance(int n, double* a, double* scale);

// A = Q T Q^T with T upper quasi-triangular; A := T. `q` may be null.
bool schur(int n, double* a, double* q, Complexes& values);
// Moves the selected eigenvalues to the top left; both of a complex pair must be selected.
bool reorder_schur(int n, const std::vector<int>& select, double* t, double* q, Complexes& values);

// op(A) X + sign X op(B) = C for quasi-triangular A (m by m) and B (n by n); C := X.
// The answer counts as unusable when A and -sign B have (nearly) common eigenvalues.
bool sylvester(int m, int n, const double* a, bool transpose_a, const double* b, bool transpose_b, int sign,
               double* c);

// Eigenvalues of A - s B as alpha/beta, beta >= 0; infinite where beta is 0. A and B are destroyed.
bool generalized_eigenvalues(int n, double* a, double* b, Complexes& alpha, std::vector<double>& beta);
// Q^T A Z = S quasi-triangular, Q^T B Z = T triangular; A := S, B := T.
bool generalized_schur(int n, double* a, double* b, double* q, double* z, Complexes& alpha,
                       std::vector<double>& beta);
bool reorder_generalized_schur(int n, const std::vector<int>& select, double* s, double* t, double* q,
                               double* z, Complexes& alpha, std::vector<double>& beta);

// M = U diag(s) V^T, M of m rows and n columns; U m by m, V^T n by n; null for what is not wanted. M is
// destroyed.
bool singular_values(int m, int n, double* a, std::vector<double>& values, double* u, double* vt);
bool singular_values(int m, int n, std::complex<double>* a, std::vector<double>& values);

// M = Q R, M of m >= n rows and n columns; M := R, below its diagonal anything. `rest` gets the last m - n
// columns of Q, unless it is null.
void orthogonal_rest(int m, int n, double* a, double* rest);
void orthogonal_rest(int m, int n, std::complex<double>* a, std::complex<double>* rest);

// The x with the smallest |M x - b|, and of those the shortest; of the solution counts what singular values
// above `rank_tolerance` times the largest give. M is destroyed; b has max(m, n) elements, b := x.
// Returns the numerical rank, or nothing when an element is not finite.
std::optional<int> least_squares(int m, int n, double* a, double* b, double rank_tolerance);

// A = U T U^H; A := T upper triangular.
bool complex_schur(int n, std::complex<double>* a, std::complex<double>* u);

// Of the symmetric A, ascending; A := the eigenvectors.
bool symmetric_eigen(int n, double* a, std::vector<double>& values);

// A := its factors. Returns the estimated reciprocal condition number (1-norm), 0 when singular.
template <class Scalar>
double factor(int n, Scalar* a, std::vector<int>& pivots);
// B := A^-1 B (transposed: A^-T B) with the factors.
template <class Scalar>
void solve_factored(int n, const Scalar* factors, const std::vector<int>& pivots, bool transposed,
                    int columns, Scalar* b);

}  // namespace cutset::dense
