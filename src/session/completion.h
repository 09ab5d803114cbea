// What may stand at the cursor: commands, options, variables, files, systems.
#pragma once

#include <string_view>

#include "session/session.h"
#include "session/workbench.h"

namespace cutset {

Session::Completion complete_line(const Workbench& bench, std::string_view line, std::size_t cursor);

}  // namespace cutset
