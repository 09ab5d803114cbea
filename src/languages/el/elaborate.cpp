#include "languages/el/elaborate.h"

#include <algorithm>

#include "ir/object_build.h"
#include "languages/el/lower.h"
#include "languages/el/messages.h"

namespace cutset::el {

using namespace object::build;

namespace {

// Components inside components: deeper, or inside themselves, is refused.
constexpr std::size_t component_depth = 100;

std::string name_with(const std::string& name, const Constants& parameters) {
    if (parameters.empty()) return name;
    std::string out = name + "(";
    for (const auto& [p, value] : parameters)
        out += (out.back() == '(' ? "" : ", ") + p + " = " + to_text(value);
    return out + ")";
}

bool has_port_equations(const Model& model) {
    for (const auto& [name, symbol] : model.symbols)
        if (symbol.kind == SymbolKind::Port && !symbol.port->equations.empty()) return true;
    return false;
}

bool fits(const Declaration& d, const Constant& value) {
    switch (d.type) {
        case Type::Real:
            return number(value).has_value();
        case Type::Integer:
            return std::holds_alternative<long>(value.value);
        case Type::Boolean:
            return std::holds_alternative<bool>(value.value);
        case Type::Enum: {
            const auto* l = std::get_if<Literal>(&value.value);
            return l && l->type->name == d.enumeration;
        }
        case Type::SetOf: {
            const auto* s = std::get_if<Set>(&value.value);
            return s && s->type->name == d.enumeration;
        }
        default:
            return true;
    }
}

}  // namespace

Elaborator::Elaborator(const Library& library_, Diagnostics& diagnostics_)
    : library(library_), diagnostics(diagnostics_), globals(global_constants(library_)) {}

std::optional<Constants> Elaborator::parameters(const Component& c, const Arguments& given,
                                                const Constants& around, Span where) {
    Diagnostics quiet;  // said where the component itself is made
    const std::vector<const Declaration*> declared = merge(c, library, quiet).parameters;
    Constants out;
    if (given.values.size() > declared.size()) {
        diagnostics.report(too_many_parameters(given.where, c.name, declared.size(), given.values.size()));
        return std::nullopt;
    }
    for (const object::NamedArgument& n : given.named)
        if (std::none_of(declared.begin(), declared.end(),
                         [&](const auto* d) { return d->name == n.name; })) {
            std::vector<std::string> names;
            for (const Declaration* d : declared) names.push_back(d->name);
            diagnostics.report(unknown_parameter(n.where, n.name, c.name, nearest_name(n.name, names)));
            return std::nullopt;
        }
    Constants inside = globals;
    for (std::size_t i = 0; i < declared.size(); ++i) {
        const Declaration& d = *declared[i];
        const Expression* written = i < given.values.size() ? &given.values[i] : nullptr;
        for (const object::NamedArgument& n : given.named)
            if (n.name == d.name) written = &*n.value;
        const bool own = !written;
        if (own && d.init) written = &*d.init;
        if (!written) {
            diagnostics.report(parameter_without_value(where, d.name, c.name, d.where));
            return std::nullopt;
        }
        auto value = evaluate(*written, own ? inside : around, library);
        if (!value || !fits(d, *value)) {
            diagnostics.report(parameter_not_known(written->where, d.name, c.name, d.where));
            return std::nullopt;
        }
        inside[d.name] = *value;
        out[d.name] = std::move(*value);
    }
    return out;
}

std::shared_ptr<const Model> Elaborator::submodel(const Component& c, const Constants& parameters,
                                                  Span where) {
    const std::string key = name_with(c.name, parameters);
    if (const auto at = models_.find(key); at != models_.end()) return at->second;
    if (std::find(open_.begin(), open_.end(), &c) != open_.end() || open_.size() >= component_depth) {
        diagnostics.report(inside_itself(where, c.name, c.where));
        return nullptr;
    }
    open_.push_back(&c);
    auto model = std::make_shared<Model>();
    auto made = Body(*this, {}).component(c, parameters, key, model);
    open_.pop_back();
    // Whole models have the plain names, and the equations of their own ports.
    if (parameters.empty() && has_port_equations(*model)) made->name = model->class_name = key + " as a part";
    classes.push_back(std::move(made));
    models_[key] = model;
    if (parameters.empty()) parents(c);
    return model;
}

// Classes of the components that this one was made from, for those who look at inheritance.
void Elaborator::parents(const Component& c) {
    for (const Parent& p : c.parents) {
        const Component* parent = library.component(without_library(library, p.name));
        if (!parent || parent->is_port) continue;
        Diagnostics quiet;
        if (merge(*parent, library, quiet).parameters.empty()) submodel(*parent, {}, p.where);
    }
}

std::shared_ptr<const PortType> Elaborator::port(const PortUse& use, const Constants& around) {
    const std::string type = without_library(library, use.type);
    const Component* c = library.component(type);
    if (!c || !c->is_port) {
        diagnostics.report(
            unknown_port(use.type_where, type, nearest_name(type, library.component_names(true))));
        return nullptr;
    }
    const auto parameters = this->parameters(*c, use.parameters, around, use.type_where);
    if (!parameters) return nullptr;
    const std::string key = name_with(type, *parameters);
    if (const auto at = ports_.find(key); at != ports_.end()) return at->second;
    auto out = std::make_shared<PortType>();
    Body(*this, {}).port(*c, *parameters, key, *out, classes);
    ports_[key] = out;
    return out;
}

std::string Elaborator::function(const Function& f, const std::string& out) {
    const std::string name = out.empty() ? f.name : f.name + "_" + out;
    if (!written_.insert(name).second) return name;
    auto made = Body(*this, {}).function(f, out);
    made->name = name;
    classes.push_back(std::move(made));
    return name;
}

void Elaborator::enumeration(const std::string& name) {
    const auto at = library.enumerations.find(name);
    if (at == library.enumerations.end() || !written_.insert("ENUM " + name).second) return;
    auto out = std::make_shared<object::Class>();
    out->language = object::Language::El;
    out->kind = object::ClassKind::Type;
    out->name = name;
    out->where = out->whole = at->second->where;
    object::EnumerationDefinition definition;
    for (std::size_t i = 0; i < at->second->literals.size(); ++i)
        definition.literals.push_back({at->second->literals[i], "", at->second->places[i]});
    out->definition = std::move(definition);
    classes.push_back(std::move(out));
}

std::shared_ptr<object::Class> Elaborator::top(const Component& c, std::string name, Surroundings around) {
    Arguments none;
    const auto values = parameters(c, none, globals, c.where);
    if (!values) return nullptr;
    around.top = true;
    open_.push_back(&c);
    auto out = Body(*this, around).component(c, *values, std::move(name), std::make_shared<Model>());
    open_.pop_back();
    return out;
}

namespace {

bool needs_parameters(const Component& c, const Library& library) {
    Diagnostics quiet;
    for (const Declaration* d : merge(c, library, quiet).parameters)
        if (!d->init) return true;
    return false;
}

// What partitions and experiments say stands inside the component's class, so that motorDC.motor2.exp1 is
// found.
void put_inside(object::Class& outer, std::shared_ptr<object::Class> inner) {
    inner->parent = &outer;
    std::get<object::LongDefinition>(outer.definition)
        .elements.emplace_back(object::NestedClass{{}, std::move(inner)});
}

}  // namespace

namespace {

struct Lowering {
    const std::vector<File>& files;
    std::size_t own;
    Diagnostics& diagnostics;
    Library library;
    Elaborator elaborator;
    object::File out = {};
    std::vector<const object::Class*> models = {}, experiments = {};
    std::map<std::string, std::shared_ptr<object::Class>> wholes = {};
    std::map<std::string, std::shared_ptr<object::Class>> partition_classes = {};
    std::map<std::string, const Partition*> partitions = {};

    Lowering(const std::vector<File>& f, std::size_t own_files, Diagnostics& d)
        : files(f),
          own(std::min(own_files, f.size())),
          diagnostics(d),
          library(make_library(f, d)),
          elaborator(library, d) {}

    Classes run() {
        out.language = object::Language::El;
        if (!files.empty()) out.source = files.front().source;
        for (std::size_t i = 0; i < own; ++i)
            for (const Component& c : files[i].components)
                if (!c.is_port && !c.abstract && !needs_parameters(c, library)) component(c);
        for (std::size_t i = 0; i < own; ++i)
            for (const Partition& p : files[i].partitions) partition(p);
        for (std::size_t i = 0; i < own; ++i)
            for (const Experiment& x : files[i].experiments)
                if (!x.component.empty()) experiment(x);
        for (auto& c : elaborator.classes) out.classes.push_back(std::move(c));
        return {std::move(out), std::move(models), std::move(experiments)};
    }

    void component(const Component& c) {
        if (wholes.contains(c.name)) return;
        const auto values = elaborator.parameters(c, {}, elaborator.globals, c.where);
        if (!values) return;
        if (values->empty()) {
            const auto model = elaborator.submodel(c, *values, c.where);
            if (!model) return;
            for (const auto& made : elaborator.classes)
                if (made->name == c.name) {
                    models.push_back(made.get());
                    return void(wholes[c.name] = made);
                }
        }
        auto made = elaborator.top(c, c.name, {});
        if (!made) return;
        wholes[c.name] = made;
        models.push_back(made.get());
        out.classes.push_back(std::move(made));
    }

    const Component* find(const std::string& name, Span where) {
        const Component* c = library.component(name);
        if (c && !c->is_port && !needs_parameters(*c, library)) component(*c);
        if (c && !c->is_port && wholes.contains(name)) return c;
        diagnostics.report(
            unknown_component(where, name, nearest_name(name, library.component_names(false))));
        return nullptr;
    }

    void partition(const Partition& p) {
        const Component* c = find(p.component, p.component_where);
        if (!c) return;
        const std::string path = p.component + "." + p.name;
        if (const auto [at, is_new] = partitions.emplace(path, &p); !is_new)
            return diagnostics.report(declared_twice(p.where, p.name, at->second->where));
        Surroundings around;
        around.partition = &p;
        auto made = elaborator.top(*c, p.name, around);
        if (!made) return;
        partition_classes[path] = made;
        put_inside(*wholes[p.component], std::move(made));
    }

    void experiment(const Experiment& x) {
        const Component* c = find(x.component, x.component_where);
        if (!c) return;
        const std::string partition = x.partition.empty() ? "default" : x.partition;
        const std::string path = x.component + "." + partition;
        Surroundings around;
        around.experiment = &x;
        if (const auto at = partitions.find(path); at != partitions.end()) around.partition = at->second;
        auto made = elaborator.top(*c, x.name, around);
        if (!made) return;
        std::shared_ptr<object::Class>& there = partition_classes[path];
        if (!there) {  // chosen by what the experiment gives
            there = std::make_shared<object::Class>();
            there->language = object::Language::El;
            there->kind = object::ClassKind::Package;
            there->name = partition;
            there->where = there->whole = x.component_where;
            put_inside(*wholes[x.component], there);
        }
        experiments.push_back(made.get());
        put_inside(*there, std::move(made));
    }
};

}  // namespace

Classes lower(const std::vector<File>& files, std::size_t own, Diagnostics& diagnostics) {
    Diagnostics all;
    Classes out = Lowering(files, own, all).run();
    // One component is made for several uses: what is wrong with it is said once.
    std::set<std::pair<std::uint64_t, std::string>> said;
    for (const Diagnostic& d : all.all()) {
        const std::uint64_t place = (static_cast<std::uint64_t>(d.where.source.value) << 32) | d.where.begin;
        if (said.insert({place, d.message}).second) diagnostics.report(d);
    }
    return out;
}

}  // namespace cutset::el
