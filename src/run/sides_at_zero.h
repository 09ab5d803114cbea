// Conditions whose zero-crossing functions are zero at an event: the side that they leave to, or that they
// are held there (sliding.h).
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "run/switches.h"

namespace cutset {

class SidesAtZero {
  public:
    SidesAtZero(Instant& now, const SwitchStructure& structure, Sliding& sliding, Equations& equations,
                Switches& switches)
        : now_(now), structure_(structure), sliding_(sliding), equations_(equations), switches_(switches) {}

    // Conditions that slide and are beyond their ends, or were moved off zero, end it; those at zero that
    // would be driven back from either side begin it; others at zero take the side that they move to. One
    // that has just crossed goes back when what the event did drives it back (a ball that bounces is below
    // the floor at no time): it would fire again at once.
    bool decide();
    // A relation whose two sides are exactly equal takes the side that they move to: a few short Euler steps
    // tell which. Where they stay equal a < b is false and a <= b true.
    bool look_ahead();
    // Where the instants of several conditions pile up (-a*sign(x) - b*sign(v) for x'' winds round the point
    // x = v = 0) all of them may slide at once from there on: if mixtures hold every function at zero.
    bool hold_together();
    // Conditions whose sides are not to be decided again at this event.
    void set_decided(std::vector<std::size_t> list) { settled_ = std::move(list); }

  private:
    struct Sides {  // below and above zero: the condition, its zero-crossing function and the derivative of
                    // that
        double value[2] = {}, crossing[2] = {}, derivative[2] = {};
    };
    bool is_settled(std::size_t i) const {
        return std::find(settled_.begin(), settled_.end(), i) != settled_.end();
    }
    std::optional<Sides> look_at_sides(std::size_t i, bool& probed);
    bool decide(std::size_t i, double c, const Sides& sides);
    struct Beyond {
        std::vector<std::size_t> back;  // driven to the side where they have another value
        std::vector<std::size_t> held;  // equal beyond the instant, with the value of unequal sides
    };
    // `rounding`: so much of its terms is zero.
    Beyond look_beyond(std::vector<std::size_t> list, double h, double rounding) const;
    bool evaluate();

    Instant& now_;
    const SwitchStructure& structure_;
    Sliding& sliding_;
    Equations& equations_;
    Switches& switches_;
    std::vector<std::size_t> decided_;  // at zero, with a side that their derivatives have told
    std::vector<std::size_t> settled_;  // by set_decided
};

}  // namespace cutset
