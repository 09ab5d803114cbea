// Equations and events of a model, with their names resolved.
#include <algorithm>
#include <cmath>

#include "expr/modelica_functions.h"
#include "ir/object_build.h"
#include "languages/omola/messages.h"
#include "languages/omola/words.h"
#include "languages/omola/writer.h"

namespace cutset::omola {

using namespace object::build;
using object::ExpressionKind;
using object::Operator;

namespace {

constexpr double standard_gravity = 9.80665;
constexpr double pi_value = 3.14159265358979323846;
constexpr long loop_limit = 100000;

struct KnownFunction {
    std::string_view name;
    std::size_t arguments;
};
// Beside the elementary functions.
constexpr KnownFunction special_functions[] = {
    {"ceil", 1}, {"delay", 2}, {"pre", 1}, {"sum", 1}, {"transpose", 1}};

// How many arguments it takes.
std::optional<std::size_t> arguments_of(std::string_view name) {
    for (const KnownFunction& f : special_functions)
        if (f.name == name) return f.arguments;
    const ElementaryFunction* f = find_modelica_function(name);
    return f ? std::optional(f->arguments) : std::nullopt;
}

}  // namespace

void Writer::find_states(const Expression& e) {
    if (e.kind == ExpressionKind::Derivative && e.arguments[0].kind == ExpressionKind::Name) {
        const object::Name& n = e.arguments[0].name;
        states_.insert(n.parts[0].name);
        if (n.parts.size() == 1 && e.number > 1) {
            int& order = orders_[n.parts[0].name];
            order = std::max(order, static_cast<int>(e.number));
        }
    }
    for (const Expression& a : e.arguments) find_states(a);
}

void Writer::find_rule_names(const Definition& d) {
    if (d.left) find_states(*d.left);
    if (d.right) find_states(*d.right);
    if (d.kind == DefinitionKind::For && d.right) {
        const std::function<void(const Expression&)> collect = [&](const Expression& e) {
            if (e.kind == ExpressionKind::Name) structural_.insert(e.name.parts[0].name);
            for (const Expression& a : e.arguments) collect(a);
        };
        collect(*d.left);
        collect(*d.right);
    }
    if (d.kind == DefinitionKind::Do)
        for (const Definition& inner : d.body)
            if (inner.left) {
                const Expression& target =
                    inner.left->kind == ExpressionKind::Call && !inner.left->arguments.empty()
                        ? inner.left->arguments[0]
                        : *inner.left;
                if (target.kind == ExpressionKind::Name) assigned_.insert(target.name.parts[0].name);
            }
    for (const Definition& inner : d.body) find_rule_names(inner);
}

// A name that nothing declares is a variable of the realization.
void Writer::declare_automatically(const std::string& name, Span where) {
    if (!automatic_.insert(name).second) return;
    diagnostics_.report(declared_automatically(where, name));
    Attribute a;
    a.name = name;
    a.category = "variables";
    a.type = "real";
    a.where = where;
    all_.attributes.push_back(a);
    declare_variable(a);
}

object::Name Writer::resolve(const object::Name& n, bool& ok) {
    object::Name out = n;
    const Object* inside = &all_;
    ok = true;
    for (std::size_t i = 0; i < out.parts.size(); ++i) {
        object::NamePart& part = out.parts[i];
        for (Expression& index : part.indices) {
            if (const auto value = number(index))
                index = integer(static_cast<long>(*value), index.where);
            else
                index = translate(index);
        }
        if (!inside) {
            diagnostics_.report(has_no_parts(part.where, out.parts[i - 1].name));
            ok = false;
            return out;
        }
        bool differs = false;
        const Attribute* a = inside->find_any_case(part.name, differs);
        if (!a && inside != &all_)  // what stands in the realization of a submodel
            for (const Attribute& r : inside->attributes)
                if (r.object && is_realization(r.object->kind) && !a)
                    a = r.object->find_any_case(part.name, differs);
        if (!a && i == 0) {
            if (out.parts.size() > 1) {
                std::vector<std::string> names;
                for (const Attribute& other : all_.attributes) names.push_back(other.name);
                diagnostics_.report(unknown_name(part.where, part.name, nearest_name(part.name, names)));
                ok = false;
                return out;
            }
            declare_automatically(part.name, part.where);
            return out;
        }
        if (!a) {
            if (part.name == "value" && i + 1 == out.parts.size()) {  // the value of a simple terminal
                out.parts.pop_back();
                return out;
            }
            std::vector<std::string> names;
            for (const Attribute& other : inside->attributes) names.push_back(other.name);
            diagnostics_.report(unknown_name(part.where, part.name, nearest_name(part.name, names)));
            ok = false;
            return out;
        }
        if (differs) {
            if (noted_.insert(part.name).second)
                diagnostics_.report(other_case(part.where, part.name, a->name, a->where));
            part.name = a->name;
        }
        if (part.name == "value" && inside->kind != Kind::Model && inside != &all_ &&
            i + 1 == out.parts.size()) {
            out.parts.pop_back();
            return out;
        }
        inside = a->object.get();
    }
    return out;
}

Expression Writer::translate_name(const Expression& e) {
    const std::string& first = e.name.parts[0].name;
    if (e.name.parts.size() == 1 && e.name.parts[0].indices.empty()) {
        if (const auto i = indices_.find(first); i != indices_.end()) return integer(i->second, e.where);
        bool differs = false;
        if (!all_.find_any_case(first, differs)) {
            if (first == "g") return real(standard_gravity, e.where);
            if (first == "pi") return real(pi_value, e.where);
            if (lower_case(first) == "time") return name_of({"time"}, e.where);
        }
    }
    bool ok = true;
    Expression out = e;
    out.name = resolve(e.name, ok);
    return ok ? out : real(0, e.where);
}

// `after`: in the body of an event, where variables that it assigns stand for what they were before.
Expression Writer::translate(const Expression& e, bool after) {
    switch (e.kind) {
        case ExpressionKind::Name: {
            Expression out = translate_name(e);
            if (after && out.kind == ExpressionKind::Name && out.name.parts.size() == 1) {
                const std::string& name = out.name.parts[0].name;
                const Attribute* a = all_.find(name);
                const bool discrete = a && (a->discrete || a->type == "integer" || a->type == "boolean" ||
                                            (assigned_.contains(name) && !is_state(name)));
                if (discrete && !in_parameters_of(*a)) return call("pre", {out}, e.where);
            }
            return out;
        }
        case ExpressionKind::Derivative: {
            Expression inner = translate(e.arguments[0], after);
            int order = static_cast<int>(e.number);
            if (inner.kind == ExpressionKind::Name && inner.name.parts.size() == 1) {
                const auto higher = orders_.find(inner.name.parts[0].name);
                if (higher != orders_.end()) {
                    object::NamePart& part = inner.name.parts[0];
                    const int up = std::min(order, higher->second - 1);
                    part.name += std::string(static_cast<std::size_t>(up), '\'');
                    order -= up;
                    if (order == 0) return inner;
                }
            }
            if (order > 1) {
                diagnostics_.report(order_of_expression(e.where));
                return real(0, e.where);
            }
            Expression out = e;
            out.number = 1;
            out.arguments = {std::move(inner)};
            return out;
        }
        case ExpressionKind::Call: {
            const std::string name = lower_case(e.name.parts.back().name);
            if (name == "new" && e.arguments.size() == 1) return translate(e.arguments[0]);
            const auto wanted = arguments_of(name);
            if (!wanted || e.name.parts.size() > 1) {
                std::vector<std::string> names;
                for (const KnownFunction& k : special_functions) names.emplace_back(k.name);
                for (const ElementaryFunction& f : elementary_functions)
                    if (f.modelica) names.emplace_back(f.modelica);
                diagnostics_.report(
                    unknown_function(e.where, e.name.parts.back().name, nearest_name(name, names)));
                return real(0, e.where);
            }
            if (e.arguments.size() != *wanted) {
                diagnostics_.report(wrong_number_of_arguments(e.where, name, *wanted, e.arguments.size()));
                return real(0, e.where);
            }
            std::vector<Expression> arguments;
            for (const Expression& a : e.arguments) arguments.push_back(translate(a, after && name != "pre"));
            return call(name, std::move(arguments), e.where);
        }
        case ExpressionKind::Operation:
        case ExpressionKind::If:
        case ExpressionKind::Array: {
            Expression out = e;
            for (Expression& a : out.arguments) a = translate(a, after);
            return out;
        }
        case ExpressionKind::Omitted:
            diagnostics_.report(unknown_in_expression(e.where));
            return real(0, e.where);
        default:
            return e;
    }
}

bool Writer::in_parameters_of(const Attribute& a) const {
    return a.category == "parameters";
}

// The definitions of FOR, once for each value of its index.
void Writer::for_each(const Definition& d, const std::function<void(const Definition&)>& f) {
    const auto from = number(*d.left), to = number(*d.right);
    if (!from || !to || *from != std::floor(*from) || *to != std::floor(*to) ||
        *to - *from > static_cast<double>(loop_limit)) {
        diagnostics_.report(range_not_known(d.where, d.name));
        return;
    }
    const auto hidden = indices_.find(d.name) == indices_.end() ? std::optional<long>() : indices_.at(d.name);
    for (long i = static_cast<long>(*from); i <= static_cast<long>(*to); ++i) {
        indices_[d.name] = i;
        for (const Definition& inner : d.body) f(inner);
    }
    if (hidden)
        indices_[d.name] = *hidden;
    else
        indices_.erase(d.name);
}

void Writer::rule(const Definition& d, const std::string& category, object::EquationSection& out) {
    switch (d.kind) {
        case DefinitionKind::Equation: {
            if (is_word_relation(model_, d)) return;
            Expression left = translate(*d.left);  // first, so that what it lacks is said first
            object::Equation e = equation(std::move(left), translate(*d.right), d.where);
            e.description = d.description;
            if (category == "constraints" && !solved_.empty())
                initial_.equations.push_back(std::move(e));
            else
                out.equations.push_back(std::move(e));
            return;
        }
        case DefinitionKind::Connect:
            return connect(d);
        case DefinitionKind::Do:
            return when(d, out);
        case DefinitionKind::For:
            return for_each(d, [&](const Definition& inner) { rule(inner, category, out); });
        case DefinitionKind::Select:
            return;
        default:
            diagnostics_.report(not_here(d.where));
    }
}

void Writer::when(const Definition& d, object::EquationSection& out) {
    object::WhenEquation w;
    object::EquationBranch branch;
    branch.condition = translate(*d.left);
    for (const Definition& s : d.body) {
        const Expression* target = s.left ? &*s.left : nullptr;
        if (target && target->kind == ExpressionKind::Call && target->arguments.size() == 1 &&
            lower_case(target->name.parts.back().name) == "new")
            target = target->arguments.data();
        if (!target || target->kind != ExpressionKind::Name ||
            (s.kind != DefinitionKind::Assign && s.kind != DefinitionKind::Equation)) {
            diagnostics_.report(not_in_event(s.where));
            continue;
        }
        const Expression variable = translate_name(*target);
        if (variable.kind != ExpressionKind::Name) continue;
        Expression value = translate(*s.right, true);
        if (is_state(variable.name.parts[0].name))
            branch.body.push_back(
                call_equation(call("reinit", {variable, std::move(value)}, s.where), s.where));
        else
            branch.body.push_back(equation(variable, std::move(value), s.where));
    }
    if (branch.body.empty()) return;
    w.branches.push_back(std::move(branch));
    object::Equation e;
    e.what = std::move(w);
    e.where = d.where;
    out.equations.push_back(std::move(e));
}

void Writer::rules() {
    if (!selections_.empty()) return select();
    for (const Part& p : parts_)
        for (const Rule& r : p.rules) rule(*r.definition, r.category, equations_);
}

// WHEN c SELECT r: the equations of one realization hold at a time. Variables that only others have stand
// still, and start anew when their realization is selected.
void Writer::select() {
    for (const Rule& r : parts_[0].rules) rule(*r.definition, r.category, equations_);
    const Span where = selections_.front()->where;
    std::string chosen = "realization";
    while (all_.find(chosen)) chosen += "_";
    object::Component c;
    c.type = name_of({"Integer"}, where).name;
    c.name = chosen;
    c.description = "number of the realization that holds";
    c.where = c.statement = where;
    object::Modification start;
    start.where = where;
    start.arguments.push_back(argument("start", integer(1, where)));
    c.modification = std::move(start);
    elements_.emplace_back(std::move(c));

    const auto own_variables = [&](const Part& p) {
        std::vector<const Attribute*> out;
        for (const Attribute& a : p.object->attributes)
            if (!a.object && a.category != "parameters" && a.type == "real" && !a.discrete) {
                bool elsewhere = model_.find(a.name) != nullptr;
                if (!elsewhere) out.push_back(&a);
            }
        return out;
    };
    const auto has = [](const Part& p, const std::string& name) { return p.object->find(name) != nullptr; };
    object::IfEquation choice_of;
    for (std::size_t i = 1; i < parts_.size(); ++i) {
        object::EquationBranch branch;
        if (i + 1 < parts_.size())
            branch.condition =
                operation(Operator::Equal, name_of({chosen}, where), integer(static_cast<long>(i), where));
        object::EquationSection section;
        for (const Rule& r : parts_[i].rules) rule(*r.definition, r.category, section);
        branch.body = std::move(section.equations);
        std::set<std::string> idle;
        for (std::size_t j = 1; j < parts_.size(); ++j)
            for (const Attribute* a : own_variables(parts_[j]))
                if (!has(parts_[i], a->name) && idle.insert(a->name).second) {
                    Expression left = name_of({a->name}, a->where);
                    if (is_state(a->name)) {
                        Expression rate;
                        rate.kind = ExpressionKind::Derivative;
                        rate.number = 1;
                        rate.where = a->where;
                        rate.arguments.push_back(std::move(left));
                        left = std::move(rate);
                    }
                    branch.body.push_back(equation(std::move(left), real(0, a->where), a->where));
                }
        choice_of.branches.push_back(std::move(branch));
    }
    object::Equation modes;
    modes.what = std::move(choice_of);
    modes.where = where;
    equations_.equations.push_back(std::move(modes));

    for (const Definition* s : selections_) {
        std::size_t number_of = 0;
        std::vector<const Attribute*> names;
        for (const Attribute& a : model_.attributes)
            if (a.object && is_realization(a.object->kind)) names.push_back(&a);
        for (std::size_t i = 1; i < parts_.size(); ++i)
            for (const Attribute* a : names)
                if (a->object.get() == parts_[i].object && lower_case(a->name) == lower_case(s->name))
                    number_of = i;
        if (!number_of) {
            diagnostics_.report(unknown_realization(s->where, s->name));
            continue;
        }
        object::WhenEquation w;
        object::EquationBranch branch;
        branch.condition = translate(*s->left);
        branch.body.push_back(
            equation(name_of({chosen}, s->where), integer(static_cast<long>(number_of), s->where), s->where));
        for (const Attribute* a : own_variables(parts_[number_of])) {
            bool everywhere = true;
            for (std::size_t i = 1; i < parts_.size(); ++i)
                everywhere = everywhere && has(parts_[i], a->name);
            if (everywhere || !is_state(a->name) || !a->value) continue;
            branch.body.push_back(call_equation(
                call("reinit", {name_of({a->name}, s->where), translate(*a->value)}, s->where), s->where));
        }
        w.branches.push_back(std::move(branch));
        object::Equation e;
        e.what = std::move(w);
        e.where = s->where;
        equations_.equations.push_back(std::move(e));
    }
}

}  // namespace cutset::omola
