// What partitions and experiments make of a component: boundaries, unknown data, initial values. And ports.
#include <algorithm>

#include "ir/object_build.h"
#include "languages/el/body.h"
#include "languages/el/elaborate.h"
#include "languages/el/messages.h"

namespace cutset::el {

using namespace object::build;

using object::ExpressionKind;

bool Body::is_boundary(const std::string& name) const {
    return around_.partition &&
           std::any_of(around_.partition->bounds.begin(), around_.partition->bounds.end(),
                       [&](const Parent& p) { return p.name == name; });
}

void Body::declare_experiment() {
    if (around_.partition) check_partition(*around_.partition);
    if (!around_.experiment) {
        if (around_.partition)
            for (const Parent& p : around_.partition->bounds) declare_port_input(p);
        return;
    }
    for (const Declaration& d : around_.experiment->variables) declare_of_experiment(d);
    for (const Statement& s : around_.experiment->bounds) take_bound(s);
    if (!around_.partition) return;
    for (const Parent& p : around_.partition->bounds)
        if (!given_.contains(p.name)) {
            if (p.name.find_first_of(".[") != std::string::npos)
                diagnostics_.report(port_boundary_open(p.where, p.name));
            else
                open_.insert(p.name);
        }
}

void Body::check_partition(const Partition& partition) {
    for (const Parent& p : partition.states) states_.insert(p.name);
    for (const Parent& p : partition.bounds)
        if (differentiated_.contains(p.name)) diagnostics_.report(state_as_boundary(p.where, p.name));
    for (const auto* list : {&partition.bounds, &partition.unknown, &partition.tearing, &partition.states})
        for (const Parent& p : *list) {
            const std::string first = p.name.substr(0, p.name.find_first_of(".['"));
            if (model_->symbols.contains(first)) continue;
            std::vector<std::string> names;
            for (const auto& [name, symbol] : model_->symbols) names.push_back(name);
            diagnostics_.report(unknown_name(p.where, first, "", nearest_name(first, names)));
        }
}

// A boundary that is a variable of a port: by an input beside it.
void Body::declare_port_input(const Parent& p) {
    if (p.name.find('.') == std::string::npos) return;
    Declaration input;
    input.name = p.name;
    std::replace(input.name.begin(), input.name.end(), '.', '_');
    input.where = p.where;
    Symbol symbol;
    object::TypePrefixes prefixes;
    prefixes.causality = object::Causality::Input;
    emit(input, symbol, prefixes, {}, {}, input.name);
    object::Name name;
    name.where = p.where;
    for (std::size_t i = 0; i <= p.name.size();) {
        const std::size_t dot = std::min(p.name.find('.', i), p.name.size());
        name.parts.push_back({p.name.substr(i, dot - i), {}, p.where});
        i = dot + 1;
    }
    const auto found = resolve(name);
    if (!found) return;
    Expression variable = name_of({}, p.where);
    variable.name = found->name;
    add(equation(std::move(variable), name_of({input.name}, p.where), p.where));
}

void Body::declare_of_experiment(const Declaration& d) {
    if (merged_.names.contains(d.name)) {
        diagnostics_.report(declared_twice(d.where, d.name, merged_.names[d.name]));
        return;
    }
    Symbol symbol;
    symbol.kind = SymbolKind::Data;
    symbol.type = d.type;
    symbol.enumeration = d.enumeration;
    symbol.where = d.where;
    symbol.dimensions = dimensions(d.dimensions, d.name);
    if (d.type == Type::String || d.type == Type::Filepath || d.type == Type::SetOf ||
        d.type == Type::Table1D || d.type == Type::Table2D || d.type == Type::Table3D) {
        if (d.init)
            if (const auto value = known(*d.init)) constants_[d.name] = *value;
        return;
    }
    object::TypePrefixes prefixes;
    prefixes.variability = object::Variability::Parameter;
    Box<Expression> value = d.init                    ? translate(*d.init)
                            : d.type == Type::Boolean ? to_expression({false}, d.where)
                                                      : integer(0, d.where);
    model_->symbols[d.name] = symbol;
    emit(d, symbol, prefixes, std::move(value), {}, d.name);
}

// A line of BOUNDS: v = e.
void Body::take_bound(const Statement& s) {
    if (s.kind != StatementKind::Equation || s.left->kind != ExpressionKind::Name) {
        diagnostics_.report(not_in_bounds(s.where));
        return;
    }
    const auto found = resolve(s.left->name);
    if (!found) return;
    const std::string key = text_of(found->name);
    if (found->symbol.kind == SymbolKind::Data) {
        diagnostics_.report(bounds_data(s.where, key));
        return;
    }
    if (around_.partition && !is_boundary(key)) {
        diagnostics_.report(not_a_boundary(s.where, key, around_.partition->name, around_.partition->where));
        return;
    }
    Expression value = translate(*s.right);
    if (found->name.parts.size() > 1 || !found->name.parts[0].indices.empty()) {
        Expression variable = *s.left;
        variable.name = found->name;
        add(equation(std::move(variable), value, s.where));
    }
    given_[key] = std::move(value);
}

// The initial values of an array, element by element where INIT gives any of them.
Box<Expression> Body::start_of(const Declaration& d, const std::string& name,
                               const std::vector<Dimension>& dims) {
    if (const auto whole = starts_.find(name); whole != starts_.end()) return whole->second;
    Box<Expression> declared;
    if (d.init && name == d.name) declared = translate(*d.init);
    bool any = false;
    for (const auto& [key, value] : starts_) any = any || key.starts_with(name + "[");
    if (!any) return declared;
    const std::function<Expression(std::vector<long>&)> element = [&](std::vector<long>& at) {
        if (at.size() == dims.size()) {
            std::string key = name + "[";
            for (std::size_t i = 0; i < at.size(); ++i) key += (i ? "," : "") + std::to_string(at[i]);
            const auto found = starts_.find(key + "]");
            if (found != starts_.end()) return found->second;
            return declared && declared->kind != ExpressionKind::Array ? *declared : real(0, d.where);
        }
        Expression row;
        row.kind = ExpressionKind::Array;
        row.where = d.where;
        at.push_back(0);
        for (long i = 1; i <= dims[at.size() - 1].size; ++i) {
            at.back() = i;
            row.arguments.push_back(element(at));
        }
        at.pop_back();
        return row;
    };
    std::vector<long> at;
    return element(at);
}

void Body::port(const Component& c, const Constants& parameters, const std::string& name, PortType& out,
                std::vector<std::shared_ptr<object::Class>>& classes) {
    merged_ = merge(c, library_, diagnostics_);
    declare_parameters(parameters);
    out.port = &c;
    out.class_name = name;
    out.single_in = c.single && c.single_direction != Direction::Out;
    out.single_out = c.single && c.single_direction != Direction::In;
    for (const Declaration* d : merged_.variables) {
        Symbol s;
        s.type = d->type;
        s.enumeration = d->enumeration;
        s.where = d->where;
        s.kind = d->discrete || d->type != Type::Real ? SymbolKind::Discrete : SymbolKind::Continuous;
        s.dimensions = dimensions(d->dimensions, d->name);
        out.variables.push_back({d, s.dimensions});
        object::TypePrefixes prefixes;
        if (d->type == Type::Real && d->discrete) prefixes.variability = object::Variability::Discrete;
        Box<Expression> start;
        if (d->init) start = translate(*d->init);
        emit(*d, s, prefixes, {}, std::move(start), d->name);
    }
    for (const Statement* s : merged_.continuous) out.equations.push_back(s);
    out.constants = constants_;
    auto made = std::make_shared<object::Class>();
    made->language = object::Language::El;
    made->kind = object::ClassKind::Class;
    made->name = name;
    made->description = c.description;
    made->where = c.where;
    made->whole = c.whole;
    object::LongDefinition definition;
    definition.elements = std::move(elements_);
    made->definition = std::move(definition);
    classes.push_back(std::move(made));
}

}  // namespace cutset::el
