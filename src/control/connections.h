// Systems put together: in series, in parallel, with feedback.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "control/state_space.h"

namespace cutset {

// y = second(first(u)).
std::optional<StateSpace> series(const StateSpace& first, const StateSpace& second, Diagnostics& diagnostics);
// y = first(u) + second(u).
std::optional<StateSpace> parallel(const StateSpace& first, const StateSpace& second,
                                   Diagnostics& diagnostics);
// y = forward(u + sign backward(y)). Inputs and outputs are those of `forward`.
std::optional<StateSpace> feedback(const StateSpace& forward, const StateSpace& backward,
                                   Diagnostics& diagnostics, int sign = -1);
// D only.
StateSpace static_gain(const Eigen::MatrixXd& gain, std::vector<std::string> inputs,
                       std::vector<std::string> outputs, std::optional<double> sample_time);
// The chosen inputs and outputs.
StateSpace part_of(const StateSpace& system, const std::vector<Eigen::Index>& inputs,
                   const std::vector<Eigen::Index>& outputs);

// G(0), sampled G(1). Infinite elements where a pole stands there that input and output see.
Eigen::MatrixXd dc_gain(const StateSpace& system);

}  // namespace cutset
