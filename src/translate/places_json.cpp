#include "translate/places_json.h"

#include <utility>

namespace cutset {

namespace {

void put_place_and_column(Json& object, Span where, const Places& places) {
    if (!where.known()) return;
    put_place(object, where, places);
    object["column"] = places.sources.locate(where).column;
}

}  // namespace

void put_place(Json& object, Span where, const Places& places) {
    if (!where.known()) return;
    const Location at = places.sources.locate(where);
    object["file"] = places.file_name ? places.file_name(at.file) : at.file;
    object["line"] = at.line;
    if (!places.bytes) return;
    object["begin"] = where.begin;
    object["end"] = where.end;
}

Json diagnostic_json(const Diagnostic& d, const Places& places) {
    Json one = {{"code", d.code}, {"message", d.message}};
    put_place_and_column(one, d.where, places);
    if (!d.submodel.empty()) one["submodel"] = d.submodel;
    if (!d.details.empty()) one["details"] = d.details;
    if (!d.help.empty()) one["help"] = d.help;
    if (!places.bytes) return one;
    one["severity"] = d.severity == Severity::Error     ? "error"
                      : d.severity == Severity::Warning ? "warning"
                                                        : "note";
    for (const RelatedPlace& r : d.related) {
        Json related = {{"message", r.message}};
        put_place_and_column(related, r.where, places);
        one["related"].push_back(std::move(related));
    }
    return one;
}

Json diagnostics_json(const Diagnostics& diagnostics, const Places& places, Severity severity) {
    Json list = Json::array();
    for (const Diagnostic& d : diagnostics.all())
        if (d.severity == severity) list.push_back(diagnostic_json(d, places));
    return list;
}

}  // namespace cutset
