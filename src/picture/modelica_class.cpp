#include "picture/modelica_class.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "ir/object_text.h"
#include "objects/evaluator.h"
#include "objects/library.h"
#include "objects/lookup.h"
#include "picture/modelica_graphics.h"
#include "picture/text_of.h"

namespace cutset::picture {

namespace {

using objects::Builtin;
using objects::ClassInstance;
using objects::ComponentInstance;
using objects::Element;

constexpr int deepest_connector = 5;

struct ModelicaClass {
    objects::InstanceTree& tree;
    ClassInstance& type;
    const Sources& sources;
};

// A component as it is seen in its class; null where its type is not known.
ComponentInstance* component_of(const ModelicaClass& c, const Element& e) {
    try {
        return &c.tree.child(c.tree.self(c.type), e);
    } catch (const objects::Refused&) {
        return nullptr;
    }
}

bool is_connector(const ClassInstance& type) {
    return type.text && (type.text->kind == object::ClassKind::Connector ||
                         type.text->kind == object::ClassKind::ExpandableConnector);
}

bool is_block(const ClassInstance& type) {
    using Kind = object::ClassKind;
    if (!type.text || type.is_builtin()) return false;
    return type.text->kind == Kind::Model || type.text->kind == Kind::Block || type.text->kind == Kind::Class;
}

// A connector, or an input or output, that is seen from outside.
bool is_port(const Element& e, const ComponentInstance& instance) {
    if (e.prefixes.is_protected) return false;
    const bool causal = instance.type->is_builtin() && instance.prefixes.causality != object::Causality::None;
    return causal || is_connector(*instance.type);
}

std::string dimensions_text(const object::Component& c, const Sources& sources) {
    std::string text;
    for (const object::Expression& e : c.dimensions)
        text += (text.empty() ? "[" : ", ") + written(sources, e.where);
    return text.empty() ? text : text + "]";
}

// What the layers say of an attribute, as written: `unit`, `start`; of "" the value.
std::string attribute_text(const std::vector<objects::Layer>& outer, const std::vector<objects::Layer>& inner,
                           std::string_view attribute, const Sources& sources) {
    for (const auto* layers : {&outer, &inner}) {
        std::vector<objects::Layer> found;
        if (attribute.empty())
            found = *layers;
        else
            objects::add_layers_of(*layers, attribute, found);
        const objects::Layer* layer = objects::value_layer(found);
        const object::Modification* m = layer ? objects::modification_of(*layer) : nullptr;
        if (!m || !m->value) continue;
        if (m->value->kind == object::ExpressionKind::String) return m->value->text;
        return written(sources, m->value->where);
    }
    return "";
}

std::string unit_of(const ComponentInstance& c, const Sources& sources) {
    return attribute_text(c.layers, c.type->builtin_layers, "unit", sources);
}

VariableRole role_of(const ComponentInstance& c) {
    if (c.prefixes.flow == object::Flow::Flow) return VariableRole::Through;
    if (c.prefixes.causality == object::Causality::Input) return VariableRole::Input;
    if (c.prefixes.causality == object::Causality::Output) return VariableRole::Output;
    return VariableRole::Across;
}

PortVariable variable_of(const ComponentInstance& c, std::string name, const Sources& sources) {
    PortVariable out;
    out.name = std::move(name);
    out.role = role_of(c);
    out.unit = unit_of(c, sources);
    out.description = c.declared->description;
    out.where = c.declared->where;
    return out;
}

// `path` is that of the connector in its class, with a dot.
void read_members(const ModelicaClass& connector, const std::string& path, Port& out, int depth) {
    connector.tree.complete(connector.type);
    if (depth > deepest_connector) return;
    for (const Element& e : connector.type.elements) {
        if (!e.component || e.broken || e.prefixes.is_protected) continue;
        const ComponentInstance* inner = component_of(connector, e);
        if (!inner) continue;
        const auto variability = inner->prefixes.variability;
        if (variability == object::Variability::Parameter || variability == object::Variability::Constant)
            continue;
        if (!is_connector(*inner->type)) {
            out.variables.push_back(variable_of(*inner, path + inner->name, connector.sources));
            continue;
        }
        Port part;
        part.name = inner->name;
        part.where = inner->declared->where;
        read_members({connector.tree, *inner->type, connector.sources}, path + inner->name + ".", part,
                     depth + 1);
        out.parts.push_back(std::move(part));
    }
}

Port port_of(const ModelicaClass& c, const ComponentInstance& instance) {
    Port out;
    out.name = instance.name;
    out.where = instance.declared->where;
    out.dimensions = dimensions_text(*instance.declared, c.sources);
    if (instance.type->is_builtin()) {
        out.kind =
            instance.prefixes.causality == object::Causality::Output ? PortKind::Output : PortKind::Input;
        out.variables.push_back(variable_of(instance, instance.name, c.sources));
    } else {
        read_members({c.tree, *instance.type, c.sources}, instance.name + ".", out, 0);
        out.open = out.variables.empty() && out.parts.empty();
    }
    return out;
}

Span annotation_of(const ComponentInstance& c) {
    return c.declared->annotation.known() ? c.declared->annotation : c.original->annotation;
}

// The side of the box that a spot is nearest to, in shares of its size, and how far along.
void put_at_border(Spot at, const Box& box, Port& port) {
    const double x = std::clamp((at.x - box.left) / box.width(), 0.0, 1.0);
    const double y = std::clamp((at.y - box.bottom) / box.height(), 0.0, 1.0);
    if (std::fabs(x - 0.5) >= std::fabs(y - 0.5)) {
        port.side = x < 0.5 ? Side::Left : Side::Right;
        port.along = y;
    } else {
        port.side = y < 0.5 ? Side::Bottom : Side::Top;
        port.along = x;
    }
    port.placed = true;
}

// ---- the icon

void add_icon(const ClassInstance& type, const Sources& sources, std::vector<Primitive>& out, int depth) {
    if (depth > 30) return;
    for (const objects::Base& base : type.bases)
        if (base.type) add_icon(*base.type, sources, out, depth + 1);
    if (!type.text) return;
    std::vector<Primitive> own = icon_graphics(sources, type.text->annotation);
    const Box box = coordinate_system(sources, type.text->annotation, DrawnOn::Icon);
    const Spot middle = box.middle();
    const double half = std::max(box.width(), box.height()) / 2;
    for (Primitive& p : own) {
        for (Spot& s : p.points) s = {(s.x - middle.x) / half, (s.y - middle.y) / half};
        p.size /= half;
        out.push_back(std::move(p));
    }
}

// What the icon shows of a parameter: its value as it is given there, a number with its unit.
std::string shown_value(const ModelicaClass& c, ComponentInstance& owner, const std::string& name) {
    const auto found =
        std::find_if(owner.type->elements.begin(), owner.type->elements.end(),
                     [&](const Element& e) { return e.component && !e.broken && e.name == name; });
    const ComponentInstance* parameter = nullptr;
    try {
        if (found != owner.type->elements.end()) parameter = &c.tree.child(owner, *found);
    } catch (const objects::Refused&) {
    }
    if (!parameter) return "";
    const std::string value = attribute_text(parameter->layers, {}, "", c.sources);
    const std::string unit = unit_of(*parameter, c.sources);
    const bool number = value.find_first_not_of("0123456789.eE+-") == std::string::npos;
    return !value.empty() && number && !unit.empty() && unit != "1" ? value + " " + unit : value;
}

// The icon of a class where it is used.
Icon icon_in_place(const ModelicaClass& c, Icon icon, ComponentInstance& owner, const std::string& name) {
    const IconValue value = [&](const std::string& what) {
        if (what == "name") return name;
        if (what == "class") return owner.type->text ? owner.type->text->name : "";
        return shown_value(c, owner, what);
    };
    std::erase_if(icon.primitives, [&](Primitive& p) {
        if (!p.condition.empty() && shown_value(c, owner, p.condition) == "false") return true;
        if (p.shape != Shape::Text) return false;
        const auto text = icon_text(p.text, value);
        if (text) p.text = *text;
        return !text;
    });
    return icon;
}

// ---- texts

std::string class_name(const ClassInstance& type) {
    return type.text ? type.text->name : "";
}

TextKind kind_of(const ComponentInstance& c) {
    switch (c.prefixes.variability) {
        case object::Variability::Parameter:
            return TextKind::Parameter;
        case object::Variability::Constant:
            return TextKind::Constant;
        default:
            return TextKind::Local;
    }
}

class TextWriter {
  public:
    TextWriter(const ModelicaClass& c, std::vector<TextPart>& out) : c_(c), out_(out) {}

    void declaration(const Element& e, const ComponentInstance& instance) {
        TextPart t;
        t.kind = kind_of(instance);
        t.name = instance.name;
        t.dimensions = dimensions_text(*instance.declared, c_.sources);
        t.value = attribute_text(instance.layers, {}, "", c_.sources);
        const object::Component& own = *instance.declared;
        if (own.modification && own.modification->value) t.value_where = own.modification->value->where;
        t.unit = unit_of(instance, c_.sources);
        t.description = instance.declared->description;
        t.text = t.name + t.dimensions + (t.value.empty() ? "" : " = " + t.value);
        if (!t.unit.empty()) t.text += " [" + t.unit + "]";
        t.where = whole_declaration(*instance.declared);
        t.inherited = from(e.origin);
        out_.push_back(std::move(t));
    }

    void equations(const std::vector<object::Equation>& list, bool initial, const ClassInstance* origin,
                   const std::string& condition) {
        for (const object::Equation& e : list) {
            const auto inner = [&](const std::vector<object::Equation>& body, const std::string& own) {
                equations(body, initial, origin, condition.empty() ? own : condition + ", " + own);
            };
            if (const auto* loop = std::get_if<object::ForEquation>(&e.what)) {
                inner(loop->body, "for " + ranges(loop->iterators));
            } else if (const auto* choice = std::get_if<object::IfEquation>(&e.what)) {
                for (const object::EquationBranch& b : choice->branches)
                    inner(b.body, b.condition ? "if " + written(c_.sources, b.condition->where) : "else");
            } else if (std::holds_alternative<object::WhenEquation>(e.what)) {
                add(TextKind::Event, e.where, std::string(raw_text(c_.sources, e.where)), origin, condition);
            } else if (std::holds_alternative<object::ConnectEquation>(e.what)) {
                add(TextKind::Connect, e.where, statement(e), origin, condition).drawn = true;
            } else {
                TextPart& t = add(initial ? TextKind::Initial : TextKind::Equation, e.where, statement(e),
                                  origin, condition);
                t.description = e.description;
            }
        }
    }

    void statements(const object::AlgorithmSection& section, const ClassInstance* origin) {
        for (const object::Statement& s : section.statements) {
            const bool event = std::holds_alternative<object::WhenStatement>(s.what);
            add(event             ? TextKind::Event
                : section.initial ? TextKind::Initial
                                  : TextKind::Equation,
                s.where, std::string(raw_text(c_.sources, s.where)), origin, "");
        }
    }

    std::string ranges(const std::vector<object::Iterator>& iterators) const {
        std::string out;
        for (const object::Iterator& i : iterators) {
            if (!out.empty()) out += ", ";
            out += i.name;
            if (i.range) out += " in " + written(c_.sources, i.range->where);
        }
        return out;
    }

  private:
    std::string from(const ClassInstance* origin) const {
        return origin && origin != &c_.type ? class_name(*origin) : "";
    }
    // Without its annotation and its description, which stand elsewhere.
    std::string statement(const object::Equation& e) const {
        Span where = e.where;
        if (e.annotation.known() && e.annotation.begin > where.begin && e.annotation.begin < where.end)
            where.end = e.annotation.begin;
        std::string text = written(c_.sources, where);
        if (!e.description.empty())
            if (const std::size_t at = text.find('"' + e.description); at != std::string::npos)
                text.resize(at);
        while (!text.empty() && (text.back() == ' ' || text.back() == ';')) text.pop_back();
        return text;
    }
    static Span whole_declaration(const object::Component& c) {
        Span where = c.where;
        if (c.modification && c.modification->where.known() && c.modification->where.source == where.source)
            where.end = std::max(where.end, c.modification->where.end);
        return where;
    }
    TextPart& add(TextKind kind, Span where, std::string text, const ClassInstance* origin,
                  const std::string& condition) {
        TextPart t;
        t.kind = kind;
        t.where = where;
        t.text = std::move(text);
        while (!t.text.empty() && (t.text.back() == ';' || t.text.back() == ' ')) t.text.pop_back();
        t.inherited = from(origin);
        t.condition = condition;
        out_.push_back(std::move(t));
        return out_.back();
    }

    const ModelicaClass& c_;
    std::vector<TextPart>& out_;
};

// ---- the inside

class ModelicaInside {
  public:
    ModelicaInside(const ModelicaClass& c, const Outside& outside, const FindClass& find, Layout& layout)
        : c_(c), find_(find), layout_(layout), texts_(c, out_.texts) {
        out_.ports = outside.ports;
        out_.title = outside.title;
        out_.icon = icon_in_place(c, outside.icon, c.tree.self(c.type), c.type.text->name);
    }

    ClassPicture read() {
        const object::Class& text = *c_.type.text;
        out_.name = text.name;
        out_.language = "modelica";
        out_.kind = modelica_kind(text);
        out_.runnable = out_.kind == ClassKind::Model && !text.partial;
        out_.documentation = text.description;
        out_.where = text.where;
        out_.whole = text.whole;
        for (const Element& e : c_.type.elements) add_element(e);
        for (const auto& [section, origin] : c_.type.equations) {
            texts_.equations(section->equations, section->initial, origin, "");
            if (!section->initial) add_connections(section->equations, "");
        }
        for (const auto& [section, origin] : c_.type.algorithms) texts_.statements(*section, origin);
        make_layout();
        return std::move(out_);
    }

  private:
    void add_element(const Element& e) {
        if (e.broken || e.literal) return;
        if (e.declared) {
            if (e.origin == &c_.type) add_class(e);
            return;
        }
        ComponentInstance* instance = component_of(c_, e);
        if (!instance) return add_block(e, *e.component, nullptr, true);
        if (is_connector(*instance->type)) {
            if (e.prefixes.is_protected || !find_port(out_.ports, instance->name))
                add_block(e, *instance->declared, instance, false);
            return;
        }
        if (is_block(*instance->type)) return add_block(e, *instance->declared, instance, true);
        if (!is_port(e, *instance)) texts_.declaration(e, *instance);
    }

    void add_class(const Element& e) {
        const std::string key = ClassLibrary::path(*e.declared);
        if (find_(key)) out_.classes.push_back(key);
    }

    // A submodel, or a connector inside, at which lines meet.
    void add_block(const Element& e, const object::Component& declared, ComponentInstance* instance,
                   bool submodel) {
        Block b;
        b.kind = submodel ? BlockKind::Submodel : BlockKind::Node;
        b.name = std::string(e.name);
        b.type = object::name_text(declared.type);
        const Outside* outside = nullptr;
        if (submodel && instance) outside = find_(ClassLibrary::path(*instance->type->text));
        if (outside) {
            b.key = outside->key;
            b.icon = icon_in_place(c_, outside->icon, *instance, b.name);
        }
        b.dimensions = dimensions_text(declared, c_.sources);
        b.conditional = bool(declared.condition) || e.prefixes.outer;
        if (declared.condition) b.condition = "if " + written(c_.sources, declared.condition->where);
        b.description = declared.description;
        if (declared.modification) add_arguments(declared, b);
        b.where = declared.where;
        b.statement = declared.statement.known() ? declared.statement : declared.where;
        const Span annotation = instance ? annotation_of(*instance) : declared.annotation;
        places_.push_back(diagram_place(c_.sources, annotation, DrawnOn::Diagram));
        out_.blocks.push_back(std::move(b));
        outsides_.push_back(outside);
    }

    void add_arguments(const object::Component& declared, Block& b) const {
        for (const object::Argument& a : declared.modification->arguments) {
            std::string value;
            if (a.value && a.value->value)
                value = written(c_.sources, a.value->value->where);
            else if (a.redeclaration || a.value)
                value = written(c_.sources, a.where);
            std::string name;
            for (const object::NamePart& p : a.name.parts) name += (name.empty() ? "" : ".") + p.name;
            if (value.starts_with(name + "(")) value.erase(0, name.size());  // v(start = 0)
            const bool plain = a.value && a.value->value;
            b.arguments.push_back(
                {std::move(name), std::move(value), a.where, plain ? a.value->value->where : Span{}});
        }
    }

    // ---- lines

    void add_connections(const std::vector<object::Equation>& list, const std::string& condition) {
        for (const object::Equation& e : list) {
            if (const auto* loop = std::get_if<object::ForEquation>(&e.what))
                add_connections(loop->body, condition);
            else if (const auto* choice = std::get_if<object::IfEquation>(&e.what))
                for (const object::EquationBranch& b : choice->branches) add_connections(b.body, "if");
            else if (const auto* connect = std::get_if<object::ConnectEquation>(&e.what))
                add_line(e, *connect, condition);
        }
    }

    std::optional<LineEnd> end_of(const object::Expression& e) const {
        if (e.kind != object::ExpressionKind::Name || e.name.parts.empty()) return std::nullopt;
        const std::vector<object::NamePart>& parts = e.name.parts;
        const auto rest = [&](std::size_t from) {
            std::string out;
            for (std::size_t k = from; k < parts.size(); ++k)
                out += (out.empty() ? "" : ".") + parts[k].name + (parts[k].indices.empty() ? "" : "[]");
            return out;
        };
        if (find_port(out_.ports, parts[0].name)) return LineEnd{std::nullopt, rest(0), {}};
        for (std::size_t i = 0; i < out_.blocks.size(); ++i)
            if (out_.blocks[i].name == parts[0].name)
                return LineEnd{
                    static_cast<std::uint32_t>(i), out_.blocks[i].kind == BlockKind::Node ? "" : rest(1), {}};
        return std::nullopt;
    }

    // Whether values come from it, go to it, or neither.
    VariableRole role(const LineEnd& e) const {
        const std::string name = e.port.substr(0, e.port.find_first_of(".["));
        const Port* p = !e.block              ? find_port(out_.ports, name)
                        : outsides_[*e.block] ? find_port(outsides_[*e.block]->ports, name)
                                              : nullptr;
        if (!p || (p->kind != PortKind::Input && p->kind != PortKind::Output)) return VariableRole::Across;
        return (p->kind == PortKind::Output) == e.block.has_value() ? VariableRole::Output
                                                                    : VariableRole::Input;
    }

    void add_line(const object::Equation& e, const object::ConnectEquation& connect,
                  const std::string& condition) {
        auto from = end_of(connect.left), to = end_of(connect.right);
        if (!from || !to) return;
        Line line;
        line.via = line_points(c_.sources, e.annotation);
        if (role(*from) == VariableRole::Input || role(*to) == VariableRole::Output) {
            std::swap(from, to);
            std::reverse(line.via.begin(), line.via.end());
        }
        const bool signal = role(*from) == VariableRole::Output || role(*to) == VariableRole::Input;
        line.kind = signal ? LineKind::Signal : LineKind::Joint;
        line.from = *from;
        line.to = *to;
        line.statement = line.part = e.where;
        line.conditional = !condition.empty();
        out_.lines.push_back(std::move(line));
    }

    // ---- layout

    // What the annotations place, moved so that its lower left corner is the origin; texts stand below.
    void make_layout() {
        const bool placed =
            std::any_of(places_.begin(), places_.end(), [](const auto& p) { return bool(p); });
        if (!placed || layout_.frame) {
            for (Line& line : out_.lines) line.via.clear();
            return;
        }
        Box f{1e300, 1e300, -1e300, -1e300};
        const auto hold = [&](Spot s, Spot size) {
            f.left = std::min(f.left, s.x - size.x / 2);
            f.right = std::max(f.right, s.x + size.x / 2);
            f.bottom = std::min(f.bottom, s.y - size.y / 2);
            f.top = std::max(f.top, s.y + size.y / 2);
        };
        for (const auto& p : places_)
            if (p) hold(p->at, p->size);
        for (const Line& line : out_.lines)
            for (const Spot& s : line.via) hold(s, {0, 0});
        std::map<std::string, Spot> ports;
        for (const Element& e : c_.type.elements) {
            if (!e.component || !find_port(out_.ports, std::string(e.name))) continue;
            const ComponentInstance* instance = component_of(c_, e);
            if (!instance) continue;
            if (const auto p = diagram_place(c_.sources, annotation_of(*instance), DrawnOn::Diagram)) {
                ports[instance->name] = p->at;
                hold(p->at, {0, 0});
            }
        }
        constexpr double border = 10, unplaced_row = 34;
        f = {f.left - border, f.bottom - border, f.right + border, f.top + border};
        // Where blocks without a place stand.
        if (std::any_of(places_.begin(), places_.end(), [](const auto& p) { return !p; }))
            f.top += unplaced_row;
        for (Port& port : out_.ports)
            if (const auto at = ports.find(port.name); at != ports.end()) put_at_border(at->second, f, port);
        const auto rows = std::count_if(out_.texts.begin(), out_.texts.end(), [](const TextPart& t) {
            return !t.drawn && (t.kind == TextKind::Equation || t.kind == TextKind::Event);
        });
        const double below =
            rows > 0 ? f.height() * std::min(0.4, 0.05 * static_cast<double>(rows) + 0.04) : 0;
        if (below > 0) layout_.text_box = Box{8, 4, f.width() - 8, below - 4};
        const double all = f.height() + below;
        for (Port& port : out_.ports)
            if (port.placed && (port.side == Side::Left || port.side == Side::Right))
                port.along = (port.along * f.height() + below) / all;
        layout_.frame = Spot{f.width(), all};
        const auto moved = [&](Spot s) { return Spot{s.x - f.left, s.y - f.bottom + below}; };
        for (std::size_t i = 0; i < places_.size(); ++i) {
            if (!places_[i]) continue;
            const DiagramPlace& p = *places_[i];
            Layout::Placement out{out_.blocks[i].name, moved(p.at), p.size, p.turn, p.flip, {}};
            if (out_.blocks[i].kind == BlockKind::Node) out.size.reset();
            layout_.placements.push_back(std::move(out));
        }
        // The ends are where the blocks are.
        for (Line& line : out_.lines) {
            line.whole_way = line.via.size() > 2;
            if (!line.whole_way) {
                line.via.clear();
                continue;
            }
            line.via = {line.via.begin() + 1, line.via.end() - 1};
            for (Spot& s : line.via) s = moved(s);
        }
    }

    const ModelicaClass& c_;
    const FindClass& find_;
    Layout& layout_;
    ClassPicture out_;
    TextWriter texts_;
    std::vector<const Outside*> outsides_;             // of the blocks
    std::vector<std::optional<DiagramPlace>> places_;  // of the blocks
};

Outside modelica_outside(const ModelicaClass& c) {
    Outside out;
    out.title = c.type.text->description;
    const Box box = coordinate_system(c.sources, c.type.text->annotation, DrawnOn::Icon);
    for (const Element& e : c.type.elements) {
        if (!e.component || e.broken) continue;
        const ComponentInstance* instance = component_of(c, e);
        if (!instance || !is_port(e, *instance)) continue;
        Port port = port_of(c, *instance);
        if (const auto at = diagram_place(c.sources, annotation_of(*instance), DrawnOn::Icon))
            put_at_border(at->at, box, port);
        out.ports.push_back(std::move(port));
    }
    add_icon(c.type, c.sources, out.icon.primitives, 0);
    if (!out.icon.primitives.empty()) out.icon.kind = "drawn";
    return out;
}

class ModelicaReader : public ClassReader {
  public:
    explicit ModelicaReader(const ModelicaClass& c) : c_(c) {}

    Span whole() const override { return c_.type.text->whole; }
    std::vector<Span> inner_classes() const override {
        std::vector<Span> out;
        for (const Element& e : c_.type.elements)
            if (e.declared && e.origin == &c_.type) out.push_back(e.declared->whole);
        return out;
    }
    Outside outside() const override { return modelica_outside(c_); }
    ClassPicture picture(const Outside& outside, const FindClass& find, Layout& layout) const override {
        return ModelicaInside(c_, outside, find, layout).read();
    }

  private:
    ModelicaClass c_;
};

}  // namespace

ClassKind modelica_kind(const object::Class& c) {
    using Kind = object::ClassKind;
    switch (c.kind) {
        case Kind::Model:
        case Kind::Block:
        case Kind::Class:
            return ClassKind::Model;
        case Kind::Connector:
        case Kind::ExpandableConnector:
            return ClassKind::Connector;
        case Kind::Record:
        case Kind::OperatorRecord:
            return ClassKind::Record;
        case Kind::Package:
            return ClassKind::Package;
        case Kind::Function:
        case Kind::OperatorFunction:
        case Kind::Operator:
            return ClassKind::Function;
        case Kind::Type:
        case Kind::Attributes:
            return ClassKind::Type;
    }
    return ClassKind::Model;
}

objects::ClassInstance* find_modelica_class(objects::InstanceTree& tree, const std::string& path) {
    try {
        objects::Found f;
        for (std::size_t begin = 0; begin <= path.size();) {
            const std::size_t end = std::min(path.find('.', begin), path.size());
            const std::string name = path.substr(begin, end - begin);
            f = objects::find_member(tree, f.type ? *f.type : tree.top(), name);
            if (!f.type) return nullptr;
            begin = end + 1;
        }
        tree.complete(*f.type);
        return f.type->text ? f.type : nullptr;
    } catch (const objects::Refused&) {
        return nullptr;
    }
}

std::unique_ptr<ClassReader> modelica_reader(objects::InstanceTree& tree, objects::ClassInstance& type,
                                             const Sources& sources) {
    return std::make_unique<ModelicaReader>(ModelicaClass{tree, type, sources});
}

}  // namespace cutset::picture
