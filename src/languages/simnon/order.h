// The order in which Simnon computes inputs and outputs (manual, section 3.2), and algebraic loops.
#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "ir/system_summary.h"
#include "languages/simnon/system.h"

namespace cutset::simnon {

// What Simnon's compiler would say: before which connecting statement each output section is executed, and
// which inputs have no value then. In the order of the text.
std::vector<ComputationRemark> order_of_computation(const System& connecting,
                                                    const std::vector<System>& systems);

// Variables that depend on themselves at one instant: an error when `strict`, else a note. A loop through a
// sampled system is broken as Simnon does it: one of the inputs is read as it was just before the sampling
// (SystemVariable::read_before), one without a value in the order of computation if there is one. Other loops
// are solved. `connecting` may be null.
void report_loops(const System* connecting, std::vector<System>& systems, bool strict,
                  Diagnostics& diagnostics);

}  // namespace cutset::simnon
