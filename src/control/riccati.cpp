#include "control/riccati.h"

#include <cmath>

#include "control/decompositions.h"
#include "control/kleinman.h"
#include "control/lyapunov.h"
#include "control/modes.h"
#include "control/row_compression.h"
#include "control/scaling.h"

namespace cutset {

namespace {

std::optional<Eigen::MatrixXd> gain(const RiccatiProblem& p, const Eigen::MatrixXd& X) {
    const Eigen::MatrixXd BX = p.B.transpose() * X;
    const RealSolver solver(p.sampled ? Eigen::MatrixXd(p.R + BX * p.B) : p.R);
    if (!(solver.reciprocal_condition() > 1e-17)) return {};
    return solver.solve(p.sampled ? Eigen::MatrixXd(BX * p.A + p.N.transpose())
                                  : Eigen::MatrixXd(BX + p.N.transpose()));
}

// The left-hand side of the equation with K of X, and the sum of the norms of its terms.
Eigen::MatrixXd equation(const RiccatiProblem& p, const Eigen::MatrixXd& X, const Eigen::MatrixXd& K,
                         double& size) {
    if (p.sampled) {
        const Eigen::MatrixXd XA = X * p.A, first = p.A.transpose() * XA;
        const Eigen::MatrixXd second = (XA.transpose() * p.B + p.N) * K;
        size = first.norm() + X.norm() + second.norm() + p.Q.norm();
        return first - X - second + p.Q;
    }
    const Eigen::MatrixXd XA = X * p.A, second = (X * p.B + p.N) * K;
    size = 2 * XA.norm() + second.norm() + p.Q.norm();
    return XA + XA.transpose() - second + p.Q;
}

// The largest element of the left-hand side beside what rounding its terms, each element by itself, could
// make of it: does not depend on the units of the states, so that no time scale hides behind another.
double verified_residual(const RiccatiProblem& p, const Eigen::MatrixXd& X, const Eigen::MatrixXd& K) {
    double ignored = 0;
    const Eigen::MatrixXd E = equation(p, X, K, ignored);
    const Eigen::MatrixXd XA = X.cwiseAbs() * p.A.cwiseAbs();
    Eigen::MatrixXd size;
    if (p.sampled)
        size = p.A.cwiseAbs().transpose() * XA + X.cwiseAbs() +
               (XA.transpose() * p.B.cwiseAbs() + p.N.cwiseAbs()) * K.cwiseAbs() + p.Q.cwiseAbs();
    else
        size = XA + XA.transpose() + (X.cwiseAbs() * p.B.cwiseAbs() + p.N.cwiseAbs()) * K.cwiseAbs() +
               p.Q.cwiseAbs();
    double out = 0;
    for (Eigen::Index i = 0; i < E.rows(); ++i)
        for (Eigen::Index j = 0; j < E.cols(); ++j)
            if (E(i, j) != 0) out = std::max(out, std::abs(E(i, j)) / std::sqrt(size(i, i) * size(j, j)));
    return out;
}

// A sum of squares is never negative: |X_ij|² ≤ X_ii X_jj.
bool may_be_a_sum_of_squares(const Eigen::MatrixXd& X) {
    constexpr double rounding = 1e-6;
    const double largest = X.cwiseAbs().maxCoeff();
    for (Eigen::Index i = 0; i < X.rows(); ++i)
        for (Eigen::Index j = 0; j < X.cols(); ++j) {
            if (std::abs(X(i, j)) <= 1e-13 * largest) continue;
            if (X(i, i) <= 0 || X(i, j) * X(i, j) > X(i, i) * X(j, j) * (1 + rounding)) return false;
        }
    return true;
}

// Largest real part (or magnitude less 1) beyond what rounding explains.
bool closed_loop_stable(const RiccatiProblem& p, const Eigen::MatrixXd& K) {
    const auto found = modes(p.A - p.B * K, p.sampled ? std::optional<double>(1) : std::nullopt);
    if (!found) return false;
    for (const Mode& mode : *found)
        if (!mode.stable(p.sampled) && !mode.on_border(p.sampled)) return false;
    return true;
}

// X = U2 U1^-1 of the deflating subspace [U1; U2; U3] of the extended pencil that belongs to the stable
// eigenvalues.
std::optional<Eigen::MatrixXd> from_pencil(const RiccatiProblem& p) {
    const Eigen::Index n = p.A.rows(), m = p.B.cols();
    Eigen::MatrixXd H = Eigen::MatrixXd::Zero(2 * n + m, 2 * n), J = H, tail(2 * n + m, m);
    const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(n, n);
    H.block(0, 0, n, n) = p.A;
    H.block(n, 0, n, n) = -p.Q;
    H.block(2 * n, 0, m, n) = p.N.transpose();
    J.block(0, 0, n, n) = I;
    if (p.sampled) {
        H.block(n, n, n, n) = I;
        J.block(n, n, n, n) = p.A.transpose();
        J.block(2 * n, n, m, n) = -p.B.transpose();
    } else {
        H.block(n, n, n, n) = -p.A.transpose();
        H.block(2 * n, n, m, n) = p.B.transpose();
        J.block(n, n, n, n) = I;
    }
    tail << p.B, -p.N, p.R;
    // The inputs are taken out by orthogonal transformations of the rows.
    const Eigen::MatrixXd W = orthogonal_complement(tail);
    auto schur = generalized_schur(W.transpose() * H, W.transpose() * J);
    if (!schur) return {};
    std::vector<int> select(2 * n);
    Eigen::Index stable = 0;
    for (Eigen::Index i = 0; i < 2 * n; ++i) {
        const auto alpha = schur->values.alpha[i];
        const double beta = schur->values.beta[i];
        select[i] = p.sampled ? std::abs(alpha) < beta : alpha.real() < 0 && beta > 0;
        stable += select[i];
    }
    if (stable != n || !reorder(*schur, select)) return {};
    const RealSolver U1(schur->Z.topLeftCorner(n, n));
    if (!(U1.reciprocal_condition() > 1e-16)) return {};
    const Eigen::MatrixXd X = U1.solve_transposed(schur->Z.block(n, 0, n, n).transpose());
    if (!X.allFinite()) return {};
    return Eigen::MatrixXd(0.5 * (X + X.transpose()));
}

std::optional<KleinmanSolution> refined_pencil_solution(const RiccatiProblem& p) {
    auto X = from_pencil(p);
    if (!X) return {};
    auto K = gain(p, *X);
    if (!K) return {};
    double size = 0;
    Eigen::MatrixXd E = equation(p, *X, *K, size);
    double residual = size > 0 ? E.norm() / size : 0;
    for (int pass = 0; pass < 3 && residual > 1e-15; ++pass) {
        const auto step = solve_lyapunov((p.A - p.B * *K).transpose(), 0.5 * (E + E.transpose()), p.sampled);
        if (!step) break;
        const Eigen::MatrixXd better = *X + step->X;
        const auto better_K = gain(p, better);
        if (!better_K) break;
        double better_size = 0;
        const Eigen::MatrixXd better_E = equation(p, better, *better_K, better_size);
        const double better_residual = better_size > 0 ? better_E.norm() / better_size : 0;
        if (!(better_residual < 0.5 * residual)) break;
        X = better;
        K = better_K;
        E = better_E;
        residual = better_residual;
    }
    return KleinmanSolution{*X, *K};
}

}  // namespace

std::optional<RiccatiSolution> solve_riccati(const RiccatiProblem& given) {
    const Eigen::Index n = given.A.rows(), m = given.B.cols();
    RiccatiProblem p = given;
    if (p.N.size() == 0) p.N = Eigen::MatrixXd::Zero(n, m);
    if (!p.A.allFinite() || !p.B.allFinite() || !p.Q.allFinite() || !p.R.allFinite() || !p.N.allFinite())
        return {};
    // x = S x_s, u = U u_s, X = r S^-1 X_s S^-1
    StateSpace units;
    units.A = p.A;
    units.B = p.B;
    units.C = p.Q;
    units.D = Eigen::MatrixXd::Zero(n, m);
    const Eigen::VectorXd S = scaling_of(units).states, inverse = S.cwiseInverse();
    Eigen::VectorXd U(m);
    for (Eigen::Index i = 0; i < m; ++i) U[i] = power_of_two(1 / std::sqrt(std::abs(p.R(i, i))));
    p.A = (inverse.asDiagonal() * p.A * S.asDiagonal()).eval();
    p.B = (inverse.asDiagonal() * p.B * U.asDiagonal()).eval();
    p.Q = (S.asDiagonal() * p.Q * S.asDiagonal()).eval();
    p.N = (S.asDiagonal() * p.N * U.asDiagonal()).eval();
    p.R = (U.asDiagonal() * p.R * U.asDiagonal()).eval();
    double r = 1;
    if (const RealSolver solver(p.R); solver.reciprocal_condition() > 0 && m > 0) {
        const double g = (p.B * solver.solve(p.B.transpose())).norm(), q = p.Q.norm();
        if (g > 0 && q > 0) r = power_of_two(p.sampled ? q : std::sqrt(q / g));
    }
    p.Q /= r;
    p.N /= r;
    p.R /= r;

    // By the pencil, refined; where time scales differ too much for that, by Kleinman's iteration.
    std::optional<KleinmanSolution> best;
    double residual = INFINITY;
    const auto consider = [&](const Eigen::MatrixXd& X, const Eigen::MatrixXd& K) {
        if (!X.allFinite() || !K.allFinite() || !may_be_a_sum_of_squares(X) || !closed_loop_stable(p, K))
            return;
        const double found = verified_residual(p, X, K);
        if (best && found >= residual) return;
        residual = found;
        best = KleinmanSolution{X, K};
    };
    std::optional<Eigen::MatrixXd> start;
    if (const auto solution = refined_pencil_solution(p)) {
        start = solution->K;
        consider(solution->X, solution->K);
    }
    if (!(residual < 1e-11)) {
        if (start)
            if (const auto solution = kleinman_iteration(p, *start)) consider(solution->X, solution->K);
        if (!(residual < 1e-11))
            if (const auto K = stabilizing_gain(p.A, p.B, p.sampled))
                if (const auto solution = kleinman_iteration(p, *K)) consider(solution->X, solution->K);
    }
    if (!best) return {};
    const std::optional<Eigen::MatrixXd> X = best->X, K = best->K;
    RiccatiSolution out;
    out.X = r * (inverse.asDiagonal() * *X * inverse.asDiagonal());
    out.K = U.asDiagonal() * *K * inverse.asDiagonal();
    out.residual = residual;
    const auto closed =
        poles(given.A - given.B * out.K, given.sampled ? std::optional<double>(1) : std::nullopt);
    if (!closed) return {};
    out.poles = *closed;
    return out;
}

}  // namespace cutset
