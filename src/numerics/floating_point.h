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

// As long as it lives, results below the smallest normal number (2e-308) are zero, and such numbers count as
// zero: processors take a hundred times as long for them. What is filled into factors far from the diagonal
// is often that small.
class TinyIsZero {
  public:
#if defined(__x86_64__) && defined(__GNUC__)
    TinyIsZero() {
        __builtin_ia32_ldmxcsr(before_ | 0x8040);
    }
    ~TinyIsZero() {
        __builtin_ia32_ldmxcsr(before_ | (__builtin_ia32_stmxcsr() & 0x3f));
    }
#else
    TinyIsZero() = default;
#endif
    TinyIsZero(const TinyIsZero&) = delete;
    TinyIsZero& operator=(const TinyIsZero&) = delete;

  private:
#if defined(__x86_64__) && defined(__GNUC__)
    const unsigned before_ = __builtin_ia32_stmxcsr();
#endif
};

}  // namespace cutset
