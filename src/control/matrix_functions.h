// Exponential and logarithm of a matrix, of matrices that were balanced first.
#pragma once

#include <Eigen/Core>
#include <optional>

namespace cutset {

// Nothing when it overflows.
std::optional<Eigen::MatrixXd> matrix_exponential(const Eigen::MatrixXd& A);
// The principal logarithm. Nothing when an eigenvalue is 0 or on the negative real axis.
std::optional<Eigen::MatrixXd> matrix_logarithm(const Eigen::MatrixXd& A);

}  // namespace cutset
