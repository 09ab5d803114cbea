// Numbers that carry a derivative: v + d·ε with ε² = 0. Dual<Dual<double>> carries second derivatives.
//
//     f(v + d·ε) = f(v) + f'(v)·d·ε
//
// The elementary functions are those of expr.h; `plain` gives the number itself, for conditions and indices.
#pragma once

#include <cmath>

#include "expr/expr.h"

namespace cutset {

template <class T>
struct Dual {
    T v{};
    T d{};
    Dual() = default;
    Dual(double number) : v(number) {}
    Dual(T value, T derivative) : v(value), d(derivative) {}
};

inline double plain(double x) {
    return x;
}
template <class T>
double plain(const Dual<T>& x) {
    return plain(x.v);
}

// Whether any part is not zero.
inline bool varies(double d) {
    return d != 0;
}
template <class T>
bool varies(const Dual<T>& x) {
    return varies(x.v) || varies(x.d);
}

template <class T>
Dual<T> operator+(const Dual<T>& a, const Dual<T>& b) {
    return {a.v + b.v, a.d + b.d};
}
template <class T>
Dual<T> operator-(const Dual<T>& a, const Dual<T>& b) {
    return {a.v - b.v, a.d - b.d};
}
template <class T>
Dual<T> operator-(const Dual<T>& a) {
    return {-a.v, -a.d};
}
template <class T>
Dual<T> operator*(const Dual<T>& a, const Dual<T>& b) {
    return {a.v * b.v, a.v * b.d + a.d * b.v};
}
template <class T>
Dual<T> operator/(const Dual<T>& a, const Dual<T>& b) {
    const T quotient = a.v / b.v;
    return {quotient, (a.d - quotient * b.d) / b.v};
}

// With a number that does not vary: what would be multiplied by zero, or added to it, is left out.
template <class T>
Dual<T> operator+(const Dual<T>& a, double c) {
    return {a.v + c, a.d};
}
template <class T>
Dual<T> operator-(const Dual<T>& a, double c) {
    return {a.v - c, a.d};
}
template <class T>
Dual<T> operator-(double c, const Dual<T>& a) {
    return {c - a.v, -a.d};
}
template <class T>
Dual<T> operator*(const Dual<T>& a, double c) {
    return {a.v * c, a.d * c};
}
template <class T>
Dual<T> operator/(const Dual<T>& a, double c) {
    return {a.v / c, a.d / c};
}
template <class T>
Dual<T> operator/(double c, const Dual<T>& a) {
    const T quotient = c / a.v;
    return {quotient, -((c == 1 ? quotient * quotient : quotient / a.v) * a.d)};
}

inline double unary(Op op, double x) {
    return apply_unary(op, x);
}
inline double binary(Op op, double x, double y) {
    return apply_binary(op, x, y);
}

// f(x) and f'(x) by the same functions one level down.
template <class T>
Dual<T> unary(Op op, const Dual<T>& x) {
    const T one(1.0), f = unary(op, x.v);
    switch (op) {
        case Op::Sqrt:
            return {f, x.d / (f + f)};
        case Op::Exp:
            return {f, f * x.d};
        case Op::Ln:
            return {f, x.d / x.v};
        case Op::Log10:
            return {f, T(0.43429448190325182765) * x.d / x.v};
        case Op::Sin:
            return {f, unary(Op::Cos, x.v) * x.d};
        case Op::Cos:
            return {f, -(unary(Op::Sin, x.v) * x.d)};
        case Op::Tan:
            return {f, (one + f * f) * x.d};
        case Op::Asin:
            return {f, x.d / unary(Op::Sqrt, one - x.v * x.v)};
        case Op::Acos:
            return {f, -(x.d / unary(Op::Sqrt, one - x.v * x.v))};
        case Op::Atan:
            return {f, x.d / (one + x.v * x.v)};
        case Op::Sinh:
            return {f, unary(Op::Cosh, x.v) * x.d};
        case Op::Cosh:
            return {f, unary(Op::Sinh, x.v) * x.d};
        case Op::Tanh:
            return {f, (one - f * f) * x.d};
        case Op::Abs:
            return plain(x) < 0 ? -x : x;
        case Op::NoEvent:
            return x;
        default:  // Sign, Truncate, Not: steps
            return {f, T(0.0)};
    }
}

template <class T>
Dual<T> binary(Op op, const Dual<T>& x, const Dual<T>& y) {
    switch (op) {
        case Op::Power: {
            const T f = binary(Op::Power, x.v, y.v);
            T derivative(0.0);
            if (varies(x.d) && (varies(y.v) || varies(y.d)))
                derivative = y.v * binary(Op::Power, x.v, y.v - T(1.0)) * x.d;
            // The logarithm only where the exponent varies: x^2 has a derivative for negative x too.
            if (varies(y.d)) derivative = derivative + f * unary(Op::Ln, x.v) * y.d;
            return {f, derivative};
        }
        case Op::Atan2:
            return {binary(op, x.v, y.v), (y.v * x.d - x.v * y.d) / (x.v * x.v + y.v * y.v)};
        case Op::Modulo: {
            const T steps(std::trunc(plain(x) / plain(y)));
            return x - Dual<T>(steps, T(0.0)) * y;
        }
        case Op::Min:
            return apply_binary(Op::Min, plain(x), plain(y)) == plain(y) ? y : x;
        case Op::Max:
            return apply_binary(Op::Max, plain(x), plain(y)) == plain(y) ? y : x;
        default:  // relations
            return {T(apply_binary(op, plain(x), plain(y))), T(0.0)};
    }
}

}  // namespace cutset
