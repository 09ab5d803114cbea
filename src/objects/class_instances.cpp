#include "objects/class_instances.h"

#include <algorithm>
#include <array>

#include "ir/object_names.h"
#include "objects/class_rules.h"
#include "objects/evaluator.h"
#include "objects/instance_messages.h"
#include "objects/lookup.h"
#include "objects/rule_messages.h"
#include "objects/subtypes.h"

namespace cutset::objects {

namespace {

constexpr int lookup_depth_limit = 300;  // of classes that are looked up while others are

struct DepthGuard {
    int& depth;
    DepthGuard(int& d, Span where) : depth(d) {
        if (++depth > lookup_depth_limit) {
            --depth;
            throw Refused{messages::nested_too_deeply(where)};
        }
    }
    ~DepthGuard() { --depth; }
};

// The place of what stands in a class gets its instance.
void settle_places(std::vector<Layer>& layers, ComponentInstance& instance) {
    for (Layer& l : layers)
        if (!l.place.instance) l.place.instance = &instance;
}

const object::Redeclaration* redeclaration_of(const Layer& layer) {
    if (!layer.argument || layer.part + 1 < layer.argument->name.parts.size()) return nullptr;
    return layer.argument->redeclaration ? &*layer.argument->redeclaration : nullptr;
}

Span place_of(const Layer& layer) {
    return layer.argument ? layer.argument->where : layer.modification->where;
}

// The layers outside the first that redeclares; `found` is that one.
const Layer* split_at_redeclaration(const std::vector<Layer>& layers, std::vector<Layer>& outside) {
    for (const Layer& l : layers) {
        if (redeclaration_of(l)) return &l;
        outside.push_back(l);
    }
    return nullptr;
}

// Of what is replaced again only the constraint holds: `replaceable B b constrainedby A(x = 1)`.
void add_redeclared_constraint(const Layer& layer, std::vector<Layer>& out) {
    const object::Redeclaration* r = redeclaration_of(layer);
    if (!r || !r->component || !r->component->constraint) return;
    const Box<object::Modification>& m = r->component->constraint->modification;
    if (m) out.push_back(Layer{.modification = &*m, .place = layer.place, .arguments_only = true});
}

// What is redeclared must be replaceable, as the last redeclaration left it, neither final nor constant.
void check_redeclared(const Layer& redeclared, const std::vector<Layer>& layers, const Element& e,
                      Diagnostics& diagnostics) {
    const Span declared = place_of_declaration(e);
    bool replaceable = e.prefixes.replaceable || redeclared.argument->replaceable;
    for (const Layer* l = &redeclared + 1; l != layers.data() + layers.size(); ++l)
        if (redeclaration_of(*l)) {
            replaceable = l->argument->replaceable;
            break;
        }
    if (!replaceable)
        diagnostics.report(messages::not_replaceable(place_of(redeclared), e.name, declared));
    else if (e.prefixes.is_final)
        diagnostics.report(messages::final_modified(place_of(redeclared), e.name, declared));
    else if (e.component && e.component->prefixes.variability == object::Variability::Constant)
        diagnostics.report(messages::constant_redeclared(place_of(redeclared), e.name, declared));
}

object::TypePrefixes merged(object::TypePrefixes outer, object::TypePrefixes inner) {
    object::TypePrefixes p = outer;
    p.variability = std::max(p.variability, inner.variability);
    if (p.causality == object::Causality::None) p.causality = inner.causality;
    if (p.flow == object::Flow::None) p.flow = inner.flow;
    return p;
}

std::span<const std::string_view> attributes_of(Builtin type) {
    static constexpr std::array<std::string_view, 10> real = {
        "start", "fixed",       "min",         "max",      "nominal",
        "unit",  "displayUnit", "stateSelect", "quantity", "unbounded"};
    static constexpr std::array<std::string_view, 5> integer = {"start", "fixed", "min", "max", "quantity"};
    static constexpr std::array<std::string_view, 3> truth = {"start", "fixed", "quantity"};
    if (type == Builtin::Real) return real;
    if (type == Builtin::Integer || type == Builtin::Enumeration) return integer;
    if (type == Builtin::Boolean || type == Builtin::String) return truth;
    return {};
}

std::shared_ptr<object::Class> make_enumeration(std::string name, std::vector<std::string> literals) {
    auto text = std::make_shared<object::Class>();
    text->kind = object::ClassKind::Type;
    text->name = std::move(name);
    object::EnumerationDefinition definition;
    for (std::string& l : literals) definition.literals.push_back({std::move(l), {}, {}});
    text->definition = std::move(definition);
    return text;
}

std::shared_ptr<object::Class> make_builtin(std::string name) {
    auto text = std::make_shared<object::Class>();
    text->kind = object::ClassKind::Type;
    text->name = std::move(name);
    return text;
}

// The classes that every place sees.
struct PredefinedClasses {
    std::vector<std::pair<Builtin, std::shared_ptr<object::Class>>> types = {
        {Builtin::Real, make_builtin("Real")},
        {Builtin::Integer, make_builtin("Integer")},
        {Builtin::Boolean, make_builtin("Boolean")},
        {Builtin::String, make_builtin("String")},
        {Builtin::Clock, make_builtin("Clock")},
        {Builtin::ExternalObject, make_builtin("ExternalObject")},
        {Builtin::None, make_enumeration("StateSelect", {"never", "avoid", "default", "prefer", "always"})},
        {Builtin::None, make_enumeration("AssertionLevel", {"warning", "error"})}};
};
const PredefinedClasses& predefined() {
    static const PredefinedClasses classes;
    return classes;
}

}  // namespace

struct InstanceTree::Declared {
    NameTable<const object::Element*> names;
};

const object::Modification* modification_of(const Layer& layer) {
    if (layer.modification) return layer.modification;
    if (!layer.argument || layer.part + 1 < layer.argument->name.parts.size()) return nullptr;
    return layer.argument->value ? &*layer.argument->value : nullptr;
}

void add_layers_of(const std::vector<Layer>& layers, std::string_view name, std::vector<Layer>& out) {
    for (const Layer& layer : layers) {
        if (layer.argument && layer.part + 1 < layer.argument->name.parts.size()) {
            if (layer.argument->name.parts[layer.part + 1].name != name) continue;
            out.push_back(layer);
            ++out.back().part;
            continue;
        }
        const object::Modification* m = modification_of(layer);
        if (!m) continue;
        for (const object::Argument& a : m->arguments) {
            if (a.name.parts.empty() || a.name.parts[0].name != name || a.remove) continue;
            Layer inner{.argument = &a, .place = layer.place, .final = layer.final || a.final};
            if (!a.each) inner.indices = layer.indices;
            out.push_back(std::move(inner));
        }
    }
}

const Layer* value_layer(const std::vector<Layer>& layers) {
    const Layer* replaced = nullptr;
    for (const Layer& layer : layers) {
        const object::Modification* m = modification_of(layer);
        if (!m) continue;
        if (m->no_value) return nullptr;
        if (!m->value) continue;
        if (!layer.arguments_only) return &layer;
        if (!replaced) replaced = &layer;
    }
    return replaced;
}

InstanceTree::InstanceTree(ClassLibrary& library, Diagnostics& diagnostics)
    : library_(library), diagnostics_(diagnostics) {
    top_ = &classes_.emplace_back();
    top_->progress = Progress::Done;
    const Place at{&self(*top_), top_};
    for (const auto& [type, text] : predefined().types) {
        ClassInstance& c = class_in(*text, at);
        Element& e = top_->elements.emplace_back();
        e.name = text->name;
        e.declared = text.get();
        e.origin = top_;
        e.number = static_cast<std::uint32_t>(top_->elements.size() - 1);
        top_->names[e.name] = e.number;
        if (type == Builtin::None) continue;
        c.builtin = type;
        c.progress = Progress::Done;
        builtins_[type] = &c;
    }
}

InstanceTree::~InstanceTree() = default;

const InstanceTree::Declared& InstanceTree::declared(const object::Class& text) {
    auto& found = declared_[&text];
    if (found) return *found;
    found = std::make_unique<Declared>();
    if (const auto* body = std::get_if<object::LongDefinition>(&text.definition))
        for (const object::Element& e : body->elements) {
            if (const auto* c = std::get_if<object::Component>(&e)) found->names[c->name] = &e;
            if (const auto* n = std::get_if<object::NestedClass>(&e)) found->names[n->declared->name] = &e;
        }
    return *found;
}

// ---- class instances

ClassInstance* InstanceTree::alias_target(const object::Class& text, Place parent) {
    const auto* alias = std::get_if<object::ShortDefinition>(&text.definition);
    if (!alias || !alias->dimensions.empty()) return nullptr;
    if (alias->modification && !alias->modification->arguments.empty()) return nullptr;
    const object::TypePrefixes& p = alias->prefixes;
    if (p.variability != object::Variability::None || p.causality != object::Causality::None ||
        p.flow != object::Flow::None)
        return nullptr;
    ClassInstance& target = class_named(*this, alias->base, parent);
    const bool same_kind = target.text && target.text->kind == text.kind && !target.is_builtin();
    return same_kind ? &target : nullptr;
}

ClassInstance& InstanceTree::class_in(const object::Class& text, Place parent, std::vector<Layer> layers,
                                      const Element* replaced) {
    const DepthGuard guard(depth_, text.where);
    if (layers.empty())
        if (ClassInstance* target = alias_target(text, parent)) return *target;
    std::vector<ClassInstance*>& same = by_text_[&text];
    for (ClassInstance* c : same)
        if (c->parent == parent && c->replaced == replaced && c->layers == layers) return *c;
    if (same.empty()) check_class_text(text, diagnostics_);
    ClassInstance& c = classes_.emplace_back();
    same.push_back(&c);
    c.text = &text;
    c.parent = parent;
    c.layers = std::move(layers);
    c.replaced = replaced;
    const std::string& outer = parent.in ? parent.in->path : text.name;
    c.path = parent.in && !outer.empty() ? outer + "." + text.name : text.name;
    return c;
}

ComponentInstance& InstanceTree::self(ClassInstance& type) {
    if (!type.self) {
        type.self = &owners_.emplace_back();
        type.self->type = &type;
        type.self->presence = Presence::Present;
        type.self->dimensions.emplace();
    }
    return *type.self;
}

// `function f = g(a = x)`, `type V = Real[n]`, `extends A(redeclare model M = N(a = x))`: with x and n of the
// instance, so that they are others in each.
static bool has_classes_of_instances(ClassInstance& type) {
    if (type.classes_of_instances) return *type.classes_of_instances;
    bool found = false;
    const auto visit = [&](const object::Name& n) {
        const std::uint32_t* number = n.parts.empty() ? nullptr : type.names.find(n.parts[0].name);
        const object::Component* c = number ? type.elements[*number].component : nullptr;
        found = found || (c && c->prefixes.variability != object::Variability::Constant);
    };
    const auto visit_class = [&](const object::Class& declared) {
        const auto* alias = std::get_if<object::ShortDefinition>(&declared.definition);
        if (!alias) return;
        if (alias->modification) object::visit_names(*alias->modification, visit);
        for (const object::Expression& d : alias->dimensions) object::visit_names(d, visit);
    };
    for (const Element& e : type.elements) {
        if (!e.declared) continue;
        visit_class(*e.declared);
        for (const Layer& layer : e.layers)
            if (const object::Redeclaration* r = redeclaration_of(layer); r && r->declared)
                visit_class(*r->declared);
    }
    type.classes_of_instances = found;
    return found;
}

ComponentInstance& InstanceTree::make_root(ClassInstance& type) {
    root_ = &owners_.emplace_back();
    root_->type = &type;
    root_->presence = Presence::Present;
    root_->dimensions.emplace();
    root_->own_classes = has_classes_of_instances(type);
    return *root_;
}

Element* InstanceTree::add_own(ClassInstance& c, const object::Component* component,
                               const object::NestedClass* nested) {
    const std::string_view name = component ? component->name : nested->declared->name;
    if (const std::uint32_t* there = c.names.find(name)) {
        Element& e = c.elements[*there];
        if (e.component == component && (!nested || e.declared == nested->declared.get())) return &e;
        const Span where = component ? component->where : nested->declared->where;
        const Span first = e.component ? e.component->where : e.declared ? e.declared->where : Span{};
        if (!e.broken) {
            diagnostics_.report(messages::declared_twice(where, name, first));
            return &e;
        }
    }
    Element& e = c.elements.emplace_back();
    e.name = name;
    e.component = component;
    e.declared = nested ? nested->declared.get() : nullptr;
    e.prefixes = component ? component->element : nested->element;
    e.origin = &c;
    e.number = static_cast<std::uint32_t>(c.elements.size() - 1);
    c.names[name] = e.number;
    add_layers_of(c.layers, name, e.layers);
    return &e;
}

// What `redeclare model M = N(a = x)` says itself counts more than the constraint of what it replaces: the
// layers before and behind it. Nothing where no constraint is among them.
static std::optional<std::pair<std::vector<Layer>, std::vector<Layer>>> around_own(const ClassInstance& c) {
    const auto of_constraint = [](const Layer& l) { return l.arguments_only; };
    const bool alias = c.text && std::holds_alternative<object::ShortDefinition>(c.text->definition);
    if (!alias || std::none_of(c.layers.begin(), c.layers.end(), of_constraint)) return std::nullopt;
    std::pair<std::vector<Layer>, std::vector<Layer>> parts;
    for (const Layer& l : c.layers) (of_constraint(l) ? parts.second : parts.first).push_back(l);
    return parts;
}

void InstanceTree::inherit(ClassInstance& c, const Element& from, const object::Modification* modification,
                           Place place, bool is_protected) {
    if (from.broken) return;
    Element e = from;
    e.layers.clear();
    const auto parts = around_own(c);
    add_layers_of(parts ? parts->first : c.layers, e.name, e.layers);
    if (modification) {
        add_layers_of({Layer{.modification = modification, .place = place}}, e.name, e.layers);
        for (const object::Argument& a : modification->arguments)
            if (a.remove && a.broken_connection.empty() && a.name.parts[0].name == e.name) e.broken = true;
    }
    if (parts) add_layers_of(parts->second, e.name, e.layers);
    e.layers.insert(e.layers.end(), from.layers.begin(), from.layers.end());
    if (is_protected) e.prefixes.is_protected = true;

    const object::Element* const* own = nullptr;
    if (c.text && std::holds_alternative<object::LongDefinition>(c.text->definition))
        own = declared(*c.text).names.find(e.name);
    if (own && !e.broken) {
        const auto* component = std::get_if<object::Component>(*own);
        const auto* nested = std::get_if<object::NestedClass>(*own);
        const auto* body =
            nested ? std::get_if<object::LongDefinition>(&nested->declared->definition) : nullptr;
        const bool replaces = component ? component->element.redeclare
                                        : nested->element.redeclare || (body && body->extends_inherited);
        if (const std::uint32_t* there = c.names.find(e.name)) {
            if (!replaces && c.text) check_inherited_twice(*c.text, c.elements[*there], e, diagnostics_);
            return;
        }
        Element* mine = add_own(c, component, nested);
        if (!replaces) {
            check_inherited_twice(*c.text, *mine, e, diagnostics_);
            return;
        }
        check_replaced(*c.text, *mine, e, diagnostics_);
        more_elements_.push_back(std::move(e));
        mine->replaced = &more_elements_.back();
        const object::ElementPrefixes& old = mine->replaced->prefixes;
        mine->prefixes.inner |= old.inner;
        mine->prefixes.outer |= old.outer;
        mine->prefixes.is_protected |= old.is_protected;
        return;
    }
    if (const std::uint32_t* there = c.names.find(e.name)) {  // inherited along two ways
        if (c.text) check_inherited_twice(*c.text, c.elements[*there], e, diagnostics_);
        return;
    }
    e.number = static_cast<std::uint32_t>(c.elements.size());
    c.names[e.name] = e.number;
    c.elements.push_back(std::move(e));
}

void InstanceTree::add_base(ClassInstance& c, ClassInstance& base, const object::Modification* modification,
                            Place place, const object::Extends* clause) {
    complete(base);
    if (base.progress == Progress::Active)
        throw Refused{messages::inherits_from_itself(clause ? clause->where : c.text->where, c.path)};
    if (c.bases.empty() || clause)
        check_base_kind(c, base, clause ? clause->where : c.text->where, diagnostics_);
    c.bases.push_back({&base, clause});
    if (base.is_builtin()) {
        c.builtin = base.builtin;
        c.enumeration = base.enumeration;
        if (modification) c.builtin_layers.push_back(Layer{.modification = modification, .place = place});
        c.builtin_layers.insert(c.builtin_layers.end(), base.builtin_layers.begin(),
                                base.builtin_layers.end());
        settle_places(c.builtin_layers, self(c));
    }
    c.dimensions.insert(c.dimensions.end(), base.dimensions.begin(), base.dimensions.end());
    c.prefixes = merged(c.prefixes, base.prefixes);
    for (const Element& e : base.elements) inherit(c, e, modification, place, clause && clause->is_protected);
    c.equations.insert(c.equations.end(), base.equations.begin(), base.equations.end());
    c.algorithms.insert(c.algorithms.end(), base.algorithms.begin(), base.algorithms.end());
    if (!c.external) {
        c.external = base.external;
        c.external_origin = base.external_origin;
    }
    c.broken_connections.insert(c.broken_connections.end(), base.broken_connections.begin(),
                                base.broken_connections.end());
    if (!modification) return;
    for (const object::Argument& a : modification->arguments) {
        if (a.broken_connection.size() == 2) c.broken_connections.emplace_back(&a.broken_connection, &base);
        if (a.remove || a.name.parts.empty()) continue;
        const std::string& name = a.name.parts[0].name;
        const auto attributes = attributes_of(base.builtin);
        const bool known = base.is_builtin()
                               ? std::find(attributes.begin(), attributes.end(), name) != attributes.end()
                               : find(base, name) != nullptr;
        if (!known) {
            std::vector<std::string> names(attributes.begin(), attributes.end());
            for (const Element& e : base.elements) names.emplace_back(e.name);
            diagnostics_.report(
                messages::unknown_modifier(a.name.where, name, base.path, nearest_name(name, names)));
        }
    }
}

void InstanceTree::complete_long(ClassInstance& c, const object::LongDefinition& body) {
    const Place inside{nullptr, &c};
    if (body.extends_inherited && c.replaced) {
        ComponentInstance& owner = *c.parent.instance;
        const Element& old = *c.replaced;
        if (!old.prefixes.replaceable && c.text->language == object::Language::Modelica)
            diagnostics_.report(
                messages::not_replaceable(c.text->where, old.name, place_of_declaration(old)));
        std::vector<Layer> layers = old.layers;
        settle_places(layers, owner);
        std::vector<Layer> outside;
        const Layer* redeclared = split_at_redeclaration(layers, outside);
        ClassInstance& base =
            redeclared ? class_in(*redeclaration_of(*redeclared)->declared, redeclared->place, outside)
                       : class_in(*old.declared, Place{&owner, old.origin}, outside, old.replaced);
        add_base(c, base, body.modification ? &*body.modification : nullptr, inside, nullptr);
    }
    for (const object::Element& element : body.elements) {
        if (const auto* import = std::get_if<object::Import>(&element)) {
            c.imports.push_back(import);
        } else if (const auto* clause = std::get_if<object::Extends>(&element)) {
            ClassInstance& base = class_named(*this, clause->base, Place{&self(c), &c});
            add_base(c, base, clause->modification ? &*clause->modification : nullptr, inside, clause);
        } else if (const auto* component = std::get_if<object::Component>(&element)) {
            add_own(c, component, nullptr);
        } else if (const auto* nested = std::get_if<object::NestedClass>(&element)) {
            add_own(c, nullptr, nested);
        } else if (const auto* equations = std::get_if<object::EquationSection>(&element)) {
            c.equations.push_back({equations, &c});
        } else if (const auto* algorithm = std::get_if<object::AlgorithmSection>(&element)) {
            c.algorithms.push_back({algorithm, &c});
        }
    }
    if (body.external) {
        c.external = &*body.external;
        c.external_origin = &c;
    }
    for (const Element& e : c.elements) {
        if (e.origin != &c || e.replaced || !e.prefixes.redeclare) continue;
        const Span where = e.component ? e.component->where : e.declared->where;
        diagnostics_.report(messages::nothing_to_redeclare(where, e.name));
    }
}

void InstanceTree::complete_short(ClassInstance& c, const object::ShortDefinition& definition) {
    for (const object::Expression& d : definition.dimensions) c.dimensions.emplace_back(&d, c.parent);
    c.prefixes = definition.prefixes;
    ClassInstance& base = class_named(*this, definition.base, c.parent);
    add_base(c, base, definition.modification ? &*definition.modification : nullptr, c.parent, nullptr);
}

void InstanceTree::complete(ClassInstance& c) {
    if (c.progress != Progress::New) return;
    const DepthGuard guard(depth_, c.text->where);
    c.progress = Progress::Active;
    try {
        if (const auto* body = std::get_if<object::LongDefinition>(&c.text->definition)) {
            complete_long(c, *body);
        } else if (const auto* alias = std::get_if<object::ShortDefinition>(&c.text->definition)) {
            complete_short(c, *alias);
        } else if (const auto* literals = std::get_if<object::EnumerationDefinition>(&c.text->definition)) {
            c.builtin = Builtin::Enumeration;
            c.enumeration = c.text;
            for (const object::EnumerationLiteral& l : literals->literals) {
                Element& e = c.elements.emplace_back();
                e.name = l.name;
                e.literal = &l;
                e.origin = &c;
                e.number = static_cast<std::uint32_t>(c.elements.size() - 1);
                c.names[l.name] = e.number;
            }
        }
        // What comes with the name of a class reaches its attributes before what stands in it.
        if (c.is_builtin()) {
            const auto parts = around_own(c);
            const std::vector<Layer>& before = parts ? parts->first : c.layers;
            if (parts) {
                const auto* alias = std::get_if<object::ShortDefinition>(&c.text->definition);
                c.builtin_layers.insert(c.builtin_layers.begin() + (alias && alias->modification ? 1 : 0),
                                        parts->second.begin(), parts->second.end());
            }
            c.builtin_layers.insert(c.builtin_layers.begin(), before.begin(), before.end());
        }
        check_simple_type(c, diagnostics_);
        c.progress = Progress::Done;
    } catch (...) {  // as if it had not been asked for: the next question gets the same answer
        ClassInstance fresh;
        fresh.text = c.text;
        fresh.parent = c.parent;
        fresh.layers = c.layers;
        fresh.replaced = c.replaced;
        fresh.path = c.path;
        fresh.self = c.self;
        c = std::move(fresh);
        if (c.self) c.self->children.clear();
        throw;
    }
}

// A class of a package that stands in a file of its own.
Element* InstanceTree::find_stored(ClassInstance& c, std::string_view name) {
    const object::Class* stored = nullptr;
    if (&c == top_)
        stored = library_.top(name);
    else if (c.text && c.text->kind == object::ClassKind::Package)
        stored = library_.stored_member(*c.text, name);
    if (!stored) return nullptr;
    Element e;
    e.name = stored->name;
    e.declared = stored;
    e.origin = &c;
    add_layers_of(c.layers, name, e.layers);
    if (c.progress == Progress::Active) return &c.early.emplace_back(std::move(e));
    e.number = static_cast<std::uint32_t>(c.elements.size());
    c.names[e.name] = e.number;
    return &c.elements.emplace_back(std::move(e));
}

std::vector<std::string> InstanceTree::stored_names(const ClassInstance& c) {
    if (&c == top_) return library_.top_names();
    const bool package = c.text && c.text->kind == object::ClassKind::Package;
    return package ? library_.stored_members(*c.text) : std::vector<std::string>();
}

const Element* InstanceTree::find(ClassInstance& c, std::string_view name) {
    complete(c);
    if (c.progress == Progress::Active) {
        for (const Element& e : c.early)
            if (e.name == name) return &e;
        if (c.text && std::holds_alternative<object::LongDefinition>(c.text->definition))
            if (const object::Element* const* own = declared(*c.text).names.find(name)) {
                Element& e = c.early.emplace_back();
                e.name = name;
                e.component = std::get_if<object::Component>(*own);
                const auto* nested = std::get_if<object::NestedClass>(*own);
                if (nested) e.declared = nested->declared.get();
                if (nested) e.name = nested->declared->name;
                if (e.component) e.name = e.component->name;
                e.prefixes = nested ? nested->element : e.component->element;
                e.origin = &c;
                add_layers_of(c.layers, name, e.layers);
                return &e;
            }
        return find_stored(c, name);
    }
    if (const std::uint32_t* number = c.names.find(name)) {
        const Element& e = c.elements[*number];
        return e.broken ? nullptr : &e;
    }
    if (const Element* e = find_stored(c, name)) return e;
    for (const Base& base : c.bases) {  // packages that are inherited may have classes in files of their own
        if (!base.type->text || base.type->text->kind != object::ClassKind::Package) continue;
        const Element* e = find(*base.type, name);
        if (!e) continue;
        const object::Modification* m =
            base.clause && base.clause->modification ? &*base.clause->modification : nullptr;
        inherit(c, *e, m, Place{nullptr, &c}, base.clause && base.clause->is_protected);
        const std::uint32_t* number = c.names.find(name);
        return number ? &c.elements[*number] : nullptr;
    }
    return nullptr;
}

void InstanceTree::add_constraint_layers(const Element& replaced, Place place, std::vector<Layer>& out) {
    const auto add = [&](const object::Modification& m, bool arguments_only) {
        out.push_back(Layer{.modification = &m, .place = place, .arguments_only = arguments_only});
    };
    const Box<object::Constraint>& constraint =
        replaced.component ? replaced.component->constraint : replaced.declared->constraint;
    if (constraint) {
        if (constraint->modification) add(*constraint->modification, true);
    } else if (replaced.component) {
        if (replaced.component->modification) add(*replaced.component->modification, true);
    } else if (const auto* alias = std::get_if<object::ShortDefinition>(&replaced.declared->definition)) {
        if (alias->modification) add(*alias->modification, true);
    }
    if (replaced.replaced)
        add_constraint_layers(*replaced.replaced, Place{place.instance, replaced.replaced->origin}, out);
}

void InstanceTree::note_replacement(ClassInstance& by, const Layer& redeclared,
                                    const std::vector<Layer>& layers, const Element& element,
                                    ComponentInstance& in) {
    if (!is_modelica(element)) return;
    Replacement r{&by, place_of(redeclared), &element, &in};
    for (const Layer* l = &redeclared + 1; l != layers.data() + layers.size() && !r.before; ++l) {
        r.before = redeclaration_of(*l);
        r.before_place = l->place;
    }
    replacements_.push_back(r);
}

// What stands there by default must fit its constraint, too.
void InstanceTree::note_declared(ClassInstance& type, const Element& element, ComponentInstance& in) {
    if (is_modelica(element)) replacements_.push_back({&type, place_of_declaration(element), &element, &in});
}

ClassInstance& InstanceTree::class_of(ComponentInstance& instance, const Element& element) {
    const bool done = instance.type->progress == Progress::Done;
    auto& known = instance.own_classes ? instance.nested : instance.type->nested;
    if (const auto it = known.find(element.name); done && it != known.end()) return *it->second;
    const DepthGuard guard(depth_, element.declared->where);

    ComponentInstance& at = instance.own_classes ? instance : self(*instance.type);
    std::vector<Layer> layers;
    add_layers_of(at.layers, element.name, layers);
    layers.insert(layers.end(), element.layers.begin(), element.layers.end());
    settle_places(layers, at);
    std::vector<Layer> outside;
    const Layer* redeclared = split_at_redeclaration(layers, outside);
    // The constraint of a class holds for what it is by default, too.
    const auto add_own_constraint = [&](const object::Class& declared, Place place) {
        if (declared.constraint && declared.constraint->modification)
            outside.push_back(Layer{
                .modification = &*declared.constraint->modification, .place = place, .arguments_only = true});
    };
    ClassInstance* result = nullptr;
    if (redeclared && redeclaration_of(*redeclared)->declared) {
        check_redeclared(*redeclared, layers, element, diagnostics_);
        add_own_constraint(*redeclaration_of(*redeclared)->declared, redeclared->place);
        add_constraint_layers(element, Place{&at, element.origin}, outside);
        result = &class_in(*redeclaration_of(*redeclared)->declared, redeclared->place, std::move(outside));
        note_replacement(*result, *redeclared, layers, element, at);
    } else {
        const auto* body = std::get_if<object::LongDefinition>(&element.declared->definition);
        const bool extends = body && body->extends_inherited;
        add_own_constraint(*element.declared, Place{&at, element.origin});
        if (element.replaced && !extends && element.replaced->declared)
            add_constraint_layers(*element.replaced, Place{&at, element.replaced->origin}, outside);
        result = &class_in(*element.declared, Place{&at, element.origin}, std::move(outside),
                           extends ? element.replaced : nullptr);
    }
    if (!redeclared && element.declared->constraint) note_declared(*result, element, at);
    if (done) known[element.name] = result;
    return *result;
}

// ---- components

void InstanceTree::check_modifiers(ComponentInstance& c) {
    for (const Layer& layer : c.layers) {
        const auto check = [&](const object::NamePart& part) {
            if (c.type->is_builtin()) {
                const auto attributes = attributes_of(c.type->builtin);
                if (std::find(attributes.begin(), attributes.end(), part.name) != attributes.end()) return;
                diagnostics_.report(messages::unknown_modifier(
                    part.where, part.name, c.type->path,
                    nearest_name(part.name, std::vector<std::string>(attributes.begin(), attributes.end()))));
                return;
            }
            const Element* e = find(*c.type, part.name);
            if (!e && layer.arguments_only) return;
            if (!e) {
                std::vector<std::string> names;
                for (const Element& other : c.type->elements) names.emplace_back(other.name);
                diagnostics_.report(messages::unknown_modifier(part.where, part.name, c.type->path,
                                                               nearest_name(part.name, names)));
                return;
            }
            if (e->prefixes.is_protected)
                diagnostics_.report(
                    messages::protected_modified(part.where, part.name, place_of_declaration(*e)));
            const bool constant =
                e->component && e->component->prefixes.variability == object::Variability::Constant;
            if (e->declared || constant) c.own_classes = true;
        };
        if (layer.argument && layer.part + 1 < layer.argument->name.parts.size()) {
            check(layer.argument->name.parts[layer.part + 1]);
            continue;
        }
        const object::Modification* m = modification_of(layer);
        if (!m) continue;
        for (const object::Argument& a : m->arguments)
            if (!a.remove && !a.name.parts.empty()) check(a.name.parts[0]);
    }
}

ComponentInstance& InstanceTree::child(ComponentInstance& d, const Element& e) {
    CUTSET_ASSERT(e.component != nullptr);
    if (d.children.size() < d.type->elements.size()) d.children.resize(d.type->elements.size());
    if (d.children[e.number]) return *d.children[e.number];
    const DepthGuard guard(depth_, e.component->where);

    std::vector<Layer> layers;
    add_layers_of(d.layers, e.name, layers);
    layers.insert(layers.end(), e.layers.begin(), e.layers.end());
    settle_places(layers, d);
    if (e.prefixes.outer && !e.prefixes.inner && !layers.empty() && is_modelica(e))
        diagnostics_.report(messages::modified_outer(place_of(layers[0]), e.name));
    if (e.prefixes.is_final && !layers.empty())
        diagnostics_.report(messages::final_modified(place_of(layers[0]), e.name, e.component->where));
    for (std::size_t k = 1; k < layers.size(); ++k)
        if (layers[k].final && !layers[k].arguments_only)
            diagnostics_.report(messages::final_modified(place_of(layers[0]), e.name, place_of(layers[k])));

    auto made = std::make_unique<ComponentInstance>();
    ComponentInstance& c = *made;
    c.element = &e;
    c.parent = &d;
    c.name = e.name;
    c.original = c.declared = e.component;
    c.original_place = c.place = Place{&d, e.origin};
    // Where its type is looked up: in the class, if the instance changes nothing in it.
    Place types = c.place;
    if (!d.own_classes) types.instance = &self(*d.type);
    const Layer* redeclared = split_at_redeclaration(layers, c.layers);
    if (redeclared && redeclaration_of(*redeclared)->component) {
        check_redeclared(*redeclared, layers, e, diagnostics_);
        c.declared = redeclaration_of(*redeclared)->component.get();
        c.place = types = redeclared->place;
    }
    const auto add_own_layer = [&](const Box<object::Modification>& m, bool arguments_only) {
        if (!m) return;
        Layer own{.modification = &*m, .place = c.place, .arguments_only = arguments_only};
        if (redeclared) own.indices = redeclared->indices;
        c.layers.push_back(std::move(own));
    };
    add_own_layer(c.declared->modification, false);
    if (c.declared->constraint) add_own_layer(c.declared->constraint->modification, true);
    if (redeclared)
        for (const Layer* l = redeclared + 1; l != layers.data() + layers.size(); ++l)
            add_redeclared_constraint(*l, c.layers);
    if (redeclared)
        add_constraint_layers(e, c.original_place, c.layers);
    else if (e.replaced && e.replaced->component)
        add_constraint_layers(*e.replaced, Place{&d, e.replaced->origin}, c.layers);

    const bool shared = !d.own_classes && !redeclared;
    std::vector<ClassInstance*>& types_known = d.type->component_types;
    if (types_known.size() < d.type->elements.size()) types_known.resize(d.type->elements.size());
    if (shared && types_known[e.number]) {
        c.type = types_known[e.number];
    } else {
        c.type = &class_named(*this, c.declared->type, types);
        complete(*c.type);
        if (shared) types_known[e.number] = c.type;
        if (e.origin && e.origin->text) check_component(*e.origin, *c.declared, *c.type, diagnostics_);
    }
    object::TypePrefixes own = c.declared->prefixes;
    if (c.declared != c.original) own = merged(own, c.original->prefixes);
    if (e.replaced && e.replaced->component) own = merged(own, e.replaced->component->prefixes);
    c.prefixes = merged(merged(d.prefixes, own), c.type->prefixes);
    if (!c.type->is_builtin())
        for (const ComponentInstance* p = &d; p; p = p->parent)
            if (p->type == c.type)
                throw Refused{messages::contains_itself(e.component->where, e.name, c.type->path)};
    if (redeclared && c.declared != c.original)
        note_replacement(*c.type, *redeclared, layers, e, d);
    else if (e.component->constraint)
        note_declared(*c.type, e, d);
    if (!c.layers.empty()) check_modifiers(c);
    if (has_classes_of_instances(*c.type)) c.own_classes = true;
    d.children[e.number] = std::move(made);
    return c;
}

std::unique_ptr<ComponentInstance> InstanceTree::make_element(const ComponentInstance& array,
                                                              std::vector<std::uint32_t> indices) {
    auto made = std::make_unique<ComponentInstance>();
    ComponentInstance& c = *made;
    c.element = array.element;
    c.parent = array.parent;
    c.type = array.type;
    c.own_classes = array.own_classes;
    c.prefixes = array.prefixes;
    c.declared = array.declared;
    c.original = array.original;
    c.place = array.place;
    c.original_place = array.original_place;
    c.presence = array.presence;
    c.dimensions.emplace();
    c.indices = std::move(indices);
    c.name = array.name + "[";
    for (std::size_t k = 0; k < c.indices.size(); ++k)
        c.name += (k ? "," : "") + std::to_string(c.indices[k]);
    c.name += "]";
    c.layers = array.layers;
    for (Layer& l : c.layers) l.indices.insert(l.indices.end(), c.indices.begin(), c.indices.end());
    return made;
}

ComponentInstance& InstanceTree::array_element(ComponentInstance& array, std::size_t number) {
    CUTSET_ASSERT(array.dimensions.has_value());
    const std::vector<std::uint32_t>& sizes = *array.dimensions;
    if (array.elements.empty()) {
        std::size_t count = 1;
        for (const std::uint32_t n : sizes) count *= n;
        array.elements.resize(count);
    }
    auto& slot = array.elements[number];
    if (slot) return *slot;
    std::vector<std::uint32_t> indices(sizes.size());
    for (std::size_t k = sizes.size(), rest = number; k-- > 0; rest /= sizes[k])
        indices[k] = static_cast<std::uint32_t>(rest % sizes[k]) + 1;
    slot = make_element(array, std::move(indices));
    return *slot;
}

ComponentInstance& InstanceTree::sample_element(ComponentInstance& array) {
    auto& sample = samples_[&array];
    if (!sample) sample = make_element(array, std::vector<std::uint32_t>(array.dimensions->size(), 1));
    return *sample;
}

void InstanceTree::check_inner(ComponentInstance& outer, ComponentInstance& inner) {
    if (!is_modelica(*outer.element)) return;
    const auto dimensions = [](const ComponentInstance& c) {
        return c.declared->dimensions.size() + c.declared->type_dimensions.size() + c.type->dimensions.size();
    };
    std::string how;
    if (dimensions(inner) != dimensions(outer))
        how = "they have different numbers of dimensions";
    else if (!is_subtype(*this, *inner.type, *outer.type, how) && how.empty())
        how = "their types differ";
    if (!how.empty())
        diagnostics_.report(
            messages::inner_differs(outer.declared->where, outer.name, how, inner.declared->where));
}

ComponentInstance& InstanceTree::resolve_outer(ComponentInstance& c) {
    if (!c.element || !c.element->prefixes.outer) return c;
    if (c.outer_of) return *c.outer_of;
    const std::string_view name = c.element->name;
    for (ComponentInstance* p = c.parent; p; p = p->parent) {
        const Element* e = find(*p->type, name);
        if (!e || !e->component || !e->prefixes.inner) continue;
        ComponentInstance& found = child(*p, *e);
        if (&found == &c) continue;
        c.outer_of = &found;
        check_inner(c, found);
        return *c.outer_of;
    }
    for (const auto& made : made_inner_)
        if (made->element->name == name) {
            c.outer_of = made.get();
            return *made;
        }
    const bool partial = c.type->text && c.type->text->partial;
    const Element* taken = root_ ? find(*root_->type, name) : nullptr;
    if (!root_ || c.type->is_builtin() || partial ||
        (taken && (!taken->prefixes.outer || taken->prefixes.inner)))
        throw Refused{messages::no_inner(c.element->component->where, name, c.type->path)};
    diagnostics_.report(messages::inner_made(c.element->component->where, name, c.type->path));
    Element& e = more_elements_.emplace_back(*c.element);
    e.prefixes.inner = true;
    e.prefixes.outer = false;
    auto made = std::make_unique<ComponentInstance>();
    made->element = &e;
    made->parent = root_;
    made->type = c.type;
    made->name = name;
    made->declared = made->original = c.declared;
    made->place = made->original_place = c.place;
    made->prefixes = c.prefixes;
    made->presence = Presence::Present;
    made->dimensions.emplace();
    made_inner_.push_back(std::move(made));
    c.outer_of = made_inner_.back().get();
    return *c.outer_of;
}

std::string InstanceTree::path(const ComponentInstance& instance) const {
    std::vector<const ComponentInstance*> way;
    for (const ComponentInstance* c = &instance; c && c->element; c = c->parent) way.push_back(c);
    std::string out;
    for (std::size_t k = way.size(); k-- > 0;) out += (out.empty() ? "" : ".") + way[k]->name;
    return out;
}

}  // namespace cutset::objects
