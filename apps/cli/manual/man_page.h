// The manual page of the program, section 1, in roff: written from the table of commands, so that it says
// what the program does.
#pragma once

#include <string>

#include "command_line.h"

namespace cutset::cli {

std::string man_page(const CommandLine& line);

}  // namespace cutset::cli
