// Roots of D(s) + k·N(s) = 0 from the roots of D and N:
//
//     Π (s - pole) + k·gain·Π (s - zero) = 0
//
// Coefficients of high order do not hold their roots: those of (s+1)^60 + 1 move by far more than their
// distance when a coefficient is rounded. The products themselves can be evaluated to rounding anywhere, and
// Aberth's iteration, Newton's with all roots at once that repel each other, needs nothing else.
#pragma once

#include <optional>
#include <vector>

#include "control/polynomial.h"

namespace cutset {

class FactoredRoots {
  public:
    FactoredRoots(std::vector<Complex> poles, std::vector<Complex> zeros, double gain);

    // All of them, conjugates as exact pairs, from a guess of as many values; nothing when they are not
    // found, or one is at infinity.
    std::optional<std::vector<Complex>> all(double k, std::vector<Complex> guess) const;
    // The one that Newton's method reaches from a guess, when it stays within `distance` of it.
    std::optional<Complex> near(double k, Complex guess, double distance) const;
    // Where two or more of them meet for some real k, other than at multiple poles and zeros: zeros of
    // Σ 1/(s - pole) - Σ 1/(s - zero).
    std::vector<Complex> meetings() const;
    // The k for which s is a root, -D(s)/N(s).
    Complex gain_at(Complex s) const;

  private:
    Complex ratio(Complex s) const;  // gain·N/D
    Complex slope(double k, Complex s) const;

    std::vector<Complex> poles_, zeros_;
    double gain_;
};

}  // namespace cutset
