// The Simnon language: text → systems. Reports all errors it finds, one for a line, and goes on with the next
// line. A system is checked as far as that is possible without the others.
#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "languages/simnon/system.h"

namespace cutset::simnon {

// Deepest nesting of brackets and conditions.
inline constexpr int nesting_limit = 200;
inline constexpr std::size_t error_limit = 100;

std::vector<System> parse_systems(const Sources& sources, SourceId source, Diagnostics& diagnostics);

}  // namespace cutset::simnon
