// What of a result is written: options that all commands with result files share.
#pragma once

#include "base/diagnostic.h"
#include "command_line.h"
#include "ir/partition.h"
#include "results/writer.h"

namespace cutset::cli {

void add_output_choice(Command& command, ResultChoice& choice);

// False, with the reason reported, when a pattern matches no variable.
bool known_choice(const ResultChoice& choice, const Partition& partition, Diagnostics& diagnostics);

}  // namespace cutset::cli
