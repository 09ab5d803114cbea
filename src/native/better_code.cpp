#include "native/better_code.h"

#include <algorithm>

namespace cutset::native {

namespace {

constexpr std::uint32_t section_often = 10'000;
constexpr std::size_t most_careful = 20'000;  // instructions of a section
// Of functions, times the square of the parts of their numbers, because so the time grows that LLVM takes;
// fewer where a section calls one from more than a few sites.
constexpr std::uint32_t function_often = 1'000, few_sites = 16;

}  // namespace

std::uint32_t BetterCodePays::section(const Section& section) {
    return section.instructions.size() <= most_careful ? section_often : CompiledSection::never;
}

std::map<std::uint32_t, std::uint32_t> BetterCodePays::functions(const Section& section) const {
    std::map<std::uint32_t, std::uint32_t> after;
    for (const Instruction& i : section.instructions)
        if (i.code == Code::Call && forms_[i.a].parts > 0) ++after[forms_[i.a].code];
    for (auto& [place, count] : after) {
        const std::uint32_t parts = parts_of(static_cast<FunctionKind>(place % function_kinds));
        count = function_often * parts * parts / std::max(1u, count / few_sites);
    }
    return after;
}

std::uint32_t BetterCodePays::next(const Section& section, std::uint32_t runs) const {
    std::uint32_t next = CompiledSection::never;
    const auto consider = [&](std::uint32_t after) {
        if (after > runs) next = std::min(next, after);
    };
    consider(BetterCodePays::section(section));
    for (const auto& [place, after] : functions(section)) consider(after);
    return next;
}

}  // namespace cutset::native
