#include "output/json_output.h"

#include <fmt/format.h>

namespace cutset::cli {

void print_json(const Json& value) {
    fmt::print("{}\n", json_text(value, 2));
}

Json diagnostics_json(const Diagnostics& diagnostics, const Sources& sources, Severity severity) {
    Json list = Json::array();
    for (const Diagnostic& d : diagnostics.all()) {
        if (d.severity != severity) continue;
        Json one = {{"code", d.code}, {"message", d.message}};
        if (d.where.known()) {
            const Location at = sources.locate(d.where);
            one["file"] = at.file;
            one["line"] = at.line;
            one["column"] = at.column;
        }
        if (!d.submodel.empty()) one["submodel"] = d.submodel;
        if (!d.details.empty()) one["details"] = d.details;
        if (!d.help.empty()) one["help"] = d.help;
        list.push_back(std::move(one));
    }
    return list;
}

void put_diagnostics(Json& object, const Diagnostics& diagnostics, const Sources& sources, Notes notes) {
    object["errors"] = diagnostics_json(diagnostics, sources, Severity::Error);
    object["warnings"] = diagnostics_json(diagnostics, sources, Severity::Warning);
    if (notes == Notes::Added) object["notes"] = diagnostics_json(diagnostics, sources, Severity::Note);
}

}  // namespace cutset::cli
