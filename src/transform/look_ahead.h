// Going through the expressions of a large model, which lie scattered in memory: asking for those that come
// soon, so that they have arrived when they are looked at. Changes nothing but the time it takes.
#pragma once

#include <algorithm>
#include <cstddef>

#include "expr/expr.h"

namespace cutset::passes {

// How many elements of a list before its turn something is asked for: what is asked for later stands in what
// was asked for earlier.
inline constexpr std::size_t ahead_record = 24, ahead_node = 16, ahead_arguments = 10, ahead_deeper = 5;

inline void ask_for_node(Expr e) {
    if (!e) return;
    __builtin_prefetch(e);
    __builtin_prefetch(reinterpret_cast<const char*>(e) + 64);  // its arguments
}
inline void ask_for_arguments(Expr e) {
    if (!e) return;
    for (Expr a : e->args().first(std::min<std::size_t>(e->argument_count, 6))) ask_for_node(a);
}
inline void ask_for_deeper(Expr e) {
    if (!e) return;
    for (Expr a : e->args().first(std::min<std::size_t>(e->argument_count, 6)))
        for (Expr b : a->args().first(std::min<std::size_t>(a->argument_count, 3))) __builtin_prefetch(b);
}

// At number i of n: visit(k, ask) is to call ask(e) for the expressions of number k, if they will be looked
// at.
template <class Visit>
void look_ahead(std::size_t i, std::size_t n, Visit visit) {
    if (i + ahead_node < n) visit(i + ahead_node, ask_for_node);
    if (i + ahead_arguments < n) visit(i + ahead_arguments, ask_for_arguments);
    if (i + ahead_deeper < n) visit(i + ahead_deeper, ask_for_deeper);
}

// The same for a list of equations, or of whatever has a left and a right side.
template <class Equations, class Wanted>
void look_ahead(const Equations& equations, std::size_t i, Wanted wanted) {
    look_ahead(i, equations.size(), [&](std::size_t k, auto ask) {
        if (!wanted(k)) return;
        ask(equations.data()[k].left);
        ask(equations.data()[k].right);
    });
}
template <class Equations>
void look_ahead(const Equations& equations, std::size_t i) {
    look_ahead(equations, i, [](std::size_t) { return true; });
}

}  // namespace cutset::passes
