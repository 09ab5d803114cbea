// Lyapunov equations by the method of Bartels and Stewart (real Schur form), and factors of Gramians by
// Hammarling's, which never forms the Gramian and so keeps its small directions.
#pragma once

#include <Eigen/Core>
#include <optional>

namespace cutset {

struct LyapunovSolution {
    Eigen::MatrixXd X;
    double residual = 0;  // norm of the equation over the sum of the norms of its terms
};
// A X + X A^T + Q = 0, or sampled A X A^T - X + Q = 0, Q symmetric. Nothing when there is no unique solution:
// two eigenvalues with sum 0 (product 1).
std::optional<LyapunovSolution> solve_lyapunov(const Eigen::MatrixXd& A, const Eigen::MatrixXd& Q,
                                               bool sampled);

// S with S S^T = X of A X + X A^T + B B^T = 0 (sampled: A X A^T - X + B B^T = 0). Nothing unless A is stable.
std::optional<Eigen::MatrixXd> gramian_factor(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                                              bool sampled);

double lyapunov_residual(const Eigen::MatrixXd& A, const Eigen::MatrixXd& Q, const Eigen::MatrixXd& X,
                         bool sampled);

}  // namespace cutset
