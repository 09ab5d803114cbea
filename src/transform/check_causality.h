// An `input` must be given from outside the submodel that declares it, an `output` from inside.
#pragma once

#include "transform/analysis.h"

namespace cutset::passes {

// The equations as they were written (but superfluous ones) are matched with all variables, of a state with
// its highest derivative, such that no equation gives a variable from the wrong side. Elimination does not
// count here: it may use an equation for another of its variables than a person would. In a loop of equations
// several matchings are possible, so a violation is reported only when no matching avoids it. Changes
// nothing.
void check_causality(Analysis& a, Diagnostics& diagnostics);

}  // namespace cutset::passes
