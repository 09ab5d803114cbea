// Exponential and logarithm of a matrix, of matrices that were balanced first.
#pragma once

#include <Eigen/Core>
#include <optional>

namespace cutset {

// Nothing when it overflows.
std::optional<Eigen::MatrixXd> matrix_exponential(const Eigen::MatrixXd& A);
// exp([A B; 0 0]) = [E F; 0 I]: how a state goes over one unit of time with a constant input. By Schur form
// where A is large, so that slow modes beside fast ones keep their digits. Nothing when it overflows.
struct HoldExponential {
    Eigen::MatrixXd E, F;
};
std::optional<HoldExponential> hold_exponential(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
// The principal logarithm. Nothing when an eigenvalue is 0 or on the negative real axis.
std::optional<Eigen::MatrixXd> matrix_logarithm(const Eigen::MatrixXd& A);

}  // namespace cutset
