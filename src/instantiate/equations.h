// Statements of every submodel → scalar equations, starts, when clauses, validities.
#pragma once

#include "instantiate/context.h"

namespace cutset {

// Variables that `when` assigns are discrete; known before equations differentiate anything.
void find_discrete(Context& c);
void add_equations(Context& c);

}  // namespace cutset
