#include "control/decompositions.h"

#include "numerics/dense_decompositions.h"

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

}  // namespace cutset
