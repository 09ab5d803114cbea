#include "languages/modelica/cuts.h"

#include <algorithm>

#include "languages/modelica/expression_text.h"

namespace cutset::modelica {

using namespace tree;

std::string Shape::key() const {
    std::string out;
    for (const Element& e : elements) {
        if (!e.group.empty())
            out += "(" + e.group[0].key() + ")";
        else
            out += (e.role == Role::Across ? "a" : "t") + e.size;
    }
    return out;
}

namespace {

// A name alone, without indices.
const std::string* plain(const Reference& r) {
    return r.parts.size() == 1 && r.parts[0].indices.empty() ? &r.parts[0].name : nullptr;
}

// The cut of this model that a cut element names, if it does.
const std::string* own_cut(const PortElement& e, const Members& m) {
    const std::string* name = nullptr;
    if (const auto* v = std::get_if<PortVariable>(&e.what)) {
        name = plain(v->variable);
        if (name && m.variable.count(*name)) name = nullptr;
    } else if (const auto* r = std::get_if<PortReference>(&e.what)) {
        name = plain(r->port);
    }
    return name && m.port.count(*name) ? name : nullptr;
}

}  // namespace

Cuts::Cuts(const ClassTree& classes) {
    std::vector<const Class*> all;
    for (const auto& file : classes.files)
        for (const auto& c : file->classes) {
            top_.emplace(c->name, c.get());
            all.push_back(c.get());
        }
    for (std::size_t i = 0; i < all.size(); ++i) {
        collect(all[i]);
        for (const Class* nested : members_.at(all[i]).nested) all.push_back(nested);
    }
    // Submodels first, without recursion: how often models contain one another is up to the text.
    enum class Mark { New, Open, Done };
    std::unordered_map<const Class*, Mark> mark;
    for (const Class* root : all) {
        std::vector<const Class*> stack{root};
        while (!stack.empty()) {
            const Class* c = stack.back();
            Mark& m = mark[c];
            if (m == Mark::New) {
                m = Mark::Open;
                for (const auto& [name, component] : members_.at(c).components) {
                    const Class* type = find(component->type, c);
                    if (type && mark[type] == Mark::New) stack.push_back(type);
                }
            } else {
                stack.pop_back();
                if (mark[c] == Mark::Open) {
                    mark[c] = Mark::Done;
                    order_.push_back(c);
                    current_ = c;
                    infer(c);
                    for (const Members::OwnPort& p : members_.at(c).ports)
                        shapes_[p.port] = build(c, *p.port);
                    current_ = nullptr;
                }
            }
        }
    }
}

const Class* Cuts::find(const std::string& type, const Class* from) const {
    for (const Class* c = from; c; c = c->parent) {
        const auto m = members_.find(c);
        if (m == members_.end()) break;
        const auto it = m->second.classes.find(type);
        if (it != m->second.classes.end()) return it->second;
    }
    const auto it = top_.find(type);
    return it == top_.end() ? nullptr : it->second;
}

void Cuts::collect(const Class* c) {
    Members m;
    collect_items(c, c->items, m);
    // Cuts written in place at the ends of paths get connectors of their own.
    for (Port& p : m.made) {
        std::string name = p.name;
        while (m.port.count(name) || m.variable.count(name)) name += "_";
        p.name = name;
        m.port.emplace(name, m.ports.size());
        m.position.emplace(&p, m.ports.size());
        m.ports.push_back({&p, identifier(name), false});
    }
    for (auto& [end, position] : m.in_place) position = m.position.at(&m.made[position]);
    for (Members::OwnPort& p : m.ports) {
        const auto& body = p.port->body;
        p.grouping = body && !body->empty() &&
                     std::all_of(body->begin(), body->end(),
                                 [&](const PortElement& e) { return own_cut(e, m) != nullptr; });
        if (m.variable.count(p.port->name)) p.connector = identifier(p.port->name + "_cut");
    }
    members_[c] = std::move(m);
}

void Cuts::collect_items(const Class* c, const std::vector<Item>& items, Members& m) {
    const auto end = [&](const PathEnd& e, const std::string& name) {
        const auto* body = std::get_if<std::vector<PortElement>>(&e.what);
        if (!body) return;
        Port p;
        p.name = name;
        p.where = e.where;
        p.body = *body;
        m.in_place[&e] = m.made.size();
        m.made.push_back(std::move(p));
    };
    for (const Item& item : items) {
        if (const auto* v = std::get_if<VariableDeclaration>(&item.what)) {
            m.variables.push_back(v);
            m.variable.emplace(v->name, v);
        } else if (const auto* s = std::get_if<Component>(&item.what)) {
            m.components.emplace(s->name, s);
        } else if (const auto* p = std::get_if<Port>(&item.what)) {
            const std::string name = p->name.empty() ? "main_cut" : p->name;
            m.port.emplace(name, m.ports.size());
            m.position.emplace(p, m.ports.size());
            if (p->main) m.main_cut = m.ports.size();
            m.ports.push_back({p, identifier(name), false});
        } else if (const auto* path = std::get_if<Path>(&item.what)) {
            const std::string name = path->name.empty() ? "main" : path->name;
            m.paths.emplace(name, path);
            if (path->main) m.main_path = path;
            end(path->from, name + "_from");
            end(path->to, name + "_to");
        } else if (const auto* n = std::get_if<Connection>(&item.what)) {
            m.connections.push_back(n);
        } else if (const auto* k = std::get_if<std::shared_ptr<Class>>(&item.what)) {
            m.classes.emplace((*k)->name, k->get());
            m.nested.push_back(k->get());
        } else if (const auto* choice = std::get_if<StructureIf>(&item.what)) {
            for (const StructureBranch& b : choice->branches) collect_items(c, b.items, m);
        } else if (const auto* loop = std::get_if<StructureFor>(&item.what)) {
            collect_items(c, loop->items, m);
        }
    }
}

namespace {

// Beyond this a cut of cuts is left unknown: it is a mistake, or two cuts that contain one another.
constexpr std::size_t largest_cut = 10000;
constexpr int deepest_cut = 100;

}  // namespace

ShapePointer Cuts::shape(const Class* c, const Port& port) const {
    if (const auto it = shapes_.find(&port); it != shapes_.end()) return it->second;
    // A class that contains itself has no shapes to ask for.
    return c == current_ ? build(c, port) : nullptr;
}

ShapePointer Cuts::build(const Class* c, const Port& port) const {
    if (!port.body) {
        const auto it = inferred_.find(&port);
        return it == inferred_.end() ? nullptr : it->second;
    }
    const Members& m = members_.at(c);
    struct Builder {
        const Cuts& cuts;
        const Class* c;
        const Members& m;
        int depth = 0;
        std::size_t total = 0;
        std::optional<Shape> elements(const std::vector<PortElement>& list) {
            if (depth > deepest_cut) return std::nullopt;
            ++depth;
            std::optional<Shape> out = elements_inside(list);
            --depth;
            return out;
        }
        std::optional<Shape> elements_inside(const std::vector<PortElement>& list) {
            Shape out;
            for (const PortElement& e : list) {
                Shape::Element x;
                x.role = e.role;
                std::optional<Shape> group;
                if (const std::string* name = own_cut(e, m)) {
                    const Port& p = *m.ports[m.port.at(*name)].port;
                    if (p.body) {
                        group = elements(*p.body);
                    } else if (const ShapePointer known = cuts.shape(c, p)) {
                        group = *known;
                    }
                    if (!group) return std::nullopt;
                } else if (const auto* g = std::get_if<PortGroup>(&e.what)) {
                    group = elements(g->elements);
                    if (!group) return std::nullopt;
                } else if (const auto* r = std::get_if<PortReference>(&e.what)) {
                    group = of_submodel(r->port);
                    if (!group) return std::nullopt;
                } else if (const auto* v = std::get_if<PortVariable>(&e.what)) {
                    if (const std::string* name = plain(v->variable)) {
                        const auto it = m.variable.find(*name);
                        if (it != m.variable.end()) x.size = index_text(it->second->dimensions);
                    }
                }
                total += group ? group->weight : 1;
                if (total > largest_cut) return std::nullopt;
                if (group) {
                    out.weight += group->weight;
                    x.group.push_back(std::move(*group));
                } else {
                    ++out.weight;
                }
                out.elements.push_back(std::move(x));
            }
            return out;
        }
        std::optional<Shape> of_submodel(const Reference& r) {
            const Class* at = c;
            for (const ReferencePart& p : r.parts) {
                const Members& here = cuts.members(at);
                if (p.before == Separator::Cut || r.parts.size() == 1) {
                    const auto it = here.port.find(p.name);
                    if (it == here.port.end()) return std::nullopt;
                    // A submodel of the class itself has no shape yet, and never will.
                    const auto known = cuts.shapes_.find(here.ports[it->second].port);
                    if (known == cuts.shapes_.end() || !known->second) return std::nullopt;
                    return *known->second;
                }
                const auto it = here.components.find(p.name);
                if (it == here.components.end()) return std::nullopt;
                at = cuts.find(it->second->type, at);
                if (!at) return std::nullopt;
            }
            return std::nullopt;
        }
    } builder{*this, c, m};
    std::optional<Shape> out = builder.elements(*port.body);
    // The vector variable of an array of cuts gives one element to each.
    if (out && !port.dimensions.empty())
        for (Shape::Element& e : out->elements) e.size.clear();
    return out ? std::make_shared<const Shape>(std::move(*out)) : nullptr;
}

// Evaluates connection expressions by the table of operators: cuts and paths as values, joins as effects.
class Evaluator {
  public:
    Evaluator(const Cuts& cuts, const Class* c, const std::string& name, const Cuts::Join& join,
              const Cuts::Problem& problem)
        : cuts_(cuts), class_(c), name_(name), join_(join), problem_(problem) {}

    struct Value {
        std::vector<CutValue> ends;  // none, one (a cut) or two (a path)
    };

    Value operator()(const ConnectionExpression& e, bool path_wanted) {
        if (const auto* r = std::get_if<Reference>(&e.what)) return reference(*r, path_wanted);
        if (const auto* l = std::get_if<ConnectionList>(&e.what)) return list(*l);
        if (const auto* p = std::get_if<ConnectionPath>(&e.what)) return path(*p);
        if (const auto* v = std::get_if<ConnectionValue>(&e.what)) {
            CutValue c;
            c.value = v->value ? &*v->value : nullptr;
            c.dot = !v->value;
            return {{std::move(c)}};
        }
        return operation(std::get<ConnectionOperation>(e.what));
    }

  private:
    Value nothing(const std::string& why) {
        problem_(why);
        return {};
    }

    Value operation(const ConnectionOperation& o) {
        if (o.op == ConnectionOperator::Reversed) {
            Value v = (*this)(o.operands[0], true);
            if (v.ends.size() == 2) std::swap(v.ends[0], v.ends[1]);
            return v;
        }
        const bool paths = o.op != ConnectionOperator::At;
        Value a = (*this)(o.operands[0], paths), b = (*this)(o.operands[1], paths);
        const std::size_t m = a.ends.size(), n = b.ends.size();
        if (m == 0 || n == 0) return {};
        const auto first = [](Value& v) -> CutValue& { return v.ends.front(); };
        const auto last = [](Value& v) -> CutValue& { return v.ends.back(); };
        switch (o.op) {
            case ConnectionOperator::At:
                if (m != 1 || n != 1) return nothing("`at` joins cuts");
                join_(first(a), first(b));
                return b;
            case ConnectionOperator::To:
                join_(last(a), first(b));
                if (m == 2 && n == 2) return {{first(a), last(b)}};
                if (m == 1 && n == 2) return {{last(b)}};
                if (m == 2) return {{first(a)}};
                return {};
            case ConnectionOperator::From:
                join_(first(a), last(b));
                if (m == 2 && n == 2) return {{first(b), last(a)}};
                if (m == 1 && n == 2) return {{first(b)}};
                if (m == 2) return {{last(a)}};
                return {};
            case ConnectionOperator::Par:
                if (m != n) return nothing("`par` joins two paths or two cuts");
                join_(first(a), first(b));
                if (m == 2) join_(last(a), last(b));
                return a;
            case ConnectionOperator::Loop:
                if (m != 2 || n != 2) return nothing("`loop` joins two paths");
                join_(first(a), last(b));
                join_(last(a), first(b));
                return a;
            default:
                return {};
        }
    }

    CutValue port(const Class* c, const std::string& prefix, std::size_t position, const std::string& index) {
        const Members& m = cuts_.members(c);
        const Members::OwnPort& p = m.ports[position];
        CutValue out;
        if (p.grouping && depth_ < deepest_cut && expanded_ < largest_cut) {
            ++depth_;
            ++expanded_;
            out.list = true;
            for (const PortElement& e : *p.port->body) {
                out.parts.push_back(port(c, prefix, m.port.at(*own_cut(e, m)), ""));
                out.roles.push_back(Role::Across);
            }
            --depth_;
            return out;
        }
        out.path = prefix + p.connector + index;
        out.shape = cuts_.shape(c, *p.port);
        if (!p.port->body && c == class_) out.open = p.port;
        return out;
    }

    std::optional<CutValue> end(const Class* c, const std::string& prefix, const PathEnd& e) {
        const Members& m = cuts_.members(c);
        if (const auto it = m.in_place.find(&e); it != m.in_place.end())
            return port(c, prefix, it->second, "");
        if (const auto* r = std::get_if<Reference>(&e.what)) return cut_of(c, prefix, *r);
        return std::nullopt;
    }

    // A cut of the class, or of a submodel of it.
    std::optional<CutValue> cut_of(const Class* c, std::string prefix, const Reference& r) {
        for (std::size_t i = 0; i < r.parts.size(); ++i) {
            const ReferencePart& p = r.parts[i];
            const Members& m = cuts_.members(c);
            if (i + 1 == r.parts.size()) {
                const auto it = m.port.find(p.name);
                if (it == m.port.end()) return std::nullopt;
                return port(c, prefix, it->second, index_text(p.indices));
            }
            const auto it = m.components.find(p.name);
            if (it == m.components.end()) return std::nullopt;
            prefix += identifier(p.name) + index_text(p.indices) + ".";
            c = cuts_.find(it->second->type, c);
            if (!c) return std::nullopt;
        }
        return std::nullopt;
    }

    Value path_of(const Class* c, const std::string& prefix, const Path& p) {
        auto from = end(c, prefix, p.from), to = end(c, prefix, p.to);
        if (!from || !to) return nothing("an end of the path `" + p.name + "` is not known");
        return {{std::move(*from), std::move(*to)}};
    }

    // A submodel stands for its main path where a path may stand, else for its main cut; under `connect
    // (name)` for what has that name.
    Value submodel(const Class* c, const std::string& prefix, bool path_wanted) {
        const Members& m = cuts_.members(c);
        const Path* path = m.main_path;
        std::optional<std::size_t> cut = m.main_cut;
        if (!name_.empty()) {
            const auto p = m.paths.find(name_);
            const auto q = m.port.find(name_);
            path = p == m.paths.end() ? nullptr : p->second;
            cut.reset();
            if (q != m.port.end()) cut = q->second;
        }
        if (path && (path_wanted || !cut)) return path_of(c, prefix, *path);
        if (cut) return {{port(c, prefix, *cut, "")}};
        return nothing("`" + prefix.substr(0, prefix.empty() ? 0 : prefix.size() - 1) +
                       "` has no main path and no main cut");
    }

    Value reference(const Reference& r, bool path_wanted) {
        const Class* c = class_;
        std::string prefix;
        for (std::size_t i = 0; i < r.parts.size(); ++i) {
            const ReferencePart& p = r.parts[i];
            const Members& m = cuts_.members(c);
            const bool last = i + 1 == r.parts.size();
            const auto component = m.components.find(p.name);
            const bool may_be_submodel = p.before == Separator::None || p.before == Separator::Submodel;
            if (component != m.components.end() && may_be_submodel) {
                const Class* type = cuts_.find(component->second->type, c);
                if (!type) return nothing("the model type `" + component->second->type + "` is not known");
                prefix += identifier(p.name) + index_text(p.indices) + ".";
                c = type;
                if (last) return submodel(c, prefix, path_wanted);
                continue;
            }
            if (!last) return nothing("`" + p.name + "` is not a submodel");
            if (p.before != Separator::Cut)
                if (const auto it = m.paths.find(p.name);
                    it != m.paths.end() && (path_wanted || !m.port.count(p.name)))
                    return path_of(c, prefix, *it->second);
            if (const auto it = m.port.find(p.name); it != m.port.end())
                return {{port(c, prefix, it->second, index_text(p.indices))}};
            if (m.variable.count(p.name) && prefix.empty()) {
                CutValue v;  // a variable in a temporary cut
                v.value_text = reference_text(r);
                return {{std::move(v)}};
            }
        }
        return nothing("`" + reference_text(r) + "` is not a submodel, cut, node or path");
    }

    Value list(const ConnectionList& l) {
        CutValue out;
        out.list = true;
        for (std::size_t i = 0; i < l.parts.size(); ++i) {
            Value v = (*this)(l.parts[i], false);
            if (v.ends.empty()) return {};
            // A part that is a path takes part with its first cut, where the flow comes in.
            out.parts.push_back(std::move(v.ends.front()));
            out.roles.push_back(i < l.roles.size() ? l.roles[i] : Role::Across);
        }
        return {{std::move(out)}};
    }

    Value path(const ConnectionPath& p) {
        const Class* c = class_;
        std::string prefix;
        if (!p.of.parts.empty()) {
            for (const ReferencePart& part : p.of.parts) {
                const auto it = cuts_.members(c).components.find(part.name);
                if (it == cuts_.members(c).components.end())
                    return nothing("`" + part.name + "` is not a submodel");
                prefix += identifier(part.name) + index_text(part.indices) + ".";
                c = cuts_.find(it->second->type, c);
                if (!c) return nothing("the model type `" + it->second->type + "` is not known");
            }
        }
        Value out;
        for (const ConnectionExpression& e : p.ends) {
            if (c == class_ && prefix.empty()) {
                Value v = (*this)(e, false);
                if (v.ends.size() != 1) return nothing("the ends of a path are cuts");
                out.ends.push_back(std::move(v.ends[0]));
                continue;
            }
            const auto inside = [&](const ConnectionExpression& x) -> std::optional<CutValue> {
                const auto* r = std::get_if<Reference>(&x.what);
                return r ? cut_of(c, prefix, *r) : std::nullopt;
            };
            if (const auto* l = std::get_if<ConnectionList>(&e.what)) {
                CutValue group;
                group.list = true;
                for (const ConnectionExpression& x : l->parts) {
                    auto cut = inside(x);
                    if (!cut) return nothing("the ends of a path are cuts");
                    group.parts.push_back(std::move(*cut));
                    group.roles.push_back(Role::Across);
                }
                out.ends.push_back(std::move(group));
            } else if (auto cut = inside(e)) {
                out.ends.push_back(std::move(*cut));
            } else {
                return nothing("the ends of a path are cuts");
            }
        }
        return out;
    }

    const Cuts& cuts_;
    const Class* class_;
    const std::string& name_;
    const Cuts::Join& join_;
    const Cuts::Problem& problem_;
    int depth_ = 0;
    std::size_t expanded_ = 0;
};

void Cuts::evaluate(const Class* c, const Connection& connection, const Join& join,
                    const Problem& problem) const {
    Evaluator evaluator(*this, c, connection.name, join, problem);
    for (const ConnectionExpression& e : connection.expressions) evaluator(e, true);
}

// Open cuts take the structure of what they are joined to. Between open cuts it spreads along the joins; a
// second and third round serve lists whose parts became known in the round before.
void Cuts::infer(const Class* c) {
    const Members& m = members_.at(c);
    if (std::all_of(m.ports.begin(), m.ports.end(),
                    [](const Members::OwnPort& p) { return p.port->body.has_value(); }))
        return;
    std::unordered_map<const Port*, std::vector<const Port*>> joined;
    std::vector<const Port*> fresh;
    const auto known = [](const CutValue& v) -> ShapePointer {
        if (!v.list) return v.shape;
        Shape out;
        for (const CutValue& part : v.parts) {
            if (!part.shape) return nullptr;
            Shape::Element e;
            out.weight += part.shape->weight;
            if (out.weight > largest_cut) return nullptr;
            e.group.push_back(*part.shape);
            out.elements.push_back(std::move(e));
        }
        return std::make_shared<const Shape>(std::move(out));
    };
    const auto teach = [&](const CutValue& from, const CutValue& to) {
        if (!to.open) return;
        if (from.open) joined[from.open].push_back(to.open);
        if (inferred_.count(to.open)) return;
        if (ShapePointer s = known(from)) {
            inferred_.emplace(to.open, std::move(s));
            fresh.push_back(to.open);
        }
    };
    const Join learn = [&](const CutValue& a, const CutValue& b) {
        teach(a, b);
        teach(b, a);
        const CutValue& l = a.list ? a : b;
        const CutValue& other = a.list ? b : a;
        if (!l.list) return;
        for (std::size_t i = 0; i < l.parts.size(); ++i) {
            if (other.list) {
                if (i >= other.parts.size()) break;
                teach(other.parts[i], l.parts[i]);
                teach(l.parts[i], other.parts[i]);
            } else if (other.shape && i < other.shape->elements.size() &&
                       !other.shape->elements[i].group.empty()) {
                CutValue part;
                part.shape = std::make_shared<const Shape>(other.shape->elements[i].group[0]);
                teach(part, l.parts[i]);
            }
        }
    };
    const Problem ignore = [](const std::string&) {};
    for (int round = 0; round < 3; ++round) {
        joined.clear();
        for (const Connection* connection : m.connections) evaluate(c, *connection, learn, ignore);
        if (fresh.empty()) break;
        while (!fresh.empty()) {
            const Port* p = fresh.back();
            fresh.pop_back();
            const auto it = joined.find(p);
            if (it == joined.end()) continue;
            const ShapePointer s = inferred_.at(p);
            for (const Port* q : it->second)
                if (inferred_.emplace(q, s).second) fresh.push_back(q);
        }
    }
}

}  // namespace cutset::modelica
