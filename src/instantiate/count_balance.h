// The balance of each submodel by itself: has it as many equations as unknowns, what it gets from outside
// counted?
//
//     surplus = equations + through variables of its cuts + inputs - unknowns
//
// A join of k cuts gives k equations for each pair of an across and a through variable, so each cut is given
// one for each of its through variables. Within a model that has submodels, joins and loose ends are
// equations of its own, and what they give to its submodels is taken off.
#pragma once

#include "instantiate/context.h"

namespace cutset {

// Fills Instance::surplus. To be called when all equations are there.
void count_balance(Context& c);

}  // namespace cutset
