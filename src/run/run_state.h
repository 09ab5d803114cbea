// All of the model that changes in a run, as one value: a copy is a checkpoint within an event, and assigning
// it takes the run back there. With what the integrator, the loops and the other parts remember it is all
// that a run's future depends on (run_memory.h). Between Programs a state goes by the numbers of the
// Partition (run_point.h), between models by names (named_point.h), between modes by the variables of the
// model as it came (handover.h).
#pragma once

#include <cstddef>
#include <vector>

#include "base/memory.h"
#include "generate/interpreter.h"
#include "run/delay_buffer.h"
#include "run/forced_switches.h"

namespace cutset {

using Flags = std::vector<char>;  // true and false, looked at all the time

struct ClockState {
    double first = 0, period = 0;
    double ticks = 0;  // number of the next tick
    double next() const { return first + ticks * period; }
};

// By condition, as numbered in Partition::switches.
struct SwitchMemory {
    ForcedSwitches forced;        // those whose zero crossing was located at this instant
    std::vector<double> offset;   // taken from its zero-crossing function, which rounding left there
    std::vector<double> largest;  // size of its zero-crossing function met so far
    Flags muted;                  // no longer watched
    Flags left;                   // has just ended sliding
    // Those that rounding alone has switched to and fro: they leave zero by more than that.
    std::vector<std::size_t> rounded;

    void reset(std::size_t switches);
};

// Conditions whose zero-crossing functions are held at zero (sliding.h).
struct SlidingMemory {
    Flags on;                       // by condition
    std::vector<std::size_t> list;  // those, in order
    Flags algebraic;                // by condition that slides: its function depends on its own value
    std::vector<double> weights;    // by condition: of the true side of a relation that slides

    void reset(std::size_t switches);
};

// Events so far, for those that come without end (event_storm.h).
struct EventCounts {
    struct Kink {
        std::size_t all = 0, recent = 0;  // events; those after `since`
        double since = 0;
    };
    struct Firing {
        std::size_t count = 0, shorter = 0;  // intervals in a row, each shorter than the one before
        std::size_t tiny = 0;                // in a row, in which nothing happened but rounding
        double last = 0, interval = 0, first = 0, longest = 0, window = 0;
        bool reported = false;
    };
    std::vector<Kink> kinks;           // by condition
    std::vector<Firing> firings;       // by condition and direction
    std::vector<double> peaks;         // the same: of the zero-crossing function since the last of them
    std::size_t without_progress = 0;  // events in a row
    double since = 0;
    std::size_t last_fired = std::size_t(-1);  // the condition of the last state event

    void reset(std::size_t switches);
    void remember(MemoryStream& memory);
};

struct RunState {
    RunState(const Program& program, LoopSolver* loops, bool allow_external);

    DelayBuffer delays;
    Interpreter values;  // by slot: time, states, discrete variables, pre(v), conditions and the rest
    SwitchMemory switches;
    SlidingMemory sliding;
    EventCounts counts;
    std::vector<ClockState> clocks;
    Flags when_held;                // by when clause: its condition at the last event
    std::vector<bool> invalid;      // by validity: left and reported
    std::vector<bool> tables_left;  // by callee: reported
    std::vector<double> scales;     // by state: what absolute tolerances are measured by
    std::size_t next_output = 0;

    void remember(MemoryStream& memory);
};

}  // namespace cutset
