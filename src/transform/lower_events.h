// Functions that switch become choices over relations:
//
//     abs(x) = if x < 0 then -x else x                 min(a, b) = if a < b then a else b
//     sign(x) = if x > 0 then 1 else if x < 0 then -1 else 0      max(a, b) = if b < a then a else b
//     mod(x, y) = x - int(x/y)*y
//
// where their argument varies continuously and `noevent` does not stand around them.
#pragma once

#include "transform/analysis.h"

namespace cutset::passes {

// Changes equations, initial equations and when conditions. Afterwards everything that can switch there is a
// relation or an `int`. delay(x, 0) becomes x, and what made its duration 0 structural.
void lower_events(Analysis& a, Diagnostics& diagnostics);

}  // namespace cutset::passes
