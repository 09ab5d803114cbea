// Scale factors of rows and columns. Powers of two, so that scaling rounds nothing. Private to src/numerics.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

namespace cutset {

// The power of two that brings the finite positive `size` into [1/2, 1), as far as it can be represented; 1
// for zero.
inline double power_of_two_scale(double size) {
    if (size == 0) return 1;
    // size = 2^(e - 1023) * 1.…, where e are the eleven bits of the exponent; wanted is 2^(1022 - e).
    const std::int64_t exponent = (std::bit_cast<std::int64_t>(size) >> 52) & 0x7ff;
    return std::bit_cast<double>(std::clamp<std::int64_t>(2045 - exponent, 1, 2023) << 52);
}

}  // namespace cutset
