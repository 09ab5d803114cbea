#include "picture/dymola_class.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "picture/formula.h"
#include "picture/joints.h"
#include "picture/signals.h"
#include "picture/text_of.h"

namespace cutset::picture {

namespace {

using tree::Item;

std::string reference_text(const tree::Reference& r, const Sources& sources) {
    return written(sources, r.where);
}

std::string dimensions_text(const std::vector<tree::Expression>& dimensions, const Sources& sources) {
    if (dimensions.empty()) return "";
    std::string text = "[";
    for (std::size_t i = 0; i < dimensions.size(); ++i)
        text += (i ? ", " : "") + written(sources, dimensions[i].where);
    return text + "]";
}

// Calls visit(item, condition) for every item, those of branches and loops too.
template <class Visit>
void visit_items(const std::vector<Item>& items, const Sources& sources, const std::string& condition,
                 Visit& visit) {
    for (const Item& item : items) {
        if (const auto* choice = std::get_if<tree::StructureIf>(&item.what)) {
            std::string others;
            for (const tree::StructureBranch& b : choice->branches) {
                std::string own = b.condition ? "if " + written(sources, b.condition->where) : "else";
                visit_items(b.items, sources, condition.empty() ? own : condition + ", " + own, visit);
            }
        } else if (const auto* loop = std::get_if<tree::StructureFor>(&item.what)) {
            const std::string range = loop->from && loop->to ? written(sources, loop->from->where) + ":" +
                                                                   written(sources, loop->to->where)
                                                             : "";
            const std::string own = "for " + loop->variable + "=" + range;
            visit_items(loop->items, sources, condition.empty() ? own : condition + ", " + own, visit);
        } else {
            visit(item, condition);
        }
    }
}
template <class Visit>
void visit_items(const tree::Class& type, const Sources& sources, Visit visit) {
    visit_items(type.items, sources, "", visit);
}

// ---- the outside

class PortReader {
  public:
    PortReader(const tree::Class& type, const Sources& sources) : sources_(sources) {
        visit_items(type, sources, [&](const Item& item, const std::string&) {
            if (const auto* v = std::get_if<tree::VariableDeclaration>(&item.what))
                declared_.emplace(v->name, v);
            if (const auto* p = std::get_if<tree::Port>(&item.what)) names_.insert(p->name);
        });
    }

    Port read(const tree::Port& p) {
        Port out;
        out.name = p.name;
        out.kind = p.node ? PortKind::Node : PortKind::Cut;
        out.main = p.main;
        out.open = !p.body;
        out.dimensions = dimensions_text(p.dimensions, sources_);
        out.where = p.where;
        if (p.body) read_body(*p.body, out, 0);
        return out;
    }
    Port in_place(const std::string& name, const std::vector<tree::PortElement>& body, Span where) {
        Port out;
        out.name = name;
        out.where = where;
        read_body(body, out, 0);
        return out;
    }
    bool cut(const std::string& name) const { return names_.count(name) > 0; }
    bool in_cut(const std::string& variable) const { return in_cut_.count(variable) > 0; }

  private:
    void read_body(const std::vector<tree::PortElement>& body, Port& out, int depth) {
        if (depth > 100) return;
        for (const tree::PortElement& e : body) {
            if (const auto* v = std::get_if<tree::PortVariable>(&e.what)) {
                const std::string name = reference_text(v->variable, sources_);
                if (cut(name) && !v->negative)
                    add_part(name, e.where, out);
                else
                    out.variables.push_back(variable(*v, name, e));
            } else if (const auto* r = std::get_if<tree::PortReference>(&e.what)) {
                add_part(reference_text(r->port, sources_), e.where, out);
            } else if (const auto* g = std::get_if<tree::PortGroup>(&e.what)) {
                Port part;
                part.where = e.where;
                read_body(g->elements, part, depth + 1);
                out.parts.push_back(std::move(part));
            } else {
                PortVariable dot;
                dot.role = e.role == tree::Role::Through ? VariableRole::Through : VariableRole::Across;
                dot.where = e.where;
                out.variables.push_back(std::move(dot));
            }
        }
    }

    static void add_part(const std::string& name, Span where, Port& out) {
        Port part;
        part.name = name;
        part.open = true;
        part.where = where;
        out.parts.push_back(std::move(part));
    }

    PortVariable variable(const tree::PortVariable& v, const std::string& name, const tree::PortElement& e) {
        PortVariable out;
        out.name = name;
        out.role = e.role == tree::Role::Through ? VariableRole::Through : VariableRole::Across;
        out.negative = v.negative;
        out.unit = v.unit;
        out.where = e.where;
        in_cut_.insert(name);
        if (const auto found = declared_.find(name.substr(0, name.find('['))); found != declared_.end()) {
            if (out.unit.empty()) out.unit = found->second->unit;
            if (found->second->kind == VariableKind::Input) out.role = VariableRole::Input;
            if (found->second->kind == VariableKind::Output) out.role = VariableRole::Output;
            out.quantity = found->second->quantity;
            out.description = found->second->description;
        }
        return out;
    }

    const Sources& sources_;
    std::map<std::string, const tree::VariableDeclaration*> declared_;
    std::set<std::string> names_, in_cut_;
};

std::optional<PortKind> terminal_kind(VariableKind kind) {
    switch (kind) {
        case VariableKind::Input:
            return PortKind::Input;
        case VariableKind::Output:
            return PortKind::Output;
        case VariableKind::Terminal:
            return PortKind::Terminal;
        default:
            return std::nullopt;
    }
}

VariableRole role_of(PortKind kind) {
    return kind == PortKind::Input    ? VariableRole::Input
           : kind == PortKind::Output ? VariableRole::Output
                                      : VariableRole::Terminal;
}

Port terminal_port(const tree::VariableDeclaration& v, PortKind kind, const Sources& sources) {
    Port out;
    out.name = v.name;
    out.kind = kind;
    out.dimensions = dimensions_text(v.dimensions, sources);
    out.where = v.where;
    PortVariable inner;
    inner.name = v.name;
    inner.role = role_of(kind);
    inner.unit = v.unit;
    inner.quantity = v.quantity;
    inner.description = v.description;
    inner.where = v.where;
    out.variables.push_back(std::move(inner));
    return out;
}

// ---- texts

TextKind kind_of(VariableKind kind) {
    switch (kind) {
        case VariableKind::Parameter:
        case VariableKind::StructureParameter:
        case VariableKind::External:
            return TextKind::Parameter;
        case VariableKind::Constant:
            return TextKind::Constant;
        case VariableKind::Terminal:
            return TextKind::Terminal;
        case VariableKind::Input:
            return TextKind::Input;
        case VariableKind::Output:
            return TextKind::Output;
        case VariableKind::Local:
        case VariableKind::Discrete:
        case VariableKind::Internal:
            return TextKind::Local;
    }
    return TextKind::Local;
}

// Statements of every kind as texts; submodels, cuts and connections too.
class TextReader {
  public:
    TextReader(const Sources& sources, std::vector<TextPart>& out) : sources_(sources), out_(out) {}

    void operator()(const Item& item, const std::string& condition) {
        condition_ = condition;
        std::visit([&](const auto& what) { read(what); }, item.what);
    }

  private:
    TextPart& add(TextKind kind, Span where, std::string text) {
        TextPart part;
        part.kind = kind;
        part.where = where;
        part.text = std::move(text);
        part.condition = condition_;
        out_.push_back(std::move(part));
        return out_.back();
    }
    std::string at(Span where) const { return written(sources_, where); }

    void read(const tree::VariableDeclaration& v) {
        std::string text = v.name + dimensions_text(v.dimensions, sources_);
        const std::string value = v.value ? at(v.value->where) : "";
        if (!value.empty()) text += " = " + value;
        if (!v.unit.empty()) text += " [" + v.unit + "]";
        Span whole = v.where;
        if (v.value) whole = cutset::join(whole, v.value->where);
        const Span value_where = v.value ? v.value->where : Span{};
        TextPart& t = add(kind_of(v.kind), whole, text);
        t.name = v.name;
        t.dimensions = dimensions_text(v.dimensions, sources_);
        t.value = value;
        t.value_where = value_where;
        t.unit = v.unit;
        t.quantity = v.quantity;
        t.description = v.description;
    }
    void read(const tree::Component& c) {
        TextPart& t =
            add(TextKind::Submodel, c.where, c.type == c.name ? c.name : "(" + c.type + ") " + c.name);
        t.name = c.name;
        t.value = c.type;
        t.dimensions = dimensions_text(c.dimensions, sources_);
        t.description = c.description;
        t.drawn = true;
    }
    void read(const tree::Port& p) {
        std::string text = p.name + dimensions_text(p.dimensions, sources_);
        if (p.body && !p.body->empty()) {
            text += "(";
            bool through = false;
            for (std::size_t i = 0; i < p.body->size(); ++i) {
                const tree::PortElement& e = (*p.body)[i];
                const bool now = e.role == tree::Role::Through;
                if (now && !through)
                    text += i ? " / " : "/ ";
                else if (i)
                    text += ", ";
                through = now;
                text += at(e.where);
            }
            text += ")";
        }
        add(TextKind::Cut, p.where, text).name = p.name;
    }
    void read(const tree::Path& p) {
        add(TextKind::Path, p.where, p.name + " (" + at(p.from.where) + " - " + at(p.to.where) + ")").name =
            p.name;
    }
    void read(const tree::Connection& c) { add(TextKind::Connect, c.where, at(c.where)).drawn = true; }
    void read(const tree::Equation& e) { add(TextKind::Equation, e.where, at(e.where)); }
    void read(const tree::InitialEquation& e) {
        add(TextKind::Initial, e.equation.where, at(e.equation.where));
    }
    void read(const tree::InitialValue& v) { add(TextKind::Initial, v.where, at(v.where)); }
    void read(const tree::DefaultValue& d) { add(TextKind::Other, d.where, "default " + at(d.where)); }
    void read(const tree::ProcedureCall& p) { add(TextKind::Equation, p.where, at(p.where)); }
    void read(const tree::Valid& v) { add(TextKind::Validity, v.where, at(v.where)); }
    void read(const tree::When& w) {
        add(TextKind::Event, w.where, std::string(raw_text(sources_, w.where)));
    }
    void read(const tree::PreferredStates& s) { add(TextKind::Other, s.where, at(s.where)); }
    void read(const tree::Table&) {}
    void read(const std::shared_ptr<tree::Function>&) {}
    void read(const std::shared_ptr<tree::Class>&) {}
    void read(const tree::StructureIf&) {}
    void read(const tree::StructureFor&) {}

    const Sources& sources_;
    std::vector<TextPart>& out_;
    std::string condition_;
};

// ---- tables

std::optional<double> number_in(const tree::Expression& e) {
    using K = tree::ExpressionKind;
    if (e.kind == K::Number || e.kind == K::Truth) return e.number;
    if ((e.kind == K::Negate || (e.kind == K::Sum && e.text == "-")) && e.arguments.size() == 1)
        if (const auto v = number_in(e.arguments[0])) return -*v;
    return std::nullopt;
}

// One curve for a table of one argument; for one of two, a curve for each value of the second.
TablePicture table_picture(const tree::Table& t, const Sources& sources) {
    TablePicture out;
    out.name = t.name;
    out.arguments = t.arguments;
    out.file = t.file_from ? reference_text(*t.file_from, sources) : t.file;
    out.where = t.where;
    out.steps = t.interpolation == Interpolation::Constant;
    if (t.arguments.size() > 2) return out;
    std::map<double, std::vector<Spot>> family;
    for (const std::vector<tree::Expression>& row : t.rows) {
        std::vector<double> values;
        for (const tree::Expression& e : row)
            if (const auto v = number_in(e)) values.push_back(*v);
        if (values.size() != row.size() || values.size() < t.arguments.size() + 1) return out;
        const std::size_t value = t.arguments.size();
        family[value == 2 ? values[1] : 0].push_back({values[0], values[value]});
    }
    for (auto& [second, points] : family) {
        std::sort(points.begin(), points.end(), [](const Spot& a, const Spot& b) { return a.x < b.x; });
        std::string label = t.name;
        if (t.arguments.size() == 2) label = t.arguments[1] + "=" + std::to_string(second).substr(0, 6);
        out.curves.push_back({std::move(label), std::move(points)});
    }
    return out;
}

FunctionPicture function_picture(const tree::Function& f, const Sources& sources) {
    FunctionPicture out;
    out.name = f.name;
    for (const tree::VariableDeclaration& v : f.inputs) out.inputs.push_back(v.name);
    for (const tree::VariableDeclaration& v : f.outputs) out.outputs.push_back(v.name);
    out.documentation = f.documentation;
    out.where = f.where;
    if (!f.body.empty())
        out.text = std::string(raw_text(sources, cutset::join(f.body.front().where, f.body.back().where)));
    return out;
}

// ---- the inside

class InsideReader {
  public:
    InsideReader(const tree::Class& type, const Outside& outside, const Sources& sources,
                 const FindClass& find)
        : type_(type), outside_(outside), sources_(sources), find_(find) {}

    ClassPicture read() {
        out_.name = type_.name;
        out_.where = type_.where;
        out_.whole = type_.whole;
        out_.documentation = documentation();
        out_.title = outside_.title;
        out_.runnable = type_.in_place && !type_.parent;
        out_.ports = outside_.ports;
        visit_items(type_, sources_, TextReader(sources_, out_.texts));
        visit_items(type_, sources_,
                    [&](const Item& item, const std::string& condition) { add_block(item, condition); });
        std::erase_if(out_.ports, [](const Port& p) { return p.kind == PortKind::Node; });
        add_connections();
        add_equations();
        visit_items(type_, sources_, [&](const Item& item, const std::string&) {
            if (const auto* t = std::get_if<tree::Table>(&item.what))
                out_.tables.push_back(table_picture(*t, sources_));
            if (const auto* f = std::get_if<std::shared_ptr<tree::Function>>(&item.what))
                out_.functions.push_back(function_picture(**f, sources_));
            if (const auto* c = std::get_if<std::shared_ptr<tree::Class>>(&item.what))
                if (const Outside* inner = find_((*c)->name)) out_.classes.push_back(inner->key);
        });
        return std::move(out_);
    }

  private:
    // Layout lines directly below the heading are no documentation.
    std::string documentation() const {
        std::string out;
        const std::string& text = type_.documentation;
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            if (text[begin] != '@') out += text.substr(begin, end - begin) + "\n";
            begin = end + 1;
        }
        while (!out.empty() && out.back() == '\n') out.pop_back();
        return out;
    }

    void add_block(const Item& item, const std::string& condition) {
        if (const auto* c = std::get_if<tree::Component>(&item.what)) {
            for (const Block& b : out_.blocks)
                if (b.name == c->name) return;  // in another branch
            Block b;
            b.name = c->name;
            b.type = c->type;
            const Outside* outside = find_(c->type);
            if (outside) b.key = outside->key;
            b.dimensions = dimensions_text(c->dimensions, sources_);
            b.conditional = !condition.empty() && condition.find("for ") != 0;
            b.condition = condition;
            b.description = c->description;
            for (const tree::Argument& a : c->arguments)
                b.arguments.push_back(
                    {a.name.value_or(""), written(sources_, a.value.where), a.where, a.value.where});
            b.where = c->where;
            b.statement = c->arguments.empty() ? c->where : cutset::join(c->where, c->arguments.back().where);
            out_.blocks.push_back(std::move(b));
            outsides_.push_back(outside);
        } else if (const auto* p = std::get_if<tree::Port>(&item.what); p && p->node) {
            Block b;
            b.kind = BlockKind::Node;
            b.name = p->name;
            b.where = b.statement = p->where;
            out_.blocks.push_back(std::move(b));
            outsides_.push_back(nullptr);
        }
    }

    void add_connections() {
        Joints joints;
        const JointScope scope{out_.blocks, outsides_, out_.ports, outside_.paths, sources_};
        visit_items(type_, sources_, [&](const Item& item, const std::string& condition) {
            if (const auto* c = std::get_if<tree::Connection>(&item.what))
                add_joints(*c, scope, condition.find("if ") != std::string::npos || condition == "else",
                           joints);
        });
        for (Line& line : joints.lines)
            for (LineEnd* end : {&line.from, &line.to})
                if (end->block && *end->block < out_.blocks.size() &&
                    out_.blocks[*end->block].kind == BlockKind::Node)
                    end->port.clear();
        out_.lines = std::move(joints.lines);
        for (Block& b : joints.sources) out_.blocks.push_back(std::move(b));
        outsides_.resize(out_.blocks.size());
    }

    // A variable of a submodel, or a port of the class: where a signal can come from or go to.
    std::optional<LineEnd> signal(const tree::Reference& r) const {
        if (r.parts.empty()) return std::nullopt;
        const std::string& first = r.parts[0].name;
        if (r.parts.size() == 1) {
            const Port* p = find_port(out_.ports, first);
            if (p && p->kind != PortKind::Cut) return LineEnd{std::nullopt, first, {}};
            const Port* cut = port_of_variable(out_.ports, first);  // a cut variable
            if (!cut) return std::nullopt;
            return LineEnd{std::nullopt, cut->name, first};
        }
        for (std::size_t i = 0; i < outsides_.size(); ++i) {
            if (out_.blocks[i].name != first || out_.blocks[i].kind != BlockKind::Submodel) continue;
            LineEnd end{static_cast<std::uint32_t>(i), "", written(sources_, r.where)};
            if (r.parts.size() == 2 && outsides_[i]) {
                const std::string& name = r.parts[1].name;
                if (const Port* p = find_port(outsides_[i]->ports, name))
                    end.port = p->name;
                else if (const Port* cut = port_of_variable(outsides_[i]->ports, name))
                    end.port = cut->name;
            }
            return end;
        }
        return std::nullopt;
    }

    // Whether values go to it: an input of a submodel, an output of the class.
    bool receives(const LineEnd& e) const {
        const VariableRole role = e.block ? VariableRole::Input : VariableRole::Output;
        const Port* p = nullptr;
        if (!e.block)
            p = find_port(out_.ports, e.port);
        else if (outsides_[*e.block])
            p = find_port(outsides_[*e.block]->ports, e.port);
        if (!p) return false;
        const std::size_t dot = e.variable.rfind('.');
        const std::string name = dot == std::string::npos ? p->name : e.variable.substr(dot + 1);
        return std::any_of(p->variables.begin(), p->variables.end(),
                           [&](const PortVariable& v) { return v.role == role && v.name == name; });
    }

    void add_equations() {
        std::size_t text = 0;
        visit_items(type_, sources_, [&](const Item& item, const std::string& condition) {
            const auto* e = std::get_if<tree::Equation>(&item.what);
            if (!e) return;
            const bool drawn = add_equation(*e, !condition.empty());
            for (; text < out_.texts.size(); ++text)
                if (out_.texts[text].kind == TextKind::Equation && out_.texts[text].where == e->where) {
                    out_.texts[text].drawn = drawn;
                    break;
                }
        });
    }

    bool add_equation(const tree::Equation& e, bool conditional) {
        const auto as_end = [&](const tree::Expression& x) -> std::optional<LineEnd> {
            if (x.kind != tree::ExpressionKind::Reference) return std::nullopt;
            return signal(x.reference);
        };
        auto left = as_end(e.left), right = as_end(e.right);
        if (left && right && (left->block || right->block)) {
            Line line;
            line.kind = receives(*left) || receives(*right) ? LineKind::Signal : LineKind::Joint;
            const bool swap = receives(*left) && !receives(*right);
            line.from = swap ? *right : *left;
            line.to = swap ? *left : *right;
            line.statement = line.part = e.where;
            line.conditional = conditional;
            out_.lines.push_back(std::move(line));
            return true;
        }
        for (const auto& [target, value] : {std::pair(left, &e.right), std::pair(right, &e.left)}) {
            if (!target || !target->block || !receives(*target)) continue;
            const std::string& name = target->variable;
            SignalScope scope{sources_, [&](const tree::Reference& r) { return signal(r); }, false};
            return add_signal(*value, *target, name, e.where, scope, {out_.blocks, out_.lines});
        }
        return false;
    }

    const tree::Class& type_;
    const Outside& outside_;
    const Sources& sources_;
    const FindClass& find_;
    ClassPicture out_;
    std::vector<const Outside*> outsides_;  // of the submodels and nodes
};

Outside dymola_outside(const tree::Class& type, const Sources& sources) {
    Outside out;
    out.title = first_sentence(type.documentation);
    if (!out.title.empty() && out.title[0] == '@') out.title.clear();
    PortReader reader(type, sources);
    visit_items(type, sources, [&](const Item& item, const std::string&) {
        if (const auto* p = std::get_if<tree::Port>(&item.what)) {
            if (!find_port(out.ports, p->name)) out.ports.push_back(reader.read(*p));
        } else if (const auto* path = std::get_if<tree::Path>(&item.what)) {
            PathEnds ends{path->name, path->main || path->name.empty(), {}, {}};
            int number = 0;
            for (const bool from : {true, false}) {
                const tree::PathEnd& end = from ? path->from : path->to;
                std::vector<std::string>& names = from ? ends.from : ends.to;
                ++number;
                if (const auto* r = std::get_if<tree::Reference>(&end.what)) {
                    names.push_back(r->parts.empty() ? "" : r->parts.back().name);
                    continue;
                }
                const auto& body = std::get<std::vector<tree::PortElement>>(end.what);
                Port made =
                    reader.in_place((path->name.empty() ? "path" : path->name) + "." + std::to_string(number),
                                    body, end.where);
                const bool list = made.variables.empty() && !made.parts.empty() &&
                                  std::all_of(made.parts.begin(), made.parts.end(),
                                              [&](const Port& p) { return reader.cut(p.name); });
                if (list) {
                    for (const Port& p : made.parts) names.push_back(p.name);
                } else {
                    names.push_back(made.name);
                    out.ports.push_back(std::move(made));
                }
            }
            out.paths.push_back(std::move(ends));
        }
    });
    visit_items(type, sources, [&](const Item& item, const std::string&) {
        if (const auto* v = std::get_if<tree::VariableDeclaration>(&item.what))
            if (const auto kind = terminal_kind(v->kind))
                if (!reader.in_cut(v->name) && !find_port(out.ports, v->name))
                    out.ports.push_back(terminal_port(*v, *kind, sources));
    });
    return out;
}

void dymola_directions(const tree::Class& type, const Outside& outside, std::vector<std::string>& first,
                       std::vector<std::string>& last) {
    // What is said first of a cut counts.
    const auto add = [&](std::vector<std::string>& to, const std::string& name) {
        for (const auto* list : {&first, &last})
            if (std::find(list->begin(), list->end(), name) != list->end()) return;
        to.push_back(name);
    };
    for (const PathEnds& p : outside.paths) {
        for (const std::string& name : p.from) add(first, name);
        for (const std::string& name : p.to) add(last, name);
    }
    const auto own = [&](const tree::ConnectionExpression& e) -> const std::string* {
        const auto* r = std::get_if<tree::Reference>(&e.what);
        if (!r || r->parts.size() != 1) return nullptr;
        return find_port(outside.ports, r->parts[0].name) ? &r->parts[0].name : nullptr;
    };
    for (const Item& item : type.items) {
        const auto* c = std::get_if<tree::Connection>(&item.what);
        if (!c) continue;
        for (const tree::ConnectionExpression& e : c->expressions) {
            const tree::ConnectionExpression* at = &e;
            bool outermost = true;
            while (const auto* o = std::get_if<tree::ConnectionOperation>(&at->what)) {
                if (outermost && o->operands.size() == 2)
                    if (const std::string* name = own(o->operands[1])) add(last, *name);
                outermost = false;
                at = &o->operands.front();
            }
            if (at != &e)
                if (const std::string* name = own(*at)) add(first, *name);
        }
    }
}

// ---- formulas

using Formulas = std::map<std::uint32_t, std::string>;

void add_formulas(const std::vector<Item>& items, Formulas& out) {
    for (const Item& item : items) {
        if (const auto* e = std::get_if<tree::Equation>(&item.what))
            out[e->where.begin] = math_of(*e);
        else if (const auto* i = std::get_if<tree::InitialEquation>(&item.what))
            out[i->equation.where.begin] = math_of(i->equation);
        else if (const auto* v = std::get_if<tree::InitialValue>(&item.what))
            out[v->where.begin] = math_of_initial(*v);
        else if (const auto* choice = std::get_if<tree::StructureIf>(&item.what))
            for (const tree::StructureBranch& b : choice->branches) add_formulas(b.items, out);
        else if (const auto* loop = std::get_if<tree::StructureFor>(&item.what))
            add_formulas(loop->items, out);
    }
}

class DymolaReader : public ClassReader {
  public:
    DymolaReader(const tree::Class& type, const Sources& sources) : type_(type), sources_(sources) {}

    Span whole() const override { return type_.whole; }
    std::vector<Span> inner_classes() const override {
        std::vector<Span> out;
        for (const Item& item : type_.items)
            if (const auto* inner = std::get_if<std::shared_ptr<tree::Class>>(&item.what))
                out.push_back((*inner)->whole);
        return out;
    }
    Outside outside() const override { return dymola_outside(type_, sources_); }
    void directions(const Outside& outside, std::vector<std::string>& first,
                    std::vector<std::string>& last) const override {
        dymola_directions(type_, outside, first, last);
    }
    ClassPicture picture(const Outside& outside, const FindClass& find, Layout&) const override {
        return InsideReader(type_, outside, sources_, find).read();
    }
    Formulas formulas() const override {
        Formulas out;
        add_formulas(type_.items, out);
        return out;
    }

  private:
    const tree::Class& type_;
    const Sources& sources_;
};

}  // namespace

std::unique_ptr<ClassReader> dymola_reader(const tree::Class& type, const Sources& sources) {
    return std::make_unique<DymolaReader>(type, sources);
}

}  // namespace cutset::picture
