// State feedback u = -K x that gives A - B K the poles wanted. The Schur method of Varga moves one eigenvalue
// or pair after the other by feedback of least size, with orthogonal transformations; it takes multiple poles
// and leaves alone what is where it should be. With several inputs there is freedom, which the robust method
// (robust_placement.h) uses for well-conditioned eigenvectors; the better of the two is taken.
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "control/state_space.h"

namespace cutset {

enum class PlacementMethod { Schur, Robust };

struct PolePlacement {
    PlacementMethod method = PlacementMethod::Schur;
    Eigen::MatrixXd K;
    std::vector<std::complex<double>> poles;  // of A - B K as computed
    double error = 0;        // largest distance from the poles wanted, relative to the largest
    double sensitivity = 0;  // condition number of the eigenvectors of A - B K; infinite: defective
    StateSpace closed_loop;
};
std::optional<PolePlacement> place_poles(const StateSpace& system,
                                         const std::vector<std::complex<double>>& wanted,
                                         Diagnostics& diagnostics,
                                         std::optional<PlacementMethod> method = {});

}  // namespace cutset
