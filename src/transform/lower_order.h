// Second and higher derivatives become first derivatives of new variables: with x'' there is a variable
// der(x) and an equation `der(x) = x'`, and x'' is the derivative of der(x).
#pragma once

#include "transform/analysis.h"

namespace cutset::passes {

// Afterwards every derivative has order 1 and occurs in an equation; a derivative that only conditions,
// initial equations or delays use gets a variable of its own. Initial values of derivatives become initial
// values of the new variables. Fills Analysis::differentiated.
void lower_order(Analysis& a, Diagnostics& diagnostics);

}  // namespace cutset::passes
