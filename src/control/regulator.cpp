#include "control/regulator.h"

#include <algorithm>
#include <cmath>

#include "control/connections.h"
#include "control/decompositions.h"
#include "control/modes.h"
#include "control/riccati.h"
#include "control/staircase.h"
#include "control/state_space_messages.h"

namespace cutset {

namespace {

constexpr double inaccurate = 1e-8, unusable = 1e-4;  // residuals

std::vector<std::string> named(const std::vector<FixedMode>& modes, const std::vector<std::string>& states) {
    std::vector<std::string> out;
    for (const FixedMode& mode : modes)
        if (mode.eigenvalue.imag() >= 0) out.push_back(shown(mode, states));
    return out;
}

// Of the modes that cannot be moved (seen) those on the border of stability, or those on and beyond it.
std::vector<FixedMode> chosen(const std::vector<FixedMode>& fixed, const StateSpace& system,
                              bool border_only) {
    std::vector<FixedMode> out;
    if (fixed.empty()) return out;
    const bool sampled = system.is_sampled();
    const auto all = modes(system.A, system.sample_time);
    for (const FixedMode& mode : fixed) {
        // The eigenvalue of A itself, and how well it is known: slow stable modes beside fast ones are
        // stable.
        Mode known = mode_of(mode.eigenvalue, system.sample_time);
        if (all && !all->empty())
            known = *std::min_element(all->begin(), all->end(), [&](const Mode& a, const Mode& b) {
                return std::abs(a.eigenvalue - mode.eigenvalue) < std::abs(b.eigenvalue - mode.eigenvalue);
            });
        known.rounding = std::max(known.rounding, 1e-9 * std::abs(known.eigenvalue));
        if (border_only ? known.on_border(sampled) : !known.stable(sampled)) out.push_back(mode);
    }
    return out;
}

// Cost and noise are the same problem on dual systems.
struct Words {
    bool estimation;
    const char* equation;
};

std::optional<RiccatiSolution> solve(const StateSpace& system, const RiccatiProblem& problem,
                                     const Words& words, Diagnostics& diagnostics) {
    const auto unreached = chosen(uncontrollable_modes(system), system, false);
    if (!unreached.empty()) {
        const auto modes = named(unreached, system.states);
        diagnostics.report(words.estimation ? state_space_messages::not_detectable(modes, system.inputs)
                                            : state_space_messages::not_stabilizable(modes, system.inputs));
        return {};
    }
    // With N the weight that is left after completing the square: Q - N R^-1 N^T for A - B R^-1 N^T.
    StateSpace weighted = system;
    weighted.C = problem.Q;
    weighted.D = Eigen::MatrixXd::Zero(problem.Q.rows(), system.B.cols());
    if (problem.N.size() > 0) {
        const RealSolver R(problem.R);
        if (R.reciprocal_condition() > 0) {
            const Eigen::MatrixXd F = R.solve(problem.N.transpose());
            weighted.A = system.A - system.B * F;
            weighted.C = problem.Q - problem.N * F;
        }
    }
    const auto unseen = chosen(uncontrollable_modes(dual(weighted)), weighted, true);
    if (!unseen.empty()) {
        const auto modes = named(unseen, system.states);
        diagnostics.report(words.estimation ? state_space_messages::border_mode_not_excited(modes)
                                            : state_space_messages::border_mode_not_weighted(modes, "Q"));
        return {};
    }
    const auto solution = solve_riccati(problem);
    if (!solution || !(solution->residual < unusable)) {
        diagnostics.report(state_space_messages::riccati_failed(words.equation));
        return {};
    }
    if (solution->residual > inaccurate)
        diagnostics.report(state_space_messages::riccati_inaccurate(words.equation, solution->residual));
    return solution;
}

}  // namespace

bool check_weight(const Eigen::MatrixXd& M, const std::string& name, Eigen::Index size, const std::string& of,
                  bool strictly, const std::string& meaning, Diagnostics& diagnostics) {
    if (M.rows() != size || M.cols() != size) {
        diagnostics.report(state_space_messages::wrong_size(name, M.rows(), M.cols(), size, of));
        return false;
    }
    if (!M.allFinite()) {
        diagnostics.report(state_space_messages::not_finite(name));
        return false;
    }
    if (size == 0) return true;
    if ((M - M.transpose()).norm() > 1e-9 * M.norm()) {
        diagnostics.report(state_space_messages::not_symmetric(name));
        return false;
    }
    // Weights of quantities in different units differ by many powers of ten: judged with a diagonal of ones.
    Eigen::VectorXd d(size);
    for (Eigen::Index i = 0; i < size; ++i) d[i] = M(i, i) > 0 ? 1 / std::sqrt(M(i, i)) : 1;
    const auto eigen = symmetric_eigen(d.asDiagonal() * M * d.asDiagonal());
    const double smallest = eigen ? eigen->values[0] : NAN;
    const double largest = eigen ? std::max(std::abs(eigen->values[size - 1]), std::abs(smallest)) : 1;
    if (strictly ? !(smallest > 1e-14 * largest) : !(smallest >= -1e-10 * largest)) {
        const auto plain = symmetric_eigen(M);
        diagnostics.report(
            state_space_messages::not_definite(name, strictly, plain ? plain->values[0] : NAN, meaning));
        return false;
    }
    return true;
}

QuadraticCost output_cost(const StateSpace& system, const Eigen::MatrixXd& Qy, const Eigen::MatrixXd& R) {
    QuadraticCost out;
    out.Q = system.C.transpose() * Qy * system.C;
    out.Q = (0.5 * (out.Q + out.Q.transpose())).eval();
    out.R = R + system.D.transpose() * Qy * system.D;
    if (!system.D.isZero(0)) out.N = system.C.transpose() * Qy * system.D;
    return out;
}

NoiseModel input_noise(const StateSpace& system, const Eigen::MatrixXd& Wu, const Eigen::MatrixXd& V) {
    NoiseModel out;
    out.W = system.B * Wu * system.B.transpose();
    out.W = (0.5 * (out.W + out.W.transpose())).eval();
    out.V = V + system.D * Wu * system.D.transpose();
    if (!system.D.isZero(0)) out.S = system.B * Wu * system.D.transpose();
    return out;
}

std::optional<Regulator> design_lqr(const StateSpace& system, const QuadraticCost& cost,
                                    Diagnostics& diagnostics) {
    const Eigen::Index n = system.order(), m = system.B.cols();
    if (!check_system(system, diagnostics)) return {};
    if (m == 0) {
        diagnostics.report(state_space_messages::inputs_and_outputs_needed("a regulator"));
        return {};
    }
    if (!check_weight(cost.Q, "Q", n, "states", false,
                      "a negative weight would reward deviations: the cost has no minimum then",
                      diagnostics) ||
        !check_weight(
            cost.R, "R", m, "inputs", !system.is_sampled(),
            "each input, and each combination of inputs, must cost something: give positive weights in --R",
            diagnostics))
        return {};
    if (cost.N.size() > 0) {
        Eigen::MatrixXd joint(n + m, n + m);
        joint << cost.Q, cost.N, cost.N.transpose(), cost.R;
        if (!check_weight(joint, "[Q N; N^T R]", n + m, "states and inputs", false,
                          "the cross weight N is too large for Q and R", diagnostics))
            return {};
    }
    const RiccatiProblem problem{system.A, system.B, cost.Q, cost.R, cost.N, system.is_sampled()};
    const auto solution =
        solve(system, problem, {false, "the Riccati equation of the regulator"}, diagnostics);
    if (!solution) return {};
    Regulator out{solution->K, solution->X, solution->poles, solution->residual, system};
    out.closed_loop.A = system.A - system.B * out.K;
    out.closed_loop.C = system.C - system.D * out.K;
    return out;
}

std::optional<KalmanFilter> design_kalman(const StateSpace& system, const NoiseModel& noise,
                                          Diagnostics& diagnostics) {
    const Eigen::Index n = system.order(), p = system.C.rows(), m = system.B.cols();
    if (!check_system(system, diagnostics)) return {};
    if (p == 0) {
        diagnostics.report(state_space_messages::inputs_and_outputs_needed("a filter"));
        return {};
    }
    if (!check_weight(noise.W, "Q (process noise)", n, "states", false,
                      "a covariance has no negative eigenvalues", diagnostics) ||
        !check_weight(noise.V, "R (measurement noise)", p, "outputs", !system.is_sampled(),
                      "each measurement has some noise: give positive covariances in --R", diagnostics))
        return {};
    const StateSpace other = dual(system);
    const RiccatiProblem problem{other.A, other.B, noise.W, noise.V, noise.S, system.is_sampled()};
    const auto solution = solve(other, problem, {true, "the Riccati equation of the filter"}, diagnostics);
    if (!solution) return {};
    KalmanFilter out;
    out.L = solution->K.transpose();
    out.P = solution->X;
    out.poles = solution->poles;
    out.residual = solution->residual;
    if (system.is_sampled()) {
        // M = P C^T (C P C^T + V)^-1
        const Eigen::MatrixXd CP = system.C * out.P;
        out.M = RealSolver(CP * system.C.transpose() + noise.V).solve(CP).transpose();
    }
    StateSpace& e = out.estimator;
    e.A = system.A - out.L * system.C;
    e.B.resize(n, m + p);
    e.B << system.B - out.L * system.D, out.L;
    e.C = Eigen::MatrixXd::Identity(n, n);
    e.D = Eigen::MatrixXd::Zero(n, m + p);
    e.states = system.states;
    e.inputs = system.inputs;
    e.inputs.insert(e.inputs.end(), system.outputs.begin(), system.outputs.end());
    for (const std::string& name : system.states) e.outputs.push_back(name + "_estimated");
    e.sample_time = system.sample_time;
    return out;
}

std::optional<LqgRegulator> design_lqg(const StateSpace& system, const Regulator& lqr,
                                       const KalmanFilter& filter, Diagnostics& diagnostics) {
    LqgRegulator out;
    StateSpace& r = out.regulator;
    // x^' = A x^ + B u + L (y - C x^ - D u), u = -K x^
    r.A = system.A - system.B * lqr.K - filter.L * system.C + filter.L * system.D * lqr.K;
    r.B = filter.L;
    r.C = -lqr.K;
    r.D = Eigen::MatrixXd::Zero(lqr.K.rows(), filter.L.cols());
    for (const std::string& name : system.states) r.states.push_back(name + "_estimated");
    r.inputs = system.outputs;
    r.outputs = system.inputs;
    r.sample_time = system.sample_time;
    const auto closed = feedback(system, r, diagnostics, 1);
    if (!closed) return {};
    out.closed_loop = *closed;
    const auto all = poles(closed->A, system.sample_time);
    if (!all) return {};
    out.poles = *all;
    return out;
}

}  // namespace cutset
