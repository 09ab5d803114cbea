// Connections become equations.
//
// A port of the component itself is counted from inside: its IN gives what flows in. Of a set of joined ports
// EQUAL variables are equal, SUM variables satisfy Σ IN = Σ OUT; a modifier with a direction counts where the
// set branches at that side. An OUT joined to one IN is the same port twice: all its variables are equal and
// its equations hold once.
#include <algorithm>

#include "ir/object_build.h"
#include "languages/el/body.h"
#include "languages/el/elaborate.h"
#include "languages/el/messages.h"

namespace cutset::el {

using namespace object::build;

using object::ExpressionKind;
using object::Operator;

namespace {

Expression member(const object::Name& port, object::NamePart part, Span where) {
    Expression e;
    e.kind = ExpressionKind::Name;
    e.name = port;
    e.name.parts.push_back(std::move(part));
    e.where = e.name.where = where;
    return e;
}

}  // namespace

void Body::for_each_element(const std::vector<Dimension>& dims, object::Name name,
                            const std::function<void(object::Name)>& f) {
    const std::size_t first = name.parts.back().indices.size();
    const std::function<void(std::size_t)> level = [&](std::size_t d) {
        if (d == dims.size()) return f(name);
        for (long i = 1; i <= dims[d].size; ++i) {
            name.parts.back().indices.push_back(integer(i, name.where));
            level(d + 1);
            name.parts.back().indices.pop_back();
        }
    };
    level(first);
}

std::size_t Body::endpoint(object::Name name, const Symbol& symbol, bool own, Span where) {
    const auto [at, is_new] = endpoint_of_.emplace(text_of(name), endpoints_.size());
    if (!is_new) return at->second;
    Endpoint e;
    e.name = std::move(name);
    e.port = symbol.port;
    e.own = own;
    e.direction =
        own ? (symbol.direction == Direction::In ? Direction::Out : Direction::In) : symbol.direction;
    e.use = symbol.use;
    e.where = where;
    endpoints_.push_back(std::move(e));
    sets_.add();
    return at->second;
}

void Body::join(std::size_t a, std::size_t b, Span where) {
    Endpoint &p = endpoints_[a], &q = endpoints_[b];
    if (p.port->class_name != q.port->class_name) {
        diagnostics_.report(
            ports_differ(where, text_of(p.name), p.port->class_name, text_of(q.name), q.port->class_name));
        return;
    }
    p.joined.push_back(where);
    q.joined.push_back(where);
    sets_.join(a, b);
}

// What a name in CONNECT stands for: a port, all ports of an array, or the port at that end of the path
// through a component.
std::vector<std::size_t> Body::endpoints(const Expression& written, bool gives, Span where) {
    std::vector<std::size_t> out;
    if (written.kind != ExpressionKind::Name) {
        diagnostics_.report(not_a_port(written.where, "this"));
        return out;
    }
    auto found = resolve(written.name);
    if (!found) return out;
    if (found->symbol.kind == SymbolKind::Submodel) {
        const Model& model = *found->symbol.model;
        const std::string& port = gives ? model.path_out : model.path_in;
        const auto at = model.symbols.find(port);
        if (port.empty() || at == model.symbols.end()) {
            diagnostics_.report(no_path(written.where, text_of(written.name), model.component->name));
            return out;
        }
        const std::vector<Dimension> dims = found->symbol.dimensions;
        for_each_element(dims, found->name, [&](object::Name element) {
            element.parts.push_back({port, {}, written.where});
            for_each_element(at->second.dimensions, std::move(element), [&](object::Name one) {
                out.push_back(endpoint(std::move(one), at->second, false, where));
            });
        });
        return out;
    }
    if (found->symbol.kind != SymbolKind::Port || found->name.parts.size() > 2) {
        diagnostics_.report(not_a_port(written.where, text_of(written.name)));
        return out;
    }
    const bool own = found->name.parts.size() == 1;
    if (own) {
        for_each_element(found->symbol.dimensions, found->name, [&](object::Name one) {
            out.push_back(endpoint(std::move(one), found->symbol, true, where));
        });
        return out;
    }
    // Elements of an array of components, too.
    object::Name component = found->name;
    object::NamePart port = component.parts.back();
    component.parts.pop_back();
    const auto submodel = model_->symbols.find(component.parts[0].name);
    for_each_element(submodel->second.dimensions, component, [&](object::Name element) {
        element.parts.push_back(port);
        for_each_element(found->symbol.dimensions, std::move(element), [&](object::Name one) {
            out.push_back(endpoint(std::move(one), found->symbol, false, where));
        });
    });
    return out;
}

void Body::connect(const Statement& s) {
    for (const Expression& from : s.from) {
        const std::vector<std::size_t> a = endpoints(from, true, s.where);
        for (const Expression& to : s.to) {
            const std::vector<std::size_t> b = endpoints(to, false, s.where);
            if (a.empty() || b.empty()) continue;
            if (a.size() == b.size()) {
                for (std::size_t i = 0; i < a.size(); ++i) join(a[i], b[i], s.where);
            } else if (a.size() == 1 || b.size() == 1) {
                for (std::size_t i : a)
                    for (std::size_t j : b) join(i, j, s.where);
            } else {
                diagnostics_.report(
                    sizes_differ(s.where, text_of(from.name), a.size(), text_of(to.name), b.size()));
            }
        }
    }
}

// Whether the ports may be joined so; what is wrong has been reported.
bool Body::check_set(const std::vector<std::size_t>& set) {
    const PortType& port = *endpoints_[set[0]].port;
    std::size_t in = 0, out = 0;
    for (std::size_t i : set) (endpoints_[i].direction == Direction::In ? in : out) += 1;
    const bool pair = in == 1 && out == 1;
    bool modifier = false, with_direction = false;
    for (const PortVariable& v : port.variables) {
        modifier = modifier || v.declared->modifier != Modifier::None;
        with_direction = with_direction || v.declared->modifier_direction != Direction::None;
    }
    const Endpoint& first = endpoints_[set[0]];
    const Endpoint& last = endpoints_[set.back()];
    if (!pair && !modifier) {
        diagnostics_.report(
            only_pairs(last.joined[0], port.class_name, text_of(first.name), text_of(last.name)));
        return false;
    }
    if (with_direction && (in == 0 || out == 0 || (in > 1 && out > 1))) {
        diagnostics_.report(
            branches_both_ways(last.joined[0], port.class_name, text_of(first.name), text_of(last.name)));
        return false;
    }
    for (std::size_t i : set) {
        const Endpoint& e = endpoints_[i];
        const bool is_in = (e.direction == Direction::In);
        const bool single = is_in ? port.single_in : port.single_out;
        if (single && e.joined.size() > 1) {
            diagnostics_.report(joined_twice(e.joined[1], text_of(e.name), port.class_name, e.joined[0]));
            return false;
        }
    }
    return true;
}

void Body::write_set(const std::vector<std::size_t>& set) {
    if (set.size() < 2 || !check_set(set)) return;
    const Endpoint& first = endpoints_[set[0]];
    const PortType& port = *first.port;
    std::size_t in = 0, out = 0;
    for (std::size_t i : set) (endpoints_[i].direction == Direction::In ? in : out) += 1;
    const bool pair = in == 1 && out == 1;
    const Span where = first.joined[0];
    for (const PortVariable& v : port.variables) {
        const Declaration& d = *v.declared;
        const bool branch = d.modifier_direction == Direction::None ||
                            (d.modifier_direction == Direction::In ? out > 1 : in > 1);
        const bool equal = pair || (d.modifier == Modifier::Equal && branch);
        const bool sum = !pair && d.modifier == Modifier::Sum && branch;
        if (!equal && !sum) continue;
        object::Name variable;
        variable.parts = {{d.name, {}, where}};
        for_each_element(v.dimensions, variable, [&](object::Name element) {
            const auto at = [&](std::size_t i) {
                return member(endpoints_[i].name, element.parts[0], where);
            };
            if (equal) {
                for (std::size_t i = 1; i < set.size(); ++i) add(equation(at(set[0]), at(set[i]), where));
                return;
            }
            std::vector<Expression> flows_in, flows_out;
            for (std::size_t i : set)
                (endpoints_[i].direction == Direction::In ? flows_in : flows_out).push_back(at(i));
            Expression left =
                flows_in.empty() ? real(0, where) : balanced(Operator::Add, std::move(flows_in));
            Expression right =
                flows_out.empty() ? real(0, where) : balanced(Operator::Add, std::move(flows_out));
            add(equation(std::move(left), std::move(right), where));
        });
    }
}

// The equations in the port itself, for one port.
void Body::port_equations(const Endpoint& e) {
    if (e.port->equations.empty()) return;
    const Constants around = std::exchange(constants_, e.port->constants);
    prefix_ = e.name;
    port_ = e.port.get();
    for (const Statement* s : e.port->equations) continuous(*s);
    port_ = nullptr;
    prefix_ = {};
    constants_ = around;
}

void Body::all_ports(const std::function<void(object::Name, const Symbol&, bool own)>& f) {
    for (const auto& named : model_->symbols) {
        const Symbol& symbol = named.second;
        if (symbol.kind == SymbolKind::Port)
            for_each_element(symbol.dimensions, name_of({named.first}, symbol.where).name,
                             [&](object::Name one) { f(std::move(one), symbol, true); });
        if (symbol.kind != SymbolKind::Submodel) continue;
        for_each_element(
            symbol.dimensions, name_of({named.first}, symbol.where).name, [&](const object::Name& element) {
                for (const auto& inner : symbol.model->symbols) {
                    const Symbol& port = inner.second;
                    if (port.kind != SymbolKind::Port) continue;
                    object::Name one = element;
                    one.parts.push_back({inner.first, {}, symbol.where});
                    for_each_element(port.dimensions, std::move(one),
                                     [&](object::Name last) { f(std::move(last), port, false); });
                }
            });
    }
}

void Body::connections() {
    const std::function<void(const Statement&)> walk = [&](const Statement& s) {
        switch (s.kind) {
            case StatementKind::Connect:
                return connect(s);
            case StatementKind::Expand:
                return for_each_index(s.iterators, s.where, [&] {
                    for (const Statement& inner : s.body) walk(inner);
                });
            case StatementKind::Insert:
                if (const auto* body = inserted(s))
                    for (const Statement& inner : *body) walk(inner);
                return;
            case StatementKind::PathPort:
            case StatementKind::Submodel:
                return;
            default:
                diagnostics_.report(not_in_topology(s.where));
        }
    };
    for (const Statement* s : topology_) walk(*s);
    std::map<std::size_t, std::vector<std::size_t>> sets;
    for (std::size_t i = 0; i < endpoints_.size(); ++i) sets[sets_.root(i)].push_back(i);
    std::set<std::string> once;  // ports whose equations are written at the other one of a pair
    for (const auto& [first, set] : sets) {
        write_set(set);
        if (set.size() != 2 || endpoints_[set[0]].direction == endpoints_[set[1]].direction) continue;
        const bool second = endpoints_[set[0]].own;
        once.insert(text_of(endpoints_[set[second ? 1 : 0]].name));
    }
    all_ports([&](object::Name name, const Symbol& symbol, bool own) {
        if (own && !around_.top) return;  // written where the component is used
        if (once.contains(text_of(name))) return;
        Endpoint e;
        e.name = std::move(name);
        e.port = symbol.port;
        port_equations(e);
    });
    check_joined();
}

// The least and most joins that the use of a port allows.
void Body::check_joined() {
    const auto limit = [&](const Box<Expression>& e) -> std::optional<double> {
        const auto value = e ? evaluate(*e, constants_, library_) : std::nullopt;
        return value ? number(*value) : std::nullopt;
    };
    const auto check = [&](object::Name name, const Symbol& submodel, const Symbol& port) {
        std::size_t joined = 0;
        for_each_element(port.dimensions, name, [&](const object::Name& one) {
            const auto at = endpoint_of_.find(text_of(one));
            if (at != endpoint_of_.end()) joined += endpoints_[at->second].joined.size();
        });
        const auto least = limit(port.use->least), most = limit(port.use->most);
        const double count = static_cast<double>(joined);
        if ((least && count < *least) || (most && count > *most))
            diagnostics_.report(cardinality(submodel.where, text_of(name), joined, port.use->where));
    };
    for (const auto& named : model_->symbols) {
        const Symbol& submodel = named.second;
        if (submodel.kind != SymbolKind::Submodel) continue;
        for (const auto& inner : submodel.model->symbols) {
            const Symbol& port = inner.second;
            if (port.kind != SymbolKind::Port || !port.use || (!port.use->least && !port.use->most)) continue;
            for_each_element(submodel.dimensions, name_of({named.first}, submodel.where).name,
                             [&](object::Name element) {
                                 element.parts.push_back({inner.first, {}, submodel.where});
                                 check(std::move(element), submodel, port);
                             });
        }
    }
}

}  // namespace cutset::el
