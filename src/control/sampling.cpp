#include "control/sampling.h"

#include <cmath>
#include <numbers>

#include "control/decompositions.h"
#include "control/matrix_functions.h"
#include "control/modes.h"
#include "control/state_space_messages.h"

namespace cutset {

namespace {

// The number a with s = a (z - 1)/(z + 1): 2/T, or such that s = i w at z = exp(i w T).
std::optional<double> tustin_gain(double period, std::optional<double> prewarp, Diagnostics& diagnostics) {
    if (!prewarp) return 2 / period;
    const double nyquist = std::numbers::pi / period;
    if (!(*prewarp > 0 && *prewarp < nyquist)) {
        diagnostics.report(state_space_messages::prewarp_range(*prewarp, nyquist));
        return {};
    }
    return *prewarp / std::tan(*prewarp * period / 2);
}

}  // namespace

std::optional<HoldStep> zero_order_hold(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, double h) {
    const auto e = hold_exponential(A * h, B * h);
    if (!e) return {};
    return HoldStep{e->E, e->F};
}

std::optional<StateSpace> sample(const StateSpace& system, double period, SamplingMethod method,
                                 Diagnostics& diagnostics, std::optional<double> prewarp) {
    if (system.is_sampled()) {
        diagnostics.report(state_space_messages::already_sampled(*system.sample_time));
        return {};
    }
    if (!(period > 0) || !std::isfinite(period)) {
        diagnostics.report(state_space_messages::bad_period(period));
        return {};
    }
    StateSpace out = system;
    out.sample_time = period;
    if (const auto found = modes(system.A, {}, false))
        for (const Mode& mode : *found)
            if (mode.eigenvalue.imag() > std::numbers::pi / period) {
                diagnostics.report(
                    state_space_messages::aliasing(mode.eigenvalue, std::numbers::pi / period));
                break;
            }
    if (method == SamplingMethod::ZeroOrderHold) {
        const auto step = zero_order_hold(system.A, system.B, period);
        if (!step) {
            diagnostics.report(state_space_messages::no_convergence("the matrix exponential"));
            return {};
        }
        out.A = step->Phi;
        out.B = step->Gamma;
        return out;
    }
    const auto gain = tustin_gain(period, prewarp, diagnostics);
    if (!gain) return {};
    const Eigen::Index n = system.order();
    if (n == 0) return out;
    const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(n, n);
    const RealSolver lu(I - system.A / *gain);
    if (lu.reciprocal_condition() < 1e-15) {
        diagnostics.report(state_space_messages::pole_at_tustin(*gain));
        return {};
    }
    // x(k+1) = M (I + A/a) x + (2/a) M B u,  y = C M x + (D + C M B/a) u,  M = (I - A/a)^-1
    out.A = lu.solve(I + system.A / *gain);
    out.B = lu.solve(system.B * (2 / *gain));
    out.C = lu.solve_transposed(system.C.transpose()).transpose();
    out.D = system.D + 0.5 * system.C * out.B;
    return out;
}

std::optional<StateSpace> continuous_from_sampled(const StateSpace& system, SamplingMethod method,
                                                  Diagnostics& diagnostics, std::optional<double> prewarp) {
    if (!system.is_sampled()) {
        diagnostics.report(state_space_messages::not_sampled());
        return {};
    }
    const double period = *system.sample_time;
    if (!(period > 0)) {
        diagnostics.report(state_space_messages::bad_period(period));
        return {};
    }
    const Eigen::Index n = system.order(), m = system.B.cols();
    StateSpace out = system;
    out.sample_time.reset();
    if (n == 0) return out;
    if (method == SamplingMethod::ZeroOrderHold) {
        Eigen::MatrixXd joint = Eigen::MatrixXd::Identity(n + m, n + m);
        joint.topLeftCorner(n, n) = system.A;
        joint.topRightCorner(n, m) = system.B;
        const auto log = matrix_logarithm(joint);
        if (!log) {
            std::complex<double> culprit = 0;
            if (const auto found = poles(system.A, period))
                for (const auto& z : *found)
                    if (std::abs(z) < 1e-14 ||
                        (z.real() < 0 && std::abs(z.imag()) < 1e-9 * std::abs(z.real())))
                        culprit = z;
            diagnostics.report(state_space_messages::no_logarithm(culprit));
            return {};
        }
        out.A = log->topLeftCorner(n, n) / period;
        out.B = log->topRightCorner(n, m) / period;
        return out;
    }
    const auto gain = tustin_gain(period, prewarp, diagnostics);
    if (!gain) return {};
    // The inverse of the map above: A = a (Ad + I)^-1 (Ad - I), M = (Ad + I)/2.
    const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(n, n);
    const RealSolver lu(system.A + I);
    if (lu.reciprocal_condition() < 1e-15) {
        diagnostics.report(state_space_messages::pole_at_minus_one());
        return {};
    }
    out.A = *gain * lu.solve(system.A - I);
    out.B = *gain * lu.solve(system.B);
    out.C = 2 * lu.solve_transposed(system.C.transpose()).transpose();
    out.D = system.D - 0.5 * out.C * system.B;
    return out;
}

}  // namespace cutset
