// The functions that the languages have without a declaration.
#pragma once

#include <string_view>

namespace cutset {

bool is_builtin_function(std::string_view name);

}  // namespace cutset
