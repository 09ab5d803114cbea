#include "languages/omola/lower.h"

#include <algorithm>
#include <set>

#include "flat/units.h"
#include "languages/omola/messages.h"
#include "languages/omola/objects.h"
#include "languages/omola/writer.h"

namespace cutset::omola {

namespace {

struct Quantity {
    std::string_view name, unit;
};
constexpr Quantity quantities[] = {
    {"length", "m"},
    {"area", "m2"},
    {"volume", "m3"},
    {"time", "s"},
    {"mass", "kg"},
    {"massflow", "kg/s"},
    {"massflowrate", "kg/s"},
    {"volumeflow", "m3/s"},
    {"volumeflowrate", "m3/s"},
    {"pressure", "Pa"},
    {"temperature", "K"},
    {"density", "kg/m3"},
    {"velocity", "m/s"},
    {"speed", "m/s"},
    {"acceleration", "m/s2"},
    {"force", "N"},
    {"energy", "J"},
    {"power", "W"},
    {"heatflow", "W"},
    {"torque", "N.m"},
    {"voltage", "V"},
    {"current", "A"},
    {"resistance", "Ohm"},
    {"frequency", "Hz"},
    {"electriccurrent", "A"},
    {"heatflowrate", "W"},
    {"angularvelocity", "rad/s"},
};

// A mass flow in ml/s: a slip that only quantity and unit together show.
void check_quantities(const Object& o, Diagnostics& diagnostics, int depth = 0) {
    if (depth > 100) return;
    for (const Attribute& a : o.attributes)
        if (a.object) check_quantities(*a.object, diagnostics, depth + 1);
    const Attribute *q = o.find("quantity"), *u = o.find("unit");
    if (!is_terminal(o.kind) || !q || !u || !q->value || !u->value) return;
    std::string key;
    for (char c : lower_case(unit_text(*q->value)))
        if (c >= 'a' && c <= 'z') key += c;
    const std::string written = unit_text(*u->value);
    const auto unit = parse_unit(written);
    for (const Quantity& known : quantities) {
        if (known.name != key || !unit) continue;
        const auto usual = parse_unit(known.unit);
        if (usual && !same_quantity(*usual, *unit))
            diagnostics.report(quantity_unit(u->value_where, unit_text(*q->value), written, known.unit));
        return;
    }
}

}  // namespace

Classes lower(const std::vector<File>& files, std::size_t own, Diagnostics& diagnostics) {
    Diagnostics all;
    Classes out;
    out.file.language = object::Language::Omola;
    if (!files.empty()) out.file.source = files.front().source;
    const Library library = make_library(files, all);
    Written written{{}, {}, all};
    std::vector<std::string> models;
    for (std::size_t i = 0; i < std::min(own, files.size()); ++i)
        for (const ClassText& c : files[i].classes) {
            const auto o = Objects(library, all).of_text(c, nullptr, "");
            if (!o) continue;
            check_quantities(*o, all);
            if (o->kind != Kind::Model) continue;
            models.push_back(c.name);
            if (written.names.contains("model " + c.name)) continue;
            written.names["model " + c.name] = Writer(written, *o).write();
        }
    for (const std::string& name : models)
        for (const auto& c : written.classes)
            if (c->name == written.names["model " + name]) out.models.push_back(c.get());
    out.file.classes = std::move(written.classes);
    // A class is looked at for each of its uses: what is to be said of it is said once.
    std::set<std::pair<std::uint64_t, std::string>> said;
    for (const Diagnostic& d : all.all()) {
        const std::uint64_t place = (static_cast<std::uint64_t>(d.where.source.value) << 32) | d.where.begin;
        if (said.insert({place, d.message}).second) diagnostics.report(d);
    }
    return out;
}

}  // namespace cutset::omola
