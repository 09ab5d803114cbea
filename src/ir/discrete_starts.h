// The values that discrete variables have before the first event.
#pragma once

#include "ir/flat_model.h"

namespace cutset {

// After separate_discrete. In Modelica initial equations speak of v and of pre(v): of a variable that `when`
// sets both are the same at the start, and it is found there unless its start value is fixed; pre(v) of one
// that an equation determines is given.
void settle_discrete(FlatModel& model);

// What a discrete variable begins with, or the search for a free parameter, where nothing is said.
double first_value(const Variable& v);

}  // namespace cutset
