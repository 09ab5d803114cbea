// Linear-quadratic regulators and Kalman filters, with refusals in names of states, inputs and outputs.
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "control/state_space.h"

namespace cutset {

// The cost: integral (sum) of x^T Q x + 2 x^T N u + u^T R u. N may be empty.
struct QuadraticCost {
    Eigen::MatrixXd Q, R, N;
};
// y^T Qy y + u^T R u in terms of states and inputs.
QuadraticCost output_cost(const StateSpace& system, const Eigen::MatrixXd& Qy, const Eigen::MatrixXd& R);

struct Regulator {
    Eigen::MatrixXd K;                        // u = -K x
    Eigen::MatrixXd X;                        // the cost from x is x^T X x
    std::vector<std::complex<double>> poles;  // of A - B K
    double residual = 0;
    StateSpace closed_loop;  // with u = u_new - K x
};
std::optional<Regulator> design_lqr(const StateSpace& system, const QuadraticCost& cost,
                                    Diagnostics& diagnostics);

// x' = A x + B u + w, y = C x + D u + v; covariances (spectral densities) W of w, V of v, S of both (empty:
// 0).
struct NoiseModel {
    Eigen::MatrixXd W, V, S;
};
// Noise that enters with the inputs, and noise of the measurements.
NoiseModel input_noise(const StateSpace& system, const Eigen::MatrixXd& Wu, const Eigen::MatrixXd& V);

struct KalmanFilter {
    Eigen::MatrixXd L;  // x^' = A x^ + B u + L (y - C x^ - D u)
    Eigen::MatrixXd M;  // sampled: x^(k|k) = x^(k|k-1) + M (y - C x^(k|k-1) - D u); else empty
    Eigen::MatrixXd P;  // covariance of the error (sampled: of the prediction)
    std::vector<std::complex<double>> poles;  // of A - L C
    double residual = 0;
    StateSpace estimator;  // inputs u and y, outputs the estimated states
};
std::optional<KalmanFilter> design_kalman(const StateSpace& system, const NoiseModel& noise,
                                          Diagnostics& diagnostics);

struct LqgRegulator {
    StateSpace regulator;    // from the outputs of the system to its inputs, to be connected as it is
    StateSpace closed_loop;  // system and regulator
    std::vector<std::complex<double>> poles;
};
std::optional<LqgRegulator> design_lqg(const StateSpace& system, const Regulator& lqr,
                                       const KalmanFilter& filter, Diagnostics& diagnostics);

// A weight or covariance: size, symmetry, definiteness.
bool check_weight(const Eigen::MatrixXd& M, const std::string& name, Eigen::Index size, const std::string& of,
                  bool strictly, const std::string& meaning, Diagnostics& diagnostics);

}  // namespace cutset
