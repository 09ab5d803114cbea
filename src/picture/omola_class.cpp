#include "picture/omola_class.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "languages/omola/writer.h"
#include "picture/text_of.h"

namespace cutset::picture {

namespace {

using omola::Attribute;
using omola::Definition;
using omola::DefinitionKind;
using omola::Kind;
using omola::Object;

bool is_model(const Attribute& a) {
    return a.object && a.object->kind == Kind::Model;
}

std::string attribute_text(const Object& o, const std::string& name) {
    const Attribute* a = o.find(name);
    return a && a->value && !a->unknown ? omola::unit_text(*a->value) : "";
}

PortVariable terminal_variable(const Object& o, std::string name) {
    PortVariable out;
    out.name = std::move(name);
    const omola::Direction direction = omola::direction_of(o);
    out.role = direction == omola::Direction::Across ? VariableRole::Across : VariableRole::Through;
    out.negative = direction == omola::Direction::Out;
    out.unit = attribute_text(o, "unit");
    out.quantity = attribute_text(o, "quantity");
    out.where = o.where;
    return out;
}

// A simple terminal is a variable, a record is its terminals. `path` is that of the terminal in its class.
void add_members(const Object& terminal, const std::string& path, Port& out, int depth) {
    if (depth > 20) return;
    if (terminal.kind != Kind::Record) {
        out.variables.push_back(terminal_variable(terminal, path));
        return;
    }
    for (const Attribute& a : terminal.attributes) {
        if (!a.object || !omola::is_terminal(a.object->kind)) continue;
        if (a.object->kind != Kind::Record) {
            out.variables.push_back(terminal_variable(*a.object, path + "." + a.name));
            continue;
        }
        Port part;
        part.name = a.name;
        part.where = a.where;
        add_members(*a.object, path + "." + a.name, part, depth + 1);
        out.parts.push_back(std::move(part));
    }
}

class OmolaReader : public ClassReader {
  public:
    OmolaReader(const omola::ClassText& text, std::shared_ptr<const OmolaTexts> texts,
                std::shared_ptr<Object> object)
        : text_(text), texts_(std::move(texts)), object_(std::move(object)) {}

    // From its name to that of the next class.
    Span whole() const override {
        Span out = text_.where;
        out.end = static_cast<std::uint32_t>(texts_->sources.text(out.source).size());
        for (const omola::File& f : texts_->files)
            for (const omola::ClassText& c : f.classes)
                if (c.where.source == out.source && c.where.begin > out.begin)
                    out.end = std::min(out.end, c.where.begin);
        return out;
    }

    Outside outside() const override {
        Outside out;
        out.title = text_.description;
        for (const Attribute& a : object_->attributes) {
            if (!a.object || !omola::is_terminal(a.object->kind)) continue;
            Port port;
            port.name = a.name;
            port.where = a.where;
            add_members(*a.object, a.name, port, 0);
            port.open = port.variables.empty() && port.parts.empty();
            out.ports.push_back(std::move(port));
        }
        return out;
    }

    // What flows in and out by the direction of its first variable that has one.
    void directions(const Outside& outside, std::vector<std::string>& first,
                    std::vector<std::string>& last) const override {
        for (const Port& port : outside.ports)
            for (const PortVariable& v : port.variables)
                if (v.role == VariableRole::Through) {
                    (v.negative ? last : first).push_back(port.name);
                    break;
                }
    }

    ClassPicture picture(const Outside& outside, const FindClass& find, Layout&) const override {
        ClassPicture out;
        out.name = text_.name;
        out.language = "omola";
        out.runnable = true;
        out.title = out.documentation = text_.description;
        out.where = text_.where;
        out.whole = whole();
        out.ports = outside.ports;
        std::vector<const Outside*> outsides;
        add_object(*object_, out, outsides, find);
        for (const Attribute& a : object_->attributes)
            if (a.object && omola::is_realization(a.object->kind)) add_object(*a.object, out, outsides, find);
        add_rules(*object_, out);
        for (const Attribute& a : object_->attributes)
            if (a.object && omola::is_realization(a.object->kind)) add_rules(*a.object, out);
        return out;
    }

  private:
    const Sources& sources() const { return texts_->sources; }

    std::string class_of(const Object& o) const {
        for (auto name = o.supers.rbegin(); name != o.supers.rend(); ++name)
            if (texts_->library.classes.contains(*name)) return *name;
        return o.class_name;
    }

    void add_object(const Object& o, ClassPicture& out, std::vector<const Outside*>& outsides,
                    const FindClass& find) const {
        for (const Attribute& a : o.attributes) {
            if (is_model(a))
                add_block(a, out, outsides, find);
            else if (!a.object && !a.type.empty())
                add_declaration(a, out);
        }
    }

    void add_block(const Attribute& a, ClassPicture& out, std::vector<const Outside*>& outsides,
                   const FindClass& find) const {
        Block b;
        b.name = a.name;
        b.type = class_of(*a.object);
        const Outside* found = find(b.type);
        if (found) b.key = found->key;
        for (const object::Expression& e : a.dimensions)
            b.dimensions += (b.dimensions.empty() ? "[" : ", ") + written(sources(), e.where);
        if (!b.dimensions.empty()) b.dimensions += "]";
        b.description = a.description;
        // What its own body gives: values that its class does not have so.
        for (const Attribute& inner : a.object->attributes)
            if (inner.value && !inner.object && inner.value_where.known() && inside(inner.value_where, a))
                b.arguments.push_back({inner.name, written(sources(), inner.value->where), inner.value_where,
                                       inner.value->where});
        b.where = b.statement = a.where;
        out.blocks.push_back(std::move(b));
        outsides.push_back(found);
    }

    // After its name, and before the next in this class.
    bool inside(Span where, const Attribute& a) const {
        const Span all = whole();
        if (where.source != all.source || where.begin < a.where.end || where.end > all.end) return false;
        for (const Attribute& r : object_->attributes) {
            if (!r.object || !omola::is_realization(r.object->kind)) continue;
            for (const Attribute& other : r.object->attributes)
                if (is_model(other) && other.where.begin > a.where.begin && other.where.begin < where.begin)
                    return false;
        }
        return true;
    }

    void add_declaration(const Attribute& a, ClassPicture& out) const {
        TextPart t;
        t.kind = a.category == "parameters" ? TextKind::Parameter : TextKind::Local;
        t.name = a.name;
        for (const object::Expression& e : a.dimensions)
            t.dimensions += (t.dimensions.empty() ? "[" : ", ") + written(sources(), e.where);
        if (!t.dimensions.empty()) t.dimensions += "]";
        if (a.value && !a.unknown) {
            t.value = written(sources(), a.value->where);
            t.value_where = a.value->where;
        }
        t.description = a.description;
        t.text = t.name + t.dimensions + (t.value.empty() ? "" : " := " + t.value);
        t.where = a.where;
        t.inherited = origin(a.where);
        out.texts.push_back(std::move(t));
    }

    // The class whose text it stands in, if that is another one.
    std::string origin(Span where) const {
        const Span own = whole();
        if (where.source == own.source && where.begin >= own.begin && where.begin < own.end) return "";
        std::string out;
        std::uint32_t begin = 0;
        for (const omola::File& f : texts_->files)
            for (const omola::ClassText& c : f.classes)
                if (c.where.source == where.source && c.where.begin <= where.begin &&
                    c.where.begin >= begin) {
                    out = c.name;
                    begin = c.where.begin;
                }
        return out;
    }

    std::optional<LineEnd> end_of(const object::Expression& e, const ClassPicture& out) const {
        if (e.kind != object::ExpressionKind::Name || e.name.parts.empty()) return std::nullopt;
        const std::vector<object::NamePart>& parts = e.name.parts;
        std::string rest;
        for (std::size_t k = 1; k < parts.size(); ++k) rest += (k > 1 ? "." : "") + parts[k].name;
        if (find_port(out.ports, parts[0].name)) {
            const std::string port = rest.empty() ? parts[0].name : parts[0].name + "." + rest;
            return LineEnd{std::nullopt, port, {}};
        }
        for (std::size_t i = 0; i < out.blocks.size(); ++i)
            if (out.blocks[i].name == parts[0].name) return LineEnd{static_cast<std::uint32_t>(i), rest, {}};
        return std::nullopt;
    }

    void add_lines(const Definition& d, ClassPicture& out) const {
        const auto from = end_of(*d.left, out), to = end_of(*d.right, out);
        if (!from || !to) return;
        Line line;
        line.from = *from;
        line.to = *to;
        line.statement = line.part = cutset::join(d.left->where, d.right->where);
        out.lines.push_back(std::move(line));
    }

    void add_rules(const Object& o, ClassPicture& out) const {
        for (const omola::Rule& r : o.rules) add_rule(*r.definition, "", out);
    }

    void add_rule(const Definition& d, const std::string& condition, ClassPicture& out) const {
        if (d.kind == DefinitionKind::For) {
            for (const Definition& inner : d.body) add_rule(inner, "for " + d.name, out);
            return;
        }
        TextPart t;
        t.condition = condition;
        t.where = d.where;
        if (d.left && d.right) t.where = cutset::join(d.left->where, d.right->where);
        t.text = written(sources(), t.where);
        switch (d.kind) {
            case DefinitionKind::Connect:
                t.kind = TextKind::Connect;
                t.drawn = true;
                add_lines(d, out);
                break;
            case DefinitionKind::Equation:
                t.kind = TextKind::Equation;
                break;
            case DefinitionKind::Select:
            case DefinitionKind::Do:
                t.kind = TextKind::Event;
                break;
            default:
                return;
        }
        t.inherited = origin(t.where);
        out.texts.push_back(std::move(t));
    }

    const omola::ClassText& text_;
    std::shared_ptr<const OmolaTexts> texts_;
    std::shared_ptr<Object> object_;
};

}  // namespace

std::shared_ptr<const OmolaTexts> omola_texts(const std::vector<omola::File>& files, const Sources& sources) {
    Diagnostics none;  // they were reported when the model was read
    return std::make_shared<const OmolaTexts>(
        OmolaTexts{files, sources, omola::make_library(files, {}, none)});
}

std::unique_ptr<ClassReader> omola_reader(const omola::ClassText& text,
                                          std::shared_ptr<const OmolaTexts> texts) {
    Diagnostics none;
    auto object = omola::Objects(texts->library, none).of_text(text, nullptr, "");
    if (!object || object->kind != Kind::Model) return nullptr;
    return std::make_unique<OmolaReader>(text, std::move(texts), std::move(object));
}

}  // namespace cutset::picture
