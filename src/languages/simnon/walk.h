// Expressions of Simnon systems: numbers, and the references in them.
#pragma once

#include <string>
#include <utility>

#include "ir/class_tree.h"
#include "languages/simnon/system.h"

namespace cutset::simnon {

inline tree::Expression number(double value, Span where) {
    tree::Expression e;
    e.kind = tree::ExpressionKind::Number;
    e.number = value;
    e.where = where;
    return e;
}

inline bool is_time(const tree::Reference& r) {
    return r.parts.size() == 1 && r.parts[0].name == "time";
}

// Expressions are no deeper than the parser allows.
template <class Visit>
void for_each_reference(const tree::Expression& e, Visit&& visit) {
    if (e.kind == tree::ExpressionKind::Reference) visit(e.reference);
    for (const tree::Expression& argument : e.arguments) for_each_reference(argument, visit);
}

template <class Visit>
void change_references(tree::Expression& e, Visit&& visit) {
    if (e.kind == tree::ExpressionKind::Reference) visit(e.reference);
    for (tree::Expression& argument : e.arguments) change_references(argument, visit);
}

// v → prefix.v, as it is written from outside.
inline void put_prefix(tree::Expression& e, const std::string& prefix) {
    change_references(e, [&](tree::Reference& r) {
        if (is_time(r) || r.parts.size() != 1) return;
        tree::ReferencePart part = r.parts[0];
        part.before = tree::Separator::Variable;
        r.parts[0].name = prefix;
        r.parts.push_back(std::move(part));
    });
}

// Whether a statement concerns other systems.
inline bool refers_outside(const SystemAssignment& a) {
    bool outside = !a.system.empty();
    for_each_reference(a.value, [&](const tree::Reference& r) { outside = outside || r.parts.size() > 1; });
    return outside;
}

}  // namespace cutset::simnon
