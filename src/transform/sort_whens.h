// The actions of a when clause in the order of computation: what gives a discrete variable its new value
// stands before the actions that read it.
#pragma once

#include "transform/analysis.h"

namespace cutset::passes {

// Changes when clauses: assignments without a guard, of variables that no other action sets, come first,
// sorted where they do not need each other's values (WhenAssign::in_order). The others are iterated at the
// event, as are values that depend on new ones through the continuous equations (run/new_values.h).
void sort_whens(Analysis& a, Diagnostics& diagnostics);

}  // namespace cutset::passes
