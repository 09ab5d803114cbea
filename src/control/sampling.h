// Sampled systems from continuous ones and back: exact for inputs that are constant between samples
// (zero-order hold), or by Tustin's trapezoidal rule, s = (2/T) (z - 1)/(z + 1).
#pragma once

#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "control/state_space.h"
#include "expr/rational.h"

namespace cutset {

enum class SamplingMethod { ZeroOrderHold, Tustin };

// `prewarp`, rad/s (Tustin): the frequency at which both systems have the same response.
std::optional<StateSpace> sample(const StateSpace& system, double period, SamplingMethod method,
                                 Diagnostics& diagnostics, std::optional<double> prewarp = {});
// Inputs that reach the system after a delay each, s; held between samples, exactly. Past values of the
// inputs are further states.
std::optional<StateSpace> sample_delayed(const StateSpace& system, const std::vector<Rational>& delays,
                                         double period, Diagnostics& diagnostics);
std::optional<StateSpace> continuous_from_sampled(const StateSpace& system, SamplingMethod method,
                                                  Diagnostics& diagnostics,
                                                  std::optional<double> prewarp = {});

// exp(A h) and its integral times B over [0, h]. Nothing when it overflows.
struct HoldStep {
    Eigen::MatrixXd Phi, Gamma;
};
std::optional<HoldStep> zero_order_hold(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B, double h);

}  // namespace cutset
