// A loop with negative feedback, 1 + L(s) = 0: how far from instability it is, and how often L encircles -1.
#pragma once

#include "control/transfer_function.h"

namespace cutset {

struct LoopMargins {
    struct Gain {
        double frequency = 0;  // rad/s, where the phase is -180° (modulo 360°)
        double factor = 0;     // the gain may be multiplied by this until the loop is on the border
    };
    struct Phase {
        double frequency = 0;  // rad/s, where |L| = 1
        double angle = 0;      // degrees, in (-180, 180]
        double delay = 0;      // s: so much more delay brings the loop to the border
    };
    std::vector<Gain> gains;           // all, by frequency
    std::vector<Phase> phases;         // all, by frequency
    std::optional<Gain> gain;          // the one nearest to 1
    std::optional<Phase> phase;        // the smallest
    double sensitivity = 0;            // max |1/(1 + L)|; infinite on the border
    double sensitivity_frequency = 0;  // rad/s

    int open_loop_unstable = 0;  // P: poles of L right of the boundary
    std::optional<int>
        encirclements;  // N: of -1, clockwise, poles on the boundary passed on the right; none on the border
    std::optional<int> closed_loop_unstable;  // Z = N + P
    std::optional<bool> stable;               // none: on the border
    std::vector<Complex> closed_loop_poles;   // empty with a delay
};

LoopMargins loop_margins(const TransferFunction& loop);

}  // namespace cutset
