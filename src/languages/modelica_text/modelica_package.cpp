#include "languages/modelica_text/modelica_package.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "languages/modelica/expression_text.h"
#include "languages/modelica_text/class_visitor.h"
#include "languages/modelica_text/restore_inheritance.h"

namespace cutset::modelica {

using namespace object;

namespace {

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Letters, digits and `_` stay; between what they part stands one `_`.
std::string plain(const std::string& name) {
    std::string out;
    for (const char c : name) {
        const bool fits = is_letter(c) || (c >= '0' && c <= '9');
        if (fits)
            out += c;
        else if (!out.empty() && out.back() != '_')
            out += '_';
    }
    while (out.size() > 1 && out.back() == '_') out.pop_back();
    if (out.empty() || !is_letter(out[0])) out = "c_" + out;
    return out;
}

// x'' is the variable der_der_x.
std::string variable_name(std::string name) {
    std::string out;
    while (!name.empty() && name.back() == '\'') {
        name.pop_back();
        out += "der_";
    }
    const bool as_it_is =
        std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
    return identifier(out + (as_it_is ? name : plain(name)));
}

std::shared_ptr<Class> package_of(const std::string& name, std::vector<std::shared_ptr<Class>> classes) {
    auto package = std::make_shared<Class>();
    package->kind = ClassKind::Package;
    package->name = name;
    package->where = package->whole = classes.empty() ? Span{} : classes.front()->where;
    LongDefinition body;
    for (auto& c : classes) {
        c->parent = package.get();
        body.elements.emplace_back(NestedClass{{}, std::move(c)});
    }
    package->definition = std::move(body);
    return package;
}

// In Omola and EL the value that a state or discrete variable begins with holds; in Modelica a `start` is a
// guess unless it is fixed.
class StartFixer : private ClassVisitor {
  public:
    void fix(Class& c) {
        auto* body = std::get_if<LongDefinition>(&c.definition);
        if (!body) return;
        visit(*body);
        for (Element& e : body->elements)
            if (auto* k = std::get_if<Component>(&e);
                k && (states_.contains(k->name) || k->prefixes.variability == Variability::Discrete))
                fix(*k);
    }

  private:
    static void fix(Component& c) {
        if (!c.modification || c.modification->value) return;
        std::vector<Argument>& arguments = c.modification->arguments;
        const auto named = [&](const char* name) {
            return std::find_if(arguments.begin(), arguments.end(), [&](const Argument& a) {
                return a.name.parts.size() == 1 && a.name.parts[0].name == name;
            });
        };
        const auto start = named("start");
        if (start == arguments.end() || named("fixed") != arguments.end()) return;
        Argument fixed = *start;
        fixed.name.parts[0].name = "fixed";
        fixed.each = !c.dimensions.empty();
        Expression yes;
        yes.kind = ExpressionKind::Boolean;
        yes.number = 1;
        yes.where = c.where;
        fixed.value->value = std::move(yes);
        arguments.insert(start + 1, std::move(fixed));
    }
    void expression(Expression& e) override {
        if (e.kind == ExpressionKind::Derivative && e.arguments.size() == 1 &&
            e.arguments[0].kind == ExpressionKind::Name && e.arguments[0].name.parts.size() == 1)
            states_.insert(e.arguments[0].name.parts[0].name);
        for (Expression& a : e.arguments) expression(a);
        for (NamedArgument& a : e.named) expression(*a.value);
    }

    std::set<std::string> states_;
};

class Packer : private ClassVisitor {
  public:
    explicit Packer(const PackageRequest& request) : request_(request) {}

    Package run(const File& lowered) {
        std::vector<std::shared_ptr<Class>> made = classes(lowered);
        for (const auto& c : made) {
            c->language = Language::Modelica;
            StartFixer().fix(*c);
        }
        restore_inheritance(made);
        Package out;
        out.file.source = lowered.source;
        out.file.classes.push_back(package_of(package_, std::move(made)));
        out.names = names_;
        return out;
    }

    // The classes with names that Modelica can write, the main one last.
    std::vector<std::shared_ptr<Class>> classes(const File& lowered) {
        for (const auto& c : lowered.classes) collect(c, "");
        name_classes();
        std::vector<std::shared_ptr<Class>> out;
        for (const bool main : {false, true})
            for (const auto& [path, c] : found_)
                if ((path == request_.main) == main) out.push_back(rewritten(path, *c));
        return out;
    }

  private:
    // Classes inside classes are partitions and experiments of EL: they need nothing of what is around them.
    void collect(const std::shared_ptr<Class>& c, const std::string& outside) {
        const std::string path = outside + c->name;
        if (c->kind != ClassKind::Package) found_.emplace_back(path, c);
        const auto* body = std::get_if<LongDefinition>(&c->definition);
        if (!body) return;
        for (const Element& e : body->elements) {
            if (const auto* nested = std::get_if<NestedClass>(&e)) collect(nested->declared, path + ".");
            if (const auto* component = std::get_if<Component>(&e))
                variables_.insert(variable_name(component->name));
        }
    }

    void name_classes() {
        std::set<std::string> taken;
        const auto unique = [&](const std::string& wanted) {
            std::string out = identifier(wanted);
            for (int n = 2; !taken.insert(out).second; ++n) out = wanted + "_" + std::to_string(n);
            return out;
        };
        for (const auto& [path, c] : found_) names_[path] = unique(plain(path));
        package_ = request_.name;
        while (taken.contains(package_) || variables_.contains(package_)) package_ += "Models";
    }

    // A variable of the name of a class hides it: then the package is named, too.
    Name class_reference(const std::string& path, Span where) const {
        Name out;
        out.where = where;
        const std::string& name = names_.at(path);
        if (variables_.contains(name)) out.parts.push_back({package_, {}, where});
        out.parts.push_back({name, {}, where});
        return out;
    }

    bool is_class(const Name& n) const { return n.parts.size() == 1 && names_.contains(n.parts[0].name); }

    Name type_name(const Name& n) const {
        return is_class(n) ? class_reference(n.parts[0].name, n.where) : n;
    }

    // ---- what names stand in

    void name(Name& n) {
        const std::string& first = n.parts[0].name;
        const bool of_modelica =
            (n.parts.size() == 1 && first == "time") || first == "StateSelect" || first == "AssertionLevel";
        if (of_modelica) return;
        std::size_t begin = 0;
        if (n.parts.size() == 2 && names_.contains(first) && !own_.contains(first)) {  // a literal
            Name type = class_reference(first, n.where);
            begin = type.parts.size();
            n.parts.erase(n.parts.begin());
            n.parts.insert(n.parts.begin(), type.parts.begin(), type.parts.end());
        }
        for (std::size_t i = begin; i < n.parts.size(); ++i) {
            n.parts[i].name = variable_name(n.parts[i].name);
            for (Expression& e : n.parts[i].indices) expression(e);
        }
        n.global = false;
    }

    void expression(Expression& e) override {
        if (e.kind == ExpressionKind::Name)
            name(e.name);
        else if (!e.name.parts.empty())
            e.name = type_name(e.name);
        for (Expression& a : e.arguments) expression(a);
        for (NamedArgument& a : e.named) expression(*a.value);
        for (Iterator& i : e.iterators)
            if (i.range) expression(*i.range);
    }
    void component(Component& c) override {
        c.type = type_name(c.type);
        c.name = variable_name(c.name);
    }
    void argument(Argument& a) override {
        for (NamePart& part : a.name.parts) part.name = variable_name(part.name);
    }
    void iterator(Iterator& i) override { i.name = variable_name(i.name); }

    std::shared_ptr<Class> rewritten(const std::string& path, const Class& c) {
        auto out = std::make_shared<Class>(c);
        out->name = names_.at(path);
        out->parent = nullptr;
        out->inherits.clear();
        for (const std::string& from : c.inherits)
            if (const auto at = names_.find(from); at != names_.end() && from != path)
                out->inherits.push_back(at->second);
        if (const auto a = request_.annotations.find(path); a != request_.annotations.end())
            out->annotation = a->second;
        if (auto* literals = std::get_if<EnumerationDefinition>(&out->definition))
            for (EnumerationLiteral& l : literals->literals) l.name = variable_name(l.name);
        auto* body = std::get_if<LongDefinition>(&out->definition);
        if (!body) return out;
        std::erase_if(body->elements,
                      [](const Element& e) { return std::holds_alternative<NestedClass>(e); });
        own_.clear();
        for (const Element& e : body->elements)
            if (const auto* k = std::get_if<Component>(&e)) own_.insert(k->name);
        visit(*body);
        return out;
    }

    const PackageRequest& request_;
    std::vector<std::pair<std::string, std::shared_ptr<Class>>> found_;  // by path, in the order of the text
    std::map<std::string, std::string> names_;
    std::set<std::string> variables_;  // of all classes
    std::set<std::string> own_;        // of the class that is rewritten
    std::string package_;
};

// A class as a part of others. What flows out of it counts into it, seen from outside: its own equations have
// the opposite of it.
class PartMaker : private ClassVisitor {
  public:
    explicit PartMaker(std::set<std::string> classes) : classes_(std::move(classes)) {}

    std::shared_ptr<Class> part(const Class& c, std::map<std::string, std::shared_ptr<Class>>& connectors) {
        auto out = std::make_shared<Class>(c);
        auto* body = std::get_if<LongDefinition>(&out->definition);
        if (!body) return out;
        own_.clear();
        ports_.clear();
        for (const PortDescription& p : c.ports) ports_[variable_name(p.name)] = &p;
        for (const Element& e : body->elements)
            if (const auto* k = std::get_if<Component>(&e)) own_.insert(k->name);
        visit(*body);
        for (Element& e : body->elements)
            if (auto* k = std::get_if<Component>(&e))
                if (const auto at = ports_.find(k->name); at != ports_.end())
                    k->type.parts.back().name = connector(*k, *at->second, connectors);
        return out;
    }
    // From the classes as they are.
    std::map<std::string, const Class*> by_name;

  private:
    // The type of the port as a connector: the same variables, of which some flow.
    std::string connector(Component& k, const PortDescription& port,
                          std::map<std::string, std::shared_ptr<Class>>& connectors) const {
        const std::string type = k.type.parts.back().name;
        const auto at = by_name.find(type);
        if (at == by_name.end()) return type;
        k.type.parts.erase(k.type.parts.begin(), k.type.parts.end() - 1);  // not the one inside
        std::shared_ptr<Class>& made = connectors[type];
        if (made) return made->name;
        made = std::make_shared<Class>(*at->second);
        made->kind = ClassKind::Connector;
        made->name = type + "_port";
        auto* body = std::get_if<LongDefinition>(&made->definition);
        if (!body) return made->name;
        for (Element& e : body->elements)
            if (auto* v = std::get_if<Component>(&e))
                for (const PortDescription::FlowVariable& flow : port.flows)
                    if (variable_name(flow.name) == v->name) v->prefixes.flow = Flow::Flow;
        return made->name;
    }

    void inside(Name& n) const { n.parts.insert(n.parts.begin(), NamePart{"inside", {}, n.where}); }
    bool is_class(const Name& n) const {
        return !n.parts.empty() && classes_.contains(n.parts[0].name) && !own_.contains(n.parts[0].name);
    }

    void component(Component& c) override {
        if (classes_.contains(c.type.parts[0].name)) inside(c.type);
    }
    void expression(Expression& e) override {
        for (Expression& a : e.arguments) expression(a);
        for (NamePart& p : e.name.parts)
            for (Expression& i : p.indices) expression(i);
        if (is_class(e.name)) inside(e.name);
        if (e.kind != ExpressionKind::Name || e.name.parts.size() != 2) return;
        const auto port = ports_.find(e.name.parts[0].name);
        if (port == ports_.end()) return;
        for (const PortDescription::FlowVariable& flow : port->second->flows)
            if (flow.outward && variable_name(flow.name) == e.name.parts[1].name) e = negative_of(e);
    }
    static Expression negative_of(const Expression& a) {
        Expression e;
        e.kind = ExpressionKind::Operation;
        e.op = Operator::Minus;
        e.where = a.where;
        e.arguments.push_back(a);
        return e;
    }

    std::set<std::string> classes_, own_;
    std::map<std::string, const PortDescription*> ports_;
};

}  // namespace

File parts_package(const File& lowered, const std::string& name) {
    PackageRequest request;
    request.name = name;
    std::vector<std::shared_ptr<Class>> plain = Packer(request).classes(lowered);
    std::set<std::string> names;
    for (const auto& c : plain) names.insert(c->name);
    PartMaker maker(names);
    for (const auto& c : plain) maker.by_name[c->name] = c.get();
    std::map<std::string, std::shared_ptr<Class>> connectors;
    std::vector<std::shared_ptr<Class>> parts;
    for (const auto& c : plain)
        if (c->kind == ClassKind::Model) parts.push_back(maker.part(*c, connectors));
    for (const auto& [type, made] : connectors) parts.push_back(made);
    parts.insert(parts.begin(), package_of("inside", std::move(plain)));
    File out;
    out.source = lowered.source;
    out.classes.push_back(package_of(name, std::move(parts)));
    return out;
}

Package modelica_package(const File& lowered, const PackageRequest& request) {
    return Packer(request).run(lowered);
}

std::string package_name(const std::string& path) {
    const std::size_t slash = path.find_last_of('/');
    std::string name = path.substr(slash == std::string::npos ? 0 : slash + 1);
    name = plain(name.substr(0, name.find_last_of('.')));
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    return name;
}

}  // namespace cutset::modelica
