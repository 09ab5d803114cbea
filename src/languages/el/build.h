// Expressions and equations of the object tree in one call each.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ir/object_tree.h"

namespace cutset::el {

inline object::Expression name_of(std::vector<std::string> parts, Span where) {
    object::Expression e;
    e.kind = object::ExpressionKind::Name;
    e.where = e.name.where = where;
    for (std::string& p : parts) e.name.parts.push_back({std::move(p), {}, where});
    return e;
}
inline object::Expression real(double number, Span where) {
    object::Expression e;
    e.kind = object::ExpressionKind::Real;
    e.number = number;
    e.where = where;
    return e;
}
inline object::Expression integer(long number, Span where) {
    object::Expression e = real(static_cast<double>(number), where);
    e.kind = object::ExpressionKind::Integer;
    return e;
}
inline object::Expression string(std::string text, Span where) {
    object::Expression e;
    e.kind = object::ExpressionKind::String;
    e.text = std::move(text);
    e.where = where;
    return e;
}
inline object::Expression call(std::string function, std::vector<object::Expression> arguments, Span where) {
    object::Expression e = name_of({std::move(function)}, where);
    e.kind = object::ExpressionKind::Call;
    e.arguments = std::move(arguments);
    return e;
}
inline object::Expression operation(object::Operator op, object::Expression a, object::Expression b) {
    object::Expression e;
    e.kind = object::ExpressionKind::Operation;
    e.op = op;
    e.where = a.where;
    e.arguments.push_back(std::move(a));
    e.arguments.push_back(std::move(b));
    return e;
}
inline object::Expression negative(object::Expression a) {
    object::Expression e;
    e.kind = object::ExpressionKind::Operation;
    e.op = object::Operator::Minus;
    e.where = a.where;
    e.arguments.push_back(std::move(a));
    return e;
}
inline object::Expression choice(object::Expression condition, object::Expression then, object::Expression otherwise) {
    object::Expression e;
    e.kind = object::ExpressionKind::If;
    e.where = condition.where;
    e.arguments.push_back(std::move(condition));
    e.arguments.push_back(std::move(then));
    e.arguments.push_back(std::move(otherwise));
    return e;
}
// In pairs, pairs of pairs …: the tree is as deep as the logarithm of their number.
inline object::Expression balanced(object::Operator op, std::vector<object::Expression> terms) {
    while (terms.size() > 1) {
        std::vector<object::Expression> half;
        for (std::size_t i = 0; i + 1 < terms.size(); i += 2)
            half.push_back(operation(op, std::move(terms[i]), std::move(terms[i + 1])));
        if (terms.size() % 2) half.push_back(std::move(terms.back()));
        terms = std::move(half);
    }
    return std::move(terms.front());
}
inline object::Equation equation(object::Expression left, object::Expression right, Span where) {
    object::SimpleEquation e;
    e.left = std::move(left);
    e.right = std::move(right);
    object::Equation out;
    out.what = std::move(e);
    out.where = where;
    return out;
}
inline object::Equation call_equation(object::Expression called, Span where) {
    object::Equation out;
    out.what = object::CallEquation{std::move(called)};
    out.where = where;
    return out;
}
// name = value, as in a modification
inline object::Argument argument(std::string name, object::Expression value) {
    object::Argument a;
    a.where = value.where;
    a.name.where = value.where;
    a.name.parts.push_back({std::move(name), {}, value.where});
    object::Modification m;
    m.where = value.where;
    m.value = std::move(value);
    a.value = std::move(m);
    return a;
}

}  // namespace cutset::el
