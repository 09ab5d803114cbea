// What a curve does, in words: it settles, oscillates, grows, stays as it is.
#pragma once

#include <span>
#include <string>

namespace cutset {

enum class CurveKind {
    Constant,
    Rest,        // stands still at the end
    Approach,    // changes ever more slowly
    Steady,      // changes at a constant rate
    Growth,      // changes ever faster
    Turns,       // goes up and down, too seldom to tell how
    Oscillation  // goes up and down, see `swings`
};

enum class Swings {
    Sustained,  // repeat themselves
    DieOut,     // become ever smaller
    BuildUp,    // become ever larger
    Vary        // none of these: beats, chaos
};

struct CurveShape {
    CurveKind kind = CurveKind::Constant;
    double first = 0, last = 0;
    double lowest = 0, lowest_at = 0;
    double highest = 0, highest_at = 0;
    std::size_t gaps = 0;  // values that are not finite
    // Rest: since when it stays within a hundredth of its whole range of the last value.
    double rest_from = 0;
    // Oscillation: at the end of the run.
    Swings swings = Swings::Sustained;
    double low = 0, high = 0;
    double period = 0;           // not where they vary
    double per_period = 1;       // DieOut, BuildUp: amplitude of a period, divided by that of the one before
    double least = 0, most = 0;  // Vary: the smallest and the largest from one turn to the next
    // Steady, Turns: slope at the end. Growth: the time in which the rate of change doubles.
    double slope = 0, doubling = 0;

    bool dies_out() const { return swings == Swings::DieOut; }
};

// `time` never decreases; both have the same length.
CurveShape shape_of(std::span<const double> time, std::span<const double> values);

// "comes to rest at 1.02 (within 1 % of its range from 4.3 on)".
std::string shape_text(const CurveShape& shape);
// "lowest 0 at 0, highest 1.2 at 0.7"; empty for what never changes.
std::string extremes_text(const CurveShape& shape);

}  // namespace cutset
