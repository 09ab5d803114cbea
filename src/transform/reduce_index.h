// Constraints between differentiated variables: x² + y² = L² with x'' and y'' elsewhere in the model.
//
// The derivatives of a constraint hold too, and are needed to compute the highest derivatives. Which
// equations to differentiate is found on the structure (Pantelides), which of the tied variables remain
// states by dummy derivatives (Mattsson and Söderlind): for each differentiated constraint one derivative is
// no longer the derivative of a state but an unknown like others. Constraints stay equations, so nothing
// drifts.
#pragma once

#include "transform/analysis.h"

namespace cutset::passes {

// Takes the live equations, of order one. When they cannot determine the highest derivatives as they stand:
//   - equations that repeat others are removed (remove_repeated.h);
//   - equations that are dependent in what they are to determine are combined, so that the constraint hidden
//     in them comes to light (combine_dependent.h);
//   - derivatives of equations are appended (EquationKind::Derivative), and listed in
//   Partition::differentiated;
//   - variables that constraints determine have lost their derivative as an unknown (`der(x)` is a variable
//   of
//     its own) and are listed in Partition::dependent;
//   - where no choice of states is good for all times, Partition::selections says among which to choose.
// Sets Partition::index. Does nothing when the model is singular whatever the order of derivatives;
// match_equations says why.
void reduce_index(Analysis& a, Diagnostics& diagnostics);

}  // namespace cutset::passes
