// Completion of command lines in bash, zsh and fish: scripts written from the table of commands. They
// complete commands, options, the words of a choice, and files by the endings that a command takes.
#pragma once

#include <string>

#include "command_line.h"

namespace cutset::cli {

std::string bash_completion(const CommandLine& line);
std::string zsh_completion(const CommandLine& line);
std::string fish_completion(const CommandLine& line);

}  // namespace cutset::cli
