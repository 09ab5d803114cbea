// Events that come without end. A kink that does nothing but follow rounding errors is watched no more, and
// ends nothing: the equations are the same on both sides. Any other condition that does so ends the run, and
// so does one whose instants come ever faster and pile up. One that follows rounding errors leaves zero by
// more than these from then on.
#pragma once

#include <span>

#include "run/sides_at_zero.h"

namespace cutset {

class EventStorm {
  public:
    EventStorm(Instant& now, Sliding& sliding, SidesAtZero& sides)
        : now_(now), sliding_(sliding), sides_(sides), counts_(now.state.counts) {}

    // An event at which these conditions changed; false when the run is to end, which is reported.
    bool count(double at, std::span<const std::size_t> fired);
    // A step of the integrator.
    void step() { ++steps_; }
    // Relative size of zero-crossing functions that the tolerance can tell.
    void set_smallest(double size) { smallest_ = size; }

  private:
    Expr due_clock(double at) const;  // null: none
    void count_kink(std::size_t i, double at);
    bool count_firing(std::size_t i, double at);
    bool is_rounding(std::size_t i, double peak, double part) const;
    void hold_against_rounding(std::size_t i, double at);

    Instant& now_;
    Sliding& sliding_;
    SidesAtZero& sides_;
    EventCounts& counts_;
    double smallest_ = 0;
    std::size_t steps_ = 0;  // since the frequency of events was looked at
};

}  // namespace cutset
