// Newton's method for Riccati equations in Kleinman's form, for systems whose time scales differ so much that
// invariant subspaces are lost in rounding. From a gain K for which A - B K is stable each step solves
//
//     (A - B K)^T X + X (A - B K) + Q + K^T R K = 0        (sampled: the same with X(k+1), X(k))
//
// for a factor of X (Hammarling), so that X is a sum of squares at every step, and takes the gain of that X.
#pragma once

#include <optional>

#include "control/riccati.h"

namespace cutset {

// K for which A - B K is stable; moves only what is not stable. Nothing when that could not be computed.
std::optional<Eigen::MatrixXd> stabilizing_gain(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                                                bool sampled);

struct KleinmanSolution {
    Eigen::MatrixXd X, K;
};
// Nothing when A - B K is not stable for the K given, or the iteration does not converge.
std::optional<KleinmanSolution> kleinman_iteration(const RiccatiProblem& problem, Eigen::MatrixXd K);

}  // namespace cutset
