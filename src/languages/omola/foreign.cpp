#include "languages/omola/foreign.h"

#include <utility>
#include <vector>

#include "ir/object_build.h"

namespace cutset::omola {

using namespace object::build;

namespace {

using Find = std::function<const object::Class*(const std::string&)>;

// Bases of bases, connectors in connectors.
constexpr int deepest_nesting = 20;

const object::LongDefinition* body_of(const object::Class& c) {
    return std::get_if<object::LongDefinition>(&c.definition);
}

const object::Class* nested(const object::Class& c, const std::string& name) {
    if (const auto* body = body_of(c))
        for (const object::Element& e : body->elements)
            if (const auto* inner = std::get_if<object::NestedClass>(&e))
                if (inner->declared->name == name) return inner->declared.get();
    return nullptr;
}

// From the inside outwards, then by its whole name.
const object::Class* resolve(const object::Class& from, const object::Name& name, const Find& find) {
    std::string whole;
    for (const object::NamePart& p : name.parts) whole += (whole.empty() ? "" : ".") + p.name;
    for (const object::Class* scope = &from; scope && !name.global; scope = scope->parent) {
        const object::Class* c = nested(*scope, name.parts[0].name);
        for (std::size_t i = 1; i < name.parts.size() && c; ++i) c = nested(*c, name.parts[i].name);
        if (c) return c;
    }
    return find(whole);
}

object::Name path_of(const object::Class& c) {
    object::Name out;
    out.global = true;
    out.where = c.where;
    for (const object::Class* scope = &c; scope; scope = scope->parent)
        out.parts.insert(out.parts.begin(), object::NamePart{scope->name, {}, c.where});
    return out;
}

std::shared_ptr<Object> simple_terminal(const object::Component& c) {
    auto out = std::make_shared<Object>();
    out->kind = Kind::Simple;
    out->class_name = "SimpleTerminal";
    out->where = c.where;
    if (c.prefixes.flow == object::Flow::None) return out;
    Attribute direction;
    direction.name = "direction";
    direction.value = string("in", c.where);
    direction.where = c.where;
    out->attributes.push_back(std::move(direction));
    return out;
}

Attribute attribute(const object::Component& c, const char* category) {
    Attribute out;
    out.name = c.name;
    out.category = category;
    out.dimensions = c.dimensions;
    out.description = c.description;
    out.where = out.value_where = c.where;
    return out;
}

class Maker {
  public:
    explicit Maker(const Find& find) : find_(find) {}

    void add(const object::Class& c, Object& out, int depth = 0) {
        const object::LongDefinition* body = body_of(c);
        if (!body || depth > deepest_nesting) return;
        for (const object::Element& e : body->elements) {
            if (const auto* x = std::get_if<object::Extends>(&e))
                if (const object::Class* base = resolve(c, x->base, find_)) add(*base, out, depth + 1);
            if (const auto* k = std::get_if<object::Component>(&e))
                if (!k->element.is_protected) component(c, *k, out, depth);
        }
    }

  private:
    void component(const object::Class& c, const object::Component& k, Object& out, int depth) {
        const std::string& type = k.type.parts.back().name;
        if (k.prefixes.variability == object::Variability::Parameter) {
            Attribute a = attribute(k, "parameters");
            a.type = type == "Integer" ? "integer" : type == "Boolean" ? "boolean" : "real";
            return out.attributes.push_back(std::move(a));
        }
        const object::Class* declared = resolve(c, k.type, find_);
        const bool connector = declared && (declared->kind == object::ClassKind::Connector ||
                                            declared->kind == object::ClassKind::ExpandableConnector);
        if (connector && body_of(*declared)) {
            Attribute a = attribute(k, "terminals");
            a.object = std::make_shared<Object>();
            a.object->kind = Kind::Record;
            a.object->class_name = declared->name;
            a.object->where = k.where;
            leaves(*declared, *a.object, depth + 1);
            return out.attributes.push_back(std::move(a));
        }
        if (connector || k.prefixes.causality != object::Causality::None) {
            Attribute a = attribute(k, "terminals");
            a.object = simple_terminal(k);
            return out.attributes.push_back(std::move(a));
        }
        Attribute a = attribute(k, "variables");
        a.type = "real";
        if (!declared || !body_of(*declared)) out.attributes.push_back(std::move(a));
    }

    void leaves(const object::Class& connector, Object& out, int depth) {
        const object::LongDefinition* body = body_of(connector);
        if (!body || depth > deepest_nesting) return;
        for (const object::Element& e : body->elements) {
            if (const auto* x = std::get_if<object::Extends>(&e))
                if (const object::Class* base = resolve(connector, x->base, find_))
                    leaves(*base, out, depth + 1);
            const auto* k = std::get_if<object::Component>(&e);
            if (!k || k->prefixes.variability != object::Variability::None) continue;
            Attribute a = attribute(*k, "components");
            a.object = simple_terminal(*k);
            out.attributes.push_back(std::move(a));
        }
    }

    const Find& find_;
};

}  // namespace

std::shared_ptr<Object> foreign_object(const object::Class& c, const Find& find) {
    auto out = std::make_shared<Object>();
    out->kind = Kind::Model;
    out->class_name = c.name;
    out->where = c.where;
    out->foreign = path_of(c);
    Maker(find).add(c, *out);
    return out;
}

}  // namespace cutset::omola
