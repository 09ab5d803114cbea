#include "run/run_state.h"

namespace cutset {

void SwitchMemory::reset(std::size_t switches) {
    forced.resize(switches);
    offset.assign(switches, 0);
    largest.assign(switches, 0);
    muted.assign(switches, false);
    left.assign(switches, false);
}

void SlidingMemory::reset(std::size_t switches) {
    on.assign(switches, false);
    list.clear();
    algebraic.assign(switches, false);
    weights.assign(switches, 0);
}

void EventCounts::reset(std::size_t switches) {
    kinks.assign(switches, {});
    firings.assign(2 * switches, {});
    peaks.assign(2 * switches, 0);
}

RunState::RunState(const Program& program, LoopSolver* loops, bool allow_external)
    : delays(program.partition->delays.size()), values(program, {loops, &delays, allow_external}) {}

}  // namespace cutset
