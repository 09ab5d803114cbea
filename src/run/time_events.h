// Events at times that are known beforehand: ticks of clocks, relations of the time, jumps that come out of
// delays, and the breakpoints of tables over time, which no step may pass unseen.
#pragma once

#include <vector>

#include "run/instant.h"
#include "run/switch_structure.h"

namespace cutset {

class TimeEvents {
  public:
    TimeEvents(Instant& now, const SwitchStructure& structure)
        : now_(now), structure_(structure), clocks_(now.state.clocks) {}

    // Clocks as the parameters give them, before their first ticks.
    bool start_clocks();
    // Clocks that tick at the start do so in its event.
    void mark_ticks_at_start();
    // Clocks whose parameters are those of `before` go on as it stood; the others with their first tick after
    // this instant.
    void continue_clocks(const std::vector<ClockState>& before);
    // At an event: clocks that are due tick.
    void tick();
    void clear_ticks();
    static bool is_due(const ClockState& clock, double at);

    // Once, before the steps.
    void find_breakpoints();
    // The next of them all but breakpoints.
    double next() const;
    double next_breakpoint() const;
    // Whether a table jumps at that time.
    bool is_jump(double at) const;

    // The arguments of delays at an accepted point.
    void record_delays(double at);
    void pass_delayed_jumps();

  private:
    Instant& now_;
    const SwitchStructure& structure_;
    std::vector<ClockState>& clocks_;  // of the state
    std::vector<double> breakpoints_;
    std::vector<double> jumps_;  // those where the table jumps
};

}  // namespace cutset
