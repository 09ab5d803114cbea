// Statements of every submodel → scalar equations, initial values, when clauses, validities.
#pragma once

#include "instantiate/context.h"

namespace cutset {

void add_equations(Context& c);

}  // namespace cutset
