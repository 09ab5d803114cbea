// What --json prints.
#pragma once

#include "base/diagnostic.h"
#include "base/json.h"

namespace cutset::cli {

// One value on standard output.
void print_json(const Json& value);
Json diagnostics_json(const Diagnostics& diagnostics, const Sources& sources, Severity severity);

}  // namespace cutset::cli
