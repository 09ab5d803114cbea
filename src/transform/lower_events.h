// Functions that switch become choices over relations:
//
//     mod(x, y) = x - int(x/y)*y
//     delay(x, T, h) = if time < start + T then h(time - T) else delay(x, T)
//
// and an equation k*sign(e) = 0 with k ≠ 0, which asks for nothing else, becomes e = 0;
// where their argument varies continuously and `noevent` does not stand around them. abs, min and max stay:
// they are continuous, so they are always evaluated as they stand, and only their kinks are located
// (collect_events).
#pragma once

#include "transform/analysis.h"

namespace cutset::passes {

// Changes equations, initial equations and when conditions. Afterwards everything that can switch there is a
// relation or an `int`. delay(x, 0) becomes x, and what made its duration 0 structural; no delay has a
// history.
void lower_events(Analysis& a, Diagnostics& diagnostics);

}  // namespace cutset::passes
