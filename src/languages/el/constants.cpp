#include "languages/el/constants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace cutset::el {

using object::ExpressionKind;
using object::Operator;

bool List::operator==(const List& other) const {
    return items == other.items;
}

std::optional<double> number(const Constant& c) {
    if (const auto* d = std::get_if<double>(&c.value)) return *d;
    if (const auto* i = std::get_if<long>(&c.value)) return static_cast<double>(*i);
    return std::nullopt;
}

std::string to_text(const Constant& c) {
    if (const auto* d = std::get_if<double>(&c.value)) return fmt::format("{}", *d);
    if (const auto* i = std::get_if<long>(&c.value)) return fmt::format("{}", *i);
    if (const auto* b = std::get_if<bool>(&c.value)) return *b ? "TRUE" : "FALSE";
    if (const auto* s = std::get_if<std::string>(&c.value)) return '"' + *s + '"';
    if (const auto* l = std::get_if<Literal>(&c.value)) return l->type->literals[l->number - 1];
    std::string out = "{";
    if (const auto* s = std::get_if<Set>(&c.value))
        for (int n : s->numbers) out += (out.size() > 1 ? ", " : "") + s->type->literals[n - 1];
    if (const auto* l = std::get_if<List>(&c.value))
        for (const Constant& item : l->items) out += (out.size() > 1 ? ", " : "") + to_text(item);
    return out + "}";
}

Expression to_expression(const Constant& c, Span where) {
    Expression e;
    e.where = where;
    if (const auto* d = std::get_if<double>(&c.value)) {
        e.kind = ExpressionKind::Real;
        e.number = *d;
    } else if (const auto* i = std::get_if<long>(&c.value)) {
        e.kind = ExpressionKind::Integer;
        e.number = static_cast<double>(*i);
    } else if (const auto* b = std::get_if<bool>(&c.value)) {
        e.kind = ExpressionKind::Boolean;
        e.number = *b;
    } else if (const auto* s = std::get_if<std::string>(&c.value)) {
        e.kind = ExpressionKind::String;
        e.text = *s;
    } else if (const auto* l = std::get_if<Literal>(&c.value)) {
        e.kind = ExpressionKind::Name;
        e.name.parts = {{l->type->name, {}, where}, {l->type->literals[l->number - 1], {}, where}};
        e.name.where = where;
    } else {
        e.kind = ExpressionKind::Array;
        if (const auto* l2 = std::get_if<List>(&c.value))
            for (const Constant& item : l2->items) e.arguments.push_back(to_expression(item, where));
        if (const auto* s2 = std::get_if<Set>(&c.value))
            for (int n : s2->numbers) e.arguments.push_back(to_expression({static_cast<long>(n)}, where));
    }
    return e;
}

namespace {

std::optional<Constant> evaluate_name(const Expression& e, const Constants& names, const Library& library) {
    const auto& parts = e.name.parts;
    const std::string& last = parts.back().name;
    if (parts.size() > 2 || (parts.size() == 2 && !library.names.contains(parts[0].name) &&
                             !library.enumerations.contains(parts[0].name)))
        return std::nullopt;
    std::optional<Constant> found;
    if (const auto at = names.find(last); parts.size() == 1 && at != names.end()) {
        found = at->second;
    } else if (last == "PI") {
        found = Constant{3.14159265358979323846};
    } else if (last == "Inf" || last == "TMAX") {
        found = Constant{1e30};
    } else if (last == "TZERO") {
        found = Constant{273.15};
    } else if (last.starts_with("u_") || last == "no_units") {  // names of units are texts
        found = Constant{last == "no_units" ? std::string("-") : last.substr(2)};
    } else {
        for (const auto& [name, type] : library.enumerations) {
            if (parts.size() == 2 && parts[0].name != name) continue;
            const auto at_literal = std::find(type->literals.begin(), type->literals.end(), last);
            if (at_literal != type->literals.end()) {
                found = Constant{Literal{type, static_cast<int>(at_literal - type->literals.begin()) + 1}};
                break;
            }
            if (last == name) {  // all its values
                Set all{type, {}};
                for (std::size_t i = 0; i < type->literals.size(); ++i)
                    all.numbers.push_back(static_cast<int>(i) + 1);
                found = Constant{all};
                break;
            }
        }
    }
    for (const Expression& index : parts.back().indices) {
        if (!found) return found;
        const auto i = evaluate(index, names, library);
        const auto* list = std::get_if<List>(&found->value);
        if (!i || !list) return std::nullopt;
        const auto n = number(*i);
        if (!n || *n < 1 || *n > static_cast<double>(list->items.size()) || *n != std::floor(*n))
            return std::nullopt;
        Constant item = list->items[static_cast<std::size_t>(*n) - 1];
        found = std::move(item);
    }
    return found;
}

std::optional<Constant> evaluate_list(const Expression& e, const Constants& names, const Library& library) {
    List list;
    for (const Expression& a : e.arguments) {
        auto item = evaluate(a, names, library);
        if (!item) return std::nullopt;
        list.items.push_back(std::move(*item));
    }
    const bool literals =
        !list.items.empty() && std::all_of(list.items.begin(), list.items.end(), [](const Constant& c) {
            return std::holds_alternative<Literal>(c.value);
        });
    if (!literals) return Constant{std::move(list)};
    Set set{std::get<Literal>(list.items[0].value).type, {}};
    for (const Constant& c : list.items) set.numbers.push_back(std::get<Literal>(c.value).number);
    return Constant{std::move(set)};
}

std::optional<Constant> arithmetic(Operator op, const Constant& a, const Constant& b) {
    const auto x = number(a), y = number(b);
    if (!x || !y) {
        if (op == Operator::Equal) return Constant{a == b};
        if (op == Operator::NotEqual) return Constant{!(a == b)};
        const auto* p = std::get_if<bool>(&a.value);
        const auto* q = std::get_if<bool>(&b.value);
        if (p && q && op == Operator::And) return Constant{*p && *q};
        if (p && q && op == Operator::Or) return Constant{*p || *q};
        return std::nullopt;
    }
    const bool whole = std::holds_alternative<long>(a.value) && std::holds_alternative<long>(b.value);
    const auto result = [&](double v) -> std::optional<Constant> {
        if (whole && std::abs(v) < 1e15) return Constant{static_cast<long>(v)};
        return Constant{v};
    };
    switch (op) {
        case Operator::Add:
            return result(*x + *y);
        case Operator::Subtract:
            return result(*x - *y);
        case Operator::Multiply:
            return result(*x * *y);
        case Operator::Divide:
            if (*y == 0) return std::nullopt;
            return whole ? result(std::trunc(*x / *y)) : Constant{*x / *y};
        case Operator::Power:
            return result(std::pow(*x, *y));
        case Operator::Less:
            return Constant{*x < *y};
        case Operator::LessEqual:
            return Constant{*x <= *y};
        case Operator::Greater:
            return Constant{*x > *y};
        case Operator::GreaterEqual:
            return Constant{*x >= *y};
        case Operator::Equal:
            return Constant{*x == *y};
        case Operator::NotEqual:
            return Constant{*x != *y};
        default:
            return std::nullopt;
    }
}

std::optional<Constant> evaluate_operation(const Expression& e, const Constants& names,
                                           const Library& library) {
    const auto a = evaluate(e.arguments[0], names, library);
    if (!a) return std::nullopt;
    if (e.arguments.size() == 2) {
        const auto b = evaluate(e.arguments[1], names, library);
        return b ? arithmetic(e.op, *a, *b) : std::nullopt;
    }
    if (e.op == Operator::Not) {
        const auto* b = std::get_if<bool>(&a->value);
        return b ? std::optional(Constant{!*b}) : std::nullopt;
    }
    if (!number(*a)) return std::nullopt;
    if (e.op == Operator::Plus) return a;
    if (const auto* i = std::get_if<long>(&a->value)) return Constant{-*i};
    return Constant{-*number(*a)};
}

std::optional<Constant> evaluate_call(const Expression& e, const Constants& names, const Library& library) {
    const std::string& f = e.name.parts.back().name;
    if (f == "noEvent" && e.arguments.size() == 1) return evaluate(e.arguments[0], names, library);
    std::vector<Constant> values;
    for (const Expression& a : e.arguments) {
        auto v = evaluate(a, names, library);
        if (!v) return std::nullopt;
        values.push_back(std::move(*v));
    }
    if (f == "setofSize" && values.size() == 1)
        if (const auto* s = std::get_if<Set>(&values[0].value))
            return Constant{static_cast<long>(s->numbers.size())};
    if (f == "setofElem" && values.size() == 2)
        if (const auto* s = std::get_if<Set>(&values[0].value))
            if (const auto n = number(values[1]);
                n && *n >= 1 && *n <= static_cast<double>(s->numbers.size()))
                return Constant{Literal{s->type, s->numbers[static_cast<std::size_t>(*n) - 1]}};
    if (f == "setofContains" && values.size() == 2)
        if (const auto* s = std::get_if<Set>(&values[0].value))
            if (const auto* l = std::get_if<Literal>(&values[1].value))
                return Constant{std::find(s->numbers.begin(), s->numbers.end(), l->number) !=
                                s->numbers.end()};
    return std::nullopt;
}

}  // namespace

std::optional<Constant> evaluate(const Expression& e, const Constants& names, const Library& library) {
    switch (e.kind) {
        case ExpressionKind::Real:
            return Constant{e.number};
        case ExpressionKind::Integer:
            return Constant{static_cast<long>(e.number)};
        case ExpressionKind::Boolean:
            return Constant{e.number != 0};
        case ExpressionKind::String:
            return Constant{e.text};
        case ExpressionKind::Name:
            return evaluate_name(e, names, library);
        case ExpressionKind::Array:
            return evaluate_list(e, names, library);
        case ExpressionKind::Operation:
            return evaluate_operation(e, names, library);
        case ExpressionKind::Call:
            return evaluate_call(e, names, library);
        case ExpressionKind::If: {
            for (std::size_t i = 0; i + 1 < e.arguments.size(); i += 2) {
                const auto c = evaluate(e.arguments[i], names, library);
                const bool* holds = c ? std::get_if<bool>(&c->value) : nullptr;
                if (!holds) return std::nullopt;
                if (*holds) return evaluate(e.arguments[i + 1], names, library);
            }
            return evaluate(e.arguments.back(), names, library);
        }
        default:
            return std::nullopt;
    }
}

Constants global_constants(const Library& library) {
    Constants out;
    for (bool progress = true; progress;) {  // a constant may follow from others, in any order
        progress = false;
        for (const auto& [name, declared] : library.constants) {
            if (out.contains(name) || !declared->init) continue;
            auto value = evaluate(*declared->init, out, library);
            if (!value) continue;
            if (declared->type == Type::Real && std::holds_alternative<long>(value->value))
                value = Constant{static_cast<double>(std::get<long>(value->value))};
            out.emplace(name, std::move(*value));
            progress = true;
        }
    }
    return out;
}

namespace {

std::optional<std::vector<Constant>> values_of(const Expression& e, const Constants& names,
                                               const Library& library) {
    std::vector<Constant> out;
    if (e.kind == ExpressionKind::Range) {
        const auto a = evaluate(e.arguments[0], names, library), b = evaluate(e.arguments[1], names, library);
        const auto x = a ? number(*a) : std::nullopt, y = b ? number(*b) : std::nullopt;
        if (!x || !y || *x != std::floor(*x) || *y != std::floor(*y)) return std::nullopt;
        if (*y - *x > static_cast<double>(range_limit)) return std::nullopt;
        for (double i = *x; i <= *y; ++i) out.push_back({static_cast<long>(i)});
        return out;
    }
    const auto value = evaluate(e, names, library);
    if (!value) return std::nullopt;
    if (const auto* s = std::get_if<Set>(&value->value)) {
        for (int n : s->numbers) out.push_back({Literal{s->type, n}});
        return out;
    }
    if (const auto* l = std::get_if<List>(&value->value)) return l->items;
    out.push_back(*value);
    return out;
}

}  // namespace

std::optional<std::vector<Constant>> index_values(const object::Iterator& i, const Constants& names,
                                                  const Library& library) {
    auto out = values_of(*i.range, names, library);
    if (!out || !i.except) return out;
    const auto without = values_of(*i.except, names, library);
    if (!without) return std::nullopt;
    std::erase_if(*out, [&](const Constant& c) {
        return std::find(without->begin(), without->end(), c) != without->end();
    });
    return out;
}

}  // namespace cutset::el
