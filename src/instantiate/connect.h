// Connection statements: evaluates connection expressions from left to right; joins are their side effect.
#pragma once

#include "instantiate/context.h"

namespace cutset {

void evaluate_connections(Context& c);

}  // namespace cutset
