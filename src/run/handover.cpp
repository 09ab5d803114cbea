#include "run/handover.h"

namespace cutset {

std::optional<double> Handover::named(const std::string& name) const {
    for (const auto& [known, value] : by_name)
        if (known == name) return value;
    return std::nullopt;
}

std::string nth_derivative_name(std::string name, std::uint32_t order) {
    for (std::uint32_t k = 0; k < order; ++k) name = derivative_name(name);
    return name;
}

}  // namespace cutset
