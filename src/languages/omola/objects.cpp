#include "languages/omola/objects.h"

#include <algorithm>

#include "languages/omola/foreign.h"
#include "languages/omola/messages.h"

namespace cutset::omola {

using object::ExpressionKind;
using object::Operator;

std::string lower_case(std::string_view text) {
    std::string out;
    for (char c : text) out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return out;
}

namespace {

struct Root {
    std::string_view name;
    Kind kind;
    std::string_view direction = {};
};
constexpr Root roots[] = {
    {"Class", Kind::Other},
    {"Model", Kind::Model},
    {"Terminal", Kind::Simple},
    {"SimpleTerminal", Kind::Simple},
    {"InTerminal", Kind::Simple, "in"},
    {"OutTerminal", Kind::Simple, "out"},
    {"RecordTerminal", Kind::Record},
    {"VectorTerminal", Kind::Vector},
    {"Parameter", Kind::Parameter},
    {"SetOfDAE", Kind::Equations},
    {"Structure", Kind::Structure},
};

// What the system gives to terminals and models: may be assigned without a declaration.
constexpr std::string_view system_attributes[] = {"value",  "quantity",    "unit",        "direction",
                                                  "lower",  "upper",       "variability", "causality",
                                                  "length", "realization", "realisation"};

constexpr std::string_view known_categories[] = {
    "",           "terminals",  "parameters", "realization", "realizations", "realisation", "realisations",
    "attributes", "components", "submodels",  "connections", "equations",    "variables",   "events",
    "constraints"};

}  // namespace

bool is_system_attribute(const std::string& name) {
    return std::find(std::begin(system_attributes), std::end(system_attributes), name) !=
           std::end(system_attributes);
}

std::string unit_text(const Expression& e) {
    switch (e.kind) {
        case ExpressionKind::String:
            return e.text;
        case ExpressionKind::Name:
            return e.name.parts.back().name;
        case ExpressionKind::Integer:
            return std::to_string(static_cast<long>(e.number));
        case ExpressionKind::Operation: {
            if (e.arguments.size() != 2) return {};
            const std::string a = unit_text(e.arguments[0]), b = unit_text(e.arguments[1]);
            if (e.op == Operator::Divide) return a + "/" + b;
            if (e.op == Operator::Multiply) return a + "." + b;
            if (e.op == Operator::Power) return a + b;
            return {};
        }
        default:
            return {};
    }
}

Attribute* Object::find(const std::string& name) {
    for (Attribute& a : attributes)
        if (a.name == name) return &a;
    return nullptr;
}

const Attribute* Object::find(const std::string& name) const {
    return const_cast<Object*>(this)->find(name);
}

const Attribute* Object::find_any_case(const std::string& name, bool& other_case) const {
    other_case = false;
    if (const Attribute* a = find(name)) return a;
    const Attribute* found = nullptr;
    const std::string wanted = lower_case(name);
    for (const Attribute& a : attributes) {
        if (lower_case(a.name) != wanted) continue;
        if (found) return nullptr;
        found = &a;
    }
    other_case = found != nullptr;
    return found;
}

std::string Object::word(const std::string& name) const {
    const Attribute* a = find(name);
    return a && a->value ? lower_case(unit_text(*a->value)) : std::string();
}

Library make_library(const std::vector<File>& files, const ForeignClasses& foreign,
                     Diagnostics& diagnostics) {
    Library out;
    out.find_foreign = foreign.find;
    for (const object::Class* package : foreign.packages) {
        out.foreign[package->name] = package;
        if (const auto* body = std::get_if<object::LongDefinition>(&package->definition))
            for (const object::Element& e : body->elements)
                if (const auto* nested = std::get_if<object::NestedClass>(&e))
                    out.foreign[nested->declared->name] = nested->declared.get();
    }
    for (const File& f : files)
        for (const ClassText& c : f.classes) {
            const auto [at, is_new] = out.classes.emplace(c.name, &c);
            if (!is_new) diagnostics.report(declared_twice(c.where, c.name, at->second->where));
        }
    return out;
}

std::vector<std::string> Objects::class_names() const {
    std::vector<std::string> out;
    for (const auto& [name, text] : library_.classes) out.push_back(name);
    for (const auto& [name, c] : library_.foreign) out.push_back(name);
    for (const Root& r : roots) out.emplace_back(r.name);
    return out;
}

std::shared_ptr<Object> Objects::root(const std::string& name, Span where) {
    for (const Root& r : roots) {
        if (r.name != name) continue;
        auto out = std::make_shared<Object>();
        out->kind = r.kind;
        out->class_name = name;
        out->where = where;
        if (!r.direction.empty()) {
            Attribute a;
            a.name = "direction";
            Expression e;
            e.kind = ExpressionKind::String;
            e.text = r.direction;
            a.value = std::move(e);
            out->attributes.push_back(std::move(a));
        }
        return out;
    }
    return nullptr;
}

std::shared_ptr<Object> Objects::of_class(const std::string& name, Span where) {
    const auto at = library_.classes.find(name);
    if (at != library_.classes.end()) return of_text(*at->second, nullptr, "");
    if (auto out = root(name, where)) return out;
    if (const auto foreign = library_.foreign.find(name); foreign != library_.foreign.end())
        return foreign_object(*foreign->second, library_.find_foreign);
    // In another letter case, if only one class has it.
    const ClassText* found = nullptr;
    for (const auto& [other, text] : library_.classes)
        if (lower_case(other) == lower_case(name)) {
            if (found) {
                found = nullptr;
                break;
            }
            found = text;
        }
    if (found) {
        diagnostics_.report(other_case(where, name, found->name, found->where));
        return of_text(*found, nullptr, "");
    }
    diagnostics_.report(unknown_class(where, name, nearest_name(name, class_names())));
    return nullptr;
}

// `inherited`: the object of the same name that this one redefines and may be its superclass by that name.
std::shared_ptr<Object> Objects::of_text(const ClassText& text, const Object* inherited,
                                         const std::string& place) {
    if (std::find(open_.begin(), open_.end(), &text) != open_.end() || open_.size() > 100) {
        diagnostics_.report(inside_itself(text.where, text.name));
        return nullptr;
    }
    open_.push_back(&text);
    std::shared_ptr<Object> out;
    if (inherited && text.super == text.name && !library_.classes.contains(text.super))
        out = std::make_shared<Object>(*inherited);
    else
        out = of_class(text.super, text.super_where);
    if (out) {
        const bool is_component = !place.empty();
        out->supers.push_back(text.super);
        out->where = text.where;
        bool structural = false;
        for (const Category& c : text.body) {
            if (std::find(std::begin(known_categories), std::end(known_categories), c.name) ==
                std::end(known_categories))
                diagnostics_.report(unknown_category(c.where, c.name));
            for (const Definition& d : c.definitions)
                structural = structural || d.kind != DefinitionKind::Assign;
        }
        if (!is_component) {
            out->class_name = text.name;
            out->own_body = false;
        } else if (structural) {
            out->own_body = true;
        }
        const std::string inside = is_component ? place + "." + text.name : text.name;
        for (const Category& c : text.body)
            for (const Definition& d : c.definitions) put(*out, d, c.name, is_component, inside);
    }
    if (out && out->own_body && !place.empty()) out->class_name = place + "." + text.name;
    open_.pop_back();
    return out;
}

void Objects::replace(Object& o, Attribute a) {
    if (Attribute* old = o.find(a.name)) {
        if (a.category.empty()) a.category = old->category;
        *old = std::move(a);
        return;
    }
    o.attributes.push_back(std::move(a));
}

Attribute* chosen_realization(Object& o) {
    Attribute* first = nullptr;
    std::string wanted = o.word("realization");
    if (wanted.empty()) wanted = o.word("realisation");
    for (Attribute& a : o.attributes) {
        if (!a.object || !is_realization(a.object->kind)) continue;
        if (!wanted.empty() && lower_case(a.name) == wanted) return &a;
        if (!first) first = &a;
    }
    return first;
}

const Object* chosen_realization(const Object& o) {
    const Attribute* a = chosen_realization(const_cast<Object&>(o));
    return a ? a->object.get() : nullptr;
}

void Objects::put_component(Object& o, const Definition& d, const std::string& category,
                            const std::string& place) {
    // A submodel of the realization can be redefined from the model itself.
    Object* target = &o;
    if (o.kind == Kind::Model && !o.find(d.name))
        if (Attribute* r = chosen_realization(o); r && r->object->find(d.name)) target = r->object.get();
    const Attribute* old = target->find(d.name);
    Attribute a;
    a.name = d.name;
    a.category = category;
    a.dimensions = d.declared.dimensions;
    a.description = d.declared.description.empty() ? d.description : d.declared.description;
    a.where = d.declared.where;
    a.object = of_text(d.declared, old ? old->object.get() : nullptr, place);
    if (!a.object) return;
    if (target != &o) {
        o.own_body = o.own_body || !place.empty();
        target->own_body = true;
    }
    if (a.object->kind == Kind::Parameter) {  // Area IS A Parameter WITH value := 2.4 END
        if (const Attribute* value = a.object->find("value")) {
            a.value = value->value;
            a.unknown = value->unknown;
            a.value_where = value->value_where;
        }
        if (old && !old->object) {
            a.type = old->type;
            a.dimensions = old->dimensions;
        }
        if (a.type.empty()) a.type = "real";
        if (a.category.empty()) a.category = "parameters";
        a.object = nullptr;
    }
    if (old && old->object && a.object && old->object->kind == Kind::Model && a.object->kind == Kind::Model) {
        for (const Attribute& t : old->object->attributes) {
            if (!t.object || !is_terminal(t.object->kind)) continue;
            const Attribute* same = a.object->find(t.name);
            if (!same || !same->object || same->object->kind != t.object->kind)
                diagnostics_.report(terminals_differ(a.where, a.name, t.name, t.where));
        }
    }
    if (old && a.dimensions.empty()) a.dimensions = old->dimensions;
    replace(*target, std::move(a));
}

namespace {

std::vector<std::string> attribute_names(const Object& o) {
    std::vector<std::string> names;
    for (const Attribute& a : o.attributes) names.push_back(a.name);
    return names;
}

// The attribute of a model, or of the realization that it has chosen.
Attribute* find_attribute(Object& o, const std::string& name) {
    if (Attribute* a = o.find(name)) return a;
    if (o.kind != Kind::Model) return nullptr;
    Attribute* r = chosen_realization(o);
    return r ? r->object->find(name) : nullptr;
}

// Where an attribute that an assignment names, and that is not there, comes into being.
bool may_be_new(const Object& o, const std::string& category) {
    if (category.empty())
        return o.kind != Kind::Model && o.kind != Kind::Equations && o.kind != Kind::Structure;
    return category == "attributes" || category == "parameters";
}

}  // namespace

void Objects::report_unknown(const Object& among, const std::string& name, Span where) {
    diagnostics_.report(unknown_name(where, name, nearest_name(name, attribute_names(among))));
}

void Objects::assign(Object& o, const Definition& d, const std::string& category, bool is_component) {
    const Expression& left = *d.left;
    if (left.kind != ExpressionKind::Name) {
        diagnostics_.report(assigns_expression(left.where));
        return;
    }
    const bool local = is_component && o.kind == Kind::Model;
    if (left.name.parts.size() > 1) return assign_inside(o, d, local);
    const bool unknown = d.right->kind == ExpressionKind::Omitted;
    const std::string& name = left.name.parts[0].name;
    Attribute* a = find_attribute(o, name);
    if (!a && !is_system_attribute(name)) {
        bool differs = false;
        if (const Attribute* near = o.find_any_case(name, differs)) {
            diagnostics_.report(other_case(left.where, name, near->name, near->where));
            a = o.find(near->name);
        }
        if (!a && !may_be_new(o, category)) return report_unknown(o, name, left.where);
    }
    if (!a) {
        Attribute fresh;
        fresh.name = name;
        fresh.category = category;
        fresh.where = d.where;
        o.attributes.push_back(std::move(fresh));
        a = &o.attributes.back();
    }
    if (a->object && a->object->kind == Kind::Simple) {  // the value of a terminal
        o.assignments.push_back({left.name, *d.right, local, d.where});
        return;
    }
    a->value_where = d.where;
    if (local && !unknown && !is_system_attribute(name)) {
        a->local_value = *d.right;
        return;
    }
    a->unknown = unknown;
    a->value = unknown ? Box<Expression>() : Box<Expression>(*d.right);
    // A choice of the realization, a direction: no longer the class of the others.
    if (is_component && !o.own_body) o.own_body = true;
}

// a.b.c := e
void Objects::assign_inside(Object& o, const Definition& d, bool local) {
    const object::Name& name = d.left->name;
    const Span where = d.left->where;
    Object* inside = &o;
    for (std::size_t i = 0; i + 1 < name.parts.size() && inside; ++i) {
        Attribute* a = find_attribute(*inside, name.parts[i].name);
        inside = a ? a->object.get() : nullptr;
    }
    if (!inside) return report_unknown(o, name.parts[0].name, where);
    const std::string& last = name.parts.back().name;
    Attribute* a = inside->find(last);
    if (!a && !is_system_attribute(last)) return report_unknown(*inside, last, where);
    if (is_system_attribute(last)) {
        Attribute set = a ? *a : Attribute{};
        set.name = last;
        set.value = *d.right;
        set.unknown = d.right->kind == ExpressionKind::Omitted;
        set.value_where = d.where;
        if (a)
            *a = std::move(set);
        else
            inside->attributes.push_back(std::move(set));
        inside->own_body = inside->own_body || last != "value";
        if (last != "value") return;
    } else {
        a->value_where = d.where;
        a->unknown = false;
    }
    o.assignments.push_back({name, *d.right, local, d.where});
}

void Objects::put(Object& o, const Definition& d, const std::string& category, bool is_component,
                  const std::string& place) {
    switch (d.kind) {
        case DefinitionKind::Class:
            return put_component(o, d, category, place);
        case DefinitionKind::Typed: {
            Attribute a;
            a.name = d.name;
            a.category = category;
            a.type = d.values.empty() ? d.type : "enumeration";
            a.discrete = d.discrete;
            a.dimensions = d.dimensions;
            a.description = d.description;
            a.where = a.value_where = d.where;
            if (d.right) {
                a.unknown = d.right->kind == ExpressionKind::Omitted;
                if (!a.unknown) a.value = d.right;
            }
            return replace(o, std::move(a));
        }
        case DefinitionKind::Assign:
            return assign(o, d, category, is_component);
        default:
            o.rules.push_back({&d, category});
    }
}

}  // namespace cutset::omola
