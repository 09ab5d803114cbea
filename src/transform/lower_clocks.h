// Sampled systems of several rates. Equations with clocked variables, joined by the operators of FlatModel's
// clock_operators, become when clauses:
//
//     clock_partitions.h     which variables tick together, and when
//     discretize_clocked.h   derivatives become differences where the clock has a solver method
//     bodies                 each equation determines one variable of its partition; order: sort_whens.h
//
//     y = sample(u)      y := pre(u), the value just before the tick
//     y = subSample(u)   y := u, the value of a simultaneous tick, else held; the others likewise
//     v = hold(y)        v = y, a continuous equation; before the first tick y has its initial value
//
// The variable of a clock is 1 from its first tick on; that of a clock of events counts its ticks, which
// guards ask for every so manyth of them.
#pragma once

#include "base/diagnostic.h"
#include "ir/flat_model.h"

namespace cutset {

// Does nothing where there are no clock operators. Clocks that are missing, that contradict each other or
// that cannot be had are reported, as are partitions with too many or too few equations.
void lower_clocks(FlatModel& model, Diagnostics& diagnostics);

}  // namespace cutset
