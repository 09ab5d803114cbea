// Whether an equation adds and compares what measures the same. Units of expressions follow from those of
// variables; what has no unit, and the time, take the one that fits, and so does a number: `p = 1000*9.81*h`
// says nothing against `p [Pa]`. So only what is certainly wrong is reported, as a warning.
#pragma once

#include "instantiate/context.h"

namespace cutset {

void check_units(Context& c, Expr left, Expr right, Span where, InstanceIndex i);

}  // namespace cutset
