// Numbers with N partial derivatives, for exact Jacobians: D<double, N>, and D<D<double, 1>, N> where a
// derivative is differentiated again.
#pragma once
#include <cmath>

template <class S, int N>
struct D {
    S v;
    S d[N];
    D() = default;
    D(double c) : v(c) {
        for (int i = 0; i < N; ++i) d[i] = 0.0;
    }
    // f(a) with the value v and the slope s
    D(const S& value, const S& slope, const D& a) : v(value) {
        for (int i = 0; i < N; ++i) d[i] = slope * a.d[i];
    }
    friend D operator+(const D& a, const D& b) {
        D r;
        r.v = a.v + b.v;
        for (int i = 0; i < N; ++i) r.d[i] = a.d[i] + b.d[i];
        return r;
    }
    friend D operator-(const D& a, const D& b) {
        D r;
        r.v = a.v - b.v;
        for (int i = 0; i < N; ++i) r.d[i] = a.d[i] - b.d[i];
        return r;
    }
    friend D operator*(const D& a, const D& b) {
        D r;
        r.v = a.v * b.v;
        for (int i = 0; i < N; ++i) r.d[i] = a.d[i] * b.v + a.v * b.d[i];
        return r;
    }
    friend D operator/(const D& a, const D& b) {
        D r;
        const S q = 1.0 / b.v;
        r.v = a.v * q;
        for (int i = 0; i < N; ++i) r.d[i] = (a.d[i] - r.v * b.d[i]) * q;
        return r;
    }
    friend D operator+(const D& a, double b) {
        D r = a;
        r.v = r.v + b;
        return r;
    }
    friend D operator+(double b, const D& a) { return a + b; }
    friend D operator-(const D& a, double b) { return a + (-b); }
    friend D operator-(double b, const D& a) {
        D r;
        r.v = b - a.v;
        for (int i = 0; i < N; ++i) r.d[i] = -a.d[i];
        return r;
    }
    friend D operator-(const D& a) { return 0.0 - a; }
    friend D operator*(const D& a, double b) {
        D r;
        r.v = a.v * b;
        for (int i = 0; i < N; ++i) r.d[i] = a.d[i] * b;
        return r;
    }
    friend D operator*(double b, const D& a) { return a * b; }
    friend D operator/(const D& a, double b) { return a * (1 / b); }
    friend D operator/(double b, const D& a) {
        const S q = 1.0 / a.v;
        return D(b * q, (-b) * (q * q), a);
    }
    friend D sqrt(const D& a) {
        const S r = sqrt(a.v);
        return D(r, 0.5 / r, a);
    }
    friend D log(const D& a) { return D(log(a.v), 1.0 / a.v, a); }
    friend D exp(const D& a) {
        const S r = exp(a.v);
        return D(r, r, a);
    }
};
using std::exp;
using std::log;
using std::sqrt;

inline double value(double a) {
    return a;
}
template <class S, int N>
double value(const D<S, N>& a) {
    return value(a.v);
}

// Whole powers by squaring; the squares of one base are shared by all its powers in a formula.
template <int N>
inline double ipow(double x) {
    if constexpr (N == 0)
        return 1;
    else if constexpr (N == 1)
        return x;
    else if constexpr (N % 2 == 0)
        return ipow<N / 2>(x * x);
    else
        return x * ipow<N / 2>(x * x);
}
template <int N, class S, int M>
inline D<S, M> ipow(const D<S, M>& x) {
    const S p = ipow<N - 1>(x.v);
    return D<S, M>(p * x.v, static_cast<double>(N) * p, x);
}
