// What a function that is the derivative of another is called with (DerivativeRule::arguments).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "expr/expr.h"

namespace cutset {

// An input of a function as a rule for its derivative sees it.
struct RuleInput {
    std::uint32_t slots = 1;
    enum class How : std::uint8_t { Differentiated, Ignored, Constant } how = How::Differentiated;
};
// By slot, for DerivativeRule::arguments, and the inputs whose derivatives are passed. The inputs of a rule
// of order k are those of the function that it goes back to, followed by their first … (k-1)-th derivatives.
struct RuleArguments {
    std::vector<std::int32_t> by_slot;
    std::vector<std::size_t> passed;
};
// Nothing where the inputs are not such a list.
std::optional<RuleArguments> rule_arguments(std::span<const RuleInput> inputs, std::uint32_t order);

}  // namespace cutset
