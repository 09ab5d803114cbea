#include "flat/rule_arguments.h"

namespace cutset {

std::optional<RuleArguments> rule_arguments(std::span<const RuleInput> inputs, std::uint32_t order) {
    RuleArguments result;
    std::vector<std::int32_t> first;  // slots of the inputs
    std::int32_t slot = 0;
    for (const RuleInput& input : inputs) {
        first.push_back(slot);
        slot += static_cast<std::int32_t>(input.slots);
    }
    // The first `base` inputs are those of the function at the beginning: d of them are differentiated.
    std::size_t base = 0, d = 0;
    const auto follows = [&](std::size_t k) { return inputs[k].how == RuleInput::How::Differentiated; };
    for (; base < inputs.size() && base + (order - 1) * d < inputs.size(); ++base) d += follows(base);
    if (base + (order - 1) * d != inputs.size()) return std::nullopt;
    std::vector<std::size_t> chain;  // of the level at hand: the inputs that are differentiated further
    for (std::size_t k = 0; k < base; ++k)
        if (follows(k)) chain.push_back(k);
    std::vector<std::int32_t> next(inputs.size(), DerivativeRule::passed);
    for (std::uint32_t level = 1; level < order; ++level)
        for (std::size_t j = 0; j < d; ++j) {
            const std::size_t derivative = base + (level - 1) * d + j;
            if (!follows(derivative) || inputs[derivative].slots != inputs[chain[j]].slots)
                return std::nullopt;
            next[chain[j]] = first[derivative];
            chain[j] = derivative;
        }
    for (std::size_t k = 0; k < inputs.size(); ++k) {
        std::int32_t how = next[k];
        if (inputs[k].how == RuleInput::How::Ignored) how = DerivativeRule::ignored;
        if (inputs[k].how == RuleInput::How::Constant) how = DerivativeRule::constant;
        if (how == DerivativeRule::passed) result.passed.push_back(k);
        for (std::uint32_t i = 0; i < inputs[k].slots; ++i)
            result.by_slot.push_back(how >= 0 ? how + static_cast<std::int32_t>(i) : how);
    }
    return result;
}

}  // namespace cutset
