// Derivatives of quantities that are given as functions of time are taken by formula: with u = sin(time), u'
// is cos(time). Such a quantity is no state, and its derivative no unknown.
#pragma once

#include "transform/analysis.h"

namespace cutset::passes {

// Takes live equations `coefficient*v + rest = 0` whose only unknown is v, v differentiated, the rest a
// function of time and parameters; replaces v' everywhere by the derivative of -rest/coefficient, again until
// nothing is left to replace (v', then v'' …). Such equations are listed in Partition::differentiated. A step
// in such a function is an error.
void differentiate_given(Analysis& a, Diagnostics& diagnostics);

}  // namespace cutset::passes
