// Sizes of arrays in words, as messages say them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cutset {

// "a vector of 3", "a matrix of 2 by 3", "an array of 2 by 3 by 4", "a scalar"
std::string shape_text(const std::vector<std::uint32_t>& dimensions);

}  // namespace cutset
