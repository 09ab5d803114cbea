// Places in texts, and messages about them, as JSON: what `--json` prints and what the studio sends.
#pragma once

#include <functional>
#include <string>

#include "base/diagnostic.h"
#include "base/json.h"
#include "base/source.h"

namespace cutset {

struct Places {
    const Sources& sources;
    bool bytes = false;  // `begin` and `end` too
    // What a file is called, where that is not its path.
    std::function<std::string(const std::string& path)> file_name = {};
};

// The members `file` and `line`; none for a place that is not known.
void put_place(Json& object, Span where, const Places& places);

Json diagnostic_json(const Diagnostic& diagnostic, const Places& places);
Json diagnostics_json(const Diagnostics& diagnostics, const Places& places, Severity severity);

}  // namespace cutset
