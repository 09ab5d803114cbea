#include "control/norms.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "control/decompositions.h"
#include "control/frequency_response.h"
#include "control/lyapunov.h"
#include "control/modes.h"
#include "control/sampling.h"
#include "control/scaling.h"
#include "control/state_space_messages.h"

namespace cutset {

std::optional<double> h2_norm(const StateSpace& system, Diagnostics& diagnostics) {
    if (!check_stable(system, "the H2 norm exists", diagnostics)) return {};
    if (!system.is_sampled() && !system.D.isZero(0)) return std::numeric_limits<double>::infinity();
    const auto S = gramian_factor(system.A, system.B, system.is_sampled());
    if (!S) {
        diagnostics.report(state_space_messages::no_convergence("the Gramian"));
        return {};
    }
    return std::hypot((system.C * *S).norm(), system.is_sampled() ? system.D.norm() : 0);
}

std::optional<PeakGain> hinf_norm(const StateSpace& given, Diagnostics& diagnostics) {
    if (!check_stable(given, "the H-infinity norm exists", diagnostics)) return {};
    // Tustin's map keeps the norm: frequencies are only bent.
    std::optional<StateSpace> system = given;
    if (given.is_sampled()) system = continuous_from_sampled(given, SamplingMethod::Tustin, diagnostics);
    if (!system) return {};
    const auto original = [&](double w) {
        if (!given.is_sampled() || !std::isfinite(w))
            return given.is_sampled() ? M_PI / *given.sample_time : w;
        return 2 / *given.sample_time * std::atan(w * *given.sample_time / 2);
    };
    const StateSpace s = scaled(*system, {scaling_of(*system).states, Eigen::VectorXd::Ones(system->B.cols()),
                                          Eigen::VectorXd::Ones(system->C.rows())});
    const Eigen::Index m = s.B.cols(), p = s.C.rows(), n = s.order();
    PeakGain out;
    if (m == 0 || p == 0) return out;
    const FrequencyResponse response(s);
    const auto gain_at = [&](double w) { return singular_values(response.at({0, w}))[0]; };
    const auto consider = [&](double w) {
        const double gain = gain_at(w);
        if (gain > out.gain) out = {gain, w};
    };
    out = {singular_values(s.D, false).values[0], std::numeric_limits<double>::infinity()};
    consider(0);
    if (const auto found = poles(s.A))
        for (const auto& value : *found)
            if (value.imag() >= 0) consider(std::abs(value));
    constexpr double tolerance = 1e-9;
    for (int pass = 0; pass < 50 && out.gain > 0 && n > 0; ++pass) {
        const double level = out.gain * (1 + 2 * tolerance);
        // i w is an eigenvalue of H just where a singular value of G(i w) equals the level.
        const RealSolver R(level * level * Eigen::MatrixXd::Identity(m, m) - s.D.transpose() * s.D);
        if (!(R.reciprocal_condition() > 0)) break;
        const Eigen::MatrixXd F = s.A + s.B * R.solve(s.D.transpose() * s.C);
        const Eigen::MatrixXd DRD = s.D * R.solve(s.D.transpose() * s.C);
        Eigen::MatrixXd H(2 * n, 2 * n);
        H << F, level * s.B * R.solve(s.B.transpose()), -(s.C.transpose() * (s.C + DRD)) / level,
            -F.transpose();
        const auto eigen = eigen_decomposition(H, false);
        if (!eigen) break;
        std::vector<double> crossings{0};
        double size = 0;
        for (const auto& value : eigen->values) size = std::max(size, std::abs(value));
        for (const auto& value : eigen->values)
            if (value.imag() > 0 && std::abs(value.real()) <= 1e-7 * std::max(std::abs(value), 1e-9 * size))
                crossings.push_back(value.imag());
        std::sort(crossings.begin(), crossings.end());
        const double before = out.gain;
        for (std::size_t i = 1; i < crossings.size(); ++i) consider(0.5 * (crossings[i - 1] + crossings[i]));
        if (out.gain <= before * (1 + tolerance)) break;
    }
    out.frequency = original(out.frequency);
    return out;
}

}  // namespace cutset
