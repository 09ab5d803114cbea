// The directories of class libraries that the user has told Cutset to remember (`cutset library add DIR`):
// lines of a file in his configuration directory.
#pragma once

#include <string>
#include <vector>

namespace cutset {

// $XDG_CONFIG_HOME/cutset/libraries, else ~/.config/cutset/libraries; "" when neither is known.
std::string remembered_libraries_file();
std::vector<std::string> remembered_libraries();
// False with the reason when they cannot be written.
bool remember_libraries(const std::vector<std::string>& directories, std::string& problem);

// Where classes are looked for that no file of the command has: those of the command, of MODELICAPATH, and
// what is remembered.
std::vector<std::string> class_directories(const std::vector<std::string>& of_command);

}  // namespace cutset
