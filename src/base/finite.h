// Whether all numbers of a list are finite, in one pass without branches.
#pragma once

#include <cstddef>
#include <span>

namespace cutset {

inline bool all_finite(std::span<const double> values) {
    // 0·v is 0 for every finite v and else not a number. Four sums, so that additions need not wait.
    double sums[4] = {};
    std::size_t i = 0;
    for (; i + 4 <= values.size(); i += 4)
        for (std::size_t k = 0; k < 4; ++k) sums[k] += 0 * values[i + k];
    for (; i < values.size(); ++i) sums[0] += 0 * values[i];
    return sums[0] + sums[1] + sums[2] + sums[3] == 0;
}

// Copies, and says whether all are finite.
inline bool copy_finite(std::span<const double> from, double* to) {
    double sums[4] = {};
    std::size_t i = 0;
    for (; i + 4 <= from.size(); i += 4)
        for (std::size_t k = 0; k < 4; ++k) {
            const double v = from[i + k];
            sums[k] += 0 * v;
            to[i + k] = v;
        }
    for (; i < from.size(); ++i) sums[0] += 0 * (to[i] = from[i]);
    return sums[0] + sums[1] + sums[2] + sums[3] == 0;
}

}  // namespace cutset
