// Functions that ask for it become equations, after index reduction has differentiated their calls as a
// whole:
//
//     y = f(x),  f: t = x**2; y = t + 1      becomes      y = f.y,  f.t = x**2,  f.y = f.t + 1
//
// Each value that the function computes is an internal variable with an equation of its own, so that
// matching, sorting and tearing see what depends on what, and linear relations as such. Conditions in a
// function make no events, here as there.
#pragma once

#include "transform/analysis.h"

namespace cutset::passes {

// Changes live equations and adds internal variables. Calls that are not always evaluated (in a branch of an
// `if`), derivatives of calls, and calls whose statements are more than assignments, choices and loops of
// known length stay calls.
void inline_functions(Analysis& a, Diagnostics& diagnostics);

}  // namespace cutset::passes
