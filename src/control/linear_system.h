// A linear system as it was given: matrices with numbers, or transfer functions with exact coefficients.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "control/state_space.h"
#include "control/transfer_text.h"

namespace cutset {

using LinearSystem = std::variant<StateSpace, ExactTransferMatrix>;

inline const std::vector<std::string>& inputs_of(const LinearSystem& system) {
    return std::visit([](const auto& s) -> const std::vector<std::string>& { return s.inputs; }, system);
}
inline const std::vector<std::string>& outputs_of(const LinearSystem& system) {
    return std::visit([](const auto& s) -> const std::vector<std::string>& { return s.outputs; }, system);
}
// s; none: continuous.
inline std::optional<double> sample_time_of(const LinearSystem& system) {
    return std::visit([](const auto& s) { return s.sample_time; }, system);
}

}  // namespace cutset
