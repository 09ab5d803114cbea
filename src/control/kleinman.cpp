#include "control/kleinman.h"

#include <cmath>

#include "control/decompositions.h"
#include "control/lyapunov.h"

namespace cutset {

namespace {

// C with C^T C = M for a symmetric M without negative eigenvalues, judged with a diagonal of ones.
std::optional<Eigen::MatrixXd> root_of(const Eigen::MatrixXd& M) {
    const Eigen::Index n = M.rows();
    Eigen::VectorXd d(n);
    for (Eigen::Index i = 0; i < n; ++i) d[i] = M(i, i) > 0 ? std::sqrt(M(i, i)) : 1;
    const Eigen::VectorXd inverse = d.cwiseInverse();
    const auto eigen = symmetric_eigen(inverse.asDiagonal() * M * inverse.asDiagonal());
    if (!eigen) return {};
    const Eigen::VectorXd root = eigen->values.cwiseMax(0).cwiseSqrt();
    return Eigen::MatrixXd(root.asDiagonal() * eigen->V.transpose() * d.asDiagonal());
}

}  // namespace

std::optional<Eigen::MatrixXd> stabilizing_gain(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                                                bool sampled) {
    const Eigen::Index n = A.rows(), m = B.cols();
    auto schur = real_schur(A);
    if (!schur) return {};
    std::vector<int> stable(n);
    Eigen::Index kept = 0;
    double size = 0, least = INFINITY, largest = 0;
    for (const auto& value : schur->values) size = std::max(size, std::abs(value));
    for (Eigen::Index i = 0; i < n; ++i) {
        const auto value = schur->values[i];
        stable[i] = sampled ? std::abs(value) < 1 - 1e-12 : value.real() < -1e-15 * size;
        kept += stable[i];
        if (!stable[i]) largest = std::max(largest, std::abs(value));
        if (std::abs(value) > 1e-12 * size) least = std::min(least, std::abs(value));
    }
    if (kept == n) return Eigen::MatrixXd(Eigen::MatrixXd::Zero(m, n));
    if (!reorder(*schur, stable)) return {};
    const Eigen::Index k = n - kept;
    Eigen::MatrixXd T = schur->T.bottomRightCorner(k, k);
    const Eigen::MatrixXd Qu = schur->Q.rightCols(k), Bu = Qu.transpose() * B;
    Eigen::MatrixXd K;
    if (sampled) {
        // P = T^-1 (P + B B^T) T^-T: K = B^T (P + B B^T)^-1 T mirrors the eigenvalues at the unit circle, a
        // bit inside.
        constexpr double inside = 1.1;
        T *= inside;
        const RealSolver solver(T);
        if (!(solver.reciprocal_condition() > 0)) return {};
        const auto S = gramian_factor(solver.solve(Eigen::MatrixXd::Identity(k, k)), solver.solve(Bu), true);
        if (!S) return {};
        const RealSolver whole(*S * S->transpose() + Bu * Bu.transpose());
        if (!(whole.reciprocal_condition() > 0)) return {};
        K = Bu.transpose() * whole.solve(T) / inside;
    } else {
        // T P + P T^T = B B^T: K = B^T P^-1 mirrors the eigenvalues at the axis, shifted a bit to the left.
        const double shift = largest > 1e-12 * size ? 0.5 * largest : std::isfinite(least) ? 0.5 * least : 1;
        T.diagonal().array() += shift;
        const auto S = gramian_factor(-T, Bu, false);
        if (!S) return {};
        const RealSolver solver(*S);
        if (!(solver.reciprocal_condition() > 0)) return {};
        K = solver.solve_transposed(solver.solve(Bu)).transpose();
    }
    K = (K * Qu.transpose()).eval();
    if (!K.allFinite()) return {};
    return K;
}

std::optional<KleinmanSolution> kleinman_iteration(const RiccatiProblem& p, Eigen::MatrixXd K) {
    const Eigen::Index n = p.A.rows(), m = p.B.cols();
    // The cross weight is taken out by completing the square.
    Eigen::MatrixXd A = p.A, Q = p.Q, F = Eigen::MatrixXd::Zero(m, n);
    if (p.N.size() > 0 && !p.N.isZero(0)) {
        const RealSolver solver(p.R);
        if (!(solver.reciprocal_condition() > 0)) return {};
        F = solver.solve(p.N.transpose());
        A -= p.B * F;
        Q -= p.N * F;
        K -= F;
    }
    const auto C = root_of(Q), W = root_of(p.R);
    if (!C || !W) return {};
    double last = INFINITY;
    KleinmanSolution out;
    for (int pass = 0; pass < 200; ++pass) {
        Eigen::MatrixXd factor(n, C->rows() + W->rows());
        factor << C->transpose(), (*W * K).transpose();
        const auto S = gramian_factor((A - p.B * K).transpose(), factor, p.sampled);
        if (!S) return {};
        const Eigen::MatrixXd BS = p.B.transpose() * *S;
        const RealSolver solver(p.sampled ? Eigen::MatrixXd(p.R + BS * BS.transpose()) : p.R);
        if (!(solver.reciprocal_condition() > 0)) return {};
        const Eigen::MatrixXd next = solver.solve(p.sampled ? Eigen::MatrixXd(BS * (S->transpose() * A))
                                                            : Eigen::MatrixXd(BS * S->transpose()));
        if (!next.allFinite()) return {};
        out.X = *S * S->transpose();
        // In units of the states in which X has a diagonal of ones.
        Eigen::VectorXd units(n);
        for (Eigen::Index i = 0; i < n; ++i) units[i] = out.X(i, i) > 0 ? 1 / std::sqrt(out.X(i, i)) : 0;
        const double step = ((next - K) * units.asDiagonal()).norm(),
                     whole = (next * units.asDiagonal()).norm();
        K = next;
        const double change = whole > 0 ? step / whole : 0;
        // Converged, or as nearly as rounding lets it.
        if (change < 1e-14 || (change < 1e-7 && change >= 0.5 * last)) {
            out.K = K + F;
            return out;
        }
        last = change;
    }
    return {};
}

}  // namespace cutset
