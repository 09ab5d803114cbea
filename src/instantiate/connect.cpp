#include "instantiate/connect.h"

#include <algorithm>

#include "instantiate/connection_sets.h"
#include "instantiate/expressions.h"
#include "instantiate/messages.h"
#include "instantiate/ports.h"
#include "ir/tree_text.h"

namespace cutset {

namespace {

using tree::ConnectionExpression;
using tree::ConnectionOperator;

// What a connection expression is worth: a cut, a path between two cuts, or failed (and reported).
struct Operand {
    enum Kind { Cut, Path, Failed } kind = Failed;
    std::uint32_t a = none, b = none;  // parts: the cut, or the two ends of the path
    Span where;
    // Of `path to cut`, whose value is the other end of the path: the operator that would read as going on
    // from the cut.
    std::optional<ConnectionOperator> misread = {};
};

class Evaluator {
  public:
    Evaluator(Context& c, InstanceIndex i, std::uint32_t loops, const tree::Connection& statement)
        : c_(c), scope_{.instance = i, .loops = loops}, statement_(statement) {}

    void run() {
        for (const ConnectionExpression& e : statement_.expressions) evaluate(e, true);
    }

  private:
    std::string submodel() const { return c_.submodel(scope_.instance); }

    Operand cut(std::optional<std::uint32_t> part, Span where) const {
        return part ? Operand{Operand::Cut, *part, none, where} : Operand{Operand::Failed, none, none, where};
    }

    void join(std::uint32_t a, std::uint32_t b, Span where) {
        if (a == b) return c_.report(messages::joined_to_itself(where, submodel()));
        join_cuts(c_, a, b, {scope_.instance, where});
    }

    // An element of an array of cuts (or the cut itself).
    std::optional<std::uint32_t> cut_of(InstanceIndex owner, std::uint32_t slot,
                                        const tree::ReferencePart* part, bool inside) {
        const PortSlot port = c_.port(owner, slot);
        const std::string name(c_.instances[owner].info->ports[slot]);
        if (port.presence == Presence::Broken) return std::nullopt;
        if (port.presence == Presence::Absent) {
            c_.report(messages::not_in_this_structure(part ? part->where : statement_.where, submodel(),
                                                      "cut", name));
            return std::nullopt;
        }
        std::size_t element = 0;
        static const std::vector<tree::Expression> no_indices;
        if (port.shape || (part && !part->indices.empty())) {
            const std::vector<std::uint32_t> dimensions = c_.shapes[port.shape];
            const auto found = find_element(c_, part ? part->indices : no_indices, dimensions, name,
                                            part ? part->where : statement_.where, scope_);
            if (!found) return std::nullopt;
            element = *found;
        }
        return port_face(c_, port.first + static_cast<std::uint32_t>(element), inside);
    }

    // One end of a declared path.
    std::optional<std::uint32_t> path_end(InstanceIndex owner, const tree::PathEnd& end,
                                          std::uint32_t in_place, bool inside) {
        if (in_place != none) return port_face(c_, in_place, inside);
        const auto& r = std::get<tree::Reference>(end.what);
        const Scope scope{.instance = owner};
        InstanceIndex i = owner;
        if (r.parts.size() > 1) {
            const auto found = find_submodel(c_, r, r.parts.size() - 1, scope);
            if (!found) return std::nullopt;
            i = *found;
            inside = false;
        }
        const tree::ReferencePart& part = r.parts.back();
        const ClassNames* n = c_.instances[i].info->find(part.name);
        if (!n || n->port == none) {
            report_unknown_cut(i, part);
            return std::nullopt;
        }
        return cut_of(i, n->port, &part, inside);
    }

    Operand path(InstanceIndex owner, std::uint32_t slot, bool inside, Span where) {
        const PathSlot declared = c_.path(owner, slot);
        if (!declared.declaration) {
            c_.report(messages::not_in_this_structure(where, submodel(), "path",
                                                      std::string(c_.instances[owner].info->paths[slot])));
            return {Operand::Failed, none, none, where};
        }
        const auto a = path_end(owner, declared.declaration->from, declared.from, inside);
        const auto b = path_end(owner, declared.declaration->to, declared.to, inside);
        if (!a || !b) return {Operand::Failed, none, none, where};
        return {Operand::Path, *a, *b, where};
    }

    void report_unknown_cut(InstanceIndex owner, const tree::ReferencePart& part) {
        const ClassInfo& info = *c_.instances[owner].info;
        std::vector<std::string> candidates;
        for (std::string_view n : info.ports)
            if (!n.empty()) candidates.emplace_back(n);
        c_.report(messages::unknown_cut(part.where, submodel(), part.name, info.tree->name,
                                        nearest_name(part.name, candidates), candidates));
    }

    // A bare submodel: its path or cut of the statement's name, or its main path or main cut.
    Operand bare(InstanceIndex i, bool path_allowed, Span where) {
        const ClassInfo& info = *c_.instances[i].info;
        const std::string type = info.tree->name;
        if (!statement_.name.empty()) {
            const ClassNames* n = info.find(statement_.name);
            const bool has_path = n && n->path != none && c_.path(i, n->path).declaration;
            if (has_path && path_allowed) return path(i, n->path, false, where);
            if (n && n->port != none) return cut(cut_of(i, n->port, nullptr, false), where);
            std::vector<std::string> candidates;
            for (std::string_view p : info.paths) candidates.emplace_back(p);
            for (std::string_view p : info.ports) candidates.emplace_back(p);
            std::erase(candidates, "");
            c_.report(messages::no_such_connection(where, submodel(), c_.submodel(i), type, statement_.name,
                                                   has_path, nearest_name(statement_.name, candidates)));
            return {Operand::Failed, none, none, where};
        }
        const InstanceState& state = c_.instances[i];
        if (state.main_path != none && path_allowed) return path(i, state.main_path, false, where);
        if (state.main_port != none) return cut(cut_of(i, state.main_port, nullptr, false), where);
        std::vector<std::string> cuts, paths;
        for (std::string_view p : info.ports)
            if (!p.empty()) cuts.emplace_back(p);
        for (std::string_view p : info.paths)
            if (!p.empty()) paths.emplace_back(p);
        c_.report(
            messages::no_main(where, submodel(), c_.submodel(i), type, state.main_path != none, cuts, paths));
        return {Operand::Failed, none, none, where};
    }

    Operand reference(const tree::Reference& r, bool path_allowed, Span where) {
        const std::size_t n = r.parts.size();
        const tree::ReferencePart& last = r.parts[n - 1];
        const Operand failed{Operand::Failed, none, none, where};
        if (last.before == tree::Separator::Cut || last.before == tree::Separator::Path) {
            const auto i = find_submodel(c_, r, n - 1, scope_);
            if (!i) return failed;
            const ClassInfo& info = *c_.instances[*i].info;
            const ClassNames* names = info.find(last.name);
            if (last.before == tree::Separator::Cut) {
                if (names && names->port != none) {
                    if (c_.port(*i, names->port).presence == Presence::Present &&
                        c_.port(*i, names->port).first < c_.ports.size() &&
                        c_.ports[c_.port(*i, names->port).first].node) {
                        c_.report(
                            messages::node_from_outside(last.where, submodel(), last.name, info.tree->name));
                        return failed;
                    }
                    return cut(cut_of(*i, names->port, &last, false), where);
                }
                report_unknown_cut(*i, last);
                return failed;
            }
            if (names && names->path != none) return path(*i, names->path, false, where);
            std::vector<std::string> candidates(info.paths.begin(), info.paths.end());
            std::erase(candidates, "");
            c_.report(messages::unknown_path(last.where, submodel(), last.name, info.tree->name,
                                             nearest_name(last.name, candidates),
                                             names && names->port != none, candidates));
            return failed;
        }
        if (n == 1) {
            const ClassInfo& info = *c_.instances[scope_.instance].info;
            const ClassNames* names = info.find(last.name);
            if (names && names->port != none &&
                c_.port(scope_.instance, names->port).presence != Presence::Absent)
                return cut(cut_of(scope_.instance, names->port, &last, true), where);
            if (names && names->component != none) {
                const auto i = find_submodel(c_, r, 1, scope_);
                return i ? bare(*i, path_allowed, where) : failed;
            }
            if (names && names->path != none) return path(scope_.instance, names->path, true, where);
            std::vector<std::string> candidates(info.components.begin(), info.components.end());
            for (const auto* more : {&info.ports, &info.paths})
                for (std::string_view p : *more)
                    if (!p.empty()) candidates.emplace_back(p);
            c_.report(messages::not_connectable(last.where, submodel(), last.name,
                                                nearest_name(last.name, candidates),
                                                names && names->variable != none));
            return failed;
        }
        if (last.before == tree::Separator::Submodel || is_component(r)) {
            const auto i = find_submodel(c_, r, n, scope_);
            return i ? bare(*i, path_allowed, where) : failed;
        }
        c_.report(messages::not_connectable(last.where, submodel(), last.name, "", true));
        return failed;
    }

    // a.b where b is a submodel of a: accepted like a::b.
    bool is_component(const tree::Reference& r) {
        InstanceIndex i = scope_.instance;
        for (const tree::ReferencePart& part : r.parts) {
            const ClassNames* n = c_.instances[i].info->find(part.name);
            if (!n || n->component == none) return false;
            const ComponentSlot& slot = c_.component(i, n->component);
            if (slot.presence != Presence::Present || c_.count(slot.shape) == 0) return false;
            i = InstanceIndex(slot.first);
            if (!c_.instances[i].info) return false;
        }
        return true;
    }

    // The parts of a temporary cut. A variable may stand there too, with the role of its position.
    Operand list(const tree::ConnectionList& l, Span where) {
        std::vector<std::uint32_t> children;
        for (std::size_t k = 0; k < l.parts.size(); ++k) {
            const ConnectionExpression& e = l.parts[k];
            const tree::Role role = k < l.roles.size() ? l.roles[k] : tree::Role::Across;
            if (const auto* value = std::get_if<tree::ConnectionValue>(&e.what)) {
                if (!value->value) {
                    children.push_back(add_dot(c_, role));
                    continue;
                }
                Scope s = scope_;
                s.counts = true;
                const Value v = translate(c_, *value->value, s);
                if (v.failed()) return {Operand::Failed, none, none, where};
                for (std::size_t i = 0; i < v.size(); ++i) {
                    const Expr part = number_of(c_, v[i]);
                    for_each_leaf(part, [&](Expr leaf) {
                        if (leaf->op == Op::Variable) mark_in_cut_of(leaf->variable());
                    });
                    children.push_back(add_value(c_, role, part, {scope_.instance, e.where}));
                }
                continue;
            }
            if (const auto* r = std::get_if<tree::Reference>(&e.what); r && is_variable(*r)) {
                Scope s = scope_;
                s.counts = true;
                const auto v = find_variable(c_, *r, s);
                if (!v) return {Operand::Failed, none, none, where};
                for (std::size_t i = 0; i < v->count; ++i) {
                    mark_in_cut_of(VariableIndex(v->first + i));
                    children.push_back(add_leaf(c_, role, VariableIndex(v->first + i), false));
                }
                continue;
            }
            const Operand o = evaluate(e, false);
            if (o.kind == Operand::Failed) return o;
            if (o.kind != Operand::Cut) {
                c_.report(messages::cut_expected_in_list(e.where, submodel(), o.kind == Operand::Path));
                return {Operand::Failed, none, none, where};
            }
            children.push_back(o.a);
        }
        return {Operand::Cut, add_group(c_, children), none, where};
    }

    // A variable of a submodel that a temporary cut joins.
    void mark_in_cut_of(VariableIndex v) {
        if (c_.model.variables[v].origin.instance != scope_.instance) c_.marks[v.value] |= mark_in_cut;
    }

    bool is_variable(const tree::Reference& r) {
        if (r.parts.back().before == tree::Separator::Variable) return !is_component(r);
        if (r.parts.size() != 1) return false;
        const ClassNames* n = c_.instances[scope_.instance].info->find(r.parts[0].name);
        return n && n->variable != none && n->component == none && n->port == none && n->path == none;
    }

    // a..(A - B): two cuts of `a`; (A - B): two cuts in sight.
    Operand path_in_place(const tree::ConnectionPath& p, Span where) {
        const Operand failed{Operand::Failed, none, none, where};
        Operand ends[2];
        if (p.of.parts.empty()) {
            for (int k = 0; k < 2; ++k) {
                ends[k] = evaluate(p.ends[static_cast<std::size_t>(k)], true);
                if (ends[k].kind == Operand::Failed) return failed;
            }
            if (ends[0].kind == Operand::Path || ends[1].kind == Operand::Path)
                return operate(ConnectionOperator::To, ends[0], ends[1], where);
        } else {
            const auto i = find_submodel(c_, p.of, p.of.parts.size(), scope_);
            if (!i) return failed;
            for (int k = 0; k < 2; ++k) {
                ends[k] = end_of(*i, p.ends[static_cast<std::size_t>(k)]);
                if (ends[k].kind == Operand::Failed) return failed;
            }
        }
        if (ends[0].kind != Operand::Cut || ends[1].kind != Operand::Cut) {
            c_.report(messages::cut_expected(where, submodel(), "a path in place"));
            return failed;
        }
        return {Operand::Path, ends[0].a, ends[1].a, where};
    }

    // A cut of submodel i, or a list of them.
    Operand end_of(InstanceIndex i, const ConnectionExpression& e) {
        if (const auto* r = std::get_if<tree::Reference>(&e.what)) {
            const tree::ReferencePart& part = r->parts.back();
            InstanceIndex owner = i;
            if (r->parts.size() > 1) {
                Scope inner = scope_;
                inner.instance = i;
                const auto found = find_submodel(c_, *r, r->parts.size() - 1, inner);
                if (!found) return {Operand::Failed, none, none, e.where};
                owner = *found;
            }
            const ClassNames* n = c_.instances[owner].info->find(part.name);
            if (n && n->port != none) return cut(cut_of(owner, n->port, &part, false), e.where);
            report_unknown_cut(owner, part);
            return {Operand::Failed, none, none, e.where};
        }
        if (const auto* l = std::get_if<tree::ConnectionList>(&e.what)) {
            std::vector<std::uint32_t> children;
            for (const ConnectionExpression& part : l->parts) {
                const Operand o = end_of(i, part);
                if (o.kind != Operand::Cut) return o;
                children.push_back(o.a);
            }
            return {Operand::Cut, add_group(c_, children), none, e.where};
        }
        c_.report(messages::cut_expected(e.where, submodel(), "a path in place"));
        return {Operand::Failed, none, none, e.where};
    }

    // The table of operators: value and joins.
    Operand operate(ConnectionOperator op, const Operand& x, const Operand& y, Span where) {
        const Operand failed{Operand::Failed, none, none, where};
        if (x.kind == Operand::Failed || y.kind == Operand::Failed) return failed;
        if (x.misread == op) c_.report(messages::goes_on_from_other_end(x.where, submodel(), tree::word(op)));
        const bool px = x.kind == Operand::Path, py = y.kind == Operand::Path;
        const auto as_cut = [&](std::uint32_t part) { return Operand{Operand::Cut, part, none, where}; };
        const auto as_other_end = [&](std::uint32_t part) {
            return Operand{Operand::Cut, part, none, where, op};
        };
        const auto as_path = [&](std::uint32_t a, std::uint32_t b) {
            return Operand{Operand::Path, a, b, where};
        };
        switch (op) {
            case ConnectionOperator::At:
                if (px || py) {
                    c_.report(messages::cut_expected((px ? x : y).where, submodel(), "`at`"));
                    return failed;
                }
                join(x.a, y.a, where);
                return as_cut(y.a);
            case ConnectionOperator::To:
                join(px ? x.b : x.a, y.a, where);
                if (px && py) return as_path(x.a, y.b);
                if (py) return as_cut(y.b);
                return px ? as_other_end(x.a) : as_cut(y.a);
            case ConnectionOperator::From:
                join(x.a, py ? y.b : y.a, where);
                if (px && py) return as_path(y.a, x.b);
                if (py) return as_cut(y.a);
                return px ? as_other_end(x.b) : as_cut(y.a);
            case ConnectionOperator::Par:
            case ConnectionOperator::Loop:
                if (px != py || (op == ConnectionOperator::Loop && !px)) {
                    c_.report(messages::paths_expected((px ? y : x).where, submodel(), tree::word(op)));
                    return failed;
                }
                if (!px) {
                    join(x.a, y.a, where);
                    return as_cut(x.a);
                }
                join(x.a, op == ConnectionOperator::Par ? y.a : y.b, where);
                join(x.b, op == ConnectionOperator::Par ? y.b : y.a, where);
                return as_path(x.a, x.b);
            case ConnectionOperator::Reversed:
                break;
        }
        return failed;
    }

    Operand reversed(const Operand& x, Span where) {
        if (x.kind == Operand::Failed) return x;
        if (x.kind != Operand::Path) {
            c_.report(messages::paths_expected(x.where, submodel(), "reversed"));
            return {Operand::Failed, none, none, where};
        }
        return {Operand::Path, x.b, x.a, where};
    }

    // Chains `a to b to c …` are deep on the left and as long as the text: their spine is walked with a
    // stack.
    Operand evaluate(const ConnectionExpression& e, bool path_allowed) {
        std::vector<const ConnectionExpression*> spine;
        const ConnectionExpression* leftmost = &e;
        while (const auto* o = std::get_if<tree::ConnectionOperation>(&leftmost->what)) {
            spine.push_back(leftmost);
            leftmost = &o->operands.front();
        }
        bool allowed = path_allowed;
        if (!spine.empty())
            allowed = std::get<tree::ConnectionOperation>(spine.back()->what).op != ConnectionOperator::At;
        Operand value = primary(*leftmost, allowed);
        while (!spine.empty() && value.kind != Operand::Failed) {
            const ConnectionExpression& at = *spine.back();
            spine.pop_back();
            const auto& o = std::get<tree::ConnectionOperation>(at.what);
            if (o.op == ConnectionOperator::Reversed) {
                value = reversed(value, at.where);
            } else {
                const Operand right = evaluate(o.operands[1], o.op != ConnectionOperator::At);
                value = operate(o.op, value, right, at.where);
            }
        }
        return value;
    }

    Operand primary(const ConnectionExpression& e, bool path_allowed) {
        if (const auto* r = std::get_if<tree::Reference>(&e.what))
            return reference(*r, path_allowed, e.where);
        if (const auto* l = std::get_if<tree::ConnectionList>(&e.what)) return list(*l, e.where);
        if (const auto* p = std::get_if<tree::ConnectionPath>(&e.what)) return path_in_place(*p, e.where);
        c_.report(messages::cut_expected(e.where, submodel(), "a connection"));
        return {Operand::Failed, none, none, e.where};
    }

    Context& c_;
    Scope scope_;
    const tree::Connection& statement_;
};

}  // namespace

void evaluate_connections(Context& c) {
    for (std::size_t n = 0; n < c.instances.size(); ++n) {
        const InstanceIndex i(n);
        if (!c.instances[i].info) continue;
        for_each_statement(c, i, [&](const tree::Item& item, std::uint32_t loops) {
            if (const auto* statement = std::get_if<tree::Connection>(&item.what))
                Evaluator(c, i, loops, *statement).run();
        });
    }
}

}  // namespace cutset
