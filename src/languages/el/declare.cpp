// What a component declares: data, variables, ports and submodels as components of the object tree.
#include <algorithm>

#include "ir/object_build.h"
#include "languages/el/body.h"
#include "languages/el/elaborate.h"
#include "languages/el/messages.h"

namespace cutset::el {

using namespace object::build;

using object::ExpressionKind;

Body::Body(Elaborator& elaborator, Surroundings around)
    : elaborator_(elaborator),
      library_(elaborator.library),
      diagnostics_(elaborator.diagnostics),
      around_(around),
      constants_(elaborator.globals),
      model_(std::make_shared<Model>()) {}

std::shared_ptr<object::Class> Body::component(const Component& c, const Constants& parameters,
                                               std::string name, std::shared_ptr<Model> model) {
    model_ = std::move(model);
    model_->component = &c;
    model_->class_name = name;
    merged_ = merge(c, library_, diagnostics_);
    for (const auto* list : {&merged_.continuous, &merged_.discrete})
        for (const Statement* s : *list) find_orders(*s);
    for (const InitPart& i : merged_.inits)
        for (const Statement& s : *i.body) find_orders(s);
    declare_parameters(parameters);
    declare_data();
    declare_ports();
    declare_variables();
    collect_topology(merged_.topology);
    declare_submodels();
    declare_experiment();
    init();
    // Declarations are written last: what INIT and BOUNDS say stands in them.
    for (const Declaration* d : merged_.data) emit_data(*d);
    for (const Declaration* d : merged_.variables) emit_variable(*d);
    for (const Statement* s : merged_.continuous) continuous(*s);
    for (const Statement* s : merged_.discrete) discrete(*s);
    connections();
    return class_of(c, std::move(name));
}

void Body::emit_data(const Declaration& d) {
    const auto at = model_->symbols.find(d.name);
    if (at == model_->symbols.end()) return;
    Box<Expression> value;
    if (d.init) value = translate(*d.init);
    const Close* closed = nullptr;
    for (const Close* k : merged_.closes)
        if (k->name == d.name && k->value) closed = k;
    if (closed) value = translate(*closed->value);
    object::TypePrefixes prefixes;
    if (at->second.kind == SymbolKind::Data) {
        prefixes.variability = closed ? object::Variability::Constant : object::Variability::Parameter;
        emit(d, at->second, prefixes, std::move(value), {}, d.name);
    } else if (unknown_.contains(d.name)) {
        emit(d, at->second, prefixes, {}, std::move(value), d.name);
    } else {  // data that follow from variables
        emit(d, at->second, prefixes, std::move(value), {}, d.name);
    }
}

void Body::emit_variable(const Declaration& d) {
    const Symbol& symbol = model_->symbols.at(d.name);
    object::TypePrefixes prefixes;
    Box<Expression> value, start = start_of(d, d.name, symbol.dimensions);
    if (d.constant) {
        prefixes.variability = object::Variability::Constant;
        value = std::move(start);
        start = {};
    } else if (const auto bound = given_.find(d.name); bound != given_.end()) {
        value = bound->second;
    } else if (open_.contains(d.name)) {
        prefixes.variability = object::Variability::Parameter;
        if (!start) {
            diagnostics_.report(boundary_without_value(d.where, d.name));
            start = real(0, d.where);
        }
        value = std::move(start);
        start = {};
    } else if (!around_.experiment && is_boundary(d.name)) {
        prefixes.causality = object::Causality::Input;
    } else if (symbol.kind == SymbolKind::Discrete && symbol.type == Type::Real) {
        prefixes.variability = object::Variability::Discrete;
    }
    emit(d, symbol, prefixes, std::move(value), std::move(start), d.name);
    const auto doubled = orders_.find(d.name);
    for (int order = 1; doubled != orders_.end() && order < doubled->second; ++order)
        emit_derivative(d, symbol, order);
}

// x' as a variable of its own, where x'' occurs, with der(x) = x'.
void Body::emit_derivative(const Declaration& d, const Symbol& symbol, int order) {
    const std::string lower = with_primes(d.name, order - 1), higher = with_primes(d.name, order);
    Declaration prime = d;
    prime.units.reset();
    prime.low.reset();
    prime.high.reset();
    prime.description = "derivative of " + d.name;
    emit(prime, symbol, {}, {}, start_of(d, higher, symbol.dimensions), higher);
    for_each_element(symbol.dimensions, name_of({lower}, d.where).name, [&](object::Name element) {
        Expression rate, variable, next;
        variable.kind = next.kind = ExpressionKind::Name;
        variable.where = next.where = d.where;
        variable.name = next.name = std::move(element);
        next.name.parts.back().name = higher;
        rate.kind = ExpressionKind::Derivative;
        rate.number = 1;
        rate.where = d.where;
        rate.arguments.push_back(std::move(variable));
        add(equation(std::move(rate), std::move(next), d.where));
    });
}

// What has been written so far.
std::shared_ptr<object::Class> Body::class_of(const Component& c, std::string name) {
    auto out = std::make_shared<object::Class>();
    out->language = object::Language::El;
    out->kind = object::ClassKind::Model;
    out->name = std::move(name);
    out->partial = c.abstract;
    if (around_.partition || around_.experiment)
        out->inherits = {c.name};
    else
        for (const Parent& p : c.parents) out->inherits.push_back(without_library(library_, p.name));
    out->description = c.description;
    out->where = c.where;
    out->whole = c.whole;
    for (const PortUse* p : merged_.ports)
        if (const auto at = model_->symbols.find(p->name); at != model_->symbols.end())
            out->ports.push_back(description_of(at->second, p->name));
    object::LongDefinition definition;
    definition.elements = std::move(elements_);
    if (!equations_.equations.empty()) definition.elements.emplace_back(std::move(equations_));
    out->definition = std::move(definition);
    return out;
}

object::PortDescription Body::description_of(const Symbol& port, const std::string& name) {
    object::PortDescription out;
    out.name = name;
    for (const PortVariable& v : port.port->variables)
        if (v.declared->modifier == Modifier::Sum)
            out.flows.push_back({v.declared->name, port.direction == Direction::Out});
    return out;
}

void Body::declare_parameters(const Constants& given) {
    for (const auto& [name, value] : given) constants_[name] = value;
}

std::vector<Dimension> Body::dimensions(const std::vector<Expression>& written, const std::string& name) {
    std::vector<Dimension> out;
    for (const Expression& e : written) {
        Dimension d;
        if (e.kind == ExpressionKind::Omitted) {
            d.open = true;
            d.size = range_limit;
            out.push_back(std::move(d));
            continue;
        }
        const auto value = known(e);
        if (const auto* set = value ? std::get_if<Set>(&value->value) : nullptr) {
            d.set = *set;
            d.size = static_cast<long>(set->numbers.size());
        } else {
            const auto n = value ? number(*value) : std::nullopt;
            if (!n || *n < 0 || *n > static_cast<double>(range_limit)) {
                diagnostics_.report(size_not_known(e.where, name));
                d.size = 1;
            } else {
                d.size = static_cast<long>(*n);
            }
        }
        out.push_back(std::move(d));
    }
    return out;
}

void Body::declare_data() {
    for (const Declaration* d : merged_.data) {
        if (d->type == Type::String || d->type == Type::Filepath || d->type == Type::Table1D ||
            d->type == Type::Table2D || d->type == Type::Table3D ||
            d->type == Type::SetOf) {  // known now or never
            const Expression* value = d->init ? &*d->init : nullptr;
            for (const Close* k : merged_.closes)
                if (k->name == d->name && k->value) value = &*k->value;
            if (constants_.contains(d->name) && !elaborator_.globals.contains(d->name)) continue;
            if (const auto constant = value ? known(*value) : std::nullopt)
                constants_[d->name] = *constant;
            else
                diagnostics_.report(data_not_known(d->where, d->name));
            continue;
        }
        Symbol s;
        s.kind = SymbolKind::Data;
        s.type = d->type;
        s.enumeration = d->enumeration;
        s.where = d->where;
        s.dimensions = dimensions(d->dimensions, d->name);
        constants_.erase(d->name);
        model_->symbols[d->name] = std::move(s);
        model_->data.push_back(d->name);
    }
}

void Body::declare_ports() {
    for (const PortUse* p : merged_.ports) {
        Symbol s;
        s.kind = SymbolKind::Port;
        s.direction = p->direction;
        s.use = p;
        s.where = p->where;
        s.dimensions = dimensions(p->dimensions, p->name);
        s.port = elaborator_.port(*p, constants_);
        if (!s.port) continue;
        object::Component component;
        component.type = class_name(s.port->class_name, p->type_where);
        component.name = p->name;
        component.description = p->description;
        component.where = component.statement = p->where;
        for (const Dimension& d : s.dimensions) component.dimensions.push_back(integer(d.size, p->where));
        elements_.emplace_back(std::move(component));
        model_->symbols[p->name] = std::move(s);
    }
}

void Body::declare_variables() {
    for (const Declaration* d : merged_.variables) {
        Symbol s;
        s.type = d->type;
        s.enumeration = d->enumeration;
        s.where = d->where;
        const bool discrete = d->discrete || d->type != Type::Real;
        s.kind = d->constant ? SymbolKind::Data : discrete ? SymbolKind::Discrete : SymbolKind::Continuous;
        if (d->type == Type::String || d->type == Type::Filepath || d->type == Type::SetOf)
            diagnostics_.report(type_of_variable(d->where, d->name));
        s.dimensions = dimensions(d->dimensions, d->name);
        constants_.erase(d->name);
        const auto doubled = orders_.find(d->name);
        for (int k = 1; doubled != orders_.end() && k < doubled->second; ++k)
            model_->symbols[with_primes(d->name, k)] = s;
        model_->symbols[d->name] = std::move(s);
    }
    // Data that are computed from variables become variables.
    for (const Declaration* d : merged_.data) {
        const auto at = model_->symbols.find(d->name);
        if (at == model_->symbols.end()) continue;
        if (around_.partition)
            for (const Parent& p : around_.partition->unknown)
                if (p.name == d->name) {
                    unknown_.insert(d->name);
                    at->second.kind = SymbolKind::Continuous;
                }
        if (d->init && !unknown_.contains(d->name) && !is_data(translate(*d->init)))
            at->second.kind = SymbolKind::Continuous;
    }
    for (const Close* k : merged_.closes)
        if (!merged_.names.contains(k->name)) diagnostics_.report(closes_nothing(k->where, k->name));
}

void Body::collect_topology(const std::vector<const Statement*>& statements) {
    for (const Statement* s : statements) {
        if (s->kind == StatementKind::Insert) {
            const std::vector<Statement>* body = inserted(*s);
            if (!body) continue;
            std::vector<const Statement*> inner;
            for (const Statement& i : *body) inner.push_back(&i);
            collect_topology(inner);
            continue;
        }
        topology_.push_back(s);
        if (s->kind != StatementKind::PathPort) continue;
        // PATH in TO out: the ports that the component's name alone stands for.
        const auto port = [&](const std::vector<Expression>& written) {
            const bool named = written[0].kind == ExpressionKind::Name && written[0].name.parts.size() == 1 &&
                               model_->symbols.contains(written[0].name.parts[0].name);
            if (named) return written[0].name.parts[0].name;
            diagnostics_.report(not_a_port(written[0].where, "this"));
            return std::string();
        };
        model_->path_in = port(s->from);
        model_->path_out = port(s->to);
    }
}

void Body::declare_submodels() {
    for (const Statement* s : topology_)
        if (s->kind == StatementKind::Submodel) declare_submodel(*s->submodel);
}

void Body::declare_submodel(const Submodel& s) {
    const std::string type = without_library(library_, s.type);
    const Component* c = library_.component(type);
    if (!c || c->is_port) {
        diagnostics_.report(
            unknown_component(s.type_where, type, nearest_name(type, library_.component_names(false))));
        return;
    }
    if (c->abstract) diagnostics_.report(abstract_submodel(s.type_where, type, c->where));
    // With one bracket only: after the type parameters, after the name data.
    auto parameters = elaborator_.parameters(*c, s.parameters, constants_, s.type_where);
    if (!parameters) return;
    Diagnostics quiet;  // said where the component itself is made
    const Merged its = merge(*c, library_, quiet);
    for (const Declaration* d : its.data) {  // tables and texts are known when the component is made
        if (d->type == Type::Real || d->type == Type::Integer || d->type == Type::Boolean ||
            d->type == Type::Enum)
            continue;
        for (const object::NamedArgument& n : s.data.named)
            if (n.name == d->name)
                if (const auto value = known(*n.value)) (*parameters)[d->name] = *value;
    }
    const auto model = elaborator_.submodel(*c, *parameters, s.type_where);
    if (!model) return;
    if (const auto [at, is_new] = merged_.names.emplace(s.name, s.where); !is_new) {
        diagnostics_.report(declared_twice(s.where, s.name, at->second));
        return;
    }
    Symbol symbol;
    symbol.kind = SymbolKind::Submodel;
    symbol.model = model;
    symbol.where = s.where;
    symbol.dimensions = dimensions(s.dimensions, s.name);
    object::Component component;
    component.type = class_name(model->class_name, s.type_where);
    component.name = s.name;
    component.description = s.description;
    component.where = component.statement = s.where;
    for (const Dimension& d : symbol.dimensions) component.dimensions.push_back(integer(d.size, s.where));
    constants_.erase(s.name);
    model_->symbols[s.name] = symbol;
    data_of_submodel(s, *model, component);
    elements_.emplace_back(std::move(component));
}

void Body::data_of_submodel(const Submodel& s, const Model& model, object::Component& component) {
    object::Modification m;
    m.where = s.data.where;
    const auto give = [&](const std::string& name, const Expression& value, Span where) {
        const auto at = model.symbols.find(name);
        if (at == model.symbols.end() || at->second.kind != SymbolKind::Data) {
            Diagnostics quiet;
            for (const Declaration* d : merge(*model.component, library_, quiet).data)
                if (d->name == name && at == model.symbols.end()) return;  // a table, known already
            diagnostics_.report(
                unknown_data(where, name, model.component->name, nearest_name(name, model.data)));
            return;
        }
        Expression translated = translate(value);
        if (!is_data(translated)) {
            diagnostics_.report(data_from_variable(value.where, name));
            return;
        }
        object::Argument a = argument(name, std::move(translated));
        a.each = !component.dimensions.empty();
        m.arguments.push_back(std::move(a));
    };
    if (s.data.values.size() > model.data.size())
        diagnostics_.report(
            too_many_data(s.data.where, model.component->name, model.data.size(), s.data.values.size()));
    for (std::size_t i = 0; i < std::min(s.data.values.size(), model.data.size()); ++i)
        give(model.data[i], s.data.values[i], s.data.values[i].where);
    for (const object::NamedArgument& n : s.data.named) give(n.name, *n.value, n.where);
    if (!m.arguments.empty()) component.modification = std::move(m);
}

void Body::attributes(const Declaration& d, object::Modification& m) {
    if (d.units)
        if (const auto unit = known(*d.units))
            if (const auto* text = std::get_if<std::string>(&unit->value);
                text && !text->empty() && *text != "-")
                m.arguments.push_back(argument("displayUnit", string(*text, d.units->where)));
    if (d.type != Type::Real && d.type != Type::Integer) return;
    for (const auto& [name, limit] : {std::pair{"min", &d.low}, std::pair{"max", &d.high}}) {
        if (!*limit) continue;
        const auto value = known(**limit);
        const auto n = value ? number(*value) : std::nullopt;
        if (n && std::abs(*n) < 1e30) m.arguments.push_back(argument(name, real(*n, (*limit)->where)));
    }
}

void Body::emit(const Declaration& d, const Symbol& symbol, object::TypePrefixes prefixes,
                Box<Expression> value, Box<Expression> start, const std::string& name) {
    object::Component c;
    c.prefixes = prefixes;
    std::string type = "Real";
    switch (symbol.type) {
        case Type::Integer:
            type = "Integer";
            break;
        case Type::Boolean:
            type = "Boolean";
            break;
        case Type::Enum:
            type = symbol.enumeration;
            elaborator_.enumeration(type);
            break;
        default:
            break;
    }
    c.type = name_of({type}, d.where).name;
    c.name = name;
    c.description = d.description;
    c.where = c.statement = d.where;
    c.element.is_protected = d.is_private;
    for (const Dimension& dim : symbol.dimensions) {
        Expression size = integer(dim.size, d.where);
        if (dim.open) size.kind = ExpressionKind::Omitted;
        c.dimensions.push_back(std::move(size));
    }
    object::Modification m;
    m.where = d.where;
    if (symbol.type == Type::Real || symbol.type == Type::Integer) attributes(d, m);
    if (states_.contains(name))
        m.arguments.push_back(argument("stateSelect", name_of({"StateSelect", "prefer"}, d.where)));
    if (start) m.arguments.push_back(argument("start", std::move(*start)));
    const bool is_array = !symbol.dimensions.empty();
    for (object::Argument& a : m.arguments)
        a.each = is_array && a.value->value->kind != ExpressionKind::Array;
    if (value) {
        if (is_array && value->kind != ExpressionKind::Array) {  // the value of all elements
            std::vector<Expression> arguments = {std::move(*value)};
            for (const Dimension& dim : symbol.dimensions) arguments.push_back(integer(dim.size, d.where));
            value = call("fill", std::move(arguments), d.where);
        }
        m.value = std::move(*value);
    }
    if (m.value || !m.arguments.empty()) c.modification = std::move(m);
    elements_.emplace_back(std::move(c));
}

}  // namespace cutset::el
