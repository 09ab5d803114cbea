// Equations that say once more what others say: x' = -x twice, a + b = 2 beside 0.5·a + 0.5·b = 1, H = f(P)
// in two submodels that are joined. Connections of whole numbers are the matter of eliminate_exactly; here
// any formula counts as a term, so that equations are compared whatever they are made of.
#pragma once

#include "transform/analysis.h"

namespace cutset::passes {

// Looks at the equations of which there are too many: `system` matches them with unknowns, whatever the order
// of their derivatives. An equation that is a sum of multiples of others is not live afterwards and listed in
// Partition::dependent_removed; where only what is known differs, they contradict each other, and that is
// reported. True when equations were removed.
bool remove_repeated(Analysis& a, const System& system, Diagnostics& diagnostics);

}  // namespace cutset::passes
