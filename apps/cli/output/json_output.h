// What --json prints.
#pragma once

#include "base/diagnostic.h"
#include "base/json.h"

namespace cutset::cli {

// One value on standard output.
void print_json(const Json& value);
// The members `errors`, `warnings` and, when added, `notes`.
enum class Notes { Left, Added };
void put_diagnostics(Json& object, const Diagnostics& diagnostics, const Sources& sources, Notes notes);

}  // namespace cutset::cli
