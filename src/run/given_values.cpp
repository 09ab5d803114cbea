#include "run/given_values.h"

#include <algorithm>

namespace cutset {

// The program's section without what writes the slots of `held`.
Section GivenValues::holding(const Section& section,
                             const std::vector<std::pair<VariableIndex, double>>& held) const {
    Section own = section;
    own.number = ~std::uint32_t(0);  // machine code knows nothing of it
    std::vector<Slot> slots;
    for (const auto& [v, value] : held) slots.push_back(program_.layout.variable[v.value]);
    std::sort(slots.begin(), slots.end());
    for (Instruction& i : own.instructions)
        if (i.code != Code::Jump && i.code != Code::JumpFalse && i.code != Code::Solve &&
            std::binary_search(slots.begin(), slots.end(), i.to))
            i = {Code::Copy, Op::Number, i.to, i.to, 0};
    return own;
}

const Section& GivenValues::parameters() {
    if (options_.given.empty()) return program_.parameters;
    if (!held_parameters_) held_parameters_ = holding(program_.parameters, options_.given);
    return *held_parameters_;
}

const Section& GivenValues::initial() {
    if (options_.given_starts.empty()) return program_.initial;
    if (!held_initial_) held_initial_ = holding(program_.initial, options_.given_starts);
    return *held_initial_;
}

void GivenValues::set_starts(Interpreter& values) const {
    for (const auto& [v, value] : options_.given_starts) {
        values[program_.layout.variable[v.value]] = value;
        if (program_.layout.previous[v.value]) values[program_.layout.previous[v.value]] = value;
    }
}

bool GivenValues::is_start_given(VariableIndex v) const {
    const auto& starts = options_.given_starts;
    const auto at = std::lower_bound(starts.begin(), starts.end(), v,
                                     [](const auto& start, VariableIndex x) { return start.first < x; });
    return at != starts.end() && at->first == v;
}

}  // namespace cutset
