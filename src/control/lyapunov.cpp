#include "control/lyapunov.h"

#include <cmath>

#include "control/decompositions.h"
#include "control/row_compression.h"

namespace cutset {

namespace {

using Complex = std::complex<double>;

// T X T^T - X = F for quasi-triangular T, from the last block of columns to the first.
std::optional<Eigen::MatrixXd> solve_discrete(const Eigen::MatrixXd& T, const Eigen::MatrixXd& F) {
    const Eigen::Index n = T.rows();
    std::vector<Eigen::Index> starts;
    for (Eigen::Index i = 0; i < n;) {
        starts.push_back(i);
        i += i + 1 < n && T(i + 1, i) != 0 ? 2 : 1;
    }
    const auto width = [&](std::size_t k) { return (k + 1 < starts.size() ? starts[k + 1] : n) - starts[k]; };
    Eigen::MatrixXd X = Eigen::MatrixXd::Zero(n, n);
    for (std::size_t jj = starts.size(); jj-- > 0;) {
        const Eigen::Index j = starts[jj], q = width(jj), after = n - j - q;
        // T X_j S^T - X_j = F_j - T sum_{k>j} X_k T_jk^T with S = T_jj
        const Eigen::MatrixXd S = T.block(j, j, q, q);
        Eigen::MatrixXd G = F.middleCols(j, q);
        if (after > 0) G -= T * (X.rightCols(after) * T.block(j, j + q, q, after).transpose());
        for (std::size_t ii = starts.size(); ii-- > 0;) {
            const Eigen::Index i = starts[ii], p = width(ii), below = n - i - p;
            Eigen::MatrixXd H = G.middleRows(i, p);
            if (below > 0) H -= T.block(i, i + p, p, below) * X.block(i + p, j, below, q) * S.transpose();
            // (S kron T_ii - I) vec Y = vec H, at most 4 unknowns
            Eigen::MatrixXd K(p * q, p * q);
            for (Eigen::Index a = 0; a < q; ++a)
                for (Eigen::Index b = 0; b < q; ++b)
                    K.block(a * p, b * p, p, p) = S(a, b) * T.block(i, i, p, p);
            K -= Eigen::MatrixXd::Identity(p * q, p * q);
            const RealSolver solver(K);
            if (solver.reciprocal_condition() < 1e-15) return {};
            const Eigen::MatrixXd y = solver.solve(Eigen::Map<const Eigen::MatrixXd>(H.data(), p * q, 1));
            X.block(i, j, p, q) = Eigen::Map<const Eigen::MatrixXd>(y.data(), p, q);
        }
    }
    if (!X.allFinite()) return {};
    return X;
}

// R R^H + y y^H by rotations from the last row up; R stays upper triangular, in its first rows as many as y
// has.
void add_column(Eigen::MatrixXcd& R, Eigen::VectorXcd y) {
    for (Eigen::Index i = y.size() - 1; i >= 0; --i) {
        const double a = std::abs(R(i, i)), b = std::abs(y[i]), h = std::hypot(a, b);
        if (b == 0) continue;
        const Complex c = R(i, i) / h, s = y[i] / h;
        for (Eigen::Index row = 0; row <= i; ++row) {
            const Complex x = R(row, i), w = y[row];
            R(row, i) = x * std::conj(c) + w * std::conj(s);
            y[row] = w * c - x * s;
        }
    }
}

// U x = b for upper triangular U.
Eigen::VectorXcd back_substituted(const Eigen::MatrixXcd& U, Eigen::VectorXcd b) {
    for (Eigen::Index i = b.size() - 1; i >= 0; --i) {
        b[i] /= U(i, i);
        b.head(i) -= b[i] * U.col(i).head(i);
    }
    return b;
}

}  // namespace

double lyapunov_residual(const Eigen::MatrixXd& A, const Eigen::MatrixXd& Q, const Eigen::MatrixXd& X,
                         bool sampled) {
    const Eigen::MatrixXd AX = A * X;
    if (sampled) {
        const Eigen::MatrixXd AXA = AX * A.transpose();
        const double size = AXA.norm() + X.norm() + Q.norm();
        return size > 0 ? (AXA - X + Q).norm() / size : 0;
    }
    const double size = 2 * AX.norm() + Q.norm();
    return size > 0 ? (AX + AX.transpose() + Q).norm() / size : 0;
}

std::optional<LyapunovSolution> solve_lyapunov(const Eigen::MatrixXd& A, const Eigen::MatrixXd& Q,
                                               bool sampled) {
    const Eigen::Index n = A.rows();
    if (n == 0) return LyapunovSolution{Eigen::MatrixXd(0, 0), 0};
    const Eigen::VectorXd d = balancing(A), inverse = d.cwiseInverse();
    const Eigen::MatrixXd balanced = inverse.asDiagonal() * A * d.asDiagonal();
    const auto schur = real_schur(balanced);
    if (!schur || !Q.allFinite()) return {};
    const Eigen::MatrixXd F =
        -schur->Q.transpose() * (inverse.asDiagonal() * Q * inverse.asDiagonal()) * schur->Q;
    const auto X = sampled ? solve_discrete(schur->T, F)
                           : solve_triangular_sylvester(schur->T, false, schur->T, true, 1, F);
    if (!X) return {};
    LyapunovSolution out;
    const Eigen::MatrixXd full = schur->Q * *X * schur->Q.transpose();
    out.X = d.asDiagonal() * (0.5 * (full + full.transpose())) * d.asDiagonal();
    out.residual = lyapunov_residual(A, Q, out.X, sampled);
    return out;
}

std::optional<Eigen::MatrixXd> gramian_factor(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                                              bool sampled) {
    const Eigen::Index n = A.rows(), m = B.cols();
    if (n == 0) return Eigen::MatrixXd(0, 0);
    if (m == 0) return Eigen::MatrixXd::Zero(n, n);
    if (!A.allFinite() || !B.allFinite()) return {};
    const Eigen::VectorXd d = balancing(A), inverse = d.cwiseInverse();
    const Eigen::MatrixXd balanced = inverse.asDiagonal() * A * d.asDiagonal();
    const auto schur = complex_schur(balanced);
    if (!schur) return {};
    const Eigen::MatrixXcd& T = schur->T;
    const Eigen::MatrixXcd Bs = schur->U.adjoint() * (inverse.asDiagonal() * B).cast<Complex>();
    // B B^H = R R^H with R upper triangular, column after column of B.
    Eigen::MatrixXcd R = Eigen::MatrixXcd::Zero(n, n), U = Eigen::MatrixXcd::Zero(n, n);
    for (Eigen::Index j = 0; j < m; ++j) add_column(R, Bs.col(j));
    for (Eigen::Index k = n - 1; k >= 0; --k) {
        // T = [T1 t; 0 tau], R = [R1 r; 0 rho], U = [U1 u; 0 v]
        const Complex tau = T(k, k), rho = R(k, k);
        const double decay = sampled ? 1 - std::norm(tau) : -2 * tau.real();
        if (!(decay > 0)) return {};
        const double v = std::abs(rho) / std::sqrt(decay);
        const Complex alpha = v > 0 ? rho / v : Complex(std::sqrt(decay));
        U(k, k) = v;
        if (k == 0) break;
        const Eigen::VectorXcd t = T.col(k).head(k), r = R.col(k).head(k);
        const auto T1 = T.topLeftCorner(k, k);
        Eigen::VectorXcd u, y;
        if (sampled) {
            // (conj(tau) T1 - I) u = -(t v conj(tau) + r conj(alpha)),  y = tau r - alpha (T1 u + t v)
            Eigen::MatrixXcd M = std::conj(tau) * T1;
            M.diagonal().array() -= 1.0;
            u = back_substituted(M, -(t * (v * std::conj(tau)) + r * std::conj(alpha)));
            y = tau * r - alpha * (T1 * u + t * v);
        } else {
            // (T1 + conj(tau) I) u = -(t v + r conj(alpha)),  y = r - alpha u
            Eigen::MatrixXcd M = T1;
            M.diagonal().array() += std::conj(tau);
            u = back_substituted(M, -(t * v + r * std::conj(alpha)));
            y = r - alpha * u;
        }
        U.col(k).head(k) = u;
        add_column(R, y);
    }
    const Eigen::MatrixXcd L = d.cast<Complex>().asDiagonal() * (schur->U * U);
    if (!L.allFinite()) return {};
    // The Gramian is real: Re(L L^H) = [Re L, Im L] [Re L, Im L]^T.
    // Made square with orthogonal transformations.
    Eigen::MatrixXd wide(n, 2 * n);
    wide << L.real(), L.imag();
    const RowCompression compression(wide.transpose());
    compression.apply_right(wide);
    return Eigen::MatrixXd(wide.leftCols(n));
}

}  // namespace cutset
