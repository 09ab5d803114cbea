// What is known about where a number lies.
#pragma once

#include <limits>

namespace cutset {

// low <= value <= high; an open end is not reached. `nonzero`: 0 is excluded.
struct Range {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool low_open = false, high_open = false;
    bool nonzero = false;

    bool positive() const { return low > 0 || (low == 0 && (low_open || nonzero)); }
    bool negative() const { return high < 0 || (high == 0 && (high_open || nonzero)); }
    bool not_negative() const { return low >= 0; }
    bool not_positive() const { return high <= 0; }
    bool excludes_zero() const { return nonzero || positive() || negative(); }
    bool empty() const { return low > high || (low == high && (low_open || high_open)); }
};

}  // namespace cutset
