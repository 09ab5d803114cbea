// The event at an instant:
//
//     clocks tick; pre(x) := x
//     repeat until no further condition becomes true:
//         when clauses, each time with the conditions settled anew
//         the equations; sides of the conditions that are at zero, and conditions that follow from those
//
// Before: states are the left limits, and conditions whose zero crossing was located are forced. After:
// states, discrete variables and conditions agree with the equations.
#pragma once

#include <vector>

#include "run/range_watch.h"
#include "run/sides_at_zero.h"
#include "run/time_events.h"
#include "run/when_clauses.h"

namespace cutset {

class EventIteration {
  public:
    EventIteration(Instant& now, const SwitchStructure& structure, Equations& equations, Switches& switches,
                   Settling& settling, SidesAtZero& sides, WhenClauses& whens, TimeEvents& times,
                   RangeWatch& ranges)
        : now_(now),
          structure_(structure),
          equations_(equations),
          switches_(switches),
          settling_(settling),
          sides_(sides),
          whens_(whens),
          times_(times),
          ranges_(ranges) {}

    // Stops early, with true, where an exit of the mode is taken.
    bool run();
    // Right after the initialization, whose values are pre(x) by now: what has changed since is seen.
    bool run_after_start();
    // On entry into a mode: clocks and previous values are those of the event that led to it.
    bool run_on_entry();

  private:
    bool iterate();
    bool take_sides(bool& agreed);
    void hold_equal_sides();
    void force_equalities();
    bool ends(std::size_t i) const;
    bool has_equalities() const;
    void end_equalities();

    Instant& now_;
    const SwitchStructure& structure_;
    Equations& equations_;
    Switches& switches_;
    Settling& settling_;
    SidesAtZero& sides_;
    WhenClauses& whens_;
    TimeEvents& times_;
    RangeWatch& ranges_;
    std::vector<double> before_sides_;  // values of the conditions
};

}  // namespace cutset
