#include "flat/shape_text.h"

#include <cstddef>

namespace cutset {

std::string shape_text(const std::vector<std::uint32_t>& dimensions) {
    if (dimensions.empty()) return "a scalar";
    std::string text = dimensions.size() == 1   ? "a vector of "
                       : dimensions.size() == 2 ? "a matrix of "
                                                : "an array of ";
    for (std::size_t k = 0; k < dimensions.size(); ++k)
        text += (k ? " by " : "") + std::to_string(dimensions[k]);
    return text;
}

}  // namespace cutset
