// Stability margins of a loop with one input and one output, closed by negative feedback.
#pragma once

#include "base/diagnostic.h"
#include "control/state_space.h"

namespace cutset {

struct Margins {
    struct Gain {
        double frequency;  // rad/s, where the phase of L is -180 degrees
        double factor;     // the gain may be multiplied by this: 1/|L|
    };
    struct Phase {
        double frequency;  // rad/s, where |L| = 1
        double degrees;    // 180 + phase of L, between -180 and 180
        double delay;      // s, that turns the phase by just as much
    };
    std::vector<Gain> gains;    // by rising frequency
    std::vector<Phase> phases;  // by rising frequency
    // The one nearest to instability of each kind; none: no limit.
    std::optional<Gain> gain;
    std::optional<Phase> phase;
    std::optional<Phase> delay;
    std::vector<std::complex<double>> closed_poles;
    bool stable = false;            // of the closed loop
    std::optional<double> modulus;  // the least distance of L from -1, 1/max|S|; stable loops only
    std::optional<double> modulus_frequency;
};
std::optional<Margins> stability_margins(const StateSpace& loop, Diagnostics& diagnostics);

}  // namespace cutset
