// Events at times that are known beforehand: ticks of clocks, relations of the time, jumps that come out of
// delays, and the breakpoints of tables over time, which no step may pass unseen.
#pragma once

#include <vector>

#include "run/instant.h"
#include "run/present_delays.h"
#include "run/switch_structure.h"

namespace cutset {

class TimeEvents {
  public:
    TimeEvents(Instant& now, const SwitchStructure& structure)
        : now_(now), structure_(structure), delays_(now.program), clocks_(now.state.clocks) {}

    // Clocks as the parameters give them, before their first ticks.
    bool start_clocks();
    // Whether one of them depends on what initialization finds.
    bool wait_for_start() const;
    // Clocks that tick at initialization do so in its event.
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

    // The arguments of delays at initialization: what they were before. False when nothing has changed since
    // the last time.
    bool record_start();
    // The arguments of delays at an accepted point of the step that begins at `from`. False, with a message,
    // where a delay is negative, or has grown so much that its past has been forgotten.
    bool record_delays(double at, double from);
    bool record_delays(double at) { return record_delays(at, at); }
    void pass_delayed_jumps();
    // A jump has come out of a delay that derivatives or zero-crossing functions depend on, since the last
    // time this was forgotten.
    bool delayed_jump_acts() const { return delayed_jump_acts_; }
    void forget_delayed_jumps() { delayed_jump_acts_ = false; }
    const DelayStructure& delays() const { return delays_; }

  private:
    Instant& now_;
    const SwitchStructure& structure_;
    const DelayStructure delays_;
    std::vector<ClockState>& clocks_;  // of the state
    void pass_jumps(std::size_t delay);

    bool delayed_jump_acts_ = false;
    std::vector<double> breakpoints_;
    std::vector<double> jumps_;  // those where the table jumps
};

}  // namespace cutset
