#include "control/decompositions.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/linear/dense_decompositions.h"

namespace cutset {

std::optional<EigenDecomposition> eigen_decomposition(const Eigen::MatrixXd& A, bool vectors) {
    const Eigen::Index n = A.rows();
    EigenDecomposition out;
    Eigen::MatrixXd copy = A, V, W;
    if (vectors) {
        V.resize(n, n);
        W.resize(n, n);
    }
    if (!dense::eigen(static_cast<int>(n), copy.data(), out.values, vectors ? V.data() : nullptr,
                      vectors ? W.data() : nullptr))
        return {};
    if (!vectors) return out;
    out.right.resize(n, n);
    out.left.resize(n, n);
    const std::complex<double> i(0, 1);
    for (Eigen::Index k = 0; k < n; ++k) {
        if (out.values[k].imag() == 0 || k + 1 == n) {
            out.right.col(k) = V.col(k).cast<std::complex<double>>();
            out.left.col(k) = W.col(k).cast<std::complex<double>>();
            continue;
        }
        out.right.col(k) = V.col(k) + i * V.col(k + 1);
        out.right.col(k + 1) = V.col(k) - i * V.col(k + 1);
        out.left.col(k) = W.col(k) + i * W.col(k + 1);
        out.left.col(k + 1) = W.col(k) - i * W.col(k + 1);
        ++k;
    }
    return out;
}

std::optional<RealSchur> real_schur(const Eigen::MatrixXd& A) {
    RealSchur out;
    out.T = A;
    out.Q.resize(A.rows(), A.rows());
    if (!dense::schur(static_cast<int>(A.rows()), out.T.data(), out.Q.data(), out.values)) return {};
    return out;
}

bool reorder(RealSchur& schur, const std::vector<int>& select) {
    return dense::reorder_schur(static_cast<int>(schur.T.rows()), select, schur.T.data(), schur.Q.data(),
                                schur.values);
}

std::optional<Eigen::MatrixXd> solve_triangular_sylvester(const Eigen::MatrixXd& A, bool transpose_a,
                                                          const Eigen::MatrixXd& B, bool transpose_b,
                                                          int sign, const Eigen::MatrixXd& C) {
    Eigen::MatrixXd X = C;
    if (!dense::sylvester(static_cast<int>(A.rows()), static_cast<int>(B.rows()), A.data(), transpose_a,
                          B.data(), transpose_b, sign, X.data()))
        return {};
    return X;
}

std::optional<GeneralizedEigenvalues> generalized_eigenvalues(const Eigen::MatrixXd& A,
                                                              const Eigen::MatrixXd& B) {
    Eigen::MatrixXd a = A, b = B;
    GeneralizedEigenvalues out;
    if (!dense::generalized_eigenvalues(static_cast<int>(A.rows()), a.data(), b.data(), out.alpha, out.beta))
        return {};
    return out;
}

std::optional<GeneralizedSchur> generalized_schur(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
    const Eigen::Index n = A.rows();
    GeneralizedSchur out{A, B, Eigen::MatrixXd(n, n), Eigen::MatrixXd(n, n), {}};
    if (!dense::generalized_schur(static_cast<int>(n), out.S.data(), out.T.data(), out.Q.data(), out.Z.data(),
                                  out.values.alpha, out.values.beta))
        return {};
    return out;
}

bool reorder(GeneralizedSchur& schur, const std::vector<int>& select) {
    return dense::reorder_generalized_schur(static_cast<int>(schur.S.rows()), select, schur.S.data(),
                                            schur.T.data(), schur.Q.data(), schur.Z.data(),
                                            schur.values.alpha, schur.values.beta);
}

Eigen::VectorXd balancing(const Eigen::MatrixXd& A) {
    Eigen::MatrixXd copy = A;
    Eigen::VectorXd scale = Eigen::VectorXd::Ones(A.rows());
    dense::balance(static_cast<int>(A.rows()), copy.data(), scale.data());
    return scale;
}

SingularValues singular_values(const Eigen::MatrixXd& M, bool vectors) {
    SingularValues out;
    Eigen::MatrixXd copy = M;
    std::vector<double> values;
    if (vectors) {
        out.U = Eigen::MatrixXd::Identity(M.rows(), M.rows());
        out.V = Eigen::MatrixXd::Identity(M.cols(), M.cols());
    }
    dense::singular_values(static_cast<int>(M.rows()), static_cast<int>(M.cols()), copy.data(), values,
                           vectors ? out.U.data() : nullptr, vectors ? out.V.data() : nullptr);
    if (vectors) out.V.transposeInPlace();
    out.values = Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
    return out;
}

Eigen::VectorXd singular_values(const Eigen::MatrixXcd& M) {
    Eigen::MatrixXcd copy = M;
    std::vector<double> values;
    dense::singular_values(static_cast<int>(M.rows()), static_cast<int>(M.cols()), copy.data(), values);
    return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

SingularValues right_singular_vectors(const Eigen::MatrixXd& M) {
    SingularValues out;
    Eigen::MatrixXd copy = M;
    std::vector<double> values;
    out.V = Eigen::MatrixXd::Identity(M.cols(), M.cols());
    dense::singular_values(static_cast<int>(M.rows()), static_cast<int>(M.cols()), copy.data(), values,
                           nullptr, out.V.data());
    out.V.transposeInPlace();
    out.values = Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
    return out;
}

namespace {

template <class Matrix>
Matrix complement(Matrix M) {
    Matrix rest(M.rows(), M.rows() - M.cols());
    dense::orthogonal_rest(static_cast<int>(M.rows()), static_cast<int>(M.cols()), M.data(), rest.data());
    return rest;
}

}  // namespace

Eigen::MatrixXd orthogonal_rest(const Eigen::MatrixXd& M) {
    return complement(M);
}
Eigen::MatrixXcd orthogonal_rest(const Eigen::MatrixXcd& M) {
    return complement(M);
}

double log_determinant(const Eigen::MatrixXd& M) {
    Eigen::MatrixXd R = M;
    dense::orthogonal_rest(static_cast<int>(M.rows()), static_cast<int>(M.cols()), R.data(), nullptr);
    double sum = 0;
    for (Eigen::Index i = 0; i < M.rows(); ++i) sum += std::log(std::abs(R(i, i)));
    return sum;
}

Eigen::VectorXd least_squares_solution(const Eigen::MatrixXd& M, const Eigen::VectorXd& b) {
    Eigen::MatrixXd copy = M;
    std::vector<double> x(static_cast<std::size_t>(std::max(M.rows(), M.cols())), 0);
    std::copy(b.begin(), b.end(), x.begin());
    const double rank_tolerance = std::numeric_limits<double>::epsilon() * static_cast<double>(x.size());
    if (!dense::least_squares(static_cast<int>(M.rows()), static_cast<int>(M.cols()), copy.data(), x.data(),
                              rank_tolerance))
        return Eigen::VectorXd::Constant(M.cols(), std::numeric_limits<double>::quiet_NaN());
    return Eigen::Map<const Eigen::VectorXd>(x.data(), M.cols());
}

std::optional<CompletePivoting> CompletePivoting::factor(const Eigen::MatrixXd& A, double rank_limit) {
    const Eigen::Index n = A.rows();
    CompletePivoting out;
    Eigen::MatrixXd& f = out.factors_;
    f = A;
    double first = 0;
    for (Eigen::Index k = 0; k < n; ++k) {
        Eigen::Index row = k, column = k;
        double largest = -1;
        for (Eigen::Index j = k; j < n; ++j)
            for (Eigen::Index i = k; i < n; ++i)
                if (std::abs(f(i, j)) > largest) {
                    largest = std::abs(f(i, j));
                    row = i;
                    column = j;
                }
        first = std::max(first, largest);
        if (!(largest > rank_limit * first)) return std::nullopt;
        f.row(k).swap(f.row(row));
        f.col(k).swap(f.col(column));
        out.rows_.push_back(row);
        out.columns_.push_back(column);
        for (Eigen::Index i = k + 1; i < n; ++i) f(i, k) /= f(k, k);
        for (Eigen::Index j = k + 1; j < n; ++j)
            for (Eigen::Index i = k + 1; i < n; ++i) f(i, j) -= f(i, k) * f(k, j);
    }
    return out;
}

Eigen::MatrixXd CompletePivoting::solve(const Eigen::MatrixXd& right) const {
    const Eigen::Index n = factors_.rows();
    Eigen::MatrixXd x = right;
    const auto at = [](Eigen::Index k) { return static_cast<std::size_t>(k); };
    for (Eigen::Index c = 0; c < x.cols(); ++c) {
        for (Eigen::Index k = 0; k < n; ++k) std::swap(x(k, c), x(rows_[at(k)], c));
        for (Eigen::Index k = 0; k < n; ++k)
            for (Eigen::Index i = k + 1; i < n; ++i) x(i, c) -= factors_(i, k) * x(k, c);
        for (Eigen::Index k = n - 1; k >= 0; --k) {
            x(k, c) /= factors_(k, k);
            for (Eigen::Index i = 0; i < k; ++i) x(i, c) -= factors_(i, k) * x(k, c);
        }
        for (Eigen::Index k = n - 1; k >= 0; --k) std::swap(x(k, c), x(columns_[at(k)], c));
    }
    return x;
}

std::optional<ComplexSchur> complex_schur(const Eigen::MatrixXd& A) {
    ComplexSchur out{A.cast<std::complex<double>>(), Eigen::MatrixXcd(A.rows(), A.rows())};
    if (!A.allFinite() || !dense::complex_schur(static_cast<int>(A.rows()), out.T.data(), out.U.data()))
        return {};
    return out;
}

std::optional<SymmetricEigen> symmetric_eigen(const Eigen::MatrixXd& M) {
    SymmetricEigen out;
    out.V = M;
    std::vector<double> values;
    if (!dense::symmetric_eigen(static_cast<int>(M.rows()), out.V.data(), values)) return {};
    out.values = Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
    return out;
}

template <class Matrix>
LinearSolver<Matrix>::LinearSolver(Matrix A) : factors_(std::move(A)) {
    reciprocal_condition_ = dense::factor(static_cast<int>(factors_.rows()), factors_.data(), pivots_);
}

template <class Matrix>
Matrix LinearSolver<Matrix>::solve(Matrix right) const {
    dense::solve_factored(static_cast<int>(factors_.rows()), factors_.data(), pivots_, false,
                          static_cast<int>(right.cols()), right.data());
    return right;
}

template <class Matrix>
Matrix LinearSolver<Matrix>::solve_transposed(Matrix right) const {
    dense::solve_factored(static_cast<int>(factors_.rows()), factors_.data(), pivots_, true,
                          static_cast<int>(right.cols()), right.data());
    return right;
}

template class LinearSolver<Eigen::MatrixXd>;
template class LinearSolver<Eigen::MatrixXcd>;

}  // namespace cutset
