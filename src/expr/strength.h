// How strongly what is written holds together, weakest first: a text is bracketed where a stronger one is
// needed.
#pragma once

#include <cstdint>

namespace cutset {

enum class Strength : std::uint8_t {
    Choice,
    Interval,  // a:b
    Either,
    Both,
    Negation,
    Relation,
    Sum,
    Product,
    Minus,
    Raised,
    Primary
};

// The next stronger one.
inline Strength above(Strength s) {
    return s == Strength::Primary ? s : static_cast<Strength>(static_cast<int>(s) + 1);
}

}  // namespace cutset
