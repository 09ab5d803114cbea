// Parameters and constants in an order in which each follows those that its binding uses.
#pragma once

#include "transform/analysis.h"

namespace cutset::passes {

// Takes: bindings without cycles (instantiation reported those). Fills Partition::parameters.
void order_parameters(Analysis& a, Diagnostics& diagnostics);

}  // namespace cutset::passes
