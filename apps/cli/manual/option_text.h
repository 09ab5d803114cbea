// Options as the manual page and the completions show them.
#pragma once

#include <string>
#include <vector>

#include "command_line.h"

namespace cutset::cli {

// "-o,--output" → "-o", "--output"
std::vector<std::string> names_of(const Option& option);

// The beginning of the help, before examples and alternatives: enough for a list of proposals.
std::string short_help(const Option& option);

// "[OPTIONS] FILE [MODEL]"
std::string usage(const Command& command);

// What takes the place of the value: "FLOAT" is no help, so "VALUE", "FILE" or the words "a|b|c".
std::string value_text(const Option& option);

}  // namespace cutset::cli
