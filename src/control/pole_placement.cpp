#include "control/pole_placement.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "control/decompositions.h"
#include "control/modes.h"
#include "control/robust_placement.h"
#include "control/staircase.h"
#include "control/state_space_messages.h"

namespace cutset {

namespace {

using Complex = std::complex<double>;

// Poles still to be given away.
struct Wanted {
    std::vector<double> real;
    std::vector<Complex> pairs;  // the one with positive imaginary part

    double take_real(double near) {
        const auto at = std::min_element(real.begin(), real.end(), [&](double a, double b) {
            return std::abs(a - near) < std::abs(b - near);
        });
        const double out = *at;
        real.erase(at);
        return out;
    }
    Complex take_pair(Complex near) {
        near = {near.real(), std::abs(near.imag())};
        const auto at = std::min_element(pairs.begin(), pairs.end(), [&](Complex a, Complex b) {
            return std::abs(a - near) < std::abs(b - near);
        });
        const Complex out = *at;
        pairs.erase(at);
        return out;
    }
};

// F of least size (among two candidates) such that T + G F has the given sum and product of eigenvalues; T is
// 2 by 2.
std::optional<Eigen::MatrixXd> feedback_for_two(const Eigen::Matrix2d& T, const Eigen::MatrixXd& G,
                                                double sum, double product) {
    const SingularValues svd = singular_values(G);
    if (!(svd.values[0] > 0)) return {};
    std::optional<Eigen::MatrixXd> best;
    // Through the strongest direction of the inputs: f for (T, b), by Ackermann's formula in two dimensions.
    const Eigen::VectorXd v = svd.V.col(0);
    const Eigen::Vector2d b = G * v, Tb = T * b;
    const double det = b[0] * Tb[1] - b[1] * Tb[0];
    if (std::abs(det) > 1e-14 * b.norm() * Tb.norm() && det != 0) {
        // p(T) with p = s^2 - sum s + product; the last row of [b Tb]^-1 is (-b1, b0)/det
        const Eigen::Matrix2d P = T * T - sum * T + product * Eigen::Matrix2d::Identity();
        const Eigen::RowVector2d last = Eigen::RowVector2d(-b[1], b[0]) / det;
        best = -v * (last * P);
    }
    // Through two directions: T + G F = T with its trace and determinant changed least.
    if (svd.values.size() > 1 && svd.values[1] > 1e-10 * svd.values[0]) {
        Eigen::Matrix2d target = T;
        const double shift = (sum - T.trace()) / 2;
        target += shift * Eigen::Matrix2d::Identity();
        // a d - b c = product: change the smaller of the two off-diagonal elements, or split the diagonal.
        const double a = target(0, 0), d = target(1, 1), need = a * d - product;
        if (std::abs(target(0, 1)) > 1e-8 * target.norm())
            target(1, 0) = need / target(0, 1);
        else if (std::abs(target(1, 0)) > 1e-8 * target.norm())
            target(0, 1) = need / target(1, 0);
        else {
            const double discriminant = sum * sum / 4 - product;
            if (discriminant >= 0) {
                const double root = std::sqrt(discriminant);
                target << sum / 2 + root, 0, 0, sum / 2 - root;
            } else {
                const double w = std::sqrt(-discriminant);
                target << sum / 2, w, -w, sum / 2;
            }
        }
        const Eigen::Matrix2d change = target - T;
        const Eigen::Vector2d inverse(1 / svd.values[0], 1 / svd.values[1]);
        const Eigen::MatrixXd F = svd.V.leftCols(2) * inverse.asDiagonal() * (svd.U.transpose() * change);
        if (!best || F.norm() < best->norm()) best = F;
    }
    return best;
}

// K of the controllable pair (A, B), by Varga's method.
std::optional<Eigen::MatrixXd> schur_placement(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                                               Wanted wanted) {
    const Eigen::Index n = A.rows(), m = B.cols();
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(m, n);
    if (n == 0) return K;
    auto schur = real_schur(A);
    if (!schur) return {};
    Eigen::Index done = 0;  // eigenvalues in place, at the top
    while (done < n) {
        Eigen::Index p = done + 1 < n && schur->T(n - 1, n - 2) != 0 ? 2 : 1;
        if (p == 1 && wanted.real.empty()) {
            // A real eigenvalue must share a pair with another real one: both to the bottom.
            Eigen::Index other = n - 2;
            while (other >= done && schur->values[other].imag() != 0) --other;
            if (other < done) return {};
            std::vector<int> select(n, 1);
            select[n - 1] = select[other] = 0;
            if (!reorder(*schur, select)) return {};
            p = 2;
        }
        const Eigen::MatrixXd G = schur->Q.rightCols(p).transpose() * B;
        Eigen::MatrixXd F(m, p);
        if (p == 1) {
            const double t = schur->T(n - 1, n - 1), pole = wanted.take_real(t), size = G.squaredNorm();
            if (!(size > 0)) return {};
            F = G.transpose() * ((pole - t) / size);
        } else {
            double sum, product;
            const Complex at = schur->values[n - 1];
            if (!wanted.pairs.empty() && (at.imag() != 0 || wanted.real.size() < 2)) {
                const Complex pair = wanted.take_pair(at);
                sum = 2 * pair.real();
                product = std::norm(pair);
            } else {
                const double first = wanted.take_real(at.real()), second = wanted.take_real(at.real());
                sum = first + second;
                product = first * second;
            }
            const Eigen::Matrix2d T2 = schur->T.bottomRightCorner(2, 2);
            const auto two = feedback_for_two(T2, G, sum, product);
            if (!two) return {};
            F = *two;
        }
        if (!F.allFinite()) return {};
        K -= F * schur->Q.rightCols(p).transpose();
        const Eigen::MatrixXd added = schur->Q.transpose() * (B * F);
        schur->T.rightCols(p) += added;
        if (p == 2) {
            // Back to standard form: a rotation of the last two.
            const auto small = real_schur(schur->T.bottomRightCorner(2, 2));
            if (!small) return {};
            const Eigen::MatrixXd rows = small->Q.transpose() * schur->T.bottomRows(2);
            schur->T.bottomRows(2) = rows;
            const Eigen::MatrixXd columns = schur->T.rightCols(2) * small->Q;
            schur->T.rightCols(2) = columns;
            const Eigen::MatrixXd basis = schur->Q.rightCols(2) * small->Q;
            schur->Q.rightCols(2) = basis;
            schur->T.bottomRightCorner(2, 2) = small->T;
            schur->T.block(n - 2, 0, 2, n - 2).setZero();
        } else {
            schur->T.block(n - 1, 0, 1, n - 1).setZero();
        }
        std::vector<int> select(n, 0);
        std::fill(select.begin(), select.begin() + done, 1);
        std::fill(select.end() - p, select.end(), 1);
        if (!reorder(*schur, select)) return {};
        done += p;
    }
    return K;
}

// Each of `found` paired with the nearest that is left of `wanted`; the largest distance.
double distance(const std::vector<Complex>& found, std::vector<Complex> wanted) {
    double out = 0, size = 0;
    for (const Complex& w : wanted) size = std::max(size, std::abs(w));
    for (const Complex& f : found) {
        const auto at = std::min_element(
            wanted.begin(), wanted.end(),
            [&](const Complex& a, const Complex& b) { return std::abs(a - f) < std::abs(b - f); });
        if (at == wanted.end()) break;
        out = std::max(out, std::abs(*at - f));
        wanted.erase(at);
    }
    return size > 0 ? out / size : out;
}

// As many as there are states, finite, and each with its conjugate.
bool check_poles(const StateSpace& system, const std::vector<Complex>& given, Diagnostics& diagnostics) {
    const auto fail = [&](Diagnostic d) {
        diagnostics.report(std::move(d));
        return false;
    };
    if (system.B.cols() == 0) return fail(state_space_messages::inputs_and_outputs_needed("pole placement"));
    if (static_cast<Eigen::Index>(given.size()) != system.order())
        return fail(state_space_messages::not_square_poles(given.size(), system.order()));
    for (const Complex& pole : given) {
        if (!std::isfinite(pole.real()) || !std::isfinite(pole.imag()))
            return fail(state_space_messages::pole_not_a_number(pole));
        const auto count = [&](const Complex& value) {
            return std::count(given.begin(), given.end(), value);
        };
        if (count(pole) != count(std::conj(pole)))
            return fail(state_space_messages::pole_without_conjugate(pole));
    }
    return true;
}

// What cannot be moved must be among the poles wanted; `left` are then the others.
bool take_fixed_poles(const StateSpace& system, std::vector<Complex>& left, Diagnostics& diagnostics) {
    std::vector<FixedMode> missing;
    double size = 0;
    for (const Complex& pole : left) size = std::max(size, std::abs(pole));
    for (const FixedMode& mode : uncontrollable_modes(system)) {
        const auto at = std::min_element(left.begin(), left.end(), [&](const Complex& a, const Complex& b) {
            return std::abs(a - mode.eigenvalue) < std::abs(b - mode.eigenvalue);
        });
        if (at != left.end() &&
            std::abs(*at - mode.eigenvalue) <= 1e-6 * std::max({size, std::abs(mode.eigenvalue), 1e-300}))
            left.erase(at);
        else
            missing.push_back(mode);
    }
    if (missing.empty()) return true;
    std::vector<std::string> names;
    for (const FixedMode& mode : missing)
        if (mode.eigenvalue.imag() >= 0) names.push_back(shown(mode, system.states));
    diagnostics.report(state_space_messages::cannot_place(names, system.inputs));
    return false;
}

// The system with the feedback K; `scale` balances its states. Nothing when its poles cannot be computed.
std::optional<PolePlacement> placement(const StateSpace& system, Eigen::MatrixXd K,
                                       const Eigen::VectorXd& scale, const std::vector<Complex>& given) {
    PolePlacement out;
    out.K = std::move(K);
    out.closed_loop = system;
    out.closed_loop.A = system.A - system.B * out.K;
    out.closed_loop.C = system.C - system.D * out.K;
    const auto found = poles(out.closed_loop.A, system.sample_time);
    const auto eigen =
        eigen_decomposition(scale.cwiseInverse().asDiagonal() * out.closed_loop.A * scale.asDiagonal(), true);
    if (!found || !eigen) return {};
    out.poles = *found;
    out.error = distance(*found, given);
    const Eigen::VectorXd s = system.order() > 0 ? singular_values(eigen->right) : Eigen::VectorXd::Ones(1);
    out.sensitivity = s[s.size() - 1] > 0 ? s[0] / s[s.size() - 1] : std::numeric_limits<double>::infinity();
    return out;
}

// Closer to the poles wanted; of two that are close, with better conditioned eigenvectors.
bool is_better(const PolePlacement& a, const PolePlacement& b) {
    constexpr double close = 1e-9;
    if (a.error < close) return b.error >= close || a.sensitivity < b.sensitivity;
    return a.error < b.error;
}

}  // namespace

std::optional<PolePlacement> place_poles(const StateSpace& system, const std::vector<Complex>& given,
                                         Diagnostics& diagnostics, std::optional<PlacementMethod> method) {
    if (!check_system(system, diagnostics) || !check_poles(system, given, diagnostics)) return {};
    std::vector<Complex> left = given;
    const Staircase form = controllability_staircase(system);
    const Eigen::Index k = form.reached;
    if (k < system.order() && !take_fixed_poles(system, left, diagnostics)) return {};
    Wanted wanted;
    for (const Complex& pole : left) {
        if (pole.imag() == 0) wanted.real.push_back(pole.real());
        if (pole.imag() > 0) wanted.pairs.push_back(pole);
    }
    const Eigen::VectorXd inverse = form.scale.cwiseInverse();
    const Eigen::MatrixXd Qk = form.Q.leftCols(k);
    const Eigen::MatrixXd Bk = Qk.transpose() * (inverse.asDiagonal() * system.B);
    const Eigen::MatrixXd Ak = form.A.topLeftCorner(k, k);
    std::optional<PolePlacement> best;
    const auto consider = [&](const std::optional<Eigen::MatrixXd>& K, PlacementMethod of) {
        if (!K) return;
        auto out = placement(system, *K * Qk.transpose() * inverse.asDiagonal(), form.scale, given);
        if (!out || (best && !is_better(*out, *best))) return;
        best = std::move(out);
        best->method = of;
    };
    if (method != PlacementMethod::Robust) consider(schur_placement(Ak, Bk, wanted), PlacementMethod::Schur);
    constexpr Eigen::Index largest_robust = 80;
    if (method != PlacementMethod::Schur && Bk.cols() > 1 && k <= largest_robust)
        consider(robust_placement(Ak, Bk, left), PlacementMethod::Robust);
    if (!best && method == PlacementMethod::Robust)
        consider(schur_placement(Ak, Bk, wanted), PlacementMethod::Schur);
    if (!best) {
        diagnostics.report(state_space_messages::no_convergence("the feedback"));
        return {};
    }
    if (best->error > 1e-3) diagnostics.report(state_space_messages::placed_inaccurately(best->error));
    return best;
}

}  // namespace cutset
