#include "instantiate/value_types.h"

#include <algorithm>
#include <cmath>

#include "instantiate/expression_parts.h"
#include "instantiate/messages.h"

namespace cutset {

namespace {

std::string listed(const Enumeration& e) {
    std::string text;
    for (const std::string& literal : e.literals) text += (text.empty() ? "" : ", ") + literal;
    return text;
}

std::optional<std::uint32_t> position(const Enumeration& e, std::string_view name) {
    const auto found = std::find(e.literals.begin(), e.literals.end(), name);
    if (found == e.literals.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - e.literals.begin() + 1);
}

// "a number", "a truth value", "one of off, on": what a value is.
std::string kind_of(const FlatModel& model, const Value& v) {
    if (v.is_condition()) return "a truth value";
    if (v.enumeration != no_enumeration) return "one of " + listed(model.enumerations[v.enumeration]);
    return "a number";
}

// The variable that a value is; null where it is more, or something else.
const Variable* variable_alone(const FlatModel& model, const Value& v) {
    if (!v.is_scalar() || v.failed()) return nullptr;
    Expr e = v.scalar;
    if (e->op == Op::Less && e->arg(0)->is_number(0.5)) e = e->arg(1);  // a truth value
    if (e->op != Op::Variable || e->order > 0) return nullptr;
    return &model.variables[e->variable()];
}

// A single name that no variable of the model has: perhaps a value of an enumeration.
bool is_literal(const Context& c, const tree::Expression& e, const Scope& s) {
    if (e.kind != tree::ExpressionKind::Reference || e.reference.parts.size() != 1 || s.function)
        return false;
    const ClassNames* n = c.instances[s.instance].info->find(e.reference.parts[0].name);
    return !n || n->variable == none;
}

}  // namespace

std::uint32_t enumeration_of(Context& c, const std::vector<std::string>& literals) {
    std::vector<Enumeration>& all = c.model.enumerations;
    for (std::uint32_t i = 0; i < all.size(); ++i)
        if (all[i].literals == literals) return i;
    all.push_back({literals});
    return static_cast<std::uint32_t>(all.size() - 1);
}

std::optional<Value> literal_value(Context& c, std::string_view name, Span where, const Scope& s) {
    const auto made = [&](std::uint32_t enumeration, std::uint32_t number) {
        Value v(c.pool.number(number));
        v.enumeration = enumeration;
        return v;
    };
    const std::vector<Enumeration>& all = c.model.enumerations;
    if (s.enumeration != no_enumeration)
        if (const auto number = position(all[s.enumeration], name)) return made(s.enumeration, *number);
    std::optional<Value> found;
    std::vector<std::string> with;
    for (std::uint32_t i = 0; i < all.size(); ++i)
        if (const auto number = position(all[i], name)) {
            found = made(i, *number);
            with.push_back(listed(all[i]));
        }
    if (with.size() > 1) {
        c.report(messages::literal_of_several(where, place(c, s), std::string(name), with));
        return Value();
    }
    return found;
}

std::pair<Value, Value> translate_sides(Context& c, const tree::Expression& left,
                                        const tree::Expression& right, const Scope& s) {
    std::pair<Value, Value> sides;
    const bool right_first = !c.model.enumerations.empty() && is_literal(c, left, s);
    Value& first = right_first ? sides.second : sides.first;
    Value& second = right_first ? sides.first : sides.second;
    first = translate(c, right_first ? right : left, s);
    Scope inner = s;
    inner.enumeration = first.enumeration;
    second = translate(c, right_first ? left : right, inner);
    return sides;
}

bool fits_type(Context& c, VariableIndex v, const Value& value, Span where, const Scope& s) {
    const Variable& variable = c.model.variables[v];
    const auto refuse = [&](const std::string& what, const char* help) {
        c.report(messages::type_mismatch(where, place(c, s), variable.name, type_text(c.model, variable),
                                         variable.origin.where, what, help));
        return false;
    };
    const bool number = !value.is_condition() && value.enumeration == no_enumeration;
    switch (variable.type) {
        case ValueType::Boolean:
            if (value.is_condition()) return true;
            return refuse(kind_of(c.model, value), "compare it, for example `… <> 0`");
        case ValueType::Enumeration:
            if (value.enumeration == variable.enumeration && !value.is_condition()) return true;
            return refuse(kind_of(c.model, value), "give it by name");
        case ValueType::Integer:
            if (!number) break;
            for (std::size_t k = 0; k < value.size(); ++k)
                if (!is_whole(c.model, value[k]))
                    return refuse("a real number",
                                  "int(…) makes a whole number of it; a parameter that is whole is declared "
                                  "`parameter integer`");
            return true;
        case ValueType::Real:
            if (number) return true;
            break;
    }
    return refuse(kind_of(c.model, value), "`if condition then 1 else 0` makes a number of a condition");
}

bool fits_types(Context& c, const Value& left, const Value& right, Span where, const Scope& s) {
    if (left.is_condition() == right.is_condition() && left.enumeration == right.enumeration) return true;
    Diagnostic d =
        left.enumeration == no_enumeration && right.enumeration == no_enumeration
            ? messages::equation_types(where, place(c, s), left.is_condition())
            : messages::types_differ(where, place(c, s), kind_of(c.model, left), kind_of(c.model, right));
    for (const Value* side : {&left, &right})
        if (const Variable* v = variable_alone(c.model, *side))
            d.related.push_back({v->origin.where, "declared here: " + type_text(c.model, *v)});
    c.report(std::move(d));
    return false;
}

void check_whole(Context& c) {
    const FlatModel& model = c.model;
    if (std::none_of(model.variables.begin(), model.variables.end(), [](const Variable& v) {
            return v.type == ValueType::Integer && v.variability > Variability::Parameter;
        }))
        return;
    std::vector<const Equation*> real(model.variables.size(), nullptr);  // by variable: the first
    std::vector<bool> whole(model.variables.size());
    const auto look = [&](const Equation& e) {
        for (const auto& [side, other] : {std::pair(e.left, e.right), std::pair(e.right, e.left)}) {
            if (side->op != Op::Variable || side->order > 0 ||
                model.variables[side->variable()].type != ValueType::Integer)
                continue;
            if (is_whole(model, other))
                whole[side->index] = true;
            else if (!real[side->index])
                real[side->index] = &e;
        }
    };
    for (const Equation& e : model.equations) look(e);
    for (const Equation& e : model.discrete_equations) look(e);
    for (VariableIndex v{0}; v < model.variables.end_index(); ++v.value)
        if (real[v.value] && !whole[v.value]) {
            const Origin& origin = real[v.value]->origin;
            const Expr other = real[v.value]->left->op == Op::Variable && real[v.value]->left->variable() == v
                                   ? real[v.value]->right
                                   : real[v.value]->left;
            fits_type(c, v, Value(other), origin.where, Scope{.instance = origin.instance});
        }
}

bool is_whole(const FlatModel& model, Expr e) {
    const auto all = [&](std::size_t from = 0) {
        return std::all_of(e->args().begin() + static_cast<std::ptrdiff_t>(from), e->args().end(),
                           [&](Expr x) { return is_whole(model, x); });
    };
    switch (e->op) {
        case Op::Number:
            return e->number == std::trunc(e->number);
        case Op::Variable:
        case Op::Previous:
            return e->order == 0 && model.variables[e->variable()].type == ValueType::Integer;
        case Op::Truncate:
        case Op::Floor:
        case Op::Sign:
            return true;
        case Op::Add:
        case Op::Multiply:
        case Op::Abs:
        case Op::Min:
        case Op::Max:
        case Op::Modulo:
        case Op::Remainder:
        case Op::NoEvent:
            return all();
        case Op::Power:
            return all() && e->arg(1)->is_number() && e->arg(1)->number >= 0;
        case Op::If:
            for (std::size_t i = 0; i < e->argument_count; ++i)
                if ((i % 2 == 1 || i + 1 == e->argument_count) && !is_whole(model, e->arg(i))) return false;
            return true;
        default:
            return false;
    }
}

std::string type_text(const FlatModel& model, const Variable& v) {
    switch (v.type) {
        case ValueType::Boolean:
            return "a truth value";
        case ValueType::Integer:
            return "a whole number";
        case ValueType::Enumeration:
            return "one of " + listed(model.enumerations[v.enumeration]);
        case ValueType::Real:
            break;
    }
    return "a number";
}

}  // namespace cutset
