// Systems in descriptor form, E x' = A x + B u, y = C x + D u, to state space where that is possible.
#pragma once

#include <optional>

#include "control/state_space.h"

namespace cutset {

// States that E has no part in are eliminated; they keep no name unless E is diagonal. Nothing when that
// cannot be done: the algebraic part is singular, so the transfer function is not proper or does not exist.
// `system` has A, B, C, D as given.
std::optional<StateSpace> reduce_descriptor(const StateSpace& system, const Eigen::MatrixXd& E);

}  // namespace cutset
