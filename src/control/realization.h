// Realisations of the same inputs and outputs: minimal, balanced, truncated; Gramians and Hankel singular
// values.
#pragma once

#include <optional>

#include "base/diagnostic.h"
#include "control/staircase.h"

namespace cutset {

// Without what the inputs do not reach and the outputs do not show. A minimal system comes back as it is,
// names and all; else the states are new, z1, z2 ...
struct MinimalRealization {
    StateSpace system;
    Eigen::Index uncontrollable = 0, unobservable = 0;  // orders removed, one after the other
};
MinimalRealization minimal_realization(const StateSpace& system, double tolerance = rank_tolerance);

struct Gramians {
    Eigen::MatrixXd controllability, observability;
    Eigen::MatrixXd controllability_factor, observability_factor;  // P = S S^T
    Eigen::VectorXd hankel;                                        // largest first
    double controllability_residual = 0, observability_residual = 0;
};
// Reports the modes that are not stable by name; nothing then.
std::optional<Gramians> gramians(const StateSpace& system, Diagnostics& diagnostics);

struct BalancedRealization {
    StateSpace system;
    Eigen::VectorXd hankel;  // of the whole system, largest first
    Eigen::Index order = 0;  // kept
    double error_bound = 0;  // of the truncation in the H-infinity norm: twice the sum of what was left out
};
// Both Gramians equal and diagonal. `order`: keep so many states; without it all but those with (relative)
// Hankel singular value below `tolerance`.
std::optional<BalancedRealization> balanced_realization(const StateSpace& system,
                                                        std::optional<Eigen::Index> order,
                                                        Diagnostics& diagnostics, double tolerance = 1e-12);

// z = T^-1 x; states named z1, z2 ...
StateSpace with_new_states(const StateSpace& old, Eigen::MatrixXd A, Eigen::MatrixXd B, Eigen::MatrixXd C);

}  // namespace cutset
