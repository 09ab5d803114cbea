// Named ticks, as the parser knows them.
#pragma once

#include <cstdint>

#include "ir/class_tree.h"

namespace cutset::dymola {

// In lowest terms. The functions say whether the numbers stay in range.
struct Ratio {
    std::uint64_t numerator = 0, denominator = 1;
    bool set(std::uint64_t n, std::uint64_t d);
    bool multiply(const Ratio& by);
    bool add(const Ratio& term);
};

// Ticks at first + (begin + k*interval)*period, k = 0, 1, …, or where `event` becomes true.
struct Clock {
    tree::Expression first, period, event;
    Ratio begin, interval{1, 1};
    bool periodic = false;
    Span where;
    // That it ticks.
    tree::Expression condition(Span where) const;
};

}  // namespace cutset::dymola
