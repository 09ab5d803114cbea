#include "objects/lookup.h"

#include <algorithm>

#include "ir/object_text.h"
#include "objects/evaluator.h"
#include "objects/instance_messages.h"
#include "objects/rule_messages.h"

namespace cutset::objects {

Span place_of_declaration(const Element& e) {
    return e.component ? e.component->where : e.declared ? e.declared->where : Span{};
}

namespace {

constexpr std::size_t alias_limit = 50;

bool is_encapsulated(const Element& e) {
    return e.declared && e.declared->encapsulated;
}

// Nothing but classes and constants: what stands in it is seen from outside as in a package (MLS 5.3.2).
bool is_like_package(InstanceTree& tree, ClassInstance& type) {
    if (!is_modelica(type) || type.is_builtin() || type.text->kind == object::ClassKind::Package) return true;
    if (type.progress == Progress::Active) return true;
    tree.complete(type);
    if (type.is_builtin()) return true;
    const bool only_constants = std::all_of(type.elements.begin(), type.elements.end(), [](const Element& e) {
        return !e.component || e.component->prefixes.variability == object::Variability::Constant;
    });
    return only_constants && type.equations.empty() && type.algorithms.empty();
}

// What a dot may find in a class.
void check_member(InstanceTree& tree, ClassInstance& type, const Found& member,
                  const object::NamePart& part) {
    if (!member.element) return;
    const Span declared = place_of_declaration(*member.element);
    if (member.element->prefixes.is_protected)
        tree.diagnostics().report(messages::protected_member(part.where, part.name, declared));
    if (!is_modelica(type)) return;
    if (member.element->component && type.text->partial && type.text->kind == object::ClassKind::Package)
        tree.diagnostics().report(messages::partial_looked_into(part.where, type.path, part.name));
    if (!is_encapsulated(*member.element) && !is_like_package(tree, type))
        tree.diagnostics().report(messages::not_like_package(part.where, type.path, part.name, declared));
}

// Of a class element the class, of a component itself.
Found found_as(InstanceTree& tree, ComponentInstance& owner, const Element& element) {
    if (element.declared) return Found{&tree.class_of(owner, element), &owner, &element};
    return Found{nullptr, &owner, &element};
}

Found find_top(InstanceTree& tree, std::string_view name) {
    const Element* e = tree.find(tree.top(), name);
    return e ? found_as(tree, tree.self(tree.top()), *e) : Found{};
}

bool same_class(const Found& a, const Found& b) {
    return a.type && b.type && a.type->text == b.type->text;
}

// `import A.B.c` names c, `import d = A.B.c` names d, `import A.B.*` all in B.
Found find_imported(InstanceTree& tree, std::string_view name, const ClassInstance& in) {
    // Only packages are looked into, and what is protected in them is not seen.
    const auto step = [&](const Found& f, std::string_view member, Span where) -> Found {
        if (!f.type) return {};
        const Found inner = find_member(tree, *f.type, member);
        if (!inner) return {};
        if (!is_encapsulated(*inner.element) && f.type->text &&
            f.type->text->kind != object::ClassKind::Package)
            tree.diagnostics().report(messages::import_from_class(where, f.type->path));
        if (inner.element->prefixes.is_protected)
            tree.diagnostics().report(
                messages::protected_member(where, member, place_of_declaration(*inner.element)));
        return inner;
    };
    const auto follow = [&](const object::Name& path, std::string_view last) -> Found {
        Found f = find_top(tree, path.parts[0].name);
        for (std::size_t k = 1; f && k < path.parts.size(); ++k) f = step(f, path.parts[k].name, path.where);
        return f && !last.empty() ? step(f, last, path.where) : f;
    };
    const auto visible = [&](const object::Import& i) { return i.package.parts[0].name != name || !i.all; };
    for (const object::Import* i : in.imports) {
        if (i->package.parts.empty() || i->all) continue;
        if (!i->names.empty()) {
            for (const std::string& n : i->names)
                if (n == name)
                    if (Found f = follow(i->package, n)) return f;
        } else if ((i->as.empty() ? i->package.parts.back().name : i->as) == name) {
            if (Found f = follow(i->package, {})) return f;
        }
    }
    Found found;
    const object::Import* first = nullptr;
    for (const object::Import* i : in.imports) {
        if (!i->all || !visible(*i)) continue;
        const Found f = follow(i->package, name);
        if (!f) continue;
        if (found && f.element != found.element && !same_class(f, found))
            tree.diagnostics().report(messages::imported_twice(i->where, name, first->where));
        if (!found) first = i;
        if (!found) found = f;
    }
    return found;
}

}  // namespace

Found find_simple(InstanceTree& tree, std::string_view name, Place place) {
    std::size_t steps = 0;
    for (Place p = place; p.in && p.in->text; p = p.in->parent) {
        if (++steps > 10 * alias_limit) break;
        if (const Element* own = tree.find(*p.in, name)) {
            ComponentInstance& instance = p.instance ? *p.instance : tree.self(*p.in);
            const Element* e = instance.type == p.in ? own : tree.find(*instance.type, name);
            return found_as(tree, instance, e ? *e : *own);
        }
        // While the bases of a class are looked up its imports are not in its table yet.
        if (p.in->progress == Progress::Active) {
            if (const auto* body = std::get_if<object::LongDefinition>(&p.in->text->definition)) {
                ClassInstance imports;
                for (const object::Element& e : body->elements)
                    if (const auto* i = std::get_if<object::Import>(&e)) imports.imports.push_back(i);
                if (Found f = find_imported(tree, name, imports)) return f;
            }
        } else if (!p.in->imports.empty()) {
            if (Found f = find_imported(tree, name, *p.in)) return f;
        }
        if (p.in->text->encapsulated) {
            // Only what is predefined is seen from inside.
            for (const Element& e : tree.top().elements)
                if (e.name == name && e.declared && !e.declared->where.known())
                    return found_as(tree, tree.self(tree.top()), e);
            return {};
        }
    }
    return find_top(tree, name);
}

Found find_member(InstanceTree& tree, ClassInstance& type, std::string_view name) {
    const Element* e = tree.find(type, name);
    return e ? found_as(tree, tree.self(type), *e) : Found{};
}

Found find_prefix(InstanceTree& tree, const object::Name& name, Place place, std::size_t& parts) {
    parts = 1;
    if (name.parts.empty()) return {};
    Found f = name.global ? find_top(tree, name.parts[0].name) : find_simple(tree, name.parts[0].name, place);
    while (f.type && parts < name.parts.size()) {
        ClassInstance& type = *f.type;
        f = find_member(tree, type, name.parts[parts].name);
        check_member(tree, type, f, name.parts[parts]);
        ++parts;
    }
    return f;
}

// A component on the way to a function: one that is there, and no array.
static void check_owner(InstanceTree& tree, const ComponentInstance& c, const object::NamePart& part) {
    if (c.declared->condition)
        tree.diagnostics().report(messages::conditional_used(part.where, part.name, c.declared->where));
    if (!c.declared->dimensions.empty() || !c.declared->type_dimensions.empty())
        tree.diagnostics().report(messages::function_of_array(part.where, part.name, c.declared->where));
}

ClassInstance* find_class(InstanceTree& tree, const object::Name& name, Place place, bool* of_component) {
    std::size_t parts = 0;
    Found f = find_prefix(tree, name, place, parts);
    if (of_component) *of_component = f.element && f.element->component && parts < name.parts.size();
    // A class inside a component, `world.Part`: allowed for functions of an instance.
    int inside = 0;
    while (f.element && f.element->component && parts < name.parts.size()) {
        ComponentInstance& c = tree.resolve_outer(tree.child(*f.owner, *f.element));
        if (inside++ > 0 && is_modelica(*c.type)) return nullptr;  // a component of a class in a component
        if (is_modelica(*c.type)) check_owner(tree, c, name.parts[parts - 1]);
        const Element* e = tree.find(*c.type, name.parts[parts].name);
        if (!e) return nullptr;
        if (e->prefixes.is_protected)
            tree.diagnostics().report(
                messages::protected_member(name.parts[parts].where, e->name, place_of_declaration(*e)));
        f = found_as(tree, c, *e);
        ++parts;
        while (f.type && parts < name.parts.size()) f = find_member(tree, *f.type, name.parts[parts++].name);
    }
    return parts == name.parts.size() ? f.type : nullptr;
}

ClassInstance& class_named(InstanceTree& tree, const object::Name& name, Place place) {
    bool of_component = false;
    ClassInstance* const found = find_class(tree, name, place, &of_component);
    const bool refused = of_component && place.in && is_modelica(*place.in);
    if (found && !refused) return *found;
    std::size_t parts = 0;
    const Found f = find_prefix(tree, name, place, parts);
    const std::string text = name_text(name);
    if (f.element && f.element->component)
        throw Refused{messages::not_a_class(name.where, text, f.element->component->where)};
    // The first part that is not there, and where it was looked for.
    Found before;
    std::size_t missing = 0;
    if (name.parts.size() > 1) {
        Found at =
            name.global ? find_top(tree, name.parts[0].name) : find_simple(tree, name.parts[0].name, place);
        while (at.type && missing + 1 < name.parts.size()) {
            before = at;
            at = find_member(tree, *at.type, name.parts[++missing].name);
        }
    }
    std::vector<std::string> near;
    const ClassInstance* in = before.type ? before.type : place.in;
    for (const ClassInstance* c = in; c; c = before.type ? nullptr : c->parent.in) {
        for (const Element& e : c->elements)
            if (e.declared) near.emplace_back(e.name);
        for (std::string& stored : tree.stored_names(*c)) near.push_back(std::move(stored));
    }
    const std::string& part = name.parts.empty() ? text : name.parts[missing].name;
    throw Refused{messages::unknown_class(name.where, text, part, in ? in->path : "",
                                          nearest_name(part, near), before.type != nullptr)};
}

}  // namespace cutset::objects
