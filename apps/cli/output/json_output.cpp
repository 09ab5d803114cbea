#include "output/json_output.h"

#include <fmt/format.h>

#include "translate/places_json.h"

namespace cutset::cli {

void print_json(const Json& value) {
    fmt::print("{}\n", json_text(value, 2));
}

void put_diagnostics(Json& object, const Diagnostics& diagnostics, const Sources& sources, Notes notes) {
    const Places places{sources};
    object["errors"] = diagnostics_json(diagnostics, places, Severity::Error);
    object["warnings"] = diagnostics_json(diagnostics, places, Severity::Warning);
    if (notes == Notes::Added) object["notes"] = diagnostics_json(diagnostics, places, Severity::Note);
}

}  // namespace cutset::cli
