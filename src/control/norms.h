// Norms of stable systems.
#pragma once

#include <optional>

#include "base/diagnostic.h"
#include "control/state_space.h"

namespace cutset {

// Root of the mean square of the outputs under white noise at the inputs, from the Gramian. Infinite with a
// direct term D in continuous time. Nothing (and a message) when the system is not stable.
std::optional<double> h2_norm(const StateSpace& system, Diagnostics& diagnostics);

struct PeakGain {
    double gain = 0;       // the largest singular value over all frequencies
    double frequency = 0;  // rad/s; infinite when it is approached only
};
// By the eigenvalues of Hamiltonian matrices (Bruinsma and Steinbuch), so that no peak is missed.
std::optional<PeakGain> hinf_norm(const StateSpace& system, Diagnostics& diagnostics);

}  // namespace cutset
