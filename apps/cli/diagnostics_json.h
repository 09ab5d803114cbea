// Diagnostics as JSON, for --json.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/diagnostic.h"

namespace cutset::cli {

nlohmann::json diagnostics_json(const Diagnostics& diagnostics, const Sources& sources, Severity severity);

}  // namespace cutset::cli
