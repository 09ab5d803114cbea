// Simnon systems: which files hold them.
#pragma once

#include <string>

namespace cutset {

bool is_simnon_file(const std::string& path);  // ends in .t

// The file of a system that is named without its ending: name.t, name.so or name.dym in the directory, in any
// mixture of upper and lower case; "" when there is none.
std::string system_file(const std::string& directory, const std::string& name);

}  // namespace cutset
