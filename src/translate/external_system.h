// Simnon systems in shared libraries, see include/cutset_system.h.
#pragma once

#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "ir/class_tree.h"
#include "languages/simnon/system.h"

namespace cutset {

// What the library says of itself (its parts 1 to 3): code of the user runs. Nothing after reporting.
std::optional<simnon::System> describe_external_system(const std::string& path, SourceId source, Span from,
                                                       Diagnostics& diagnostics);

// Part 8 of all external systems of these classes, after a run.
void end_external_systems(const ClassTree& classes);

}  // namespace cutset
