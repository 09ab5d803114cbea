#include "picture/el_class.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "languages/el/model.h"
#include "picture/text_of.h"

namespace cutset::picture {

namespace {

using el::Declaration;
using el::Direction;
using el::Statement;
using el::StatementKind;

std::string el_dimensions(const std::vector<object::Expression>& dimensions, const Sources& sources) {
    std::string text;
    for (const object::Expression& e : dimensions)
        text += (text.empty() ? "[" : ", ") + written(sources, e.where);
    return text.empty() ? text : text + "]";
}

std::string el_unit(const Declaration& d, const Sources& sources) {
    if (!d.units) return "";
    return d.units->kind == object::ExpressionKind::String ? d.units->text : written(sources, d.units->where);
}

std::string joined_name(const object::Name& name, std::size_t from) {
    std::string out;
    for (std::size_t k = from; k < name.parts.size(); ++k)
        out += (out.empty() ? "" : ".") + name.parts[k].name + (name.parts[k].indices.empty() ? "" : "[]");
    return out;
}

class ElReader : public ClassReader {
  public:
    ElReader(const el::Component& component, std::shared_ptr<const ElTexts> texts)
        : component_(component), texts_(std::move(texts)) {
        Diagnostics none;  // they were reported when the model was read
        merged_ = el::merge(component_, texts_->library, none);
    }

    Span whole() const override { return component_.whole; }

    Outside outside() const override {
        Outside out;
        out.title = component_.description;
        for (const el::PortUse* p : merged_.ports) out.ports.push_back(port(*p));
        PathEnds path;
        path.main = true;
        visit(merged_.topology, "", [&](const Statement& s, const std::string&) {
            if (s.kind != StatementKind::PathPort) return;
            for (const auto& [list, names] : {std::pair(&s.from, &path.from), std::pair(&s.to, &path.to)})
                for (const object::Expression& e : *list)
                    if (e.kind == object::ExpressionKind::Name && !e.name.parts.empty())
                        names->push_back(e.name.parts[0].name);
        });
        if (!path.from.empty()) out.paths.push_back(std::move(path));
        return out;
    }

    void directions(const Outside&, std::vector<std::string>& first,
                    std::vector<std::string>& last) const override {
        for (const el::PortUse* p : merged_.ports)
            (p->direction == Direction::In ? first : last).push_back(p->name);
    }

    ClassPicture picture(const Outside& outside, const FindClass& find, Layout&) const override {
        ClassPicture out;
        out.name = component_.name;
        out.language = "el";
        out.kind = component_.is_port ? ClassKind::Connector : ClassKind::Model;
        out.runnable = !component_.is_port && !component_.abstract;
        out.title = out.documentation = component_.description;
        out.where = component_.where;
        out.whole = component_.whole;
        out.ports = outside.ports;
        std::vector<const Outside*> outsides;
        add_blocks(out, outsides, find);
        visit(merged_.topology, "", [&](const Statement& s, const std::string& condition) {
            if (s.kind == StatementKind::Connect) add_lines(s, !condition.empty(), outsides, out);
        });
        add_texts(out);
        return out;
    }

  private:
    const Sources& sources() const { return texts_->sources; }

    // Calls visit(statement, condition) for all, those of loops and branches too.
    template <class List, class Visit>
    void visit(const List& list, const std::string& condition, const Visit& f) const {
        for (const auto& item : list) {
            const Statement* s;
            if constexpr (std::is_pointer_v<std::decay_t<decltype(item)>>)
                s = item;
            else
                s = &item;
            if (s->kind == StatementKind::Expand) {
                visit(s->body, condition, f);
            } else if (s->kind == StatementKind::Insert) {
                for (const el::Branch& b : s->branches)
                    visit(b.body, b.condition ? "if " + written(sources(), b.condition->where) : "else", f);
            } else {
                f(*s, condition);
            }
        }
    }

    // ---- the interface

    static VariableRole role(const Declaration& d, bool signal, Direction direction) {
        if (d.modifier == el::Modifier::Sum) return VariableRole::Through;
        if (!signal) return VariableRole::Across;
        return direction == Direction::In ? VariableRole::Input : VariableRole::Output;
    }

    Port port(const el::PortUse& use) const {
        Port out;
        out.name = use.name;
        out.where = use.where;
        out.dimensions = el_dimensions(use.dimensions, sources());
        const el::Component* type = texts_->library.component(el::without_library(texts_->library, use.type));
        if (!type) {
            out.open = true;
            return out;
        }
        Diagnostics none;
        const el::Merged merged = el::merge(*type, texts_->library, none);
        const bool signal =
            std::none_of(merged.variables.begin(), merged.variables.end(),
                         [](const Declaration* d) { return d->modifier == el::Modifier::Sum; });
        if (signal) out.kind = use.direction == Direction::In ? PortKind::Input : PortKind::Output;
        for (const Declaration* d : merged.variables) {
            PortVariable v;
            v.name = use.name + "." + d->name;
            v.role = role(*d, signal, use.direction);
            v.negative = v.role == VariableRole::Through && use.direction == Direction::Out;
            v.unit = el_unit(*d, sources());
            v.description = d->description;
            v.where = d->where;
            out.variables.push_back(std::move(v));
        }
        return out;
    }

    // ---- the inside

    void add_blocks(ClassPicture& out, std::vector<const Outside*>& outsides, const FindClass& find) const {
        visit(merged_.topology, "", [&](const Statement& s, const std::string& condition) {
            if (s.kind != StatementKind::Submodel || !s.submodel) return;
            const el::Submodel& sub = *s.submodel;
            Block b;
            b.name = sub.name;
            b.type = sub.type;
            const Outside* found = find(el::without_library(texts_->library, sub.type));
            if (found) b.key = found->key;
            b.dimensions = el_dimensions(sub.dimensions, sources());
            b.conditional = !condition.empty();
            b.condition = condition;
            b.description = sub.description;
            for (const el::Arguments* list : {&sub.parameters, &sub.data}) {
                for (const object::Expression& e : list->values)
                    b.arguments.push_back({"", written(sources(), e.where), e.where, e.where});
                for (const object::NamedArgument& a : list->named)
                    b.arguments.push_back(
                        {a.name, written(sources(), a.value->where), a.where, a.value->where});
            }
            b.where = sub.where;
            b.statement = s.where;
            out.blocks.push_back(std::move(b));
            outsides.push_back(found);
        });
    }

    // A port, own or of a submodel; of a submodel alone the port at that end of its path.
    std::optional<LineEnd> end_of(const object::Expression& e, bool gives, const ClassPicture& out,
                                  const std::vector<const Outside*>& outsides) const {
        if (e.kind != object::ExpressionKind::Name || e.name.parts.empty()) return std::nullopt;
        const std::string& first = e.name.parts[0].name;
        if (find_port(out.ports, first)) return LineEnd{std::nullopt, joined_name(e.name, 0), {}};
        for (std::size_t i = 0; i < out.blocks.size(); ++i) {
            if (out.blocks[i].name != first) continue;
            std::string name = joined_name(e.name, 1);
            if (name.empty() && outsides[i] && !outsides[i]->paths.empty()) {
                const auto& ends = gives ? outsides[i]->paths[0].to : outsides[i]->paths[0].from;
                if (!ends.empty()) name = ends[0];
            }
            return LineEnd{static_cast<std::uint32_t>(i), std::move(name), {}};
        }
        return std::nullopt;
    }

    static const Port* port_at(const LineEnd& e, const ClassPicture& out,
                               const std::vector<const Outside*>& outsides) {
        const std::string name = e.port.substr(0, e.port.find_first_of(".["));
        if (!e.block) return find_port(out.ports, name);
        return outsides[*e.block] ? find_port(outsides[*e.block]->ports, name) : nullptr;
    }

    void add_lines(const Statement& s, bool conditional, const std::vector<const Outside*>& outsides,
                   ClassPicture& out) const {
        for (const object::Expression& a : s.from)
            for (const object::Expression& b : s.to) {
                auto from = end_of(a, true, out, outsides), to = end_of(b, false, out, outsides);
                if (!from || !to) continue;
                const Port *p = port_at(*from, out, outsides), *q = port_at(*to, out, outsides);
                const auto is = [](const Port* port, PortKind kind) { return port && port->kind == kind; };
                const bool gives =
                    is(q, PortKind::Output) == to->block.has_value() && q && q->kind != PortKind::Cut;
                Line line;
                line.kind = (p && p->kind != PortKind::Cut) || (q && q->kind != PortKind::Cut)
                                ? LineKind::Signal
                                : LineKind::Joint;
                if (line.kind == LineKind::Signal && gives) std::swap(from, to);
                line.from = *from;
                line.to = *to;
                line.statement = s.where;
                line.part = s.where;
                line.conditional = conditional;
                out.lines.push_back(std::move(line));
            }
    }

    // ---- texts

    void add_declaration(const Declaration& d, TextKind kind, ClassPicture& out) const {
        TextPart t;
        t.kind = d.constant ? TextKind::Constant : kind;
        t.name = d.name;
        t.dimensions = el_dimensions(d.dimensions, sources());
        if (d.init) {
            t.value = written(sources(), d.init->where);
            t.value_where = d.init->where;
        }
        t.unit = el_unit(d, sources());
        t.description = d.description;
        t.text = t.name + t.dimensions + (t.value.empty() ? "" : " = " + t.value);
        t.where = d.init ? cutset::join(d.where, d.init->where) : d.where;
        t.inherited = origin(d.where);
        out.texts.push_back(std::move(t));
    }

    // The parent that the place belongs to.
    std::string origin(Span where) const {
        for (const el::Component* parent : merged_.parents)
            if (parent != &component_ && where.source == parent->whole.source &&
                where.begin >= parent->whole.begin && where.end <= parent->whole.end)
                return parent->name;
        return "";
    }

    void add_statement(const Statement& s, TextKind kind, ClassPicture& out) const {
        TextPart t;
        t.kind = kind;
        t.where = s.where;
        t.text =
            kind == TextKind::Event ? std::string(raw_text(sources(), s.where)) : written(sources(), s.where);
        t.inherited = origin(s.where);
        t.drawn = kind == TextKind::Connect || kind == TextKind::Submodel;
        out.texts.push_back(std::move(t));
    }

    void add_texts(ClassPicture& out) const {
        for (const Declaration* d : merged_.parameters) add_declaration(*d, TextKind::Parameter, out);
        for (const Declaration* d : merged_.data) add_declaration(*d, TextKind::Parameter, out);
        for (const Declaration* d : merged_.variables) add_declaration(*d, TextKind::Local, out);
        for (const Statement* s : merged_.topology)
            if (s->kind != StatementKind::Submodel) add_statement(*s, TextKind::Connect, out);
        for (const el::InitPart& part : merged_.inits)
            for (const Statement& s : *part.body) add_statement(s, TextKind::Initial, out);
        for (const Statement* s : merged_.discrete) add_statement(*s, TextKind::Event, out);
        for (const Statement* s : merged_.continuous) add_statement(*s, TextKind::Equation, out);
    }

    const el::Component& component_;
    std::shared_ptr<const ElTexts> texts_;
    el::Merged merged_;
};

}  // namespace

std::shared_ptr<const ElTexts> el_texts(const std::vector<el::File>& files, const Sources& sources) {
    Diagnostics none;
    return std::make_shared<const ElTexts>(ElTexts{files, sources, el::make_library(files, none)});
}

std::unique_ptr<ClassReader> el_reader(const el::Component& component, std::shared_ptr<const ElTexts> texts) {
    return std::make_unique<ElReader>(component, std::move(texts));
}

}  // namespace cutset::picture
