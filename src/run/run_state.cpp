#include "run/run_state.h"

namespace cutset {

void SwitchMemory::reset(std::size_t switches) {
    forced.resize(switches);
    offset.assign(switches, 0);
    largest.assign(switches, 0);
    muted.assign(switches, false);
    left.assign(switches, false);
    rounded.clear();
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

void RunState::remember(MemoryStream& memory) {
    Interpreter& v = values;
    std::vector<double> slots(v.values().begin(), v.values().end());
    memory("values", slots);
    for (Slot slot = 0; memory.restores() && memory.good() && slot < slots.size(); ++slot)
        v[slot] = slots[slot];
    delays.remember(memory);
    switches.forced.remember(memory);
    memory("offsets", switches.offset);
    memory("largest", switches.largest);
    memory("muted", switches.muted);
    memory("left", switches.left);
    memory.list("rounded", switches.rounded);
    for (std::size_t i : switches.rounded)
        if (i >= switches.offset.size()) memory.fail();
    memory("sliding", sliding.on);
    memory.list("sliding list", sliding.list);
    memory("algebraic", sliding.algebraic);
    memory("weights", sliding.weights);
    for (std::size_t i : sliding.list)
        if (i >= sliding.on.size()) memory.fail();
    counts.remember(memory);
    std::size_t clock_count = clocks.size();
    memory("clocks", clock_count);
    if (clock_count > values.program().partition->clocks.size()) return memory.fail();
    clocks.resize(clock_count);
    for (ClockState& clock : clocks) {
        memory("clock", clock.first);
        memory("period", clock.period);
        memory("ticks", clock.ticks);
    }
    memory.list("held", when_held);
    memory.list("invalid", invalid);
    memory.list("tables left", tables_left);
    memory.list("scales", scales);
    memory("next output", next_output);
}

void EventCounts::remember(MemoryStream& memory) {
    for (Kink& k : kinks) {
        memory("kinks", k.all);
        memory("recent", k.recent);
        memory("since", k.since);
    }
    for (Firing& f : firings) {
        memory("firings", f.count);
        memory("shorter", f.shorter);
        memory("tiny", f.tiny);
        memory("last", f.last);
        memory("interval", f.interval);
        memory("first", f.first);
        memory("longest", f.longest);
        memory("window", f.window);
        memory("reported", f.reported);
    }
    memory("peaks", peaks);
    memory("without progress", without_progress);
    memory("progress", since);
    memory("last fired", last_fired);
}

RunState::RunState(const Program& program, LoopSolver* loops, bool allow_external)
    : delays(program.partition->delays.size()), values(program, {loops, &delays, allow_external}) {}

}  // namespace cutset
