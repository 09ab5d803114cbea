// Functions and tables of a flat model with numbers for arguments: what parameters are computed by.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "ir/flat_model.h"

namespace cutset {

// The value of output `output`, for parameters that call functions. Nothing when it cannot be computed here.
std::optional<double> function_value(const FlatModel& model, CalleeIndex callee, std::uint32_t output,
                                     std::span<const double> arguments);

}  // namespace cutset
