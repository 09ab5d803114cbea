// How roots of P(s, k) = P0(s) + k·P1(s) + … leave a multiple root s0 at k0 (Newton's polygon): like
// s0 + b·(k - k0)^a with a rational exponent a.
#pragma once

#include <vector>

#include "control/polynomial.h"

namespace cutset {

struct LocalBranches {
    unsigned numerator = 1, denominator = 1;  // a
    std::vector<Complex> factors;             // b of each branch, for k > k0
};

// P0, P1, … each highest power first. Roots that stay at s0 for all k are left out.
std::vector<LocalBranches> local_branches(const std::vector<std::vector<double>>& by_gain, double gain,
                                          Complex root, unsigned multiplicity);

}  // namespace cutset
