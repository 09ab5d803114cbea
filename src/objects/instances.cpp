#include "objects/instances.h"

#include <algorithm>
#include <utility>

#include "objects/instance_messages.h"
#include "objects/instance_scope.h"
#include "objects/lookup.h"
#include "objects/rule_messages.h"
#include "objects/value_messages.h"
#include "objects/write_declarations.h"

namespace cutset::objects {

namespace {

constexpr int value_depth_limit = 200;  // of values that are asked for while others are

struct ValueDepth {
    int& depth;
    ValueDepth(int& d, Span where) : depth(d) {
        if (depth >= value_depth_limit) throw Refused{messages::nested_too_deeply(where)};
        ++depth;
    }
    ~ValueDepth() { --depth; }
};

std::uint32_t depth_of(const ComponentInstance* c) {
    std::uint32_t depth = 0;
    for (; c && c->parent; c = c->parent) ++depth;
    return depth;
}

std::optional<Attribute> attribute_named(std::string_view name) {
    static constexpr std::pair<std::string_view, Attribute> all[] = {
        {"start", Attribute::Start},       {"fixed", Attribute::Fixed},
        {"min", Attribute::Minimum},       {"max", Attribute::Maximum},
        {"nominal", Attribute::Nominal},   {"stateSelect", Attribute::StateSelect},
        {"unit", Attribute::Unit},         {"displayUnit", Attribute::DisplayUnit},
        {"quantity", Attribute::Quantity}, {"unbounded", Attribute::Unbounded}};
    for (const auto& [text, attribute] : all)
        if (text == name) return attribute;
    return std::nullopt;
}

bool is_open(const object::Expression& e) {
    return e.kind == object::ExpressionKind::Omitted;
}

std::string full_name(const object::Class& text) {
    return text.parent ? full_name(*text.parent) + "." + text.name : text.name;
}

const char* variability_text(object::Variability v) {
    return v == object::Variability::Discrete ? "a discrete variable" : "a variable";
}

}  // namespace

Instances::Instances(InstanceTree& tree, Evaluator& evaluator, UserValues& settings, UserValues& initials)
    : tree_(tree), evaluator_(evaluator), settings_(settings), initials_(initials) {}

std::shared_ptr<Scope> Instances::scope(Place place) {
    std::shared_ptr<Scope>& found = scopes_[place];
    if (!found) found = make_scope(*this, place);
    return found;
}

ComponentInstance* Instances::added(const ComponentInstance& connector, std::string_view name) {
    const auto of = added_.find(&connector);
    if (of == added_.end()) return nullptr;
    const auto it = of->second.find(name);
    return it == of->second.end() ? nullptr : it->second.get();
}

ComponentInstance& Instances::add_to(ComponentInstance& connector, std::string_view name,
                                     const ComponentInstance& like) {
    auto& members = added_[&connector];
    const auto [it, fresh] = members.emplace(std::string(name), nullptr);
    if (!fresh) return *it->second;
    Element& e = added_elements_.emplace_back();
    e.name = it->first;
    e.component = like.declared;
    e.origin = connector.type;
    it->second = std::make_unique<ComponentInstance>();
    ComponentInstance& c = *it->second;
    c.element = &e;
    c.parent = &connector;
    c.type = like.type;
    c.name = name;
    c.declared = c.original = like.declared;
    c.place = c.original_place = like.place;
    c.prefixes = like.prefixes;
    c.prefixes.causality = object::Causality::None;
    c.presence = Presence::Present;
    c.dimensions = like.dimensions;
    return c;
}

// ---- structure

bool Instances::is_present(ComponentInstance& c) {
    if (c.presence == Presence::Present) return true;
    if (c.presence == Presence::Absent) return false;
    const bool redeclared = !c.declared->condition && c.original->condition;
    const object::Component& text = redeclared ? *c.original : *c.declared;
    if (!text.condition) {
        c.presence = Presence::Present;
        return true;
    }
    if (c.presence == Presence::Active) throw Refused{messages::value_cycle(text.where, c.name)};
    c.presence = Presence::Active;
    try {
        Frame frame{*scope(redeclared ? c.original_place : c.place), Reading::Constant};
        c.presence = evaluator_.truth(*text.condition, frame) ? Presence::Present : Presence::Absent;
    } catch (...) {
        c.presence = Presence::Unknown;
        throw;
    }
    return c.presence == Presence::Present;
}

std::vector<Scoped> Instances::size_expressions(ComponentInstance& c, const ComponentInstance* inside) {
    std::vector<Scoped> out;
    const auto add = [&](const object::Expression& e, Place place) {
        out.push_back(Scoped{&e, scope(place), inside && place.instance != inside});
    };
    const bool from_original = c.declared->dimensions.empty() && c.declared->type_dimensions.empty();
    const object::Component& text = from_original ? *c.original : *c.declared;
    for (const object::Expression& e : text.dimensions) add(e, from_original ? c.original_place : c.place);
    for (const object::Expression& e : text.type_dimensions)
        add(e, from_original ? c.original_place : c.place);
    for (const auto& [e, place] : c.type->dimensions) add(*e, place);
    return out;
}

const Dimensions& Instances::dimensions(ComponentInstance& c) {
    if (c.dimensions) return *c.dimensions;
    const std::vector<Scoped> sizes = size_expressions(c, nullptr);
    if (sizes.empty()) return c.dimensions.emplace();
    const Span where = c.declared->where;
    if (c.sizing) throw Refused{messages::value_cycle(where, "the size of " + path(c))};
    const ValueDepth guard(depth_, where);
    c.sizing = true;
    const auto constant = std::exchange(constant_, nullptr);
    try {
        Frame frame{*scope(c.place), Reading::Constant};
        std::optional<Dimensions> open;
        if (std::any_of(sizes.begin(), sizes.end(), [](const Scoped& s) { return is_open(*s.expression); })) {
            const auto value = binding(c);
            if (!value) throw Refused{messages::no_value(where, path(c), where)};
            open = modifier_value(evaluator_, *value, Reading::Symbolic).dimensions;
            c.dimensions = open;  // for A[:, size(A, 1)]
        }
        Dimensions found = evaluator_.dimensions(sizes, frame, open ? &*open : nullptr);
        c.dimensions = std::move(found);
    } catch (...) {
        constant_ = constant;
        c.sizing = false;
        c.dimensions.reset();
        throw;
    }
    constant_ = constant;
    c.sizing = false;
    return *c.dimensions;
}

// ---- types

bool Instances::is_record(ClassInstance& type) {
    tree_.complete(type);
    if (!type.text || type.is_builtin()) return false;
    if (type.text->kind == object::ClassKind::Record || type.text->kind == object::ClassKind::OperatorRecord)
        return true;
    return std::any_of(type.bases.begin(), type.bases.end(),
                       [&](const Base& b) { return is_record(*b.type); });
}

bool Instances::has_value(ClassInstance& type) {
    tree_.complete(type);
    return type.is_builtin() || is_record(type);
}

std::shared_ptr<const EnumerationType> Instances::enumeration(const object::Class& text) {
    std::shared_ptr<const EnumerationType>& found = enumerations_[&text];
    if (found) return found;
    auto made = std::make_shared<EnumerationType>();
    made->name = full_name(text);
    for (const auto& l : std::get<object::EnumerationDefinition>(text.definition).literals)
        made->literals.push_back(l.name);
    found = made;
    return found;
}

Type Instances::type_of(ClassInstance& type) {
    tree_.complete(type);
    Type out;
    switch (type.builtin) {
        case Builtin::Real:
            out.basic = Basic::Real;
            return out;
        case Builtin::Integer:
            out.basic = Basic::Integer;
            return out;
        case Builtin::Boolean:
            out.basic = Basic::Boolean;
            return out;
        case Builtin::String:
            out.basic = Basic::String;
            return out;
        case Builtin::Clock:
            out.basic = Basic::Clock;
            return out;
        case Builtin::Enumeration:
            out.basic = Basic::Enumeration;
            out.enumeration = enumeration(*type.enumeration);
            return out;
        case Builtin::ExternalObject:
            out.basic = Basic::Object;
            out.record = callable(type);
            return out;
        case Builtin::None:
            break;
    }
    const object::ClassKind kind = type.text->kind;
    out.basic = kind == object::ClassKind::Function || kind == object::ClassKind::OperatorFunction
                    ? Basic::Function
                    : Basic::Record;
    if (out.basic == Basic::Record) out.record = callable(type);
    return out;
}

// ---- what modifications say

// Of the last `n` dimensions of the arrays that a component is an element of.
Dimensions Instances::sizes_around(ComponentInstance* c, std::size_t n) {
    Dimensions inner_first;
    for (; c && inner_first.size() < n; c = c->parent) {
        if (c->indices.empty() || !c->parent || !c->element) continue;
        const auto number = c->element->number;
        if (number >= c->parent->children.size() || !c->parent->children[number]) return {};
        const Dimensions& sizes = dimensions(*c->parent->children[number]);
        inner_first.insert(inner_first.end(), sizes.rbegin(), sizes.rend());
    }
    if (inner_first.size() < n) return {};
    inner_first.resize(n);
    return Dimensions(inner_first.rbegin(), inner_first.rend());
}

Modifier Instances::modifier(const object::Expression& value, const Layer& layer, ComponentInstance* owner) {
    Modifier m;
    m.value = Scoped{&value, scope(layer.place), false};
    m.indices = layer.indices;
    if (!m.indices.empty()) m.sizes = sizes_around(owner, m.indices.size());
    m.depth = depth_of(layer.place.instance);
    m.by_default = layer.place.instance == owner;
    m.final = layer.final;
    return m;
}

UserValue* Instances::user_value(ComponentInstance& c) {
    if (settings_.empty() || c.prefixes.variability != object::Variability::Parameter) return nullptr;
    const auto it = settings_.find(path(c));
    if (it == settings_.end()) return nullptr;
    UserValue& given = it->second;
    given.final = c.element->prefixes.is_final ||
                  std::any_of(c.layers.begin(), c.layers.end(), [](const Layer& l) { return l.final; });
    given.used = !given.final;
    return given.used ? &given : nullptr;
}

std::optional<Instances::Bound> Instances::find_binding(ComponentInstance& c) {
    constexpr std::size_t own = static_cast<std::size_t>(-1);
    if (!c.element) return std::nullopt;
    std::optional<Bound> found;
    if (UserValue* given = user_value(c)) {
        Bound b;
        b.modifier.value = Scoped{&given->value, scope(Place{root, root->type}), false};
        b.modifier.from_user = true;
        return b;
    }
    if (const Layer* with_value = value_layer(c.layers)) {
        const Layer& layer = *with_value;
        const object::Modification* m = modification_of(layer);
        found = Bound{modifier(*m->value, layer, c.parent), own};
        // The layer of the record around it that this one is a part of.
        if (c.parent && layer.argument)
            for (std::size_t k = 0; k < c.parent->layers.size(); ++k) {
                std::vector<Layer> inner;
                add_layers_of({c.parent->layers[k]}, c.element->name, inner);
                if (std::any_of(inner.begin(), inner.end(),
                                [&](const Layer& l) { return l.argument == layer.argument; })) {
                    found->layer = k;
                    break;
                }
            }
    }
    if (c.parent && c.parent->element && is_record(*c.parent->type)) {
        auto whole = find_binding(*c.parent);
        if (!whole) return found;
        std::size_t at = 0;
        if (!whole->modifier.from_user && whole->modifier.fields.empty())
            for (; at < c.parent->layers.size(); ++at) {
                const object::Modification* m = modification_of(c.parent->layers[at]);
                if (m && m->value) break;
            }
        if (!found || (at <= found->layer && !found->modifier.from_user)) {
            whole->modifier.fields.push_back({std::string(c.element->name), c.indices});
            whole->layer = 0;
            return whole;
        }
    }
    return found;
}

std::optional<Modifier> Instances::binding(ComponentInstance& c) {
    auto found = find_binding(c);
    return found ? std::optional<Modifier>(std::move(found->modifier)) : std::nullopt;
}

std::vector<std::pair<Attribute, Modifier>> Instances::attributes(ComponentInstance& c) {
    std::vector<std::pair<Attribute, Modifier>> out;
    const auto has = [&](Attribute a) {
        return std::any_of(out.begin(), out.end(), [&](const auto& o) { return o.first == a; });
    };
    if (!initials_.empty())
        if (const auto it = initials_.find(path(c)); it != initials_.end()) {
            it->second.used = true;
            Modifier m;
            m.value = Scoped{&it->second.value, scope(Place{root, root->type}), false};
            m.from_user = true;
            out.emplace_back(Attribute::Start, std::move(m));
        }
    // What is final further inside is not given from outside.
    const auto refuse_final = [&](Attribute attribute, const object::Argument& a) {
        if (!a.final) return;
        for (const auto& [given, by] : out)
            if (given == attribute && !by.from_user && by.value.expression != &*a.value->value)
                tree_.diagnostics().report(
                    messages::final_modified(by.value.expression->where, a.name.parts[0].name, a.where));
    };
    const auto add_all = [&](const std::vector<Layer>& layers, bool of_scalar = false) {
        for (const Layer& layer : layers) {
            const object::Modification* m = modification_of(layer);
            if (!m) continue;
            for (const object::Argument& a : m->arguments) {
                if (a.name.parts.size() != 1 || !a.value || !a.value->value) continue;
                const auto attribute = attribute_named(a.name.parts[0].name);
                if (!attribute) continue;
                if (has(*attribute)) {
                    refuse_final(*attribute, a);
                    continue;
                }
                Layer inner{.argument = &a, .place = layer.place};
                if (!a.each) inner.indices = layer.indices;
                inner.final = layer.final || a.final;
                out.emplace_back(*attribute, modifier(*a.value->value, inner, c.parent));
                out.back().second.each = a.each || of_scalar;
            }
        }
    };
    add_all(c.layers);
    for (const Layer& layer : c.layers) {  // a.start = e, in one name
        if (!layer.argument || layer.part + 2 != layer.argument->name.parts.size()) continue;
        const auto attribute = attribute_named(layer.argument->name.parts.back().name);
        if (attribute && !has(*attribute) && layer.argument->value && layer.argument->value->value)
            out.emplace_back(*attribute, modifier(*layer.argument->value->value, layer, c.parent));
    }
    const std::size_t of_component = out.size();
    add_all(c.type->builtin_layers, c.type->dimensions.empty());
    // What its type says counts less than what any class says of the component.
    for (std::size_t k = of_component; k < out.size(); ++k) {
        out[k].second.depth = depth_of(&c);
        out[k].second.of_type = true;
    }
    return out;
}

// ---- values

// A text is known before the run, also where an equation gives it: `s = "a" + "b"`. Of several nothing.
std::optional<Modifier> Instances::text_equation(ComponentInstance& c) {
    if (!c.parent || !c.element) return std::nullopt;
    std::optional<Modifier> found;
    std::size_t count = 0;
    const auto consider = [&](const object::Expression& left, const object::Expression& right,
                              ClassInstance* origin) {
        if (left.kind != object::ExpressionKind::Name || left.name.parts.size() != 1) return;
        if (left.name.parts[0].name != c.element->name || !left.name.parts[0].indices.empty()) return;
        ++count;
        found.emplace();
        found->value = Scoped{&right, scope(Place{c.parent, origin}), false};
    };
    for (const auto& section : c.parent->type->equations)
        for (const object::Equation& q : section.section->equations)
            if (const auto* s = std::get_if<object::SimpleEquation>(&q.what)) {
                consider(s->left, s->right, section.origin);
                consider(s->right, s->left, section.origin);
            }
    return count == 1 ? found : std::nullopt;
}

Value Instances::constant_value(ComponentInstance& c, Span where) {
    if (const auto it = values_.find(&c); it != values_.end()) return it->second;
    const ValueDepth guard(depth_, where);
    if (c.evaluation == Progress::Active) throw Refused{messages::value_cycle(c.declared->where, path(c))};
    c.evaluation = Progress::Active;
    try {
        std::optional<Modifier> found = binding(c);
        if (!found)
            for (auto& [attribute, start] : attributes(c))
                if (attribute == Attribute::Start) found = std::move(start);
        if (!found && c.type->builtin == Builtin::String) found = text_equation(c);
        if (!found) throw Refused{messages::no_value(where, path(c), c.declared->where)};
        const auto outer = constant_;
        // A constant of a record takes its value from the whole record where that is given one.
        const bool own = found->fields.empty();
        if (c.prefixes.variability == object::Variability::Constant && is_modelica(c) && own) constant_ = &c;
        Value v;
        try {
            v = modifier_value(evaluator_, *found, Reading::Constant);
        } catch (...) {
            constant_ = outer;
            throw;
        }
        constant_ = outer;
        const Dimensions& sizes = dimensions(c);
        if (!sizes.empty() && v.is_scalar() && v.size() == 1)
            v = Value(v.type, sizes, std::vector<Scalar>(count(sizes), v.elements[0]));
        v = evaluator_.converted(v, type_of(*c.type), sizes, found->value.expression->where,
                                 "the value of " + std::string(c.name));
        c.evaluation = Progress::Done;
        return values_[&c] = std::move(v);
    } catch (...) {
        c.evaluation = Progress::New;
        throw;
    }
}

Value Instances::record_value(ComponentInstance& c, Reading reading, Span where) {
    auto record = std::make_shared<Record>();
    for (const Element& e : c.type->elements)
        if (e.component && !e.broken) record->fields.push_back(value(tree_.child(c, e), reading, where));
    return Value(type_of(*c.type), Scalar(std::shared_ptr<const Record>(std::move(record))));
}

// Not in a class that stands for its constants only.
bool Instances::is_in_model(const ComponentInstance& c) const {
    const ComponentInstance* top = &c;
    while (top->parent) top = top->parent;
    return top == root && &c != root;
}

Value Instances::value(ComponentInstance& c, Reading reading, Span where) {
    if (!is_present(c)) throw Refused{messages::absent(where, path(c), c.declared->where)};
    if (!has_value(*c.type))
        throw Refused{messages::not_a_variable(where, path(c), "a component of class " + c.type->path)};
    const Dimensions sizes = dimensions(c);
    if (!c.type->is_builtin()) {
        if (sizes.empty()) return record_value(c, reading, where);
        std::vector<Value> parts;
        const std::size_t n = count(sizes);
        for (std::size_t k = 0; k < n; ++k) parts.push_back(value(tree_.array_element(c, k), reading, where));
        return stack(type_of(*c.type), sizes, parts);
    }
    const object::Variability variability = c.prefixes.variability;
    const bool in_model = is_in_model(c);
    const bool text = c.type->builtin == Builtin::String || c.type->builtin == Builtin::ExternalObject;
    if (variability == object::Variability::Constant || text) return constant_value(c, where);
    if (!in_model) {
        if (variability == object::Variability::Parameter) return constant_value(c, where);
        throw Refused{messages::not_constant_here(where, c.name)};
    }
    if (constant_ && constant_ != &c)
        throw Refused{messages::constant_varies(where, path(*constant_), path(c), c.declared->where)};
    // What has shaped the model is known: another value of it makes another model.
    const bool parameter = variability == object::Variability::Parameter;
    if (c.shaping && parameter && c.type->builtin != Builtin::Real) return constant_value(c, where);
    // Before the variables are declared only the sizes and types of such values are asked for.
    if (reading == Reading::Symbolic)
        return evaluator_.leaf(type_of(*c.type), sizes, c.variable.value_or(VariableIndex(0)));
    if (!parameter) throw Refused{messages::varies(where, path(c), variability_text(variability))};
    Value v = constant_value(c, where);
    c.shaping = true;
    if (c.variable)
        for (std::size_t k = 0; k < v.size(); ++k)
            evaluator_.model().variables[VariableIndex(c.variable->value + k)].structural = true;
    return v;
}

Value Instances::literal(ClassInstance& type, const Element& e) {
    return Value(type_of(type), Scalar(evaluator_.pool().number(e.number + 1.0)));
}

Value Instances::member_value(ComponentInstance& c, std::span<const object::NamePart> parts, Frame& frame) {
    ComponentInstance* owner = &c;
    const Element* e = tree_.find(*c.type, parts[0].name);
    std::size_t used = 0;
    while (e && e->declared && used + 1 < parts.size()) {  // a constant of a class inside the component
        owner = &tree_.self(tree_.class_of(*owner, *e));
        e = tree_.find(*owner->type, parts[++used].name);
    }
    if (e && e->literal) return literal(*owner->type, *e);
    if (!e)
        if (ComponentInstance* member = added(*owner, parts[used].name))
            return value_of_parts(*member, parts.subspan(used), frame);
    if (e && e->component) {
        if (e->prefixes.is_protected)
            tree_.diagnostics().report(
                messages::protected_member(parts[used].where, e->name, e->component->where));
        return value_of_parts(tree_.resolve_outer(tree_.child(*owner, *e)), parts.subspan(used), frame);
    }
    std::vector<std::string> near;
    for (const Element& other : owner->type->elements) near.emplace_back(other.name);
    const object::NamePart& missing = parts[used];
    throw Refused{messages::unknown_name(missing.where, missing.name, missing.name, owner->type->path,
                                         nearest_name(missing.name, near))};
}

// Of each element that the indices choose, in an array of the dimensions that they keep. An index that is
// not known chooses among all.
Value Instances::array_member_value(ComponentInstance& c, std::span<const object::NamePart> parts,
                                    Frame& frame) {
    const Dimensions sizes = dimensions(c);
    const std::span rest = parts.subspan(1);
    const std::vector<IndexChoice> choices = evaluator_.indices(parts[0].indices, sizes, frame);
    const bool varying =
        std::any_of(choices.begin(), choices.end(), [](const IndexChoice& i) { return i.varying; });
    Dimensions kept;
    std::vector<std::vector<std::uint32_t>> positions(sizes.size());
    std::size_t total = 1;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
        const bool all = varying || k >= choices.size();
        if (all)
            for (std::uint32_t i = 1; i <= sizes[k]; ++i) positions[k].push_back(i);
        else
            positions[k] = choices[k].positions;
        const auto chosen = static_cast<std::uint32_t>(positions[k].size());
        if (all || choices[k].keeps) kept.push_back(chosen);
        total *= chosen;
    }
    if (total == 0) {  // the type of an element that is not there
        Frame shape = frame;
        shape.reading = Reading::Symbolic;
        const Value v = member_value(tree_.sample_element(c), rest, shape);
        return stack(v.type, kept, {}, v.dimensions);
    }
    std::vector<Value> values;
    for (std::size_t n = 0; n < total; ++n) {
        std::size_t element = 0, at = n, block = total;
        for (std::size_t k = 0; k < sizes.size(); ++k) {
            block /= positions[k].size();
            element = element * sizes[k] + positions[k][at / block] - 1;
            at %= block;
        }
        values.push_back(member_value(tree_.array_element(c, element), rest, frame));
    }
    if (kept.empty()) return values[0];
    const Value all = stack(values[0].type, kept, values);
    return varying ? select(evaluator_.pool(), all, choices) : all;
}

Value Instances::value_of_parts(ComponentInstance& c, std::span<const object::NamePart> parts, Frame& frame) {
    const object::NamePart& part = parts[0];
    const ValueDepth guard(depth_, part.where);
    if (!is_present(c)) throw Refused{messages::absent(part.where, path(c), c.declared->where)};
    if (!c.type->is_builtin() && parts.size() > 1) {
        const Dimensions& sizes = dimensions(c);
        if (sizes.empty() && !part.indices.empty())
            throw Refused{messages::too_many_indices(part.where, part.indices.size(), 0)};
        return sizes.empty() ? member_value(c, parts.subspan(1), frame) : array_member_value(c, parts, frame);
    }
    Value whole = value(c, frame.reading, part.where);
    if (!part.indices.empty())
        whole = select(evaluator_.pool(), whole, evaluator_.indices(part.indices, whole.dimensions, frame));
    for (std::size_t k = 1; k < parts.size(); ++k) whole = field(whole, parts[k].name);
    return whole;
}

}  // namespace cutset::objects
