// What routh and jury share: their options, and how stability tables are shown.
#pragma once

#include "commands.h"

namespace cutset::cli {

// Declares jury for sampled systems, routh for continuous ones.
void add_stability_table(CommandLine& line, bool sampled);

}  // namespace cutset::cli
