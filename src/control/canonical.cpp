#include "control/canonical.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "control/decompositions.h"
#include "control/modes.h"
#include "control/realization.h"
#include "control/scaling.h"
#include "control/state_space_messages.h"

namespace cutset {

namespace {

constexpr double digits_lost = 1e8;
constexpr double cleaned = 1e-12;

// Rounding errors of this size, measured by the largest element, become exact zeros.
void clean(Eigen::MatrixXd& M) {
    if (M.size() == 0) return;
    const double least = cleaned * M.cwiseAbs().maxCoeff();
    M = M.unaryExpr([&](double v) { return std::abs(v) < least ? 0.0 : v; }).eval();
}

double residual_of(const Eigen::MatrixXd& A, const Eigen::MatrixXd& T, const Eigen::MatrixXd& result) {
    const double size = A.norm() * T.norm() + (T * result).norm();
    return size > 0 ? (A * T - T * result).norm() / size : 0;
}

// With the states in units that suit the numbers and time in units of the fastest mode: A = rate S A_s S^-1.
struct Scaled {
    Eigen::MatrixXd A, B, C;
    Eigen::VectorXd S;
    double rate = 1;
};

Scaled natural_units(const StateSpace& system) {
    const SystemScaling scaling = scaling_of(system);
    const Eigen::VectorXd inverse = scaling.states.cwiseInverse();
    Scaled out;
    out.S = scaling.states;
    out.A = inverse.asDiagonal() * system.A * scaling.states.asDiagonal();
    out.B = inverse.asDiagonal() * system.B;
    out.C = system.C * scaling.states.asDiagonal();
    double fastest = 0;
    if (const auto found = poles(system.A))
        for (const auto& value : *found) fastest = std::max(fastest, std::abs(value));
    if (fastest > 0 && !system.is_sampled()) out.rate = std::exp2(std::round(std::log2(fastest)));
    out.A /= out.rate;
    return out;
}

// b_1, A b_1, ..., b_2, A b_2, ...: n columns.
Eigen::MatrixXd chains(const Scaled& s, const std::vector<Eigen::Index>& indices) {
    Eigen::MatrixXd out(s.A.rows(), s.A.rows());
    Eigen::Index at = 0;
    for (std::size_t j = 0; j < indices.size(); ++j)
        for (Eigen::Index i = 0; i < indices[j]; ++i, ++at)
            out.col(at) = i == 0 ? Eigen::VectorXd(s.B.col(static_cast<Eigen::Index>(j)))
                                 : Eigen::VectorXd(s.A * out.col(at - 1));
    return out;
}

double condition_of(const Eigen::MatrixXd& M) {
    // Lengths of the columns are units of the new states.
    Eigen::MatrixXd unit = M;
    for (Eigen::Index j = 0; j < M.cols(); ++j)
        if (const double norm = M.col(j).norm(); norm > 0) unit.col(j) /= norm;
    const Eigen::VectorXd s = singular_values(unit, false).values;
    if (s.size() == 0) return 1;
    return s[s.size() - 1] > 0 ? s[0] / s[s.size() - 1] : INFINITY;
}

CanonicalRealization controllability_form(const StateSpace& system,
                                          const std::vector<Eigen::Index>& indices) {
    const Eigen::Index n = system.order();
    const Scaled s = natural_units(system);
    const Eigen::MatrixXd T = chains(s, indices);
    const RealSolver solver(T);
    Eigen::MatrixXd A = solver.solve(s.A * T), B = solver.solve(s.B), C = s.C * T;
    // Back to the unit of time: the state of A^i b_j is multiplied by rate^i.
    Eigen::VectorXd e(n);
    Eigen::Index at = 0;
    for (Eigen::Index k : indices) {
        for (Eigen::Index i = 0; i < k; ++i, ++at) {
            e[at] = std::pow(s.rate, static_cast<double>(i));
            if (i + 1 < k) A.col(at) = Eigen::VectorXd::Unit(n, at + 1);
        }
    }
    at = 0;
    for (std::size_t j = 0; j < indices.size(); ++j) {
        if (indices[j] > 0) B.col(static_cast<Eigen::Index>(j)) = Eigen::VectorXd::Unit(n, at);
        at += indices[j];
    }
    clean(A);
    clean(B);
    const Eigen::VectorXd inverse = e.cwiseInverse();
    CanonicalRealization out;
    out.system = with_new_states(system, s.rate * (inverse.asDiagonal() * A * e.asDiagonal()),
                                 inverse.asDiagonal() * B, C * e.asDiagonal());
    out.T = s.S.asDiagonal() * T * e.asDiagonal();
    out.condition = condition_of(T);
    out.indices = indices;
    return out;
}

CanonicalRealization controller_form(const StateSpace& system, const std::vector<Eigen::Index>& indices) {
    const Eigen::Index n = system.order(), blocks = static_cast<Eigen::Index>(indices.size());
    const Scaled s = natural_units(system);
    const Eigen::MatrixXd crate = chains(s, indices);
    // l_j: the row of crate^-1 that belongs to the last vector of chain j.
    Eigen::MatrixXd ends = Eigen::MatrixXd::Zero(n, blocks);
    Eigen::Index at = 0;
    for (Eigen::Index j = 0; j < blocks; ++j) {
        at += indices[j];
        if (indices[j] > 0) ends(at - 1, j) = 1;
    }
    const Eigen::MatrixXd l = RealSolver(crate).solve_transposed(ends);
    // Rows l_j A^(k-1), ..., l_j A, l_j of T^-1.
    Eigen::MatrixXd inverse(n, n);
    Eigen::VectorXd e(n);
    Eigen::Index start = 0;
    for (Eigen::Index j = 0; j < blocks; ++j) {
        const Eigen::Index k = indices[j];
        for (Eigen::Index i = k - 1; i >= 0; --i) {
            inverse.row(start + i) = i == k - 1 ? Eigen::RowVectorXd(l.col(j).transpose())
                                                : Eigen::RowVectorXd(inverse.row(start + i + 1) * s.A);
            e[start + i] = std::pow(s.rate, static_cast<double>(-i));
        }
        start += k;
    }
    const RealSolver solver(inverse);
    Eigen::MatrixXd A = solver.solve_transposed((inverse * s.A).transpose()).transpose(), B = inverse * s.B;
    Eigen::MatrixXd C = solver.solve_transposed(s.C.transpose()).transpose();
    const Eigen::MatrixXd T = solver.solve(Eigen::MatrixXd::Identity(n, n));
    start = 0;
    for (Eigen::Index j = 0; j < blocks; ++j) {
        for (Eigen::Index i = 1; i < indices[j]; ++i) {
            A.row(start + i) = Eigen::RowVectorXd::Unit(n, start + i - 1);
            B.row(start + i).setZero();
        }
        start += indices[j];
    }
    clean(A);
    clean(B);
    const Eigen::VectorXd back = e.cwiseInverse();
    CanonicalRealization out;
    // z = e z_s with e = rate^-i for row i of its block
    out.system = with_new_states(system, s.rate * (e.asDiagonal() * A * back.asDiagonal()),
                                 e.asDiagonal() * B, C * back.asDiagonal());
    out.T = s.S.asDiagonal() * T * back.asDiagonal();
    out.condition = condition_of(T);
    out.indices = indices;
    return out;
}

using Cluster = std::vector<std::complex<double>>;

// Eigenvalues near each other, directly or through others; of a pair both.
std::vector<Cluster> clusters_of(const std::vector<std::complex<double>>& values) {
    double size = 0;
    for (const auto& value : values) size = std::max(size, std::abs(value));
    const double near = 1e-5 * size;
    std::vector<Cluster> clusters;
    std::vector<bool> used(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (used[i]) continue;
        std::vector<std::size_t> members{i};
        used[i] = true;
        for (std::size_t at = 0; at < members.size(); ++at)
            for (std::size_t j = 0; j < values.size(); ++j) {
                const auto a = values[members[at]], b = values[j];
                if (!used[j] && (std::abs(a - b) <= near || std::abs(std::conj(a) - b) <= near)) {
                    used[j] = true;
                    members.push_back(j);
                }
            }
        clusters.emplace_back();
        for (std::size_t j : members) clusters.back().push_back(values[j]);
    }
    return clusters;
}

// Brings the cluster behind the first `done` places of the diagonal: the nearest of what is left, as many as
// it has; pairs stay together because both are near.
bool move_up(RealSchur& schur, const Cluster& cluster, Eigen::Index done) {
    const auto n = static_cast<Eigen::Index>(schur.values.size());
    std::vector<int> select(n, 0);
    std::fill(select.begin(), select.begin() + done, 1);
    std::vector<Eigen::Index> rest(n - done);
    std::iota(rest.begin(), rest.end(), done);
    const auto away = [&](Eigen::Index i) {
        double best = INFINITY;
        for (const auto& value : cluster)
            best = std::min(
                {best, std::abs(value - schur.values[i]), std::abs(std::conj(value) - schur.values[i])});
        return best;
    };
    std::stable_sort(rest.begin(), rest.end(),
                     [&](Eigen::Index a, Eigen::Index b) { return away(a) < away(b); });
    for (std::size_t k = 0; k < cluster.size(); ++k) select[rest[k]] = 1;
    return reorder(schur, select);
}

// Block after block is freed from what stands to its right: T11 R - R T22 = -T12.
bool separate_blocks(const std::vector<Eigen::Index>& sizes, Eigen::MatrixXd& V, Eigen::MatrixXd& T) {
    Eigen::Index at = 0;
    for (Eigen::Index k : sizes) {
        const Eigen::Index rest = T.rows() - at - k;
        if (rest > 0) {
            const auto R =
                solve_triangular_sylvester(T.block(at, at, k, k), false, T.block(at + k, at + k, rest, rest),
                                           false, -1, -T.block(at, at + k, k, rest));
            if (!R) return false;
            V.middleCols(at + k, rest) += V.middleCols(at, k) * *R;
            T.block(at, at + k, k, rest).setZero();
        }
        at += k;
    }
    return true;
}

// Vectors of length 1; of a pair such that the block is [s w; -w s].
void scale_vectors(const std::vector<Eigen::Index>& sizes, Eigen::MatrixXd& V, Eigen::MatrixXd& T) {
    const auto scale = [&](Eigen::Index i, double f) {
        V.col(i) *= f;
        T.col(i) *= f;
        T.row(i) /= f;
    };
    Eigen::Index at = 0;
    for (Eigen::Index k : sizes) {
        for (Eigen::Index i = at; i < at + k; ++i) {
            double f = 1 / V.col(i).norm();
            if (i + 1 < at + k && T(i + 1, i) != 0) {
                const double ratio = std::copysign(std::sqrt(-T(i + 1, i) / T(i, i + 1)), T(i, i + 1));
                f = 1 / std::hypot(V.col(i).norm(), V.col(i + 1).norm() * ratio);
                scale(i + 1, f * ratio);
                scale(i, f);
                ++i;
                continue;
            }
            scale(i, f);
        }
        at += k;
    }
}

std::optional<CanonicalRealization> modal_form(const StateSpace& system) {
    const Eigen::VectorXd d = balancing(system.A), inverse = d.cwiseInverse();
    const Eigen::MatrixXd balanced = inverse.asDiagonal() * system.A * d.asDiagonal();
    auto schur = real_schur(balanced);
    const auto order = poles(balanced, system.sample_time);
    if (!schur || !order) return {};
    CanonicalRealization out;
    // The order of the diagonal: cluster after cluster to the top.
    Eigen::Index done = 0;
    for (const Cluster& cluster : clusters_of(*order)) {
        if (!move_up(*schur, cluster, done)) return {};
        out.indices.push_back(static_cast<Eigen::Index>(cluster.size()));
        done += static_cast<Eigen::Index>(cluster.size());
    }
    Eigen::MatrixXd V = schur->Q, T = schur->T;
    if (!separate_blocks(out.indices, V, T)) return {};
    V = (d.asDiagonal() * V).eval();
    scale_vectors(out.indices, V, T);
    const RealSolver solver(V);
    if (!(solver.reciprocal_condition() > 0) && system.order() > 0) return {};
    out.T = V;
    out.condition = condition_of(inverse.asDiagonal() * V);
    out.system = with_new_states(system, T, solver.solve(system.B), system.C * V);
    return out;
}

}  // namespace

std::optional<CanonicalRealization> canonical_form(const StateSpace& system, CanonicalForm form,
                                                   Diagnostics& diagnostics, CrateSearch search) {
    if (!check_system(system, diagnostics)) return {};
    std::optional<CanonicalRealization> out;
    if (form == CanonicalForm::Modal) {
        out = modal_form(system);
        if (!out) {
            diagnostics.report(state_space_messages::no_convergence("the modal form"));
            return {};
        }
    } else {
        const bool inputs = form == CanonicalForm::Controller || form == CanonicalForm::Controllability;
        const bool chain = form == CanonicalForm::Controllability || form == CanonicalForm::Observability;
        const StateSpace given = inputs ? system : dual(system);
        // The controller form exists for the indices of a search by rows only.
        const auto indices = controllability_indices(given, chain ? search : CrateSearch::Rows);
        if (std::accumulate(indices.begin(), indices.end(), Eigen::Index{0}) != system.order()) {
            std::vector<std::string> names;
            for (const FixedMode& mode : uncontrollable_modes(given))
                if (mode.eigenvalue.imag() >= 0) names.push_back(shown(mode, system.states));
            const char* words[] = {"controller", "observer", "controllability", "observability", "modal"};
            diagnostics.report(state_space_messages::not_controllable_form(
                words[static_cast<int>(form)], inputs ? "controllable" : "observable", names));
            return {};
        }
        out = chain ? controllability_form(given, indices) : controller_form(given, indices);
        if (!inputs) {
            // x = T z: the dual of z = T^T x.
            out->T = RealSolver(out->T.transpose())
                         .solve(Eigen::MatrixXd::Identity(system.order(), system.order()));
            out->system = dual(out->system);
        }
    }
    out->residual = residual_of(system.A, out->T, out->system.A);
    if (out->condition > digits_lost)
        diagnostics.report(state_space_messages::ill_conditioned_form(out->condition));
    return out;
}

}  // namespace cutset
