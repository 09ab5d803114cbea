// What can go wrong between the command line and the stages: files, options.
#pragma once

#include <string>

#include "base/diagnostic.h"

namespace cutset::driver_messages {

Diagnostic cannot_read(Span from, const std::string& path, const std::string& problem);
Diagnostic bad_setting(const std::string& option, const std::string& text, const std::string& form);
Diagnostic bad_input_file(const std::string& option, const std::string& file, const std::string& problem);

}  // namespace cutset::driver_messages
