// A loop with negative feedback, 1 + L(s) = 0: whether it is stable when closed, how far from instability it
// is, and how often L encircles -1.
#pragma once

#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "control/transfer_function.h"

namespace cutset {

struct Margins {
    struct Gain {
        double frequency = 0;  // rad/s, where L is real and negative; infinite: L(∞) < 0
        double factor = 0;     // the gain may be multiplied by this until the loop is on the border: 1/|L|
    };
    struct Phase {
        double frequency = 0;  // rad/s, where |L| = 1
        double degrees = 0;    // 180 + phase of L, in (-180, 180]
        double delay = 0;      // s: so much more delay turns the phase to -180°; infinite at 0 rad/s
    };
    std::vector<Gain> gains;     // all, by frequency
    std::vector<Phase> phases;   // all, by frequency
    std::optional<Gain> gain;    // the factor nearest to 1; none: no limit
    std::optional<Phase> phase;  // the smallest angle; none: no limit
    std::optional<Phase> delay;  // the smallest delay; stable closed loops only

    double sensitivity = 0;            // max |1/(1 + L)|; infinite on the border
    double sensitivity_frequency = 0;  // rad/s, may be infinite

    enum class ClosedLoop {
        Stable,
        Border,  // poles on the boundary, none beyond it
        Unstable,
        InfinitelyUnstable,  // a delay, and |L| > 1 up to infinite frequency: poles without end in the right
                             // half
        IllPosed             // L(∞) = -1: the equations of the closed loop have no solution
    };
    ClosedLoop closed_loop = ClosedLoop::Stable;
    bool stable() const { return closed_loop == ClosedLoop::Stable; }

    int open_loop_unstable = 0;  // P: poles right of the boundary, also those that L does not show
    int hidden_unstable = 0;     // of them those that L does not show: no feedback moves them
    // N: encirclements of -1, clockwise, poles on the boundary passed on the right; none when L passes
    // through -1 or there is no end of them.
    std::optional<int> encirclements;
    std::optional<int> closed_loop_unstable;  // Z = N + P
    std::vector<Complex> closed_loop_poles;   // empty with a delay
};

// Poles of the closed loop: roots of numerator + denominator.
Margins stability_margins(const TransferFunction& loop);
// The same with exact coefficients; common factors of numerator and denominator are poles that L does not
// show.
Margins stability_margins(const ExactFraction& loop, const Rational& delay,
                          std::optional<double> sample_time);
// The loop from one input to one output. Poles of the closed loop: eigenvalues of A - B C/(1 + D). Nothing
// when eigenvalues could not be computed, which is reported.
std::optional<Margins> stability_margins(const StateSpace& system, Eigen::Index input, Eigen::Index output,
                                         Diagnostics& diagnostics);
// The same when the transfer function of the channel and the poles of the system (`settled_poles`) are known.
std::optional<Margins> stability_margins(const StateSpace& system, Eigen::Index input, Eigen::Index output,
                                         const TransferFunction& loop, const std::vector<Complex>& open,
                                         Diagnostics& diagnostics);

}  // namespace cutset
