// What is wrong with a request itself: an option with a value that does not fit, or one that is missing.
#pragma once

#include <string>

#include "base/diagnostic.h"

namespace cutset {

// With the code `bad-option`.
Diagnostic bad_option(std::string message, std::string help = {});

}  // namespace cutset
