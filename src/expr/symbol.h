// Expressions written with operators, so that a formula can be one template for numbers and for expressions.
#pragma once

#include <vector>

#include "expr/expr.h"

namespace cutset {

struct Symbol {
    Pool* pool = nullptr;
    Expr e = nullptr;
};

inline Symbol operator+(const Symbol& a, const Symbol& b) {
    return {a.pool, a.pool->add(a.e, b.e)};
}
inline Symbol operator-(const Symbol& a, const Symbol& b) {
    return {a.pool, a.pool->subtract(a.e, b.e)};
}
inline Symbol operator-(const Symbol& a) {
    return {a.pool, a.pool->negate(a.e)};
}
inline Symbol operator*(const Symbol& a, const Symbol& b) {
    return {a.pool, a.pool->multiply(a.e, b.e)};
}
inline Symbol operator/(const Symbol& a, const Symbol& b) {
    return {a.pool, a.pool->divide(a.e, b.e)};
}
inline Symbol number_like(const Symbol& x, double c) {
    return {x.pool, x.pool->number(c)};
}
inline Symbol function_of(Op op, const Symbol& x) {
    return {x.pool, x.pool->call(op, x.e)};
}
inline Symbol function_of(Op op, const Symbol& x, const Symbol& y) {
    const Expr both[2] = {x.e, y.e};
    return {x.pool, x.pool->call(op, both)};
}

// Conditions.
inline Expr operator<(double low, const Symbol& x) {
    return x.pool->less(x.pool->number(low), x.e);
}
inline Expr operator<=(double low, const Symbol& x) {
    return x.pool->less_equal(x.pool->number(low), x.e);
}
inline Expr operator<(const Symbol& x, double high) {
    return x.pool->less(x.e, x.pool->number(high));
}
inline Expr operator<=(const Symbol& x, double high) {
    return x.pool->less_equal(x.e, x.pool->number(high));
}

}  // namespace cutset
