#include "control/sampling.h"

#include <fmt/format.h>

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

std::optional<StateSpace> sample_delayed(const StateSpace& system, const std::vector<Rational>& delays,
                                         double period, Diagnostics& diagnostics) {
    auto direct = sample(system, period, SamplingMethod::ZeroOrderHold, diagnostics);
    if (!direct) return {};
    // delay = whole · period + rest: during the first `rest` of a period the input before still acts.
    struct Input {
        Eigen::Index whole = 0, stored = 0, first = 0;
        double rest = 0;
    };
    std::vector<Input> inputs;
    const Eigen::Index n = system.order();
    Eigen::Index size = n;
    const Rational step = simple_rational(period);
    for (const Rational& delay : delays) {
        const Rational ratio = delay / step;
        const Integer whole = ratio.get_num() / ratio.get_den();
        constexpr long most_stored = 2000;
        if (whole > most_stored) {
            diagnostics.report(state_space_messages::delay_too_long(nearest(delay), period, most_stored));
            return {};
        }
        Input input;
        input.whole = whole.get_si();
        input.rest = nearest(Rational(delay - Rational(whole) * step));
        input.stored = input.whole + (input.rest > 0 ? 1 : 0);
        input.first = size;
        size += input.stored;
        inputs.push_back(input);
    }
    StateSpace out = *direct;
    out.A = Eigen::MatrixXd::Zero(size, size);
    out.A.topLeftCorner(n, n) = direct->A;
    out.B = Eigen::MatrixXd::Zero(size, system.B.cols());
    out.C = Eigen::MatrixXd::Zero(system.C.rows(), size);
    out.C.leftCols(n) = system.C;
    out.D = Eigen::MatrixXd::Zero(system.C.rows(), system.B.cols());
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        const Input& input = inputs[k];
        const auto column = static_cast<Eigen::Index>(k);
        const auto late = zero_order_hold(system.A, system.B.col(column), period - input.rest);
        const auto early = zero_order_hold(system.A, system.B.col(column), input.rest);
        if (!late || !early) {
            diagnostics.report(state_space_messages::no_convergence("the matrix exponential"));
            return {};
        }
        // The value of `ago` periods before acts as a state, or as the input itself.
        const auto acts = [&](Eigen::Index ago, const Eigen::VectorXd& on_states,
                              const Eigen::VectorXd& on_outputs) {
            auto by_states = ago == 0 ? out.B.col(column) : out.A.col(input.first + ago - 1);
            auto by_outputs = ago == 0 ? out.D.col(column) : out.C.col(input.first + ago - 1);
            by_states.head(n) += on_states;
            by_outputs += on_outputs;
        };
        const Eigen::VectorXd none = Eigen::VectorXd::Zero(system.C.rows());
        acts(input.whole, late->Gamma, input.rest > 0 ? none : Eigen::VectorXd(system.D.col(column)));
        if (input.rest > 0) acts(input.whole + 1, late->Phi * early->Gamma, system.D.col(column));
        for (Eigen::Index j = 0; j < input.stored; ++j) {
            if (j == 0)
                out.B(input.first, column) = 1;
            else
                out.A(input.first + j, input.first + j - 1) = 1;
            out.states.push_back(fmt::format("{}_{}", system.inputs[k], j + 1));
        }
    }
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
