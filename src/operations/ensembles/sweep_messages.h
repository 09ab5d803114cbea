// What is said about the directory of a sweep.
#pragma once

#include <string>

#include "base/diagnostic.h"

namespace cutset::sweep_messages {

Diagnostic no_directory(const std::string& directory, const std::string& reason);
Diagnostic another_sweep(const std::string& directory);
Diagnostic cannot_write(const std::string& path);
Diagnostic table_not_written(const std::string& problem);
Diagnostic writing_stopped(const std::string& problem);

}  // namespace cutset::sweep_messages
