#include "languages/omola/writer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "flat/units.h"
#include "ir/object_build.h"
#include "languages/omola/messages.h"
#include "languages/omola/words.h"

namespace cutset::omola {

using namespace object::build;
using object::ExpressionKind;
using object::Operator;

namespace {

// Models inside models.
constexpr int model_depth = 100;
constexpr long size_limit = 100000;

bool in_parameters(const Attribute& a) {
    return a.category == "parameters";
}

bool names_in(const Expression& e, const std::function<bool(const std::string&)>& f) {
    if (e.kind == ExpressionKind::Name && !f(e.name.parts[0].name)) return false;
    for (const Expression& a : e.arguments)
        if (!names_in(a, f)) return false;
    for (const object::NamePart& p : e.name.parts)
        for (const Expression& i : p.indices)
            if (!names_in(i, f)) return false;
    return true;
}

}  // namespace

std::string Written::unique(const std::string& wanted) {
    std::string out = wanted;
    for (int n = 2; !taken.insert(out).second; ++n) out = wanted + " (" + std::to_string(n) + ")";
    return out;
}

Direction direction_of(const Object& leaf) {
    const std::string word = leaf.word("direction");
    return word == "in" ? Direction::In : word == "out" ? Direction::Out : Direction::Across;
}

bool is_time_invariant(const Leaf& leaf) {
    if (!leaf.object) return leaf.attribute && leaf.attribute->category == "parameters";
    const std::string word = leaf.object->word("variability");
    return word == "parameter" || word == "constant" || word == "time_invariant";
}

std::vector<Leaf> leaves_of(const Object& terminal) {
    std::vector<Leaf> out;
    if (terminal.kind != Kind::Record) {
        Leaf leaf;
        leaf.object = &terminal;
        if (const Attribute* length = terminal.find("length"); length && length->value)
            leaf.length = static_cast<long>(length->value->number);
        out.push_back(leaf);
        return out;
    }
    for (const Attribute& a : terminal.attributes) {
        if (a.object && is_terminal(a.object->kind)) {
            for (Leaf& leaf : leaves_of(*a.object)) {
                leaf.path.insert(leaf.path.begin(), a.name);
                out.push_back(std::move(leaf));
            }
        } else if (a.type == "real") {
            Leaf leaf;
            leaf.path = {a.name};
            leaf.attribute = &a;
            out.push_back(leaf);
        }
    }
    return out;
}

Writer::Writer(Written& written, Object& model)
    : written_(written), diagnostics_(written.diagnostics), model_(model) {}

// All names that can be seen in equations, those of the realization beside those of the model.
void Writer::gather() {
    all_.kind = Kind::Model;
    parts_.push_back({&model_, {}});
    for (const Rule& r : model_.rules) {
        if (r.definition->kind == DefinitionKind::Select)
            selections_.push_back(r.definition);
        else
            parts_[0].rules.push_back(r);
    }
    std::string wanted = model_.word("realization");
    if (wanted.empty()) wanted = model_.word("realisation");
    std::vector<Attribute*> realizations;
    for (Attribute& a : model_.attributes) {
        if (a.object && is_realization(a.object->kind))
            realizations.push_back(&a);
        else
            all_.attributes.push_back(a);
    }
    if (!wanted.empty()) {
        const auto at = std::find_if(realizations.begin(), realizations.end(),
                                     [&](const Attribute* a) { return lower_case(a->name) == wanted; });
        const Attribute* choice =
            model_.find("realization") ? model_.find("realization") : model_.find("realisation");
        if (at == realizations.end())
            diagnostics_.report(unknown_realization(choice->value_where, wanted));
        else
            std::rotate(realizations.begin(), at, at + 1);
    }
    if (selections_.empty() && realizations.size() > 1) realizations.resize(1);
    for (Attribute* a : realizations) {
        if (!selections_.empty() && a->object->kind == Kind::Structure)
            diagnostics_.report(selects_structure(a->where, a->name));
        Part part{a->object.get(), {}};
        for (const Rule& r : a->object->rules) {
            if (r.definition->kind == DefinitionKind::Select && selections_.size() < 1000)
                selections_.push_back(r.definition);
            else
                part.rules.push_back(r);
        }
        for (const Attribute& inner : a->object->attributes)
            if (!all_.find(inner.name)) all_.attributes.push_back(inner);
        parts_.push_back(std::move(part));
    }
    for (const Part& p : parts_)
        for (const Rule& r : p.rules) find_rule_names(*r.definition);
    for (const Attribute& a : all_.attributes)
        for (const Expression& e : a.dimensions)
            names_in(e, [&](const std::string& n) {
                structural_.insert(n);
                return true;
            });
}

std::optional<double> Writer::number(const Expression& e, int depth) const {
    if (depth > 50) return std::nullopt;
    switch (e.kind) {
        case ExpressionKind::Real:
        case ExpressionKind::Integer:
            return e.number;
        case ExpressionKind::Name: {
            if (e.name.parts.size() != 1 || !e.name.parts[0].indices.empty()) return std::nullopt;
            if (const auto i = indices_.find(e.name.parts[0].name); i != indices_.end())
                return static_cast<double>(i->second);
            bool differs = false;
            const Attribute* a = all_.find_any_case(e.name.parts[0].name, differs);
            return a && a->value ? number(*a->value, depth + 1) : std::nullopt;
        }
        case ExpressionKind::Operation: {
            const auto x = number(e.arguments[0], depth + 1);
            if (!x) return x;
            if (e.arguments.size() == 1) return e.op == Operator::Minus ? -*x : *x;
            const auto y = number(e.arguments[1], depth + 1);
            if (!y) return y;
            switch (e.op) {
                case Operator::Add:
                    return *x + *y;
                case Operator::Subtract:
                    return *x - *y;
                case Operator::Multiply:
                    return *x * *y;
                case Operator::Divide:
                    return *x / *y;
                default:
                    return std::nullopt;
            }
        }
        default:
            return std::nullopt;
    }
}

std::vector<Expression> Writer::sizes(const std::vector<Expression>& written, const std::string& name) {
    std::vector<Expression> out;
    for (const Expression& e : written) {
        const auto n = number(e);
        if (!n || *n != std::floor(*n) || *n < 0 || *n > static_cast<double>(size_limit)) {
            diagnostics_.report(size_not_known(e.where, name));
            out.push_back(integer(1, e.where));
        } else {
            out.push_back(integer(static_cast<long>(*n), e.where));
        }
    }
    return out;
}

std::string Writer::write() {
    if (++written_.depth > model_depth) {
        diagnostics_.report(inside_itself(model_.where, model_.class_name));
        --written_.depth;
        return "Real";
    }
    gather();
    deduce_terminals();
    word_groups(model_, diagnostics_);
    constraints();
    std::vector<Attribute> attributes = all_.attributes;
    for (const Attribute& a : attributes) declare(a);
    modifications();
    rules();
    write_sets();
    for (object::Element& e : elements_)
        if (auto* c = std::get_if<object::Component>(&e))
            if (const auto m = modifications_.find(c->name); m != modifications_.end()) {
                if (!c->modification) c->modification = object::Modification{};
                for (object::Argument& a : m->second.arguments) {
                    a.each = a.each || !c->dimensions.empty();
                    c->modification->arguments.push_back(std::move(a));
                }
                if (m->second.value) c->modification->value = m->second.value;
            }
    auto out = std::make_shared<object::Class>();
    out->language = object::Language::Omola;
    out->kind = object::ClassKind::Model;
    out->name = written_.unique(model_.class_name);
    if (!model_.supers.empty()) out->inherits = {model_.supers.back()};
    out->ports = port_descriptions();
    out->where = out->whole = model_.where;
    object::LongDefinition definition;
    definition.elements = std::move(elements_);
    if (!initial_.equations.empty()) {
        initial_.initial = true;
        definition.elements.emplace_back(std::move(initial_));
    }
    if (!equations_.equations.empty()) definition.elements.emplace_back(std::move(equations_));
    out->definition = std::move(definition);
    written_.classes.push_back(out);
    --written_.depth;
    return out->name;
}

// Its record terminals that have no records in them.
std::vector<object::PortDescription> Writer::port_descriptions() const {
    std::vector<object::PortDescription> out;
    for (const Attribute& a : model_.attributes) {
        if (!a.object || a.object->kind != Kind::Record) continue;
        object::PortDescription port;
        port.name = a.name;
        for (const Leaf& leaf : leaves_of(*a.object)) {
            const Direction direction = leaf.object ? direction_of(*leaf.object) : Direction::Across;
            if (direction != Direction::Across && leaf.path.size() == 1 && !is_time_invariant(leaf))
                port.flows.push_back({leaf.path[0], direction == Direction::Out});
        }
        out.push_back(std::move(port));
    }
    return out;
}

void Writer::declare(const Attribute& a) {
    if (!a.object) return declare_variable(a);
    if (is_terminal(a.object->kind)) return declare_terminal(a);
    if (a.object->kind == Kind::Model) return declare_submodel(a);
    if (a.object->kind == Kind::Other) diagnostics_.report(object_of_no_kind(a.where, a.name));
}

void Writer::declare_variable(const Attribute& a) {
    object::Component c;
    if (a.type.empty() && !(in_parameters(a) && a.value))
        return;  // a word about the model: quantity, realization …
    if (a.type == "string" || a.type == "quantity" || a.type == "enumeration") return;
    if (!a.type.empty() && a.type != "real" && a.type != "integer" && a.type != "boolean") {
        diagnostics_.report(unknown_type(a.where, a.name, a.type));
        return;
    }
    c.type = name_of({a.type == "integer"   ? "Integer"
                      : a.type == "boolean" ? "Boolean"
                                            : "Real"},
                     a.where)
                 .name;
    c.name = a.name;
    c.description = a.description;
    c.where = c.statement = a.where;
    c.dimensions = sizes(a.dimensions, a.name);
    object::Modification m;
    m.where = a.value_where;
    if (in_parameters(a)) {
        c.prefixes.variability =
            structural_.contains(a.name) ? object::Variability::Constant : object::Variability::Parameter;
        if (solved_.contains(a.name)) {
            Expression no;
            no.kind = ExpressionKind::Boolean;
            no.where = a.where;
            m.arguments.push_back(argument("fixed", std::move(no)));
            m.arguments.push_back(argument("start", real(1, a.where)));
        } else if (a.value) {
            m.value = translate(*a.value);
        }
    } else {
        const bool discrete =
            a.discrete || (a.type == "real" && assigned_.contains(a.name) && !is_state(a.name));
        if (discrete && a.type == "real") c.prefixes.variability = object::Variability::Discrete;
        if (a.value) m.arguments.push_back(argument("start", translate(*a.value)));
        const auto order = orders_.find(a.name);
        for (int k = 1; order != orders_.end() && k < order->second; ++k) {
            object::Component rate = c;
            rate.name = a.name + std::string(static_cast<std::size_t>(k), '\'');
            rate.modification = {};
            elements_.emplace_back(std::move(rate));
            Expression derivative;
            derivative.kind = ExpressionKind::Derivative;
            derivative.number = 1;
            derivative.where = a.where;
            derivative.arguments = {
                name_of({a.name + std::string(static_cast<std::size_t>(k) - 1, '\'')}, a.where)};
            equations_.equations.push_back(equation(
                std::move(derivative),
                name_of({a.name + std::string(static_cast<std::size_t>(k), '\'')}, a.where), a.where));
        }
    }
    for (object::Argument& arg : m.arguments)
        arg.each = !c.dimensions.empty() && arg.value->value->kind != ExpressionKind::Array;
    if (m.value && !c.dimensions.empty() && m.value->kind != ExpressionKind::Array &&
        m.value->kind != ExpressionKind::Name) {
        std::vector<Expression> arguments = {*m.value};
        for (const Expression& size : c.dimensions) arguments.push_back(size);
        m.value = call("fill", std::move(arguments), a.where);
    }
    if (m.value || !m.arguments.empty()) c.modification = std::move(m);
    elements_.emplace_back(std::move(c));
}

// Real x(unit, quantity, min, max), a parameter where it does not vary with time.
void Writer::leaf_component(const std::string& name, const Object& o, std::vector<object::Element>& out) {
    Leaf leaf;
    leaf.object = &o;
    object::Component c;
    c.type = name_of({"Real"}, o.where).name;
    c.name = name;
    c.where = c.statement = o.where;
    if (const Attribute* length = o.find("length"); o.kind == Kind::Vector && length && length->value)
        c.dimensions = sizes({*length->value}, name);
    object::Modification m;
    m.where = o.where;
    const auto text = [&](const char* attribute, const char* ours) {
        const Attribute* a = o.find(attribute);
        if (!a || !a->value) return;
        const std::string word = unit_text(*a->value);
        if (!word.empty()) m.arguments.push_back(argument(ours, string(word, a->value->where)));
    };
    text("unit", "unit");
    for (const auto& [theirs, ours] : {std::pair{"lower", "min"}, std::pair{"upper", "max"}})
        if (const Attribute* a = o.find(theirs); a && a->value)
            if (const auto n = number(*a->value))
                m.arguments.push_back(argument(ours, real(*n, a->value->where)));
    for (object::Argument& a : m.arguments) a.each = !c.dimensions.empty();
    const Attribute* value = o.find("value");
    const bool invariant = is_time_invariant(leaf);
    if (invariant) c.prefixes.variability = object::Variability::Parameter;
    if (value && value->value && !value->unknown) m.value = translate(*value->value);
    if (m.value || !m.arguments.empty()) c.modification = std::move(m);
    out.emplace_back(std::move(c));
}

std::string Writer::terminal_class(const Object& terminal, const std::string& place) {
    const std::string key = "terminal " + (terminal.own_body ? place : terminal.class_name);
    const bool shared = !terminal.own_body;
    if (const auto at = written_.names.find(key); shared && at != written_.names.end()) return at->second;
    auto out = std::make_shared<object::Class>();
    out->language = object::Language::Omola;
    out->kind = object::ClassKind::Class;
    out->name = written_.unique(terminal.own_body ? place : terminal.class_name);
    if (!terminal.supers.empty()) out->inherits = {terminal.supers.back()};
    out->where = out->whole = terminal.where;
    object::LongDefinition definition;
    for (const Attribute& a : terminal.attributes) {
        if (a.object && a.object->kind == Kind::Record) {
            object::Component c;
            c.type = class_name(terminal_class(*a.object, place + "." + a.name), a.where);
            c.name = a.name;
            c.where = c.statement = a.where;
            definition.elements.emplace_back(std::move(c));
        } else if (a.object && is_terminal(a.object->kind)) {
            leaf_component(a.name, *a.object, definition.elements);
        } else if (a.type == "real") {
            object::Component c;
            c.type = name_of({"Real"}, a.where).name;
            c.name = a.name;
            c.where = c.statement = a.where;
            if (in_parameters(a)) c.prefixes.variability = object::Variability::Parameter;
            if (a.value) {
                object::Modification m;
                m.value = translate(*a.value);
                m.where = a.where;
                c.modification = std::move(m);
            }
            definition.elements.emplace_back(std::move(c));
        }
    }
    out->definition = std::move(definition);
    written_.names[key] = out->name;
    written_.classes.push_back(out);
    return out->name;
}

void Writer::declare_terminal(const Attribute& a) {
    if (a.object->kind != Kind::Record) {
        std::vector<object::Element> made;
        leaf_component(a.name, *a.object, made);
        auto& c = std::get<object::Component>(made.front());
        c.where = c.statement = a.where;
        c.description = a.description;
        if (!a.dimensions.empty()) {
            const std::vector<Expression> own = sizes(a.dimensions, a.name);
            c.dimensions.insert(c.dimensions.begin(), own.begin(), own.end());
        }
        elements_.push_back(std::move(made.front()));
        return;
    }
    object::Component c;
    c.type = class_name(terminal_class(*a.object, model_.class_name + "." + a.name), a.where);
    c.name = a.name;
    c.description = a.description;
    c.where = c.statement = a.where;
    c.dimensions = sizes(a.dimensions, a.name);
    elements_.emplace_back(std::move(c));
}

void Writer::declare_submodel(const Attribute& a) {
    Object& o = *a.object;
    if (o.foreign) {
        object::Component c;
        c.type = *o.foreign;
        c.name = a.name;
        c.description = a.description;
        c.where = c.statement = a.where;
        c.dimensions = sizes(a.dimensions, a.name);
        elements_.emplace_back(std::move(c));
        return;
    }
    // Sizes inside it that are given here make a class of their own.
    std::string key = o.class_name;
    std::set<std::string> shaping;
    const std::function<void(const Object&)> shapes = [&](const Object& of) {
        for (const Attribute& inner : of.attributes) {
            for (const Expression& e : inner.dimensions)
                names_in(e, [&](const std::string& n) {
                    shaping.insert(n);
                    return true;
                });
            if (inner.object && is_realization(inner.object->kind)) shapes(*inner.object);
        }
        for (const Rule& r : of.rules)
            if (r.definition->kind == DefinitionKind::For)
                names_in(*r.definition->right, [&](const std::string& n) {
                    shaping.insert(n);
                    return true;
                });
    };
    shapes(o);
    for (Attribute& inner : o.attributes) {
        if (!inner.local_value || !shaping.contains(inner.name)) continue;
        const auto n = number(*inner.local_value);
        if (!n) {
            diagnostics_.report(size_not_known(inner.value_where, inner.name));
            continue;
        }
        inner.value = integer(static_cast<long>(*n), inner.value_where);
        inner.local_value.reset();
        key += "(" + inner.name + " = " + std::to_string(static_cast<long>(*n)) + ")";
    }
    if (key != o.class_name) o.class_name = key;
    // Which of its parameters follow from the others depends on what is given here.
    const bool constrained = std::any_of(o.rules.begin(), o.rules.end(),
                                         [](const Rule& r) { return r.category == "constraints"; });
    if (constrained && !o.own_body) {
        o.own_body = true;
        o.class_name = model_.class_name + "." + a.name;
    }
    std::string type;
    const auto at = written_.names.find("model " + key);
    if (!o.own_body && at != written_.names.end()) {
        type = at->second;
    } else {
        type = Writer(written_, o).write();
        if (!o.own_body) written_.names["model " + key] = type;
    }
    object::Component c;
    c.type = class_name(type, a.where);
    c.name = a.name;
    c.description = a.description;
    c.where = c.statement = a.where;
    c.dimensions = sizes(a.dimensions, a.name);
    elements_.emplace_back(std::move(c));
}

// path = value as a modification of a component of this model.
void Writer::modify(std::vector<std::string> path, Expression value, Span where) {
    // The value of a variable is the one that it begins with.
    const Object* inside = &all_;
    const Attribute* target = nullptr;
    for (const std::string& name : path) {
        const Object* in = std::exchange(inside, nullptr);
        target = in ? in->find(name) : nullptr;
        if (in && !target)
            for (const Attribute& r : in->attributes)
                if (r.object && is_realization(r.object->kind) && !target) target = r.object->find(name);
        inside = target ? target->object.get() : nullptr;
    }
    if (target && !target->object && !in_parameters(*target) && !target->type.empty())
        path.push_back("start");
    object::Modification* m = &modifications_[path[0]];
    m->where = where;
    for (std::size_t i = 1; i < path.size(); ++i) {
        object::Argument* found = nullptr;
        for (object::Argument& a : m->arguments)
            if (a.name.parts[0].name == path[i]) found = &a;
        if (!found) {
            object::Argument a;
            a.where = a.name.where = where;
            a.name.parts.push_back({path[i], {}, where});
            a.value = object::Modification{};
            a.value->where = where;
            m->arguments.push_back(std::move(a));
            found = &m->arguments.back();
        }
        m = &*found->value;
    }
    m->value = std::move(value);
}

// Values that the body of a component gives: names that the component has are its own, others are of here.
void Writer::local_values(const std::string& prefix, const Object& o, std::vector<std::string> path) {
    const auto translated = [&](const Expression& e, const std::string& self) {
        const auto has = [&](const std::string& n) {
            bool differs = false;
            if (n == self) return false;
            if (o.find_any_case(n, differs)) return true;
            for (const Attribute& r : o.attributes)
                if (r.object && is_realization(r.object->kind) && r.object->find(n)) return true;
            return false;
        };
        const std::function<Expression(const Expression&)> inside = [&](const Expression& x) {
            Expression out = x;
            for (Expression& a : out.arguments) a = inside(a);
            if (out.kind == ExpressionKind::Name && has(out.name.parts[0].name))
                out.name.parts.insert(out.name.parts.begin(), {prefix, {}, out.where});
            return out;
        };
        return translate(inside(e));
    };
    const std::function<void(const Object&)> walk = [&](const Object& of) {
        for (const Attribute& a : of.attributes) {
            if (a.local_value) {
                std::vector<std::string> full = path;
                full.push_back(a.name);
                modify(full, translated(*a.local_value, a.name), a.value_where);
            }
            if (a.object && is_realization(a.object->kind)) walk(*a.object);
        }
        for (const Assignment& s : of.assignments) {
            if (!s.local && &of == &o) continue;
            std::vector<std::string> full = path;
            for (const object::NamePart& p : s.path.parts)
                if (p.name != "value" || s.path.parts.size() == 1) full.push_back(p.name);
            modify(full, translated(s.value, ""), s.where);
        }
    };
    walk(o);
}

void Writer::modifications() {
    const std::vector<Attribute> attributes = all_.attributes;  // a value may declare further ones
    for (const Attribute& a : attributes) {
        if (!a.object) continue;
        if (a.object->kind == Kind::Model) local_values(a.name, *a.object, {a.name});
        if (!is_terminal(a.object->kind)) continue;
        for (const Assignment& s : a.object->assignments) {  // d := 0.1 in the body of a record
            std::vector<std::string> full = {a.name};
            for (const object::NamePart& p : s.path.parts)
                if (p.name != "value") full.push_back(p.name);
            modify(full, translate(s.value), s.where);
        }
    }
    for (const Part& part : parts_)
        for (const Assignment& s : part.object->assignments) {
            if (s.local) continue;
            std::vector<std::string> full;
            for (const object::NamePart& p : s.path.parts)
                if (p.name != "value") full.push_back(p.name);
            modify(full, translate(s.value), s.where);
        }
}

// k relations between n parameters: those without a value follow from the others.
void Writer::constraints() {
    std::vector<std::string> without;
    std::size_t relations = 0;
    std::set<std::string> mentioned;
    const Definition* first = nullptr;
    for (const Part& part : parts_)
        for (const Rule& r : part.rules) {
            if (r.category != "constraints" || r.definition->kind != DefinitionKind::Equation ||
                is_word_relation(model_, *r.definition))
                continue;
            ++relations;
            if (!first) first = r.definition;
            for (const Box<Expression>* side : {&r.definition->left, &r.definition->right})
                names_in(**side, [&](const std::string& n) {
                    mentioned.insert(n);
                    return true;
                });
        }
    if (!relations) return;
    for (const Attribute& a : all_.attributes)
        if (in_parameters(a) && mentioned.contains(a.name) && !a.value && !a.local_value)
            without.push_back(a.name);
    if (without.size() != relations) {
        std::string names;
        for (const std::string& n : without) names += (names.empty() ? "" : ", ") + n;
        diagnostics_.report(constraint_count(first->where, relations, names));
        return;
    }
    solved_.insert(without.begin(), without.end());
}

// A record terminal without components takes those of the terminal that it is joined to.
void Writer::deduce_terminals() {
    const auto terminal = [&](const Expression& e, bool& own) -> Attribute* {
        if (e.kind != ExpressionKind::Name) return nullptr;
        Attribute* a = all_.find(e.name.parts[0].name);
        own = e.name.parts.size() == 1;
        if (a && e.name.parts.size() == 2 && a->object && a->object->kind == Kind::Model)
            a = a->object->find(e.name.parts[1].name);
        else if (!own)
            a = nullptr;
        return a && a->object && is_terminal(a->object->kind) ? a : nullptr;
    };
    for (bool progress = true; progress;) {
        progress = false;
        for (const Part& part : parts_)
            for (const Rule& r : part.rules) {
                if (r.definition->kind != DefinitionKind::Connect) continue;
                bool a_own = false, b_own = false;
                Attribute* a = terminal(*r.definition->left, a_own);
                Attribute* b = terminal(*r.definition->right, b_own);
                if (!a || !b) continue;
                const bool a_open = a->object->kind == Kind::Record && leaves_of(*a->object).empty();
                const bool b_open = b->object->kind == Kind::Record && leaves_of(*b->object).empty();
                if (a_open == b_open || a_own || b_own) continue;
                Attribute* open = a_open ? a : b;
                const Attribute* given = a_open ? b : a;
                auto made = std::make_shared<Object>(*given->object);
                made->own_body = true;
                for (Attribute& inner : made->attributes) {  // what leaves one enters the other
                    if (!inner.object || direction_of(*inner.object) == Direction::Across) continue;
                    auto turned = std::make_shared<Object>(*inner.object);
                    if (Attribute* d = turned->find("direction"))
                        d->value =
                            string(direction_of(*inner.object) == Direction::In ? "out" : "in", d->where);
                    turned->own_body = true;
                    inner.object = std::move(turned);
                }
                open->object = std::move(made);
                const std::string& name =
                    (a_open ? r.definition->left : r.definition->right)->name.parts[0].name;
                Attribute* submodel = all_.find(name);
                submodel->object->own_body = true;
                submodel->object->class_name = model_.class_name + "." + name;
                progress = true;
            }
    }
}

}  // namespace cutset::omola
