// Functions and records as the evaluator calls them: what they inherit and how they were modified is in
// their members.
#include <algorithm>

#include "objects/instance_messages.h"
#include "objects/instances.h"
#include "objects/lookup.h"

namespace cutset::objects {

namespace {

// The class whose text holds the body: of a short class the one that it stands for, of `class extends` with
// a body of its own itself.
ClassInstance& body_of(InstanceTree& tree, ClassInstance& type) {
    tree.complete(type);
    const auto* body = std::get_if<object::LongDefinition>(&type.text->definition);
    const bool own =
        type.external_origin == &type || std::any_of(type.algorithms.begin(), type.algorithms.end(),
                                                     [&](const auto& a) { return a.origin == &type; });
    if (own || type.bases.empty()) return type;
    if (body && !type.external && type.algorithms.empty()) return type;
    return body_of(tree, *type.bases.back().type);
}

}  // namespace

// Modifications of fields inside a field: `R r(a = 1, b(c = 2))`.
static void add_inner(InstanceTree& tree, Instances& instances, const std::vector<Layer>& layers,
                      ClassInstance& type, const std::string& prefix, const ComponentInstance& owner,
                      Member& member) {
    if (layers.empty() || type.is_builtin()) return;
    for (const Element& e : type.elements) {
        if (!e.component) continue;
        std::vector<Layer> inner;
        add_layers_of(layers, e.name, inner);
        if (inner.empty()) continue;
        const std::string path = prefix + std::string(e.name);
        bool given = false;
        for (const Layer& l : inner) {
            const object::Modification* m = modification_of(l);
            if (!m || !m->value || given) continue;
            member.inner.emplace_back(
                path, Scoped{&*m->value, instances.scope(l.place), l.place.instance != &owner});
            given = true;
        }
        ComponentInstance& field = tree.child(tree.self(type), e);
        add_inner(tree, instances, inner, *field.type, path + ".", owner, member);
    }
}

void Instances::add_member(Callable& into, ComponentInstance& c, const ComponentInstance& owner) {
    Member m;
    m.name = c.name;
    m.type = type_of(*c.type);
    m.dimensions = size_expressions(c, &owner);
    if (const Layer* layer = value_layer(c.layers))
        m.binding =
            Scoped{&*modification_of(*layer)->value, scope(layer->place), layer->place.instance != &owner};
    if (is_record(*c.type)) add_inner(tree_, *this, c.layers, *c.type, "", owner, m);
    m.causality = c.prefixes.causality;
    m.variability = c.prefixes.variability;
    m.is_protected = c.element->prefixes.is_protected;
    m.is_final = c.element->prefixes.is_final;
    m.where = c.declared->where;
    into.members.push_back(std::move(m));
}

std::shared_ptr<const Callable> Instances::callable(ClassInstance& type) {
    if (const auto it = callables_.find(&type); it != callables_.end()) return it->second;
    tree_.complete(type);
    auto made = std::make_shared<Callable>();
    // Functions that call themselves, records whose functions take them, find what is being made.
    callables_[&type] = made;
    classes_[made.get()] = &type;
    ClassInstance& body = body_of(tree_, type);
    ComponentInstance& owner = tree_.self(type);
    made->name = type.path;
    made->kind = type.text->kind;
    if (is_record(type) && !made->is_record()) made->kind = object::ClassKind::Record;
    made->declared = body.text;
    made->scope = scope(Place{&owner, &body});
    made->is_partial = type.text->partial;
    made->is_impure = type.text->impure || body.text->impure;
    made->where = type.text->where;
    try {
        for (std::size_t k = 0; k < type.elements.size(); ++k)
            if (type.elements[k].component && !type.elements[k].broken)
                add_member(*made, tree_.child(owner, type.elements[k]), owner);
    } catch (...) {
        callables_.erase(&type);
        throw;
    }
    for (const auto& a : type.algorithms)
        made->algorithms.push_back({a.section, scope(Place{&owner, a.origin})});
    made->external = type.external;
    if (type.external) made->external_scope = scope(Place{&owner, type.external_origin});
    return made;
}

ClassInstance& Instances::class_of(const Callable& callable) {
    const auto it = classes_.find(&callable);
    CUTSET_ASSERT(it != classes_.end());
    return *it->second;
}

}  // namespace cutset::objects
