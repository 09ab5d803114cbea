// Statements of every submodel → scalar equations, initial values, when clauses, validities.
#pragma once

#include "instantiate/context.h"

namespace cutset {

void add_equations(Context& c);

// A variable that is to be a state (`state z`) needs a derivative: where none is written, an internal
// variable is it.
void differentiate_preferred(Context& c);

}  // namespace cutset
