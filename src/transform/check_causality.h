// An `input` must be given from outside the submodel that declares it, an `output` from inside.
#pragma once

#include "transform/analysis.h"

namespace cutset::passes {

// Takes the matching of the continuous system. Who gives a variable is followed back through the aliases that
// exact elimination removed. Reports only; changes nothing.
void check_causality(Analysis& a, Diagnostics& diagnostics);

}  // namespace cutset::passes
