// State feedback of several inputs whose freedom is used for eigenvectors that are far from dependent
// (Kautsky, Nichols and Van Dooren; pairs as Tits and Yang): poles then move little when A and B are not
// quite what they seem.
//
// An eigenvector of A - B K for the pole l may be any x with (A - l I) x in the range of B. Each in turn is
// chosen in its subspace such that the determinant of all (unit) eigenvectors becomes as large as possible.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <optional>
#include <vector>

namespace cutset {

// K such that A - B K has the poles, complex ones in pairs. (A, B) controllable. Nothing when there is no
// full set of eigenvectors: a pole more often than there are inputs.
std::optional<Eigen::MatrixXd> robust_placement(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B,
                                                const std::vector<std::complex<double>>& poles);

}  // namespace cutset
