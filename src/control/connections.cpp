#include "control/connections.h"

#include <algorithm>
#include <limits>

#include "control/decompositions.h"
#include "control/modes.h"
#include "control/realization.h"
#include "control/scaling.h"
#include "control/state_space_messages.h"

namespace cutset {

namespace {

std::vector<std::string> joined_states(const StateSpace& a, const StateSpace& b) {
    std::vector<std::string> out = a.states;
    for (std::string name : b.states) {
        while (std::find(out.begin(), out.end(), name) != out.end()) name += "'";
        out.push_back(name);
    }
    return out;
}

// A static gain goes with any sampling.
bool same_time(const StateSpace& a, const StateSpace& b, std::optional<double>& time,
               Diagnostics& diagnostics) {
    time = a.order() > 0 || a.is_sampled() ? a.sample_time : b.sample_time;
    if (a.sample_time == b.sample_time || (a.order() == 0 && !a.is_sampled()) ||
        (b.order() == 0 && !b.is_sampled()))
        return true;
    diagnostics.report(state_space_messages::different_sampling());
    return false;
}

}  // namespace

std::optional<StateSpace> series(const StateSpace& first, const StateSpace& second,
                                 Diagnostics& diagnostics) {
    StateSpace out;
    if (!same_time(first, second, out.sample_time, diagnostics)) return {};
    if (first.C.rows() != second.B.cols()) {
        diagnostics.report(state_space_messages::different_ports(
            "outputs of the first and inputs of the second system", first.C.rows(), second.B.cols()));
        return {};
    }
    const Eigen::Index n = first.order(), k = second.order();
    out.A = Eigen::MatrixXd::Zero(n + k, n + k);
    out.A.topLeftCorner(n, n) = first.A;
    out.A.bottomLeftCorner(k, n) = second.B * first.C;
    out.A.bottomRightCorner(k, k) = second.A;
    out.B.resize(n + k, first.B.cols());
    out.B << first.B, second.B * first.D;
    out.C.resize(second.C.rows(), n + k);
    out.C << second.D * first.C, second.C;
    out.D = second.D * first.D;
    out.states = joined_states(first, second);
    out.inputs = first.inputs;
    out.outputs = second.outputs;
    return out;
}

std::optional<StateSpace> parallel(const StateSpace& first, const StateSpace& second,
                                   Diagnostics& diagnostics) {
    StateSpace out;
    if (!same_time(first, second, out.sample_time, diagnostics)) return {};
    if (first.C.rows() != second.C.rows() || first.B.cols() != second.B.cols()) {
        const bool rows = first.C.rows() != second.C.rows();
        diagnostics.report(state_space_messages::different_ports(
            rows ? "outputs of systems in parallel" : "inputs of systems in parallel",
            rows ? first.C.rows() : first.B.cols(), rows ? second.C.rows() : second.B.cols()));
        return {};
    }
    const Eigen::Index n = first.order(), k = second.order();
    out.A = Eigen::MatrixXd::Zero(n + k, n + k);
    out.A.topLeftCorner(n, n) = first.A;
    out.A.bottomRightCorner(k, k) = second.A;
    out.B.resize(n + k, first.B.cols());
    out.B << first.B, second.B;
    out.C.resize(first.C.rows(), n + k);
    out.C << first.C, second.C;
    out.D = first.D + second.D;
    out.states = joined_states(first, second);
    out.inputs = first.inputs;
    out.outputs = first.outputs;
    return out;
}

std::optional<StateSpace> feedback(const StateSpace& forward, const StateSpace& backward,
                                   Diagnostics& diagnostics, int sign) {
    StateSpace out;
    if (!same_time(forward, backward, out.sample_time, diagnostics)) return {};
    if (forward.C.rows() != backward.B.cols() || forward.B.cols() != backward.C.rows()) {
        diagnostics.report(state_space_messages::different_ports(
            "outputs of the system and inputs of what is fed back", forward.C.rows(), backward.B.cols()));
        return {};
    }
    const Eigen::Index n = forward.order(), k = backward.order(), m = forward.B.cols();
    // e = u + s (C2 x2 + D2 y), y = C1 x1 + D1 e:  (I - s D2 D1) e = u + s C2 x2 + s D2 C1 x1
    const Eigen::MatrixXd loop = Eigen::MatrixXd::Identity(m, m) - sign * backward.D * forward.D;
    const RealSolver lu(loop);
    if (m > 0 && lu.reciprocal_condition() < 1e-14) {
        diagnostics.report(state_space_messages::algebraic_loop("I + D2 D1"));
        return {};
    }
    const Eigen::MatrixXd Eu = lu.solve(Eigen::MatrixXd::Identity(m, m));
    const Eigen::MatrixXd E1 = lu.solve(sign * backward.D * forward.C), E2 = lu.solve(sign * backward.C);
    const Eigen::MatrixXd Y1 = forward.C + forward.D * E1, Y2 = forward.D * E2, Yu = forward.D * Eu;
    out.A.resize(n + k, n + k);
    out.A << forward.A + forward.B * E1, forward.B * E2, backward.B * Y1, backward.A + backward.B * Y2;
    out.B.resize(n + k, m);
    out.B << forward.B * Eu, backward.B * Yu;
    out.C.resize(forward.C.rows(), n + k);
    out.C << Y1, Y2;
    out.D = Yu;
    out.states = joined_states(forward, backward);
    out.inputs = forward.inputs;
    out.outputs = forward.outputs;
    return out;
}

StateSpace static_gain(const Eigen::MatrixXd& gain, std::vector<std::string> inputs,
                       std::vector<std::string> outputs, std::optional<double> sample_time) {
    StateSpace out;
    out.A.resize(0, 0);
    out.B.resize(0, gain.cols());
    out.C.resize(gain.rows(), 0);
    out.D = gain;
    out.inputs = std::move(inputs);
    out.outputs = std::move(outputs);
    out.sample_time = sample_time;
    return out;
}

StateSpace part_of(const StateSpace& system, const std::vector<Eigen::Index>& inputs,
                   const std::vector<Eigen::Index>& outputs) {
    StateSpace out;
    out.A = system.A;
    out.B = system.B(Eigen::all, inputs);
    out.C = system.C(outputs, Eigen::all);
    out.D = system.D(outputs, inputs);
    out.states = system.states;
    for (Eigen::Index i : inputs) out.inputs.push_back(system.inputs[i]);
    for (Eigen::Index i : outputs) out.outputs.push_back(system.outputs[i]);
    out.sample_time = system.sample_time;
    return out;
}

Eigen::MatrixXd dc_gain(const StateSpace& system) {
    const Eigen::Index n = system.order();
    if (n == 0) return system.D;
    const auto at = [](const StateSpace& s) -> std::optional<Eigen::MatrixXd> {
        if (s.order() == 0) return s.D;
        const Eigen::MatrixXd M = s.is_sampled()
                                      ? Eigen::MatrixXd(Eigen::MatrixXd::Identity(s.order(), s.order()) - s.A)
                                      : Eigen::MatrixXd(-s.A);
        // D - C A^-1 B, scaled, so that singular means singular and not badly scaled
        const RealSolver lu(M);
        if (lu.reciprocal_condition() == 0) return {};
        if (lu.reciprocal_condition() < 1e-14) {
            // Slow modes beside fast ones, or a pole just there?
            const auto found = modes(s.A, s.sample_time);
            const double point = s.is_sampled() ? 1 : 0;
            if (!found) return {};
            for (const Mode& mode : *found)
                if (std::abs(mode.eigenvalue - point) <= mode.rounding) return {};
        }
        return s.D + s.C * lu.solve(s.B);
    };
    const auto balanced = [](const StateSpace& s) {
        const SystemScaling scaling = scaling_of(s);
        return scaled(s,
                      {scaling.states, Eigen::VectorXd::Ones(s.B.cols()), Eigen::VectorXd::Ones(s.C.rows())});
    };
    if (const auto gain = at(balanced(system))) return *gain;
    // A pole at s = 0: element by element, without what the pair does not see.
    Eigen::MatrixXd out(system.C.rows(), system.B.cols());
    for (Eigen::Index i = 0; i < out.rows(); ++i)
        for (Eigen::Index j = 0; j < out.cols(); ++j) {
            const auto gain = at(balanced(minimal_realization(part_of(system, {j}, {i})).system));
            out(i, j) = gain ? (*gain)(0, 0) : std::numeric_limits<double>::infinity();
        }
    return out;
}

}  // namespace cutset
