// State feedback u = -K x that gives A - B K the poles wanted, for one or several inputs: the Schur method of
// Varga moves one eigenvalue or pair after the other by feedback of least size, with orthogonal
// transformations; it takes multiple poles and leaves alone what is where it should be.
#pragma once

#include "base/diagnostic.h"
#include "control/state_space.h"

namespace cutset {

struct PolePlacement {
    Eigen::MatrixXd K;
    std::vector<std::complex<double>> poles;  // of A - B K as computed
    double error = 0;        // largest distance from the poles wanted, relative to the largest
    double sensitivity = 0;  // condition number of the eigenvectors of A - B K; infinite: defective
    StateSpace closed_loop;
};
std::optional<PolePlacement> place_poles(const StateSpace& system,
                                         const std::vector<std::complex<double>>& wanted,
                                         Diagnostics& diagnostics);

}  // namespace cutset
