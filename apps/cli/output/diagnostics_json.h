// Diagnostics as JSON, for --json.
#pragma once

#include "base/diagnostic.h"
#include "base/json.h"

namespace cutset::cli {

Json diagnostics_json(const Diagnostics& diagnostics, const Sources& sources, Severity severity);

}  // namespace cutset::cli
