// Expressions and equations of the object tree in one call each, for languages that are lowered onto it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "ir/object_tree.h"

namespace cutset::object::build {

inline Expression name_of(std::vector<std::string> parts, Span where) {
    Expression e;
    e.kind = ExpressionKind::Name;
    e.where = e.name.where = where;
    for (std::string& p : parts) e.name.parts.push_back({std::move(p), {}, where});
    return e;
}
// The name of a class at the top, whatever else has that name where it is used.
inline Name class_name(std::string name, Span where) {
    Name n = name_of({std::move(name)}, where).name;
    n.global = true;
    return n;
}
inline Expression real(double number, Span where) {
    Expression e;
    e.kind = ExpressionKind::Real;
    e.number = number;
    e.where = where;
    return e;
}
inline Expression integer(long number, Span where) {
    Expression e = real(static_cast<double>(number), where);
    e.kind = ExpressionKind::Integer;
    return e;
}
inline Expression string(std::string text, Span where) {
    Expression e;
    e.kind = ExpressionKind::String;
    e.text = std::move(text);
    e.where = where;
    return e;
}
inline Expression call(std::string function, std::vector<Expression> arguments, Span where) {
    Expression e = name_of({std::move(function)}, where);
    e.kind = ExpressionKind::Call;
    e.arguments = std::move(arguments);
    return e;
}
inline Expression operation(Operator op, Expression a, Expression b) {
    Expression e;
    e.kind = ExpressionKind::Operation;
    e.op = op;
    e.where = a.where;
    e.arguments.push_back(std::move(a));
    e.arguments.push_back(std::move(b));
    return e;
}
inline Expression negative(Expression a) {
    Expression e;
    e.kind = ExpressionKind::Operation;
    e.op = Operator::Minus;
    e.where = a.where;
    e.arguments.push_back(std::move(a));
    return e;
}
inline Expression choice(Expression condition, Expression then, Expression otherwise) {
    Expression e;
    e.kind = ExpressionKind::If;
    e.where = condition.where;
    e.arguments.push_back(std::move(condition));
    e.arguments.push_back(std::move(then));
    e.arguments.push_back(std::move(otherwise));
    return e;
}
// In pairs, pairs of pairs …: the tree is as deep as the logarithm of their number.
inline Expression balanced(Operator op, std::vector<Expression> terms) {
    while (terms.size() > 1) {
        std::vector<Expression> half;
        for (std::size_t i = 0; i + 1 < terms.size(); i += 2)
            half.push_back(operation(op, std::move(terms[i]), std::move(terms[i + 1])));
        if (terms.size() % 2) half.push_back(std::move(terms.back()));
        terms = std::move(half);
    }
    return std::move(terms.front());
}
inline Equation equation(Expression left, Expression right, Span where) {
    SimpleEquation e;
    e.left = std::move(left);
    e.right = std::move(right);
    Equation out;
    out.what = std::move(e);
    out.where = where;
    return out;
}
inline Equation call_equation(Expression called, Span where) {
    Equation out;
    out.what = CallEquation{std::move(called)};
    out.where = where;
    return out;
}
// name = value, as in a modification
inline Argument argument(std::string name, Expression value) {
    Argument a;
    a.where = value.where;
    a.name.where = value.where;
    a.name.parts.push_back({std::move(name), {}, value.where});
    Modification m;
    m.where = value.where;
    m.value = std::move(value);
    a.value = std::move(m);
    return a;
}

}  // namespace cutset::object::build
