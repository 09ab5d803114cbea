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

Attribute* find_inside(Object& o, const std::string& name) {
    if (Attribute* a = o.find(name)) return a;
    Attribute* r = chosen_realization(o);
    return r ? r->object->find(name) : nullptr;
}

// "Tank1=coarse", "coarse": false where the model has no such submodel, or that no such realization.
bool choose_realization(Object& model, const std::string& choice) {
    const std::size_t equal = choice.find('=');
    const std::string path = equal == std::string::npos ? "" : choice.substr(0, equal);
    const std::string name = lower_case(choice.substr(equal == std::string::npos ? 0 : equal + 1));
    std::vector<Object*> way = {&model};
    for (std::size_t begin = 0; begin < path.size();) {
        const std::size_t dot = std::min(path.find('.', begin), path.size());
        Attribute* a = find_inside(*way.back(), path.substr(begin, dot - begin));
        if (!a || !a->object) return false;
        way.push_back(a->object.get());
        begin = dot + 1;
    }
    Object& target = *way.back();
    const bool there =
        std::any_of(target.attributes.begin(), target.attributes.end(), [&](const Attribute& a) {
            return a.object && is_realization(a.object->kind) && lower_case(a.name) == name;
        });
    if (!there) return false;
    Attribute set;
    set.name = "realization";
    Expression word;
    word.kind = object::ExpressionKind::String;
    word.text = name;
    set.value = std::move(word);
    std::erase_if(target.attributes, [](const Attribute& a) { return a.name == "realization"; });
    target.attributes.push_back(std::move(set));
    // No longer the classes that others have, too.
    for (std::size_t i = 1; i < way.size(); ++i) {
        way[i]->own_body = true;
        way[i]->class_name = model.class_name + "." + path;
    }
    return true;
}

}  // namespace

Classes lower(const std::vector<File>& files, const Request& request, Diagnostics& diagnostics) {
    Diagnostics all;
    Classes out;
    out.file.language = object::Language::Omola;
    if (!files.empty()) out.file.source = files.front().source;
    const Library library = make_library(files, request.foreign, all);
    Written written{{}, {}, all};
    std::vector<std::string> models;
    std::vector<bool> chosen(request.realizations.size(), false);
    for (std::size_t i = 0; i < std::min(request.own, files.size()); ++i)
        for (const ClassText& c : files[i].classes) {
            const auto o = Objects(library, all).of_text(c, nullptr, "");
            if (!o) continue;
            check_quantities(*o, all);
            if (o->kind != Kind::Model) continue;
            for (std::size_t k = 0; k < chosen.size(); ++k)
                if (choose_realization(*o, request.realizations[k])) chosen[k] = true;
            models.push_back(c.name);
            if (written.names.contains("model " + c.name)) continue;
            written.names["model " + c.name] = Writer(written, *o).write();
        }
    for (std::size_t k = 0; k < chosen.size(); ++k)
        if (!chosen[k]) all.report(no_realization_there(request.realizations[k]));
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
