// Exact elimination of equations that are linear in unknowns with integer coefficients: connections, zero
// sums, a = b, a + b = 0, a = p (ir/exact_sum.h). See graph/integer_elimination.h for the method.
#pragma once

#include "transform/analysis.h"

namespace cutset::passes {

// Variables that are expressed by others (Partition::eliminated) are replaced everywhere; of aliases the one
// that is differentiated, has an initial value or nominal value, or the shortest path remains, and takes over
// the initial value, nominal value and bounds of the others. A differentiated variable is eliminated only as
// alias of another one (x = ±y and with it x' = ±y'). Superfluous equations go to
// Partition::dependent_removed; contradictions are errors. Afterwards no live equation, condition or initial
// value contains an eliminated variable.
void eliminate_exactly(Analysis& a, Diagnostics& diagnostics);
// ±v = ±x': with another such equation for x' it makes one variable of two.
bool may_unite_rates(const Equation& e);

}  // namespace cutset::passes
