// What the native engine says to the modeller.
#pragma once

#include <string>

#include "base/diagnostic.h"

namespace cutset::native_messages {

// Asked for by name, and not to be had.
Diagnostic no_machine_code(const std::string& problem);

}  // namespace cutset::native_messages
