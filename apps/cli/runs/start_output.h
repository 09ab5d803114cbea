// The initial system block by block: `cutset simulate --explain-start`.
#pragma once

#include <string>

#include "base/json.h"
#include "base/source.h"
#include "run/start_report.h"

namespace cutset::cli {

void print_start(const StartReport& report, const std::string& model, const Sources& sources);
Json start_json(const StartReport& report, const Sources& sources);

}  // namespace cutset::cli
