// Which initial conditions hold, where there are more than the equations leave room for.
//
// A pendulum x² + y² = 1 with x(0) = 1 and y(0) = 0: either initial value leaves a solvable structure, but
// with x fixed y² = 0 is singular. So the choice is made by numbers: the partial derivatives of the equations
// at the given initial values are eliminated row by row, and what a row has the largest coefficient of is
// solved for; the initial values of what is left over hold.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "transform/analysis.h"

namespace cutset::passes {

// How much a condition counts; the first two always hold.
enum class StartRank : std::uint8_t {
    Continuous,
    Initial,    // written `initial …`
    Instead,    // takes the place of initial values: steady state, jump
    UserStart,  // --init of a differentiated variable
    Start,      // initial value of a state
    Tied,       // initial value of a variable that constraints tie to others
    TiedRate,   // the same of one that is a derivative of another: speeds give way before places
    Default,    // initial value of any of them by a parameter with its default value
    Guess,      // initial value of another variable
    Zero,       // x = 0 where nothing is said, or x = e where only a guess is
};

// Takes the rows of the initialization problem with their ranks and a maximum matching by preference. Rows of
// the ranks UserStart to Default and Zero are x = e with x the left side. Returns by row whether it holds;
// nothing when numbers do not help (not to be had, or too much work): then the matching decides.
std::optional<std::vector<bool>> choose_starts(Analysis& a, const System& system,
                                               const std::vector<std::uint8_t>& ranks);

}  // namespace cutset::passes
