// Expressions of EL with their names resolved and sums written out.
#include <cmath>

#include "expr/modelica_functions.h"
#include "ir/object_build.h"
#include "languages/el/body.h"
#include "languages/el/elaborate.h"
#include "languages/el/messages.h"

namespace cutset::el {

using namespace object::build;

using object::ExpressionKind;
using object::Operator;

std::string text_of(const object::Name& name) {
    std::string out;
    for (const object::NamePart& p : name.parts) {
        if (!out.empty()) out += '.';
        out += p.name;
        if (p.indices.empty()) continue;
        out += '[';
        for (std::size_t i = 0; i < p.indices.size(); ++i) {
            const Expression& e = p.indices[i];
            if (i) out += ',';
            if (e.kind == ExpressionKind::Integer)
                out += std::to_string(static_cast<long>(e.number));
            else
                out += e.kind == ExpressionKind::Name ? text_of(e.name) : "?";
        }
        out += ']';
    }
    return out;
}

namespace {

enum class BuiltIn : std::uint8_t {
    Same,
    SignedRoot,
    Power,
    SignedSquare,
    Step,
    Square,
    Pulse,
    Ramp,
    Lines,  // through the points of a table, of as many dimensions as it has further arguments
    Spline,
};

struct BuiltInFunction {
    std::string_view name;
    std::size_t arguments;
    BuiltIn how = BuiltIn::Same;
    std::string_view ours = {};
};
// Beside the elementary functions.
constexpr BuiltInFunction special_functions[] = {
    {"ceil", 1},
    {"fmod", 2, BuiltIn::Same, "rem"},
    {"delay", 2},
    {"noEvent", 1},
    {"ssqrt", 1, BuiltIn::SignedRoot},
    {"pow", 2, BuiltIn::Power},
    {"spow2", 1, BuiltIn::SignedSquare},
    {"step", 2, BuiltIn::Step},
    {"square", 2, BuiltIn::Square},
    {"pulse", 3, BuiltIn::Pulse},
    {"ramp", 2, BuiltIn::Ramp},
    {"linearInterp1D", 2, BuiltIn::Lines},
    {"linearInterp2D", 3, BuiltIn::Lines},
    {"linearInterp3D", 4, BuiltIn::Lines},
    {"splineInterp1D", 2, BuiltIn::Spline},
    {"splineInterp2D", 3, BuiltIn::Spline},
};

std::optional<BuiltInFunction> built_in(const std::string& name) {
    for (const BuiltInFunction& f : special_functions)
        if (f.name == name) return f;
    if (const ElementaryFunction* f = find_modelica_function(name))
        return BuiltInFunction{f->modelica, f->arguments};
    return std::nullopt;
}

}  // namespace

std::optional<Constant> Body::known(const Expression& e) {
    return evaluate(e, constants_, library_);
}

std::string Body::with_primes(const std::string& name, int order) const {
    return name + std::string(static_cast<std::size_t>(order), '\'');
}

std::optional<long> Body::index_number(const Constant& c, const Dimension& d) const {
    if (const auto* l = std::get_if<Literal>(&c.value)) {
        if (!d.set || d.set->type != l->type) return std::nullopt;
        for (std::size_t i = 0; i < d.set->numbers.size(); ++i)
            if (d.set->numbers[i] == l->number) return static_cast<long>(i) + 1;
        return std::nullopt;
    }
    const auto n = number(c);
    if (!n || *n != std::floor(*n) || *n < 1 || *n > static_cast<double>(d.size)) return std::nullopt;
    return static_cast<long>(*n);
}

std::optional<Body::Resolved> Body::resolve(const object::Name& name) {
    Resolved out;
    out.name.where = name.where;
    std::size_t first = 0;
    if (name.parts.size() > 1 && library_.names.contains(name.parts[0].name)) first = 1;
    if (port_) out.name.parts = prefix_.parts;
    std::shared_ptr<const Model> model = model_;
    std::shared_ptr<const PortType> port;
    const PortType* inside = port_;
    for (std::size_t i = first; i < name.parts.size(); ++i) {
        const object::NamePart& part = name.parts[i];
        Symbol found;
        std::vector<std::string> candidates;
        if (inside) {
            const PortVariable* v = inside->variable(part.name);
            for (const PortVariable& other : inside->variables) candidates.push_back(other.declared->name);
            if (!v) {
                diagnostics_.report(unknown_name(part.where, part.name,
                                                 i > first ? name.parts[i - 1].name : "",
                                                 nearest_name(part.name, candidates)));
                return std::nullopt;
            }
            found.type = v->declared->type;
            found.kind = v->declared->discrete || v->declared->type != Type::Real ? SymbolKind::Discrete
                                                                                  : SymbolKind::Continuous;
            found.dimensions = v->dimensions;
            found.where = v->declared->where;
        } else {
            const auto at = model->symbols.find(part.name);
            if (at == model->symbols.end()) {
                for (const auto& [other, symbol] : model->symbols) candidates.push_back(other);
                diagnostics_.report(unknown_name(part.where, part.name,
                                                 i > first ? name.parts[i - 1].name : "",
                                                 nearest_name(part.name, candidates)));
                return std::nullopt;
            }
            found = at->second;
        }
        object::NamePart resolved{part.name, {}, part.where};
        if (part.indices.size() > found.dimensions.size()) {
            diagnostics_.report(too_many_indices(part.where, part.name, found.dimensions.size()));
            return std::nullopt;
        }
        for (std::size_t d = 0; d < part.indices.size(); ++d) {
            const Expression& index = part.indices[d];
            if (const auto value = known(index)) {
                const auto n = index_number(*value, found.dimensions[d]);
                if (!n) {
                    diagnostics_.report(
                        index_outside(index.where, to_text(*value), part.name, found.dimensions[d].size));
                    return std::nullopt;
                }
                resolved.indices.push_back(integer(*n, index.where));
            } else if (found.kind == SymbolKind::Port || found.kind == SymbolKind::Submodel) {
                diagnostics_.report(index_not_known(index.where));
                return std::nullopt;
            } else {
                resolved.indices.push_back(translate(index));
            }
        }
        out.open_dimensions += found.dimensions.size() - part.indices.size();
        out.name.parts.push_back(std::move(resolved));
        out.symbol = found;
        inside = nullptr;
        port.reset();
        if (i + 1 == name.parts.size()) break;
        if (found.kind == SymbolKind::Port) {
            port = found.port;
            inside = port.get();
        } else if (found.kind == SymbolKind::Submodel) {
            model = found.model;
        } else {
            diagnostics_.report(has_no_parts(part.where, part.name));
            return std::nullopt;
        }
    }
    out.in_data = out.symbol.kind == SymbolKind::Data;
    return out;
}

std::vector<Expression> Body::translate_all(const std::vector<Expression>& all) {
    std::vector<Expression> out;
    for (const Expression& e : all) out.push_back(translate(e));
    return out;
}

Expression Body::translate(const Expression& e) {
    switch (e.kind) {
        case ExpressionKind::Name:
            return translate_name(e);
        case ExpressionKind::Derivative:
            return translate_derivative(e);
        case ExpressionKind::Call:
            return translate_call(e);
        case ExpressionKind::Comprehension:
            return translate_sum(e);
        case ExpressionKind::Operation:
        case ExpressionKind::If:
        case ExpressionKind::Array: {
            Expression out = e;
            out.arguments = translate_all(e.arguments);
            return out;
        }
        case ExpressionKind::Real:
        case ExpressionKind::Integer:
        case ExpressionKind::Boolean:
        case ExpressionKind::String:
            return e;
        default:
            diagnostics_.report(not_an_expression_here(e.where));
            return real(0, e.where);
    }
}

Expression Body::translate_name(const Expression& e) {
    const std::string& first = e.name.parts[0].name;
    const bool single = e.name.parts.size() == 1;
    if (single && first == "TIME" && e.name.parts[0].indices.empty()) return name_of({"time"}, e.where);
    const bool declared = !port_ && model_->symbols.contains(first) && !constants_.contains(first);
    if (!declared) {
        if (const auto value = known(e)) {
            if (const auto* literal = std::get_if<Literal>(&value->value))
                elaborator_.enumeration(literal->type->name);
            return to_expression(*value, e.where);
        }
    }
    const auto found = resolve(e.name);
    if (!found) return real(0, e.where);
    if (found->symbol.kind == SymbolKind::Port || found->symbol.kind == SymbolKind::Submodel) {
        diagnostics_.report(not_a_value(e.where, text_of(e.name)));
        return real(0, e.where);
    }
    Expression out = e;
    out.name = found->name;
    return out;
}

Expression Body::translate_derivative(const Expression& e) {
    const Expression& inner = e.arguments[0];
    if (inner.kind != ExpressionKind::Name) {
        diagnostics_.report(not_an_expression_here(e.where));
        return real(0, e.where);
    }
    Expression variable = translate_name(inner);
    if (variable.kind != ExpressionKind::Name) {
        diagnostics_.report(derivative_of_constant(e.where));
        return variable;
    }
    int order = static_cast<int>(e.number);
    object::NamePart& last = variable.name.parts.back();
    const auto doubled = orders_.find(last.name);
    if (variable.name.parts.size() == 1 && doubled != orders_.end()) {
        if (order < doubled->second) {
            last.name = with_primes(last.name, order);
            return variable;
        }
        last.name = with_primes(last.name, doubled->second - 1);
        order = 1;
    }
    if (order > 1) {
        diagnostics_.report(order_of_submodel(e.where, text_of(inner.name)));
        return real(0, e.where);
    }
    Expression out = e;
    out.number = 1;
    out.arguments = {std::move(variable)};
    return out;
}

Expression Body::translate_sum(const Expression& e) {
    std::vector<Expression> terms;
    for_each_index(e.iterators, e.where, [&] { terms.push_back(translate(e.arguments[0])); });
    const bool sum = e.name.parts[0].name == "sum";
    if (terms.empty()) return integer(sum ? 0 : 1, e.where);
    return balanced(sum ? Operator::Add : Operator::Multiply, std::move(terms));
}

Expression Body::translate_call(const Expression& e) {
    const std::string& name = e.name.parts.back().name;
    if (const auto f = library_.functions.find(name); f != library_.functions.end())
        return translate_user_call(e, *f->second, "");
    const auto f = built_in(name);
    if (!f) {
        std::vector<std::string> candidates;
        for (const BuiltInFunction& other : special_functions) candidates.emplace_back(other.name);
        for (const ElementaryFunction& other : elementary_functions)
            if (other.modelica) candidates.emplace_back(other.modelica);
        for (const auto& [other, declared] : library_.functions) candidates.push_back(other);
        diagnostics_.report(unknown_function(e.where, name, nearest_name(name, candidates)));
        return real(0, e.where);
    }
    if (e.arguments.size() != f->arguments || !e.named.empty()) {
        diagnostics_.report(wrong_number_of_arguments(e.where, name, f->arguments, e.arguments.size()));
        return real(0, e.where);
    }
    if (f->how == BuiltIn::Lines || f->how == BuiltIn::Spline)
        return interpolate(e, static_cast<int>(f->arguments) - 1, f->how == BuiltIn::Spline);
    std::vector<Expression> a = translate_all(e.arguments);
    const Expression one = real(1, e.where), zero = real(0, e.where);
    switch (f->how) {
        case BuiltIn::SignedRoot:
            return operation(Operator::Multiply, call("sign", {a[0]}, e.where),
                             call("sqrt", {call("abs", {a[0]}, e.where)}, e.where));
        case BuiltIn::Power:
            return operation(Operator::Power, a[0], a[1]);
        case BuiltIn::SignedSquare:
            return operation(Operator::Multiply, a[0], call("abs", {a[0]}, e.where));
        case BuiltIn::Step:
            return choice(operation(Operator::GreaterEqual, a[0], a[1]), one, zero);
        case BuiltIn::Square:
            return choice(operation(Operator::Less, call("mod", {a[0], a[1]}, e.where),
                                    operation(Operator::Divide, a[1], real(2, e.where))),
                          one, zero);
        case BuiltIn::Pulse:
            return choice(operation(Operator::Less, call("mod", {a[0], a[1]}, e.where), a[2]), one, zero);
        case BuiltIn::Ramp:  // from 0 to 1 in each period
            return operation(Operator::Divide, call("mod", {a[0], a[1]}, e.where), a[1]);
        default:
            return call(std::string(f->ours.empty() ? f->name : f->ours), std::move(a), e.where);
    }
}

// A call of the function, or of the part of it that computes the argument `out`.
Expression Body::translate_user_call(const Expression& e, const Function& f, const std::string& out) {
    const auto few = [&] {
        diagnostics_.report(
            wrong_number_of_arguments(e.where, f.name, f.arguments.size(), e.arguments.size()));
        return real(0, e.where);
    };
    if (e.arguments.size() > f.arguments.size()) return few();
    Expression made = e;
    made.name.parts = {{elaborator_.function(f, out), {}, e.where}};
    made.arguments.clear();
    made.named.clear();
    for (std::size_t i = 0; i < f.arguments.size(); ++i) {
        const Argument& a = f.arguments[i];
        if (a.out) continue;
        const Expression* given = given_to(e, f, i);
        if (!given && a.declared.init) given = &*a.declared.init;
        if (!given) return few();
        made.arguments.push_back(translate(*given));
    }
    return made;
}

// What the call gives to argument i: by position, or by name; null where it says nothing.
const Expression* Body::given_to(const Expression& e, const Function& f, std::size_t i) {
    for (const object::NamedArgument& n : e.named)
        if (n.name == f.arguments[i].declared.name) return &*n.value;
    return i < e.arguments.size() ? &e.arguments[i] : nullptr;
}

// f(x, OUT y) by itself: y = its value, for each OUT argument.
std::vector<std::pair<const Expression*, Expression>> Body::results_of(const Expression& e,
                                                                       const Function& f) {
    std::vector<std::pair<const Expression*, Expression>> out;
    for (std::size_t i = 0; i < f.arguments.size(); ++i)
        if (const Expression* target = f.arguments[i].out ? given_to(e, f, i) : nullptr)
            out.emplace_back(target, translate_user_call(e, f, f.arguments[i].declared.name));
    return out;
}

// Whether a translated expression is made of data and numbers only.
bool Body::is_data(const Expression& e) {
    if (e.kind == ExpressionKind::Derivative) return false;
    if (e.kind == ExpressionKind::Name) {
        const auto& parts = e.name.parts;
        if (parts[0].name == "time") return false;
        if (parts.size() == 2 && library_.enumerations.contains(parts[0].name)) return true;
        const auto at = model_->symbols.find(parts[0].name);
        if (at == model_->symbols.end()) return false;
        const Symbol* s = &at->second;
        for (std::size_t i = 1; i < parts.size() && s; ++i) {
            if (s->kind != SymbolKind::Submodel) return false;
            const auto next = s->model->symbols.find(parts[i].name);
            s = next == s->model->symbols.end() ? nullptr : &next->second;
        }
        return s && s->kind == SymbolKind::Data;
    }
    for (const Expression& a : e.arguments)
        if (!is_data(a)) return false;
    return true;
}

void Body::for_each_index(const std::vector<object::Iterator>& iterators, Span where,
                          const std::function<void()>& f) {
    const std::function<void(std::size_t)> level = [&](std::size_t i) {
        if (i == iterators.size()) return f();
        const auto values = index_values(iterators[i], constants_, library_);
        if (!values) return diagnostics_.report(range_not_known(iterators[i].where, iterators[i].name));
        const std::string& name = iterators[i].name;
        std::optional<Constant> hidden;
        if (const auto at = constants_.find(name); at != constants_.end()) hidden = at->second;
        for (const Constant& v : *values) {
            if (++nodes_ > 1000000) {
                if (nodes_ == 1000001) diagnostics_.report(expanded_too_far(where));
                break;
            }
            constants_[name] = v;
            level(i + 1);
        }
        if (hidden)
            constants_[name] = *hidden;
        else
            constants_.erase(name);
    };
    level(0);
}

void Body::find_orders(const Expression& e) {
    if (e.kind == ExpressionKind::Derivative && e.arguments[0].kind == ExpressionKind::Name)
        differentiated_.insert(text_of(e.arguments[0].name));
    if (e.kind == ExpressionKind::Derivative && e.number >= 2 &&
        e.arguments[0].kind == ExpressionKind::Name && e.arguments[0].name.parts.size() == 1) {
        int& order = orders_[e.arguments[0].name.parts[0].name];
        order = std::max(order, static_cast<int>(e.number));
    }
    for (const Expression& a : e.arguments) find_orders(a);
    for (const object::NamedArgument& a : e.named) find_orders(*a.value);
}

void Body::find_orders(const Statement& s) {
    for (const Box<Expression>* e : {&s.left, &s.right, &s.condition})
        if (*e) find_orders(**e);
    for (const Branch& b : s.branches) {
        if (b.condition) find_orders(*b.condition);
        for (const Statement& inner : b.body) find_orders(inner);
    }
    for (const Statement& inner : s.body) find_orders(inner);
}

}  // namespace cutset::el
