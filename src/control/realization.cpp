#include "control/realization.h"

#include <cmath>

#include "control/decompositions.h"
#include "control/lyapunov.h"
#include "control/modes.h"
#include "control/scaling.h"
#include "control/state_space_messages.h"

namespace cutset {

namespace {

// The part that the inputs reach, in coordinates of its own.
StateSpace controllable_part(const StateSpace& system, const Staircase& form) {
    const Eigen::Index k = form.reached;
    const Eigen::MatrixXd Qk = form.Q.leftCols(k);
    const Eigen::VectorXd inverse = form.scale.cwiseInverse();
    const Eigen::MatrixXd B = Qk.transpose() * (inverse.asDiagonal() * system.B);
    const Eigen::MatrixXd C = system.C * (form.scale.asDiagonal() * Qk);
    return with_new_states(system, form.A.topLeftCorner(k, k), B, C);
}

}  // namespace

StateSpace with_new_states(const StateSpace& old, Eigen::MatrixXd A, Eigen::MatrixXd B, Eigen::MatrixXd C) {
    StateSpace out;
    out.A = std::move(A);
    out.B = std::move(B);
    out.C = std::move(C);
    out.D = old.D;
    for (Eigen::Index i = 0; i < out.A.rows(); ++i) out.states.push_back("z" + std::to_string(i + 1));
    out.inputs = old.inputs;
    out.outputs = old.outputs;
    out.sample_time = old.sample_time;
    return out;
}

MinimalRealization minimal_realization(const StateSpace& system, double tolerance) {
    MinimalRealization out;
    out.system = system;
    const Staircase reach = controllability_staircase(system, tolerance);
    out.uncontrollable = system.order() - reach.reached;
    if (out.uncontrollable > 0) out.system = controllable_part(system, reach);
    const StateSpace other = dual(out.system);
    const Staircase seen = controllability_staircase(other, tolerance);
    out.unobservable = out.system.order() - seen.reached;
    if (out.unobservable > 0) out.system = dual(controllable_part(other, seen));
    return out;
}

std::optional<Gramians> gramians(const StateSpace& system, Diagnostics& diagnostics) {
    if (!check_stable(system, "the Gramians are integrals over all time and exist", diagnostics)) return {};
    // Units are taken out first: x = S x_scaled.
    const SystemScaling scaling = scaling_of(system);
    const StateSpace s = scaled(system, {scaling.states, Eigen::VectorXd::Ones(system.B.cols()),
                                         Eigen::VectorXd::Ones(system.C.rows())});
    const auto reach = gramian_factor(s.A, s.B, system.is_sampled());
    const auto show = gramian_factor(s.A.transpose(), s.C.transpose(), system.is_sampled());
    if (!reach || !show) {
        diagnostics.report(state_space_messages::no_convergence("the Gramians"));
        return {};
    }
    Gramians out;
    out.hankel = singular_values(Eigen::MatrixXd(show->transpose() * *reach), false).values;
    out.controllability_factor = scaling.states.asDiagonal() * *reach;
    out.observability_factor = scaling.states.cwiseInverse().asDiagonal() * *show;
    out.controllability = out.controllability_factor * out.controllability_factor.transpose();
    out.observability = out.observability_factor * out.observability_factor.transpose();
    const bool sampled = system.is_sampled();
    out.controllability_residual =
        lyapunov_residual(system.A, system.B * system.B.transpose(), out.controllability, sampled);
    out.observability_residual =
        lyapunov_residual(system.A.transpose(), system.C.transpose() * system.C, out.observability, sampled);
    return out;
}

std::optional<BalancedRealization> balanced_realization(const StateSpace& system,
                                                        std::optional<Eigen::Index> order,
                                                        Diagnostics& diagnostics, double tolerance) {
    const auto g = gramians(system, diagnostics);
    if (!g) return {};
    const SingularValues svd =
        singular_values(Eigen::MatrixXd(g->observability_factor.transpose() * g->controllability_factor));
    BalancedRealization out;
    out.hankel = svd.values;
    Eigen::Index k = 0;
    while (k < out.hankel.size() && out.hankel[k] > tolerance * out.hankel[0]) ++k;
    if (order) k = std::min(k, *order);
    out.order = k;
    for (Eigen::Index i = k; i < out.hankel.size(); ++i) out.error_bound += 2 * out.hankel[i];
    // T = Sc V s^-1/2, its left inverse s^-1/2 U^T So^T
    const Eigen::VectorXd root = out.hankel.head(k).cwiseSqrt().cwiseInverse();
    Eigen::MatrixXd T = g->controllability_factor * svd.V.leftCols(k) * root.asDiagonal();
    Eigen::MatrixXd L =
        root.asDiagonal() * svd.U.leftCols(k).transpose() * g->observability_factor.transpose();
    // The sign is free: the largest element of each input row is positive.
    for (Eigen::Index i = 0; i < k; ++i) {
        Eigen::Index at = 0;
        const Eigen::RowVectorXd row = L.row(i) * system.B;
        if (row.size() == 0) break;
        row.cwiseAbs().maxCoeff(&at);
        if (row[at] < 0) {
            T.col(i) *= -1;
            L.row(i) *= -1;
        }
    }
    out.system = with_new_states(system, L * system.A * T, L * system.B, system.C * T);
    return out;
}

}  // namespace cutset
