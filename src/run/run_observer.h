// Follows a run: its initialization, steps and events, with all values. Sensitivities are computed so, along
// the very run that `simulate` makes. The order of calls:
//
//     start; [whens]…; event_ends                        initialization, with the event at it
//     (continues; step…; event_comes; event_begins; [whens]…; event_ends)…   parts and the events between
//
// The last part has no event unless the model ended the run.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "generate/interpreter.h"
#include "numerics/integrators/integrator.h"

namespace cutset {

// Why an event took place when it did.
struct EventCause {
    std::optional<std::size_t> crossing;  // a switch whose crossing function passed zero
    std::optional<std::size_t> instant;   // a switch whose instant came
    std::optional<std::size_t> clock;     // a clock that ticks, for the
    double tick = 0;                      // … time, counted from 0
    // All switches whose instant has come and all clocks that tick, with their times.
    std::vector<std::size_t> instants;
    std::vector<std::pair<std::size_t, double>> clocks;
};

class RunObserver {
  public:
    virtual ~RunObserver() = default;
    // The initialization problem is solved; the event at initialization comes next.
    virtual void start(const Interpreter& values) = 0;
    // Integration begins, at initialization or after an event.
    virtual void continues(const Interpreter& values) = 0;
    // A step, or the part of it before an event; the integrator can interpolate in it.
    virtual void step(Integrator& integrator, double from, double to) = 0;
    // Values are those before the event, the equations and crossings are evaluated.
    virtual void event_comes(const Interpreter& values) = 0;
    virtual void event_begins(const EventCause& cause) = 0;
    // When clauses act: slots that get the values of other slots, discrete variables first and then states
    // all at once. Values are those after the discrete ones were set; `jumps`: the states jump by
    // Program::jump in between.
    struct Assignment {
        Slot to, from;
    };
    virtual void whens(const Interpreter& values, std::span<const std::size_t> active,
                       std::span<const Assignment> discrete, std::span<const Assignment> states,
                       bool jumps) = 0;
    virtual void event_ends(const Interpreter& values, bool terminated) = 0;
    // Something happened that derivatives cannot follow: "x sticks at its switching surface".
    virtual void cannot_follow(const std::string& why) = 0;
};

}  // namespace cutset
