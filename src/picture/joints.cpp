#include "picture/joints.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "picture/text_of.h"

namespace cutset::picture {

namespace {

using tree::ConnectionExpression;
using tree::ConnectionOperator;

// A cut: a line end, a list of cuts, or values that are given in place.
struct Cut {
    std::optional<LineEnd> end;
    std::vector<Cut> parts;
    bool value = false;
    Span where;
};
// What an operand is worth: nothing, a cut, or a path between two.
struct Operand {
    std::optional<Cut> a, b;
    bool path() const { return a && b; }
};

class JointReader {
  public:
    JointReader(const tree::Connection& statement, const JointScope& scope, bool conditional, Joints& out)
        : statement_(statement), scope_(scope), conditional_(conditional), out_(out) {}

    void run() {
        for (const ConnectionExpression& e : statement_.expressions) evaluate(e);
    }

  private:
    static constexpr std::size_t most_parts = 1000;

    std::optional<std::uint32_t> block(std::string_view name) const {
        for (std::size_t i = 0; i < scope_.blocks.size(); ++i)
            if (scope_.blocks[i].name == name) return static_cast<std::uint32_t>(i);
        return std::nullopt;
    }

    Cut end_at(std::optional<std::uint32_t> block, std::string port, Span where) const {
        return {LineEnd{block, std::move(port), {}}, {}, false, where};
    }

    Cut cut_of(std::optional<std::uint32_t> block, const std::vector<std::string>& ports, Span where) const {
        if (ports.size() == 1) return end_at(block, ports[0], where);
        Cut list{{}, {}, false, where};
        for (const std::string& p : ports) list.parts.push_back(end_at(block, p, where));
        return list;
    }

    Operand path_of(std::optional<std::uint32_t> block, const PathEnds& path, Span where) const {
        return {cut_of(block, path.from, where), cut_of(block, path.to, where)};
    }

    static const PathEnds* find_path(const std::vector<PathEnds>& paths, std::string_view name, bool main) {
        for (const PathEnds& p : paths)
            if (main ? p.main : p.name == name) return &p;
        return nullptr;
    }

    // A bare submodel: what it has of the statement's name, or its main path or cut; else the block itself.
    Operand bare(std::uint32_t i, bool path_allowed, Span where) const {
        const Outside* outside = scope_.outsides[i];
        if (!outside) return {end_at(i, statement_.name, where), std::nullopt};
        const bool main = statement_.name.empty();
        if (path_allowed)
            if (const PathEnds* path = find_path(outside->paths, statement_.name, main))
                return path_of(i, *path, where);
        for (const Port& p : outside->ports)
            if (main ? p.main : p.name == statement_.name) return {end_at(i, p.name, where), std::nullopt};
        return {end_at(i, "", where), std::nullopt};
    }

    static std::string with_indices(const tree::ReferencePart& part, const Sources& sources) {
        std::string text = part.name;
        for (std::size_t i = 0; i < part.indices.size(); ++i)
            text += (i ? ", " : "[") + written(sources, part.indices[i].where);
        return part.indices.empty() ? text : text + "]";
    }

    Operand reference(const tree::Reference& r, bool path_allowed, Span where) const {
        if (r.parts.empty()) return {};
        const tree::ReferencePart& first = r.parts.front();
        const tree::ReferencePart& last = r.parts.back();
        const auto i = block(first.name);
        if (r.parts.size() == 1) {
            if (find_port(scope_.ports, first.name)) return {end_at(std::nullopt, first.name, where), {}};
            if (i) return bare(*i, path_allowed, where);
            if (const PathEnds* path = find_path(scope_.paths, first.name, false))
                return path_of(std::nullopt, *path, where);
            return {};
        }
        if (!i) return {};
        if (r.parts.size() > 2) {  // something inside of a submodel
            Cut c = end_at(*i, "", where);
            c.end->variable = written(scope_.sources, r.where);
            return {std::move(c), std::nullopt};
        }
        if (last.before == tree::Separator::Path) {
            if (const Outside* outside = scope_.outsides[*i])
                if (const PathEnds* path = find_path(outside->paths, last.name, false))
                    return path_of(*i, *path, where);
            return {};
        }
        const Outside* outside = scope_.outsides[*i];
        if (outside && !find_port(outside->ports, last.name)) {
            Cut c = end_at(*i, "", where);
            c.end->variable = last.name;
            if (const Port* p = port_of_variable(outside->ports, last.name)) c.end->port = p->name;
            return {std::move(c), std::nullopt};
        }
        return {end_at(*i, last.name, where), std::nullopt};
    }

    // Values only: the cut of an unnamed submodel that gives them.
    Operand list(const tree::ConnectionList& l, Span where) {
        Cut out{{}, {}, false, where};
        bool all_values = true;
        for (const ConnectionExpression& e : l.parts) {
            if (std::holds_alternative<tree::ConnectionValue>(e.what)) {
                out.parts.push_back({{}, {}, true, e.where});
                continue;
            }
            Operand o = evaluate(e);
            all_values = all_values && !o.a;
            out.parts.push_back(o.a ? std::move(*o.a) : Cut{{}, {}, true, e.where});
        }
        if (all_values) return {Cut{{}, {}, true, where}, std::nullopt};
        return {std::move(out), std::nullopt};
    }

    Operand path_in_place(const tree::ConnectionPath& p) {
        if (p.ends.size() != 2) return {};
        if (p.of.parts.empty()) {
            const Operand x = evaluate(p.ends[0]), y = evaluate(p.ends[1]);
            return {x.a, y.b ? y.b : y.a};
        }
        const auto i = block(p.of.parts.front().name);
        if (!i) return {};
        const auto end = [&](const ConnectionExpression& e) -> std::optional<Cut> {
            const auto* r = std::get_if<tree::Reference>(&e.what);
            if (!r || r->parts.empty()) return std::nullopt;
            return end_at(*i, r->parts.back().name, e.where);
        };
        return {end(p.ends[0]), end(p.ends[1])};
    }

    const Port* port_at(const LineEnd& e) const {
        if (!e.block) return find_port(scope_.ports, e.port);
        const Outside* outside = *e.block < scope_.outsides.size() ? scope_.outsides[*e.block] : nullptr;
        return outside ? find_port(outside->ports, e.port) : nullptr;
    }

    // Part k of a hierarchical cut, as a line end.
    static Cut part_of(const Cut& whole, const Port& port, std::size_t k) {
        Cut part = whole;
        const std::string& name = port.parts[k].name;
        part.end->port += "." + (name.empty() ? std::to_string(k + 1) : name);
        return part;
    }

    LineEnd value_block(const Cut& c, const Cut& other) {
        Block b;
        b.kind = BlockKind::Generator;
        std::string text = written(scope_.sources, c.where);
        if (text.size() > 1 && text.front() == '(' && text.back() == ')')
            text = text.substr(1, text.size() - 2);
        b.text = std::move(text);
        std::string at = other.end && other.end->block && *other.end->block < scope_.blocks.size()
                             ? scope_.blocks[*other.end->block].name + ":" + other.end->port
                             : "cut";
        b.name = at + "." + std::to_string(out_.sources.size() + 1);
        b.where = b.statement = c.where;
        out_.sources.push_back(std::move(b));
        return {static_cast<std::uint32_t>(scope_.blocks.size() + out_.sources.size() - 1), "y", {}};
    }

    void join(const std::optional<Cut>& x, const std::optional<Cut>& y, Span where) {
        if (x && y) join(*x, *y, where, 0);
    }
    void join(const Cut& x, const Cut& y, Span where, int depth) {
        if (depth > 20 || out_.lines.size() > 100 * most_parts) return;
        if (!x.parts.empty() && !y.parts.empty()) {
            for (std::size_t k = 0; k < std::min(x.parts.size(), y.parts.size()); ++k)
                join(x.parts[k], y.parts[k], where, depth + 1);
            return;
        }
        if (!x.parts.empty() || !y.parts.empty()) {
            const Cut& list = x.parts.empty() ? y : x;
            const Cut& other = x.parts.empty() ? x : y;
            const Port* port = other.end ? port_at(*other.end) : nullptr;
            for (std::size_t k = 0; k < list.parts.size(); ++k) {
                const bool part = port && port->parts.size() == list.parts.size();
                const Cut& from = other;
                const Cut mine = part ? part_of(from, *port, k) : from;
                if (&list == &x)
                    join(list.parts[k], mine, where, depth + 1);
                else
                    join(mine, list.parts[k], where, depth + 1);
            }
            return;
        }
        if (x.value && y.value) return;
        Line line;
        line.from = x.value ? value_block(x, y) : *x.end;
        line.to = y.value ? value_block(y, x) : *y.end;
        if (y.value) {  // values lead to what they are given to
            std::swap(line.from, line.to);
        }
        line.name = statement_.name;
        line.statement = statement_.where;
        line.part = where;
        line.conditional = conditional_;
        out_.lines.push_back(std::move(line));
    }

    Operand operate(ConnectionOperator op, const Operand& x, const Operand& y, Span where) {
        if (!x.a || !y.a) return y.a ? y : x;
        const bool px = x.path(), py = y.path();
        switch (op) {
            case ConnectionOperator::At:
                join(x.a, y.a, where);
                return {y.a, std::nullopt};
            case ConnectionOperator::To:
                join(px ? x.b : x.a, y.a, where);
                if (px && py) return {x.a, y.b};
                if (py) return {y.b, std::nullopt};
                return {px ? x.a : y.a, std::nullopt};
            case ConnectionOperator::From:
                join(py ? y.b : y.a, x.a, where);
                if (px && py) return {y.a, x.b};
                return {py ? y.a : px ? x.b : y.a, std::nullopt};
            case ConnectionOperator::Par:
            case ConnectionOperator::Loop:
                if (!px || !py) {
                    join(x.a, y.a, where);
                    return x;
                }
                if (op == ConnectionOperator::Par) {
                    join(x.a, y.a, where);
                    join(x.b, y.b, where);
                } else {
                    join(x.b, y.a, where);
                    join(y.b, x.a, where);
                }
                return x;
            case ConnectionOperator::Reversed:
                break;
        }
        return {};
    }

    // Chains are deep on the left and as long as the text; the rest is as deep as the parser allows.
    Operand evaluate(const ConnectionExpression& e) {
        std::vector<const ConnectionExpression*> spine;
        const ConnectionExpression* leftmost = &e;
        while (const auto* o = std::get_if<tree::ConnectionOperation>(&leftmost->what)) {
            spine.push_back(leftmost);
            leftmost = &o->operands.front();
        }
        bool path_allowed = true;
        if (!spine.empty())
            path_allowed =
                std::get<tree::ConnectionOperation>(spine.back()->what).op != ConnectionOperator::At;
        Operand value = primary(*leftmost, path_allowed);
        Span before = leftmost->where;
        while (!spine.empty()) {
            const auto& o = std::get<tree::ConnectionOperation>(spine.back()->what);
            spine.pop_back();
            if (o.op == ConnectionOperator::Reversed) {
                std::swap(value.a, value.b);
                if (!value.a) std::swap(value.a, value.b);
                continue;
            }
            const ConnectionExpression& next = o.operands[1];
            const Operand right = std::holds_alternative<tree::ConnectionOperation>(next.what)
                                      ? evaluate(next)
                                      : primary(next, o.op != ConnectionOperator::At);
            value = operate(o.op, value, right, cutset::join(before, next.where));
            before = next.where;
        }
        return value;
    }

    Operand primary(const ConnectionExpression& e, bool path_allowed) {
        if (const auto* r = std::get_if<tree::Reference>(&e.what))
            return reference(*r, path_allowed, e.where);
        if (const auto* l = std::get_if<tree::ConnectionList>(&e.what)) return list(*l, e.where);
        if (const auto* p = std::get_if<tree::ConnectionPath>(&e.what)) return path_in_place(*p);
        if (std::holds_alternative<tree::ConnectionValue>(e.what)) return {Cut{{}, {}, true, e.where}, {}};
        return {};
    }

    const tree::Connection& statement_;
    const JointScope& scope_;
    bool conditional_;
    Joints& out_;
};

}  // namespace

void add_joints(const tree::Connection& statement, const JointScope& scope, bool conditional, Joints& out) {
    JointReader(statement, scope, conditional, out).run();
}

}  // namespace cutset::picture
