// What of a result is written: options that all commands with result files share.
#pragma once

#include "command_line.h"
#include "results/writer.h"

namespace cutset::cli {

void add_output_choice(Command& command, ResultChoice& choice);

}  // namespace cutset::cli
