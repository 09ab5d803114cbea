// Invariant zeros of a system with any numbers of inputs and outputs.
//
// The reduction of Emami-Naeini and Van Dooren takes out zeros at infinity and the singular part by
// orthogonal transformations until D is square and invertible; the zeros are then generalized eigenvalues
// (QZ).
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "control/state_space.h"

namespace cutset {

struct Zeros {
    std::vector<std::complex<double>> finite;
    Eigen::Index normal_rank = 0;  // rank of the transfer matrix at almost every s
    bool degenerate = false;  // the transfer matrix loses rank everywhere: smaller than inputs and outputs
};
// Includes the modes that are uncontrollable or unobservable (decoupling zeros). Nothing when QZ did not
// converge.
std::optional<Zeros> invariant_zeros(const StateSpace& system, double tolerance = 1e-11);

// Of a system with one input and one output: G(s) = gain * prod(s - z)/prod(s - p). 0 when G = 0.
double zero_pole_gain(const StateSpace& system, const std::vector<std::complex<double>>& zeros,
                      const std::vector<std::complex<double>>& poles);

}  // namespace cutset
