// What several methods ask of floating-point numbers. Private to src/numerics.
#pragma once

#include <cmath>
#include <complex>
#include <limits>

namespace cutset {

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();

// Within a factor of sqrt 2 of the absolute value, and cheaper.
inline double magnitude(double v) {
    return std::abs(v);
}
inline double magnitude(const std::complex<double>& v) {
    return std::abs(v.real()) + std::abs(v.imag());
}

}  // namespace cutset
