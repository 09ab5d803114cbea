// Whether the parameters that initialization determines (`parameter p = ?`), and the states that initial
// equations do, could have other values too. Only small systems are searched, and without proof that nothing
// is missed.
#pragma once

#include <span>

#include "run/simulate.h"

namespace cutset {

// Notes the other values found. `taken`: the initial values, by variable.
void report_other_starts(const Program& program, const SimulateOptions& options,
                         std::span<const double> taken, Diagnostics& diagnostics);

}  // namespace cutset
