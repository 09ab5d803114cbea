// Magnitudes in the integrand of an objective: abs(u) and max(a, b) have no derivative where an optimum often
// lies (fuel: an input that is zero for a while). Where they make a minimum larger, each is replaced by an
// input m of the experiment with m >= u and m >= -u, or m >= a and m >= b: at the optimum m is what it stands
// for, and everything is smooth.
#pragma once

#include <string>
#include <vector>

#include "flat/experiment.h"

namespace cutset {

struct Magnitude {
    std::string input;  // quantity of the experiment; not negative where it stands for abs
    bool is_absolute = false;
    std::vector<std::string> margins;  // quantities that must not be negative: m - a, m - b
};

// Of the integrals in the quantity `objective`, which is minimized, or maximized.
std::vector<Magnitude> separate_magnitudes(Experiment& experiment, const std::string& objective,
                                           bool maximize);

}  // namespace cutset
