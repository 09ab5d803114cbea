#include "objects/connections.h"

#include <algorithm>
#include <span>

#include "flat/flat_builder.h"
#include "flat/shape_text.h"
#include "objects/instance_messages.h"
#include "objects/instance_scope.h"
#include "objects/iterators.h"
#include "objects/lookup.h"
#include "objects/rule_messages.h"

namespace cutset::objects {

namespace {

bool is_connector(const ClassInstance& type) {
    if (type.is_builtin())  // connector RealInput = input Real
        return type.text && (type.text->kind == object::ClassKind::Connector ||
                             std::any_of(type.bases.begin(), type.bases.end(),
                                         [](const Base& b) { return is_connector(*b.type); }));
    return type.text->kind == object::ClassKind::Connector ||
           type.text->kind == object::ClassKind::ExpandableConnector;
}

bool is_variable(const ComponentInstance& c) {
    return c.prefixes.variability != object::Variability::Parameter &&
           c.prefixes.variability != object::Variability::Constant;
}

bool holds_connection(const std::vector<object::Equation>& equations,
                      std::unordered_map<const void*, bool>& known) {
    const auto inside = [&](const object::Equation& e) {
        const auto branches = [&](const std::vector<object::EquationBranch>& list) {
            return std::any_of(list.begin(), list.end(), [&](const object::EquationBranch& b) {
                return holds_connection(b.body, known);
            });
        };
        if (std::holds_alternative<object::ConnectEquation>(e.what)) return true;
        if (const auto* call = std::get_if<object::CallEquation>(&e.what))
            return call->call.name.parts.size() == 2 && call->call.name.parts[0].name == "Connections";
        if (const auto* loop = std::get_if<object::ForEquation>(&e.what))
            return holds_connection(loop->body, known);
        if (const auto* choice = std::get_if<object::IfEquation>(&e.what)) return branches(choice->branches);
        return false;
    };
    bool any = false;
    for (const object::Equation& e : equations) {
        const auto it = known.find(&e);
        const bool found = it != known.end() ? it->second : (known[&e] = inside(e));
        any = any || found;
    }
    return any;
}

std::string without_blanks(std::string_view text) {
    std::string out;
    for (const char ch : text)
        if (!std::isspace(static_cast<unsigned char>(ch))) out += ch;
    return out;
}

}  // namespace

Connections::Connections(Instances& instances)
    : instances_(instances), evaluator_(instances.evaluator()), model_(instances.evaluator().model()) {}

void Connections::report(Diagnostic d, InstanceIndex instance) {
    if (d.submodel.empty()) d.submodel = model_.path(instance);
    evaluator_.diagnostics().report(std::move(d));
}

// ---- collecting

void Connections::collect(Walked& walked) {
    const bool expandable = std::any_of(walked.instances.begin(), walked.instances.end(),
                                        [](const ComponentInstance* c) { return is_expandable(*c->type); });
    if (expandable) {
        expanding_ = true;
        visit_all(walked.declarations);
        add_members(walked);
        expanding_ = false;
    }
    visit_all(walked.declarations);
    settle_graph();
}

void Connections::visit_all(const Declarations& declarations) {
    for (const DeclaredSections& s : declarations.sections)
        for (const auto& [section, scope] : s.equations) {
            if (section->initial || !holds_connection(section->equations, has_connections_)) continue;
            Frame frame{*scope, Reading::Constant};
            visit(section->equations, frame, Origin{s.instance, {}});
        }
}

void Connections::visit(const std::vector<object::Equation>& equations, Frame& frame, Origin origin) {
    for (const object::Equation& e : equations) {
        if (!has_connections_[&e]) continue;
        origin.where = e.where;
        try {
            if (const auto* c = std::get_if<object::ConnectEquation>(&e.what)) {
                if (expanding_)
                    note_members(*c, frame);
                else
                    join(*c, frame, origin);
            } else if (const auto* call = std::get_if<object::CallEquation>(&e.what)) {
                if (!expanding_) graph_call(call->call, frame);
            } else if (const auto* loop = std::get_if<object::ForEquation>(&e.what)) {
                visit_loop(*loop, 0, frame, origin);
            } else if (const auto* choice = std::get_if<object::IfEquation>(&e.what)) {
                for (const object::EquationBranch& b : choice->branches) {
                    if (b.condition && !evaluator_.truth(*b.condition, frame)) continue;
                    holds_connection(b.body, has_connections_);
                    visit(b.body, frame, origin);
                    break;
                }
            }
        } catch (Refused& refused) {
            // What is wrong is met again when all is joined.
            if (!expanding_) report(std::move(refused.diagnostic), origin.instance);
        }
    }
}

void Connections::visit_loop(const object::ForEquation& loop, std::size_t iterator, Frame& frame,
                             Origin origin) {
    if (iterator == loop.iterators.size()) {
        holds_connection(loop.body, has_connections_);
        visit(loop.body, frame, origin);
        return;
    }
    const object::Iterator& i = loop.iterators[iterator];
    for (Value& v : iterator_values(evaluator_, i, LoopBody(loop.body), frame)) {
        frame.locals.push_back({i.name, std::move(v)});
        visit_loop(loop, iterator + 1, frame, origin);
        frame.locals.pop_back();
    }
}

bool Connections::is_broken(const object::ConnectEquation& c, const Place& place) const {
    const auto text = [&](const object::Expression& e) {
        return without_blanks(evaluator_.sources().text(e.where));
    };
    for (const auto& [pair, base] : place.instance->type->broken_connections) {
        const std::string a = text((*pair)[0]), b = text((*pair)[1]);
        const std::string left = text(c.left), right = text(c.right);
        if ((left == a && right == b) || (left == b && right == a)) return true;
    }
    return false;
}

void Connections::join(const object::ConnectEquation& c, Frame& frame, Origin origin) {
    if (is_broken(c, place_of(frame.scope))) return;
    const Side left = side(c.left, frame), right = side(c.right, frame);
    if (left.absent || right.absent) return;
    if (left.sizes != right.sizes)
        throw Refused{messages::connected_sizes(origin.where, left.text, shape_text(left.sizes), right.text,
                                                shape_text(right.sizes))};
    for (std::size_t k = 0; k < left.parts.size(); ++k) {
        const Part &a = left.parts[k], &b = right.parts[k];
        ++cardinality_[a.component];
        ++cardinality_[b.component];
        if (a.number || b.number) {
            join_variables(*a.component, a.number.value_or(0), left.outside, *b.component,
                           b.number.value_or(0), right.outside, origin);
        } else {
            join_components(*a.component, left.outside, *b.component, right.outside, origin);
        }
    }
}

Connections::Side Connections::side(const object::Expression& e, Frame& frame, bool for_graph) {
    Side side;
    side.for_graph = for_graph;
    side.text = evaluator_.sources().text(e.where);
    if (e.kind != object::ExpressionKind::Name)
        throw Refused{messages::not_a_connector(e.where, side.text, "an expression")};
    InstanceTree& tree = instances_.tree();
    const object::Name& name = e.name;
    const Found f = find_simple(tree, name.parts[0].name, place_of(frame.scope));
    if (!f.element || !f.element->component)
        throw Refused{messages::unknown_name(e.where, side.text, name.parts[0].name,
                                             place_of(frame.scope).in->path, "")};
    ComponentInstance& declared = tree.child(*f.owner, *f.element);
    ComponentInstance& first = tree.resolve_outer(declared);
    side.outside = &first == &declared && is_connector(*first.type);
    std::vector<std::size_t> kept;
    if (!for_graph && is_modelica(first)) refuse_deep(first, name, side.text);
    add_parts(first, name.parts, frame, side, kept);
    for (const std::size_t n : kept) side.sizes.push_back(static_cast<std::uint32_t>(n));
    return side;
}

// A connector of a component is joined, not one of a component in a component.
void Connections::refuse_deep(const ComponentInstance& first, const object::Name& name,
                              const std::string& text) const {
    if (name.parts.size() < 3 || first.type->is_builtin() || is_connector(*first.type)) return;
    const std::uint32_t* number = first.type->names.find(name.parts[1].name);
    const auto& types = first.type->component_types;
    const ClassInstance* second = number && *number < types.size() ? types[*number] : nullptr;
    if (second && !second->is_builtin() && !is_connector(*second))
        throw Refused{messages::not_a_connector(name.parts[1].where, text, second->path)};
}

// The connectors that a name with indices means, the last index fastest; `kept` gets the sizes of the
// dimensions that stay.
void Connections::add_parts(ComponentInstance& c, std::span<const object::NamePart> parts, Frame& frame,
                            Side& side, std::vector<std::size_t>& kept) {
    const object::NamePart& part = parts[0];
    if (!instances_.is_present(c)) {
        side.absent = true;
        return;
    }
    // A variable of a bus is as good as a connector.
    const bool in_bus = c.parent && is_expandable(*c.parent->type);
    if (parts.size() == 1 && !is_connector(*c.type) &&
        !(instances_.has_value(*c.type) && (in_bus || side.for_graph || !is_modelica(c))))
        throw Refused{messages::not_a_connector(part.where, side.text, c.type->path)};
    const Dimensions& sizes = instances_.dimensions(c);
    std::vector<IndexChoice> choices = evaluator_.indices(part.indices, sizes, frame);
    std::vector<std::vector<std::uint32_t>> positions(sizes.size());
    std::size_t total = 1;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
        const bool all = k >= choices.size();
        if (all)
            for (std::uint32_t i = 1; i <= sizes[k]; ++i) positions[k].push_back(i);
        else if (choices[k].varying)
            throw Refused{messages::varies(part.where, "the index", "a variable")};
        else
            positions[k] = choices[k].positions;
        if (all || choices[k].keeps) kept.push_back(positions[k].size());
        total *= positions[k].size();
    }
    std::vector<std::size_t> kept_inside;
    for (std::size_t n = 0; n < total; ++n) {
        std::size_t element = 0, at = n, block = total;
        for (std::size_t k = 0; k < sizes.size(); ++k) {
            block /= positions[k].size();
            element = element * sizes[k] + positions[k][at / block] - 1;
            at %= block;
        }
        kept_inside.clear();
        if (c.type->is_builtin()) {
            side.parts.push_back({&c, static_cast<std::uint32_t>(element)});
            continue;
        }
        ComponentInstance& one = sizes.empty() ? c : instances_.tree().array_element(c, element);
        if (parts.size() == 1) {
            side.parts.push_back({&one, std::nullopt});
            continue;
        }
        const Element* e = instances_.tree().find(*one.type, parts[1].name);
        ComponentInstance* added = instances_.added(one, parts[1].name);
        if (!added && (!e || !e->component)) {
            std::vector<std::string> connectors;
            for (const Element& other : one.type->elements)
                if (other.component && is_connector(*instances_.tree().child(one, other).type))
                    connectors.emplace_back(other.name);
            throw Refused{messages::unknown_connector(parts[1].where, side.text, parts[1].name,
                                                      one.type->path, nearest_name(parts[1].name, connectors),
                                                      connectors)};
        }
        add_parts(added ? *added : instances_.tree().child(one, *e), parts.subspan(1), frame, side,
                  kept_inside);
        if (side.absent) return;
    }
    kept.insert(kept.end(), kept_inside.begin(), kept_inside.end());
}

bool Connections::is_overdetermined(ClassInstance& type) {
    if (type.is_builtin() && !type.text) return false;
    const Element* e = instances_.tree().find(type, "equalityConstraint");
    return e && e->declared;
}

// Arrays inside of connectors go element by element.
void Connections::join_whole(ComponentInstance& a, bool a_outside, ComponentInstance& b, bool b_outside,
                             Origin origin) {
    const Dimensions &x = instances_.dimensions(a), &y = instances_.dimensions(b);
    if (x != y)
        throw Refused{messages::connected_sizes(origin.where, instances_.path(a), shape_text(x),
                                                instances_.path(b), shape_text(y))};
    const auto n = static_cast<std::uint32_t>(count(x));
    if (a.type->is_builtin() && b.type->is_builtin()) {
        for (std::uint32_t k = 0; k < n; ++k) join_variables(a, k, a_outside, b, k, b_outside, origin);
        return;
    }
    if (x.empty()) return join_components(a, a_outside, b, b_outside, origin);
    for (std::uint32_t k = 0; k < n; ++k)
        join_components(instances_.tree().array_element(a, k), a_outside,
                        instances_.tree().array_element(b, k), b_outside, origin);
}

void Connections::join_components(ComponentInstance& a, bool a_outside, ComponentInstance& b, bool b_outside,
                                  Origin origin) {
    const auto differ = [&](const std::string& how) {
        throw Refused{messages::connectors_differ(origin.where, instances_.path(a), instances_.path(b), how,
                                                  a.declared->where, b.declared->where)};
    };
    if (a.type->is_builtin() != b.type->is_builtin())
        differ("one is a single variable, the other has several");
    if (a.type->is_builtin()) return join_whole(a, a_outside, b, b_outside, origin);
    if (is_expandable(*a.type) && is_expandable(*b.type))
        return join_buses(a, a_outside, b, b_outside, origin);
    if (is_expandable(*a.type) || is_expandable(*b.type))
        differ("one is an expandable connector, the other is not");
    if (is_overdetermined(*a.type) && is_overdetermined(*b.type) && !settled_) {
        graph_.add_connection({&a, &b, a_outside, b_outside, origin});
        return;
    }
    InstanceTree& tree = instances_.tree();
    if (a.type->text->language != b.type->text->language && join_in_order(a, a_outside, b, b_outside, origin))
        return;
    const auto missing = [&](ComponentInstance& in, ComponentInstance& from) {
        for (const Element& e : from.type->elements) {
            if (!e.component || e.broken) continue;
            const Element* other = tree.find(*in.type, e.name);
            if (!other || !other->component) differ(instances_.path(in) + " has no " + std::string(e.name));
        }
    };
    missing(b, a);
    missing(a, b);
    for (std::size_t k = 0; k < a.type->elements.size(); ++k) {
        const Element& e = a.type->elements[k];
        if (!e.component || e.broken) continue;
        ComponentInstance& x = tree.child(a, e);
        ComponentInstance& y = tree.child(b, *tree.find(*b.type, e.name));
        if (!instances_.is_present(x) || !instances_.is_present(y)) continue;
        if (!settled_ && x.type->is_builtin() && is_overdetermined(*x.type) && is_overdetermined(*y.type))
            graph_.add_connection({&x, &y, a_outside, b_outside, origin});
        else
            join_whole(x, a_outside, y, b_outside, origin);
    }
}

// Connectors of two languages, whose variables have other names: the first across variable of the one with
// the first of the other, and so on, and likewise what flows. False where the names agree, or the numbers do
// not.
bool Connections::join_in_order(ComponentInstance& a, bool a_outside, ComponentInstance& b, bool b_outside,
                                Origin origin) {
    InstanceTree& tree = instances_.tree();
    const auto variables = [&](ComponentInstance& c, bool flow) {
        std::vector<ComponentInstance*> out;
        for (std::size_t k = 0; k < c.type->elements.size(); ++k) {
            const Element& e = c.type->elements[k];
            if (!e.component || e.broken) continue;
            ComponentInstance& inner = tree.child(c, e);
            if (is_variable(inner) && (inner.prefixes.flow != object::Flow::None) == flow)
                out.push_back(&inner);
        }
        return out;
    };
    const auto names_agree = [&] {
        for (const Element& e : a.type->elements)
            if (e.component && !e.broken && !tree.find(*b.type, e.name)) return false;
        return true;
    };
    if (names_agree()) return false;
    for (const bool flow : {false, true})
        if (variables(a, flow).size() != variables(b, flow).size()) return false;
    for (const bool flow : {false, true}) {
        const auto x = variables(a, flow), y = variables(b, flow);
        for (std::size_t k = 0; k < x.size(); ++k) join_whole(*x[k], a_outside, *y[k], b_outside, origin);
    }
    return true;
}

// Causal variables join causal ones, parameters and constants such of equal values (MLS 9.3).
void Connections::check_prefixes(ComponentInstance& a, std::uint32_t a_number, ComponentInstance& b,
                                 std::uint32_t b_number, Origin origin) {
    const auto differ = [&](const std::string& how) {
        throw Refused{messages::connectors_differ(origin.where, instances_.path(a), instances_.path(b), how,
                                                  a.declared->where, b.declared->where)};
    };
    const auto fixed = [](const ComponentInstance& c) {
        return c.prefixes.variability >= object::Variability::Parameter ? c.prefixes.variability
                                                                        : object::Variability::None;
    };
    if (fixed(a) != fixed(b)) differ("one is a parameter or constant, the other is not, or another one");
    const auto causal = [](const ComponentInstance& c) {
        return c.prefixes.causality != object::Causality::None;
    };
    const auto in_bus = [](const ComponentInstance& c) { return c.parent && is_expandable(*c.parent->type); };
    if (causal(a) != causal(b) && !in_bus(a) && !in_bus(b))
        differ("one is an input or output, the other is not");
    if (is_variable(a)) return;
    bool other_value = false;
    try {
        const Value x = instances_.value(a, Reading::Symbolic, origin.where);
        const Value y = instances_.value(b, Reading::Symbolic, origin.where);
        if (fixed(a) != object::Variability::Constant || !x.has_exprs()) return;
        other_value = x.expr(a_number)->is_number() && y.expr(b_number)->is_number() &&
                      x.expr(a_number)->number != y.expr(b_number)->number;
    } catch (const Refused&) {
        return;  // one has no value, and is told so elsewhere
    }
    if (other_value) differ("they are constants of different values");
}

void Connections::join_variables(ComponentInstance& a, std::uint32_t a_number, bool a_outside,
                                 ComponentInstance& b, std::uint32_t b_number, bool b_outside,
                                 Origin origin) {
    const auto differ = [&](const std::string& how) {
        throw Refused{messages::connectors_differ(origin.where, instances_.path(a), instances_.path(b), how,
                                                  a.declared->where, b.declared->where)};
    };
    if (!a.type->is_builtin() || !b.type->is_builtin())
        differ("one is a single variable, the other has several");
    if (a.prefixes.flow != b.prefixes.flow) differ("one is a flow or stream variable, the other is not");
    const Builtin x = a.type->builtin, y = b.type->builtin;
    const auto number = [](Builtin t) { return t == Builtin::Real || t == Builtin::Integer; };
    if (x != y && !(number(x) && number(y) && !is_modelica(a))) differ("their types differ");
    if (is_modelica(a) && is_modelica(b)) check_prefixes(a, a_number, b, b_number, origin);
    if (!is_variable(a) || !is_variable(b) || !a.variable || !b.variable) return;
    const Kind kind = a.prefixes.flow == object::Flow::Flow     ? Kind::Flow
                      : a.prefixes.flow == object::Flow::Stream ? Kind::Stream
                                                                : Kind::Potential;
    const VariableIndex va(a.variable->value + a_number), vb(b.variable->value + b_number);
    note_source(a, a_number, a_outside);
    note_source(b, b_number, b_outside);
    if (kind == Kind::Potential) a_outside = b_outside = false;
    const std::uint32_t m = node(va, a_outside, kind, origin);
    const std::uint32_t n = node(vb, b_outside, kind, origin);
    if (kind == Kind::Stream)
        for (auto* c : {&a, &b}) {
            const std::uint32_t first = c->variable->value;
            const std::uint32_t k = c == &a ? a_number : b_number;
            for (const auto& sibling : c->parent->children)
                if (sibling && sibling->variable && sibling->prefixes.flow == object::Flow::Flow)
                    stream_flow_.emplace(first + k, *sibling->variable);
        }
    if (!sets_.join(m, n)) return;
    if (kind == Kind::Potential) joints_.push_back({va, vb, origin.instance});
}

std::uint32_t Connections::node(VariableIndex v, bool outside, Kind kind, Origin origin) {
    const std::uint64_t key = std::uint64_t{v.value} * 2 + (outside ? 1 : 0);
    const auto [it, added] = node_of_.emplace(key, static_cast<std::uint32_t>(nodes_.size()));
    if (added) {
        nodes_.push_back({v, outside, kind, origin});
        sets_.add();
    }
    return it->second;
}

// In the order in which their first variables were connected.
std::vector<std::vector<std::uint32_t>> Connections::sets() {
    std::vector<std::vector<std::uint32_t>> out;
    std::unordered_map<std::uint32_t, std::size_t> set_of;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
        const auto [it, added] = set_of.emplace(sets_.root(n), out.size());
        if (added) out.emplace_back();
        out[it->second].push_back(n);
    }
    return out;
}

// ---- overconstrained connectors

ComponentInstance* Connections::graph_node(const object::Expression& e, Frame& frame) {
    const Side s = side(e, frame, true);
    if (s.absent) return nullptr;
    // A type such as Real[3, 3] with equalityConstraint is one node.
    if (!s.parts.empty() && s.parts[0].number && is_overdetermined(*s.parts[0].component->type) &&
        s.parts.size() == count(instances_.dimensions(*s.parts[0].component)))
        return s.parts[0].component;
    if (s.parts.size() != 1 || s.parts[0].number)
        throw Refused{messages::not_a_connector(e.where, s.text, "an array")};
    return s.parts[0].component;
}

bool Connections::graph_call(const object::Expression& call, Frame& frame) {
    const object::Name& name = call.name;
    if (name.parts.size() != 2 || name.parts[0].name != "Connections") return false;
    const std::string& what = name.parts[1].name;
    if (call.arguments.empty()) return false;
    ComponentInstance* a = graph_node(call.arguments[0], frame);
    if (what == "branch") {
        ComponentInstance* b = call.arguments.size() > 1 ? graph_node(call.arguments[1], frame) : nullptr;
        if (a && b) graph_.add_branch(*a, *b);
    } else if (what == "root") {
        if (a) graph_.add_root(*a);
    } else if (what == "potentialRoot") {
        const object::Expression* priority = call.arguments.size() > 1 ? &call.arguments[1] : nullptr;
        for (const object::NamedArgument& n : call.named)
            if (n.name == "priority") priority = &*n.value;
        if (a) graph_.add_potential_root(*a, priority ? evaluator_.integer(*priority, frame) : 0);
    } else {
        return false;
    }
    return true;
}

bool Connections::connections_call(const object::Expression& call, Frame&) {
    const object::Name& name = call.name;
    if (name.parts.size() != 2 || name.parts[0].name != "Connections") return false;
    const std::string& what = name.parts[1].name;
    return what == "branch" || what == "root" || what == "potentialRoot";
}

void Connections::settle_graph() {
    graph_.settle();
    settled_ = true;
    for (const GraphEdge& e : graph_.kept()) {
        try {
            join_whole(*e.a, e.a_outside, *e.b, e.b_outside, e.origin);
        } catch (Refused& refused) {
            report(std::move(refused.diagnostic), e.origin.instance);
        }
    }
}

// 0 = equalityConstraint(a, b)
void Connections::add_constraint(const GraphEdge& edge) {
    const Element* e = instances_.tree().find(*edge.a->type, "equalityConstraint");
    ClassInstance& function = instances_.tree().class_of(instances_.tree().self(*edge.a->type), *e);
    const std::shared_ptr<Scope> scope = instances_.scope(Place{edge.a, edge.a->type});
    Frame frame{*scope};
    std::vector<Value> arguments;
    for (ComponentInstance* c : {edge.a, edge.b})
        arguments.push_back(instances_.value(*c, Reading::Symbolic, edge.origin.where));
    const std::vector<Value> results =
        evaluator_.call(instances_.callable(function), std::move(arguments), {}, frame, edge.origin.where);
    if (results.empty()) return;
    for (std::size_t k = 0; k < results[0].size(); ++k)
        model_.equations.add({model_.pool->number(0), results[0].expr(k), edge.origin, EquationKind::Across});
}

// ---- what calls ask

std::optional<Value> Connections::answer(const object::Expression& call, Place, Frame& frame) {
    const object::Name& name = call.name;
    if (name.parts.empty() || call.arguments.empty()) return std::nullopt;
    const std::string& first = name.parts[0].name;
    if (name.parts.size() == 2 && first == "Connections") {
        const std::string& what = name.parts[1].name;
        if (what != "isRoot" && what != "rooted") return std::nullopt;
        ComponentInstance* c = graph_node(call.arguments[0], frame);
        const bool is = c && (what == "isRoot" ? graph_.is_root(*c) : graph_.is_rooted(*c));
        return Value(Basic::Boolean, Scalar(evaluator_.pool().truth(is)));
    }
    if (name.parts.size() != 1) return std::nullopt;
    if (first == "rooted") {
        ComponentInstance* c = graph_node(call.arguments[0], frame);
        return Value(Basic::Boolean, Scalar(evaluator_.pool().truth(c && graph_.is_rooted(*c))));
    }
    if (first == "cardinality") {
        const Side s = side(call.arguments[0], frame);
        const auto it = s.parts.empty() ? cardinality_.end() : cardinality_.find(s.parts[0].component);
        const double n = it == cardinality_.end() ? 0 : it->second;
        return Value(Basic::Integer, Scalar(evaluator_.pool().number(n)));
    }
    if (first != "inStream" && first != "actualStream") return std::nullopt;
    Value v = evaluator_.evaluate(call.arguments[0], frame);
    for (Scalar& s : v.elements) {
        const Expr* e = std::get_if<Expr>(&s);
        if (!e || (*e)->op != Op::Variable)
            throw Refused{
                messages::not_a_variable(call.where, first, "called with what is no stream variable")};
        const VariableIndex stream = (*e)->variable();
        const Expr in = in_stream(stream);
        if (first == "inStream") {
            s = in;
            continue;
        }
        Pool& pool = evaluator_.pool();
        const auto flow = flow_of(stream);
        s = flow ? pool.choose(pool.less(pool.number(0), pool.variable(*flow)), in, *e) : *e;
    }
    return v;
}

// ---- equations

std::optional<VariableIndex> Connections::flow_of(VariableIndex stream) const {
    const auto it = stream_flow_.find(stream.value);
    return it == stream_flow_.end() ? std::nullopt : std::optional(it->second);
}

// An output of a component inside gives a value, and an input of the class around.
void Connections::note_source(const ComponentInstance& c, std::uint32_t number, bool outside) {
    if (!c.variable || !is_modelica(c) || c.prefixes.causality == object::Causality::None) return;
    if (c.parent && is_expandable(*c.parent->type)) return;
    bool is_public = true;  // a protected input is only joined to what it is made of
    for (const ComponentInstance* p = &c; p && p->element && is_public; p = p->parent) {
        is_public = !p->element->prefixes.is_protected;
        if (!p->parent || !is_connector(*p->parent->type)) break;
    }
    const bool gives = outside ? is_public && c.prefixes.causality == object::Causality::Input
                               : c.prefixes.causality == object::Causality::Output;
    sources_[std::uint64_t{c.variable->value + number} * 2 + (outside ? 1 : 0)] = gives;
}

// Each class with connections of its own has sets of its own; here those that share a variable are one, so
// that a signal which only passes through is no second source.
void Connections::check_sources(const std::vector<std::uint32_t>& members) {
    const Node* first = nullptr;
    for (const std::uint32_t m : members) {
        const std::uint64_t key = std::uint64_t{nodes_[m].variable.value} * 2;
        const auto inside = sources_.find(key), outside = sources_.find(key + 1);
        const bool seen_inside = inside != sources_.end(), seen_outside = outside != sources_.end();
        if (seen_inside && seen_outside) continue;
        if (!(seen_inside && inside->second) && !(seen_outside && outside->second)) continue;
        if (first) {
            report(messages::two_sources(nodes_[m].origin.where, model_.path(first->variable),
                                         model_.path(nodes_[m].variable), first->origin.where),
                   nodes_[m].origin.instance);
            return;
        }
        first = &nodes_[m];
    }
}

void Connections::add_equations(const std::vector<ComponentInstance*>& flows) {
    Pool& pool = *model_.pool;
    FlatBuilder builder(model_);
    for (const std::vector<std::uint32_t>& members : sets()) {
        const Node& first = nodes_[members[0]];
        ++model_.connection_sets;
        if (first.kind == Kind::Potential) {
            check_sources(members);
            for (std::size_t k = 1; k < members.size(); ++k) {
                const Node& other = nodes_[members[k]];
                builder.potentials(pool.variable(first.variable), pool.variable(other.variable),
                                   other.origin);
            }
        } else if (first.kind == Kind::Flow) {
            std::vector<Expr> terms;
            for (const std::uint32_t m : members) {
                const Expr v = pool.variable(nodes_[m].variable);
                terms.push_back(nodes_[m].outside ? pool.negate(v) : v);
            }
            builder.flows(terms, first.origin);
            joints_.push_back({first.variable, first.variable, first.origin.instance});
        } else {
            add_stream_equations(members);
        }
    }
    for (const ComponentInstance* c : flows) {
        const std::size_t n = count(*c->dimensions);
        for (std::size_t k = 0; k < n; ++k) {
            const VariableIndex v(c->variable->value + k);
            if (node_of_.count(std::uint64_t{v.value} * 2)) continue;
            builder.no_flow(v, model_.variables[v].origin);
        }
    }
    for (const GraphEdge& e : graph_.broken()) {
        try {
            add_constraint(e);
        } catch (Refused& refused) {
            report(std::move(refused.diagnostic), e.origin.instance);
        }
    }
}

std::vector<std::int32_t> Connections::equations_by_instance() const {
    std::vector<std::int32_t> counts(model_.instances.size());
    for (const Joint& j : joints_)
        if (is_determined(model_.variables[j.a]) || is_determined(model_.variables[j.b]))
            ++counts[j.at.value];
    return counts;
}

// Of a connector of the model itself: what flows out of it is the mixture of what flows into it inside.
void Connections::add_stream_equations(const std::vector<std::uint32_t>& members) {
    for (const std::uint32_t m : members) {
        if (!nodes_[m].outside) continue;
        const Expr v = model_.pool->variable(nodes_[m].variable);
        model_.equations.add({v, mixed(members, m, ""), nodes_[m].origin, EquationKind::Across});
        joints_.push_back({nodes_[m].variable, nodes_[m].variable, nodes_[m].origin.instance});
    }
}

Expr Connections::mixed(const std::vector<std::uint32_t>& members, std::uint32_t except,
                        const std::string& name) {
    Pool& pool = *model_.pool;
    std::vector<std::pair<Expr, Expr>> sources;  // what flows into the set (null: not known), what it carries
    for (const std::uint32_t m : members) {
        if (m == except) continue;
        const Node& n = nodes_[m];
        const auto flow = flow_of(n.variable);
        const std::optional<double> low = flow ? model_.variables[*flow].minimum : std::nullopt;
        if (!n.outside && low && *low >= 0) continue;  // nothing ever flows out of it
        const Expr into = !flow       ? nullptr
                          : n.outside ? pool.variable(*flow)
                                      : pool.negate(pool.variable(*flow));
        const Expr carried = n.outside ? in_stream(n.variable) : pool.variable(n.variable);
        sources.emplace_back(into, carried);
    }
    if (sources.empty()) return pool.variable(nodes_[except].variable);
    if (sources.size() == 1) return sources[0].second;
    std::vector<Expr> amounts, weighted;
    for (const auto& [into, carried] : sources) {
        const Expr parts[] = {into ? into : pool.number(0), pool.number(1e-10)};
        const Expr amount = pool.call(Op::Max, parts);
        amounts.push_back(amount);
        weighted.push_back(pool.multiply(amount, carried));
    }
    const Expr mixture = pool.divide(pool.add(weighted), pool.add(amounts));
    if (name.empty()) return mixture;
    Variable v;
    v.name = name;
    v.origin = nodes_[except].origin;
    v.internal = true;
    const VariableIndex made = model_.variables.add(std::move(v));
    model_.equations.add({pool.variable(made), mixture, nodes_[except].origin, EquationKind::Across});
    return pool.variable(made);
}

Expr Connections::in_stream(VariableIndex v) {
    Expr& known = in_streams_[v.value];
    if (known) return known;
    Expr found = model_.pool->variable(v);
    const auto it = node_of_.find(std::uint64_t{v.value} * 2);
    if (it != node_of_.end()) {
        if (stream_sets_.empty())
            for (std::uint32_t n = 0; n < nodes_.size(); ++n)
                if (nodes_[n].kind == Kind::Stream) stream_sets_[sets_.root(n)].push_back(n);
        found = mixed(stream_sets_[sets_.root(it->second)], it->second, "inStream(" + model_.path(v) + ")");
    }
    return in_streams_[v.value] = found;
}

}  // namespace cutset::objects
