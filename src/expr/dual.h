// Numbers that carry a derivative: v + d·ε with ε² = 0. Dual<Dual<double>> carries second derivatives.
//
//     f(v + d·ε) = f(v) + f'(v)·d·ε
//
// The elementary functions are those of elementary_functions.h; `plain` gives the number itself, for
// conditions and indices.
#pragma once

#include <cmath>

#include "expr/elementary_functions.h"

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

template <class T>
Dual<T> number_like(const Dual<T>&, double c) {
    return c;
}

// f(x) and f'(x)·d by the same functions one level down.
template <class T>
Dual<T> function_of(Op op, const Dual<T>& x) {
    if (op == Op::Abs) return plain(x) < 0 ? -x : x;
    if (op == Op::NoEvent) return x;
    const T f = function_of(op, x.v);
    T d(0.0);  // Sign, Truncate, Floor, Not: steps
    visit_function(op, [&]<class F>(F) {
        if constexpr (SmoothOfOne<F>) d = F::derivative(x.v, f)(x.d);
    });
    return {f, d};
}

template <class T>
Dual<T> function_of(Op op, const Dual<T>& x, const Dual<T>& y) {
    switch (op) {
        case Op::Power: {
            const T f = function_of(Op::Power, x.v, y.v);
            T derivative(0.0);
            if (varies(x.d) && (varies(y.v) || varies(y.d)))
                derivative = y.v * function_of(Op::Power, x.v, y.v - T(1.0)) * x.d;
            // The logarithm only where the exponent varies: x^2 has a derivative for negative x too.
            if (varies(y.d)) derivative = derivative + f * function_of(Op::Ln, x.v) * y.d;
            return {f, derivative};
        }
        case Op::Remainder:
        case Op::Modulo: {
            const double quotient = plain(x) / plain(y);
            const T steps(op == Op::Remainder ? std::trunc(quotient) : std::floor(quotient));
            return x - Dual<T>(steps, T(0.0)) * y;
        }
        case Op::Min:
            return apply_binary(Op::Min, plain(x), plain(y)) == plain(y) ? y : x;
        case Op::Max:
            return apply_binary(Op::Max, plain(x), plain(y)) == plain(y) ? y : x;
        default: {
            if (!is_smooth_function(op))
                return {T(apply_binary(op, plain(x), plain(y))), T(0.0)};  // relations
            Dual<T> out(function_of(op, x.v, y.v), T(0.0));
            visit_function(op, [&]<class F>(F) {
                if constexpr (SmoothOfTwo<F>) out.d = F::derivative(x.v, y.v, out.v)(x.d, y.d);
            });
            return out;
        }
    }
}

}  // namespace cutset
