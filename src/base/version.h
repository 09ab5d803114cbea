// The version of Cutset. It is written once, in CMakeLists.txt.
#pragma once

#include <string_view>

namespace cutset {

// "0.1.0"
std::string_view version();

}  // namespace cutset
