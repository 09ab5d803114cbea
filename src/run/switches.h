// The conditions of a run at an instant. Between events each has a stored value; at an event it is computed
// from its zero-crossing function, from the instant at which a time event is due, or from what was located.
#pragma once

#include <memory>
#include <vector>

#include "run/equations.h"

namespace cutset {

inline constexpr double shortest_look_ahead = 1e-8;  // of the run: where a condition at zero moves to

inline constexpr double rounding_of_terms = 2e-15;

// The value of a relation a < b, a <= b, a = b, a <> b, or of sign(a - b), between equals, and for a - b = c.
inline double value_at_zero(Op op) {
    return op == Op::LessEqual || op == Op::Equal;
}
inline double value_off_zero(Op op, double c) {
    switch (op) {
        case Op::Sign:
            return c > 0 ? 1 : -1;
        case Op::Equal:
            return 0;
        case Op::NotEqual:
            return 1;
        default:
            return c < 0;
    }
}
inline bool is_relation(Op op) {
    return op == Op::Less || op == Op::LessEqual || op == Op::Equal || op == Op::NotEqual;
}

// Zero-crossing functions this small, for the size of what they compare, may be rounding.
inline constexpr double rounding_of_crossings = 1e-13;
// The largest nominal value of the variables in the zero-crossing function; 1 for none.
double crossing_size(const Instant& now, std::size_t i);

// It has the value of equals, which it has at no other place: both sides of zero are beyond it.
inline bool is_held_equal(Op op, double value) {
    return (op == Op::Sign && value == 0) || (op == Op::Equal && value != 0) ||
           (op == Op::NotEqual && value == 0);
}

class Switches {
  public:
    Switches(Instant& now, const SwitchStructure& structure, Sliding& sliding);

    // Nothing is known yet about any of them.
    void reset();

    // For the zero-crossing functions as they are now.
    double value(std::size_t i) const;
    // Whether its zero crossing was located at this instant and has not moved since.
    bool is_forced(std::size_t i) const;
    // Its zero crossing has been located: it has this value beyond.
    void force(std::size_t i, double value);
    // Those of `list` whose zero-crossing functions are zero, but for rounding, beyond this instant: a few
    // short Euler steps tell. Only one with `abs`, `min` and the like in it can come to that from elsewhere.
    // For int(x): where x stays exactly at a whole number, but 0.
    std::vector<std::size_t> staying_at_zero(std::vector<std::size_t> list);
    // What the function is compared with: 0, for int(x) the nearest whole number.
    double boundary(std::size_t i) const;
    // Whether its zero-crossing function is at zero as far as can be told: its side is decided by where it
    // moves.
    bool near_zero(std::size_t i) const;

    // The values in the zero-crossing function are of this size: it is zero but for rounding where it is less
    // than `rounding_of_terms` of that.
    double size_of_terms(std::size_t i, const Interpreter& values) const;
    // Its sides are equal and stay so: they have not parted as long as only rounding tells them apart.
    void hold_equal(std::size_t i);
    // … and part, to this side: it is no longer asked whether they are equal.
    void leave_equal(std::size_t i, double crossing);

    // The zero-crossing function of a time event is linear in time, with coefficients that only events
    // change; its slope tells the value on either side of its instant.
    void measure_time_events();

    void begin_sliding(std::size_t i, double mixture, bool algebraic);
    // It takes the value of the end that its mixture is nearest to.
    void end_sliding(std::size_t i);
    // After a state was set anew or a discrete variable changed: what slid may now be off zero.
    bool leave_moved();

    // One that depends on the solution of a loop and whose function is zero but for rounding has the value
    // that lasts; it is to leave from that side, by more than the solutions differ from one evaluation to the
    // next, lest it fires back at once.
    void settle_on_sides();
    void settle_on_side(std::size_t i);
    void settle_on_side(std::size_t i, double least);

    void remember(MemoryStream& memory) {
        memory("slopes", slope_);
        memory.list("measured for", measured_for_);
        memory("slopes known", slopes_known_);
    }

  private:
    Interpreter& probe();

    Instant& now_;
    const SwitchStructure& structure_;
    Sliding& sliding_;
    SwitchMemory& memory_;
    std::vector<double> slope_;         // by condition: of the function of a time event
    std::vector<double> measured_for_;  // values of the discrete inputs that they were measured with
    bool slopes_known_ = false;
    std::unique_ptr<Interpreter> probe_;  // a second place to compute
};

}  // namespace cutset
