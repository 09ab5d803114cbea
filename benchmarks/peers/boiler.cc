// The drum boiler plant of examples/boiler.dym with its 31 states under a load that swings, eliminated by
// hand: flows and pressures of boiler and feedwater from two equations, those of the turbine from two and
// three times one, the circulation in the drum from one; everything else is explicit. Each system starts from
// its last solution. Written once over the number type T: double for the derivatives, A for the Jacobian,
// where functions of steam are differentiated by their own two or three arguments only and systems by the
// implicit function theorem.
#include <cstdio>
#include <cstring>
#include <type_traits>

extern "C" {
#include "peer.h"
}
#include "steam.h"

namespace {

constexpr int states = 31, unknowns = 2;
using A = D<double,
            states + unknowns>;  // derivatives by the states, and by the unknowns of the system being solved
template <int N>
using Local = D<double, N>;

// ------------------------------------------------------------------ functions of water and steam

template <class S>
S water_temperature(const S& p, const S& h) {
    const S T = backward_T1_ph(p, h);
    return T + (h - water_enthalpy(p, T)) / water_heat_capacity(p, T);
}
template <class S>
S backward_T2_ph(const S& p, const S& h) {
    if (value(p) <= 4) return backward_T2a_ph(p, h);
    if (value(p) < 905.84278514723 - 0.67955786399241 * value(h) + 0.00012809002730136 * value(h) * value(h))
        return backward_T2b_ph(p, h);
    return backward_T2c_ph(p, h);
}

// Boiling water at p: temperature, enthalpy, density and their slopes
template <class S>
void boiling(const S* in, S* out) {
    D<S, 1> p;
    p.v = in[0];
    p.d[0] = 1.0;
    const D<S, 1> T = boiling_temperature(p), h = water_enthalpy(p, T), r = 1.0 / water_volume(p, T);
    out[0] = T.v, out[1] = h.v, out[2] = r.v, out[3] = T.d[0], out[4] = h.d[0], out[5] = r.d[0];
}
// Dry steam at p: enthalpy, density and their slopes
template <class S>
void dry(const S* in, S* out) {
    D<S, 1> p;
    p.v = in[0];
    p.d[0] = 1.0;
    const D<S, 1> T = boiling_temperature(p), h = steam_enthalpy(p, T), r = 1.0 / steam_volume(p, T);
    out[0] = h.v, out[1] = r.v, out[2] = h.d[0], out[3] = r.d[0];
}
// Water at p, h: density
template <class S>
void water(const S* in, S* out) {
    out[0] = 1.0 / water_volume(in[0], water_temperature(in[0], in[1]));
}
// Water at p, h: density and 1/cp
template <class S>
void water_heated(const S* in, S* out) {
    const S T = water_temperature(in[0], in[1]);
    out[0] = 1.0 / water_volume(in[0], T);
    out[1] = 1.0 / water_heat_capacity(in[0], T);
}
// Steam at p, h: temperature, density, 1/cp
template <class S>
void steam(const S* in, S* out) {
    const S T0 = backward_T2_ph(in[0], in[1]);
    const S T = T0 + (in[1] - steam_enthalpy(in[0], T0)) / steam_heat_capacity(in[0], T0);
    out[0] = T;
    out[1] = 1.0 / steam_volume(in[0], T);
    out[2] = 1.0 / steam_heat_capacity(in[0], T);
}
// Water or wet steam at p, h: density and its slopes
template <class S>
void drum_water(const S* in, S* out) {
    D<S, 2> a[2], r;
    a[0].v = in[0], a[0].d[0] = 1.0, a[0].d[1] = 0.0;
    a[1].v = in[1], a[1].d[0] = 0.0, a[1].d[1] = 1.0;
    const double p = value(in[0]), T = boiling_temperature(p);
    if (value(in[1]) <= water_enthalpy(p, T)) {
        water(a, &r);
    } else {
        const D<S, 2> Tb = boiling_temperature(a[0]), h1 = water_enthalpy(a[0], Tb),
                      v1 = water_volume(a[0], Tb);
        r = 1.0 / (v1 + (steam_volume(a[0], Tb) - v1) * (a[1] - h1) / (steam_enthalpy(a[0], Tb) - h1));
    }
    out[0] = r.v, out[1] = r.d[0], out[2] = r.d[1];
}
// Steam at p, h: density and its slopes, temperature, 1/cp
template <class S>
void reheated(const S* in, S* out) {
    D<S, 2> a[2], r[3];
    a[0].v = in[0], a[0].d[0] = 1.0, a[0].d[1] = 0.0;
    a[1].v = in[1], a[1].d[0] = 0.0, a[1].d[1] = 1.0;
    steam(a, r);
    out[0] = r[1].v, out[1] = r[1].d[0], out[2] = r[1].d[1], out[3] = r[2].v;
}
// Enthalpy after an expansion without loss from p1, h1 to p2
template <class S>
void expansion(const S* in, S* out) {
    const S &p1 = in[0], &h1 = in[1], &p2 = in[2];
    S s;
    const double pv = value(p1), hv = value(h1);
    // bounds of dry steam, as in libraries/steam.dym: far from them nothing else need be computed
    bool wet = false;
    const double b1 = std::sqrt(std::sqrt(pv));
    if (hv <= 2804.1 && hv < 2467.9 + b1 * (360.09 + b1 * (89.21 - b1 * 118.05)))
        wet = hv < steam_enthalpy(pv, boiling_temperature(pv));
    if (!wet) {
        const S T = backward_T2_ph(p1, h1);
        s = steam_entropy(p1, T) + (h1 - steam_enthalpy(p1, T)) / T;
    } else {
        const S T = boiling_temperature(p1), hw = water_enthalpy(p1, T), sw = water_entropy(p1, T);
        s = sw + (steam_entropy(p1, T) - sw) * (h1 - hw) / (steam_enthalpy(p1, T) - hw);
    }
    const double p2v = value(p2);
    wet = false;
    const double b2 = std::sqrt(std::sqrt(p2v));
    if (value(s) <
        10.7682 + b2 * (-12.9645 + b2 * (19.7196 + b2 * (-16.8685 + b2 * (7.15945 - b2 * 1.18956)))))
        wet = value(s) < steam_entropy(p2v, boiling_temperature(p2v));
    if (!wet) {
        const S T = p2v <= 4           ? backward_T2a_ps(p2, s)
                    : value(s) >= 5.85 ? backward_T2b_ps(p2, s)
                                       : backward_T2c_ps(p2, s);
        out[0] = steam_enthalpy(p2, T) + T * (s - steam_entropy(p2, T));
    } else {
        const S T = boiling_temperature(p2), hw = water_enthalpy(p2, T), sw = water_entropy(p2, T);
        out[0] = hw + (steam_enthalpy(p2, T) - hw) * (s - sw) / (steam_entropy(p2, T) - sw);
    }
}

// The same for A: differentiate by the arguments, then multiply by their derivatives.
template <int I, int O, class F>
void lift(F f, const A* in, A* out) {
    Local<I> a[I], r[O];
    for (int i = 0; i < I; ++i) {
        a[i] = in[i].v;
        a[i].d[i] = 1;
    }
    f(a, r);
    for (int o = 0; o < O; ++o) {
        out[o].v = r[o].v;
        for (int k = 0; k < states; ++k) {
            double s = 0;
            for (int i = 0; i < I; ++i) s += r[o].d[i] * in[i].d[k];
            out[o].d[k] = s;
        }
        for (int k = states; k < states + unknowns; ++k) out[o].d[k] = 0;
    }
}
#define STEAM_FUNCTION(name, I, O)                                           \
    template <class T>                                                       \
    void name##_(const T* in, T* out) {                                      \
        if constexpr (std::is_same_v<T, double>)                             \
            name(in, out);                                                   \
        else                                                                 \
            lift<I, O>([](const auto* a, auto* r) { name(a, r); }, in, out); \
    }
STEAM_FUNCTION(boiling, 1, 6)
STEAM_FUNCTION(dry, 1, 4)
STEAM_FUNCTION(water, 2, 1)
STEAM_FUNCTION(water_heated, 2, 2)
STEAM_FUNCTION(steam, 2, 3)
STEAM_FUNCTION(drum_water, 2, 3)
STEAM_FUNCTION(reheated, 2, 4)
STEAM_FUNCTION(expansion, 3, 1)

// ------------------------------------------------------------------ small systems

// Unknowns y of residual(y, r) = 0, from `last` on, which keeps the solution. False when there is none.
template <int N, class T, class F>
bool solve(double* last, T* y, F residual) {
    if constexpr (std::is_same_v<T, double>) {
        for (int k = 0; k < 50; ++k) {
            Local<N> u[N], r[N];
            double change[N], relative = 0;
            for (int i = 0; i < N; ++i) {
                u[i] = last[i];
                u[i].d[i] = 1;
            }
            residual(u, r);
            if constexpr (N == 1) {
                change[0] = -r[0].v / r[0].d[0];
            } else {
                const double det = r[0].d[0] * r[1].d[1] - r[0].d[1] * r[1].d[0];
                change[0] = -(r[0].v * r[1].d[1] - r[1].v * r[0].d[1]) / det;
                change[1] = -(r[0].d[0] * r[1].v - r[1].d[0] * r[0].v) / det;
            }
            for (int i = 0; i < N; ++i) {
                last[i] += change[i];
                relative = std::fmax(relative, std::fabs(change[i] / last[i]));
                y[i] = last[i];
            }
            // the next change would be its square
            if (relative < 1e-7) return true;
            if (!(relative < 1e10)) return false;
        }
        return false;
    } else {
        A r[N];
        for (int i = 0; i < N; ++i) {
            y[i] = A(last[i]);
            y[i].d[states + i] = 1;
        }
        residual(y, r);
        for (int i = 0; i < N; ++i) y[i] = A(last[i]);
        for (int k = 0; k < states; ++k) {
            if constexpr (N == 1) {
                y[0].d[k] = -r[0].d[k] / r[0].d[states];
            } else {
                const double a = r[0].d[states], b = r[0].d[states + 1], c = r[1].d[states],
                             d = r[1].d[states + 1];
                y[0].d[k] = -(r[0].d[k] * d - r[1].d[k] * b) / (a * d - b * c);
                y[1].d[k] = -(a * r[1].d[k] - c * r[0].d[k]) / (a * d - b * c);
            }
        }
        return true;
    }
}

// ------------------------------------------------------------------ the plant

template <class S>
S oneway(const S& x, double w) {
    if (value(x) > 0) return x / sqrt(sqrt(x * x + w * w * w * w));
    return 0.01 * x / w;
}
constexpr double square(double x) {
    return x * x;
}
// resistance between squares of pressures, and of an extraction
constexpr double drop(double p1, double p2, double w) {
    return (p1 * p1 - p2 * p2) / (w * w);
}
template <class S, class T>
auto taken(const S& p, const T& pe, double f, double wn) {
    return oneway((p * p - pe * pe) / f, 0.02 * wn);
}

// starting points of the systems, then their last solutions
double flows[2] = {216.5, 220}, middle[2] = {0.6, 0.31}, cold[1] = {3.55}, low2[1] = {0.11},
       low3[1] = {0.032}, mixture[1] = {1370};

template <class T>
int plant(double t, const T* x, T* dx) {
    const T &He = x[0], &z = x[1], &P = x[2], &Hd = x[3], &xr = x[4], &Vb = x[5], &H1 = x[6], &H2 = x[7],
            &H3 = x[8], &Pr = x[9], &Hr = x[10], &Pc = x[11], &M = x[19], &Pd = x[20], &valve = x[21],
            &fuel = x[23], &governor = x[25], &spray1 = x[27], &spray2 = x[29];
    const T* Ps = x + 11;  // Ps[1] … Ps[7], the preheaters

    // boiler: W2, W3 through the superheaters, S1, S2 sprayed, Wf feedwater
    constexpr double f1 = drop(14, 13.7, 212), f2 = drop(13.7, 13.4, 216.5), f3 = drop(13.4, 13, 220),
                     fh = 12.0 / 220, fe = 0.3 / (212.0 * 212), sp1 = 0.6 * 0.0625 / (4.5 * 4.5),
                     sp2 = 0.9 * 0.0625 / (3.5 * 3.5), fv = 3.1 * 0.36 / (220.0 * 220),
                     pump = (1.0 + 4 * 0.05) / (220.0 * 220), cv = drop(13, 12, 220);
    const T opening = exp((2.0 * (governor - 0.9)) * std::log(30.0));  // (a/an)^2
    const T k3 = fh * fh + cv / opening, root2 = sqrt(k3 + f3);
    const T u1 = spray1 * spray1, u2 = spray2 * spray2, feed = pump + fv / (valve * valve);
    T w[2];
    const auto spray = [&](const auto& W2, const auto& W3, auto& P22, auto& P21, auto& S1, auto& S2,
                           auto& Pe) {
        P22 = W3 * root2;
        P21 = sqrt(P22 * P22 + f2 * W2 * W2);
        S2 = W3 - W2;
        Pe = P22 + sp2 * S2 * S2 / (u2 * u2);
        S1 = u1 * sqrt((Pe - P21) / sp1);
    };
    if (!solve<2>(flows, w, [&](const auto* y, auto* r) {
            std::decay_t<decltype(y[0])> P22, P21, S1, S2, Pe;
            spray(y[0], y[1], P22, P21, S1, S2, Pe);
            const auto Wf = sqrt((Pd + 18.31 - Pe) / feed), W1 = y[0] - S1, Wb = Wf - S1 - S2;
            r[0] = P * P - P21 * P21 - f1 * W1 * W1;
            r[1] = Pe - P - fe * Wb * Wb;
        }))
        return 1;
    const T &W2 = w[0], &W3 = w[1];
    T P22, P21, S1, S2, Pe;
    spray(W2, W3, P22, P21, S1, S2, Pe);
    const T Wf = sqrt((Pd + 18.31 - Pe) / feed), W1 = W2 - S1, Wb = Wf - S1 - S2, P3 = W3 * sqrt(k3);

    // turbine
    constexpr double ip1 = 3.2 / 201.9, ip2 = 1.75 / 192.7, ip3 = 0.98 / 186.2, ip4 = 0.6 / 181.3,
                     lp1 = 0.32 / 171.8, lp2 = 0.11 / 162, lp3 = 0.032 / 152.2;
    constexpr double e0 = drop(3.55, 3.35, 18.1), e1 = drop(1.75, 1.66, 9.2), e2 = drop(0.98, 0.93, 6.5),
                     e3 = drop(0.6, 0.57, 4.9), e4 = drop(0.32, 0.31, 9.4), e5 = drop(0.11, 0.103, 9.9),
                     e6 = drop(0.032, 0.03, 9.7), b1 = drop(0.31, 0.29, 3.3), b2 = drop(0.31, 0.2, 6.1),
                     fr = drop(3.55, 3.2, 201.9);
    const T Wi = Pr / ip1;  // into the intermediate turbine
    T m[2];
    const auto extract = [&](const auto& P4, const auto& Pb, auto& B1, auto& B2, auto& E2, auto& E3,
                             auto& P2i, auto& P3i, auto& Pl, auto& Wc) {
        B1 = taken(Pb, Pd, b1, 3.3);
        B2 = taken(Pb, Ps[3], b2, 6.1);
        E3 = taken(P4, Ps[4], e3, 4.9);
        Wc = P4 / ip4 - B1;
        P3i = ip3 * (Wc + B1 + E3);
        E2 = taken(P3i, Ps[5], e2, 6.5);
        P2i = ip2 * (Wc + B1 + E2 + E3);
        Pl = lp1 * (Wc - B2);
    };
    if (!solve<2>(middle, m, [&](const auto* y, auto* r) {
            std::decay_t<decltype(y[0])> B1, B2, E2, E3, P2i, P3i, Pl, Wc;
            extract(y[0], y[1], B1, B2, E2, E3, P2i, P3i, Pl, Wc);
            r[0] = Wi - P2i / ip2 - taken(P2i, Ps[6], e1, 9.2);
            r[1] = B1 + B2 - taken(Pl, y[1], e4, 9.4);
        }))
        return 1;
    const T& P4 = m[0];
    T B1, B2, E2, E3, P2i, P3i, Pl, Wc;  // Wc: through the condenser's feedwater pump
    extract(P4, m[1], B1, B2, E2, E3, P2i, P3i, Pl, Wc);
    const T E1 = Wi - P2i / ip2;
    T c[1];
    if (!solve<1>(cold, c, [&](const auto* y, auto* r) {
            const auto W = W3 - taken(y[0], Ps[7], e0, 18.1);
            r[0] = y[0] * y[0] - Pr * Pr - fr * W * W;
        }))
        return 1;
    const T &Pcold = c[0], E0 = taken(Pcold, Ps[7], e0, 18.1), Wr = W3 - E0;
    T l[1], q[1];
    const T Wl = Wc - B2;
    if (!solve<1>(low2, l,
                  [&](const auto* y, auto* r) { r[0] = y[0] - lp2 * (Wl - taken(y[0], Ps[2], e5, 9.9)); }))
        return 1;
    const T W22 = l[0] / lp2, E5 = Wl - W22;
    if (!solve<1>(low3, q,
                  [&](const auto* y, auto* r) { r[0] = y[0] - lp3 * (W22 - taken(y[0], Ps[1], e6, 9.7)); }))
        return 1;
    const T W33 = q[0] / lp3, E6 = W22 - W33;

    const T pressure[9] = {W3 * fh, Pcold, P2i,  P3i, P4,
                           Pl,      l[0],  q[0], Pc};  // before and behind the eight sections
    const T flow[8] = {W3, Wi, P2i / ip2, P3i / ip3, P4 / ip4, Wl, W22, W33};
    static const double eta[8] = {0.86, 0.9, 0.9, 0.9, 0.9, 0.87, 0.85, 0.8};
    T h[9], N = 0.0;  // h[k]: behind section k
    for (int k = 0; k < 8; ++k) {
        const T in[3] = {k == 1 ? Pr : pressure[k], k == 0 ? H3 : k == 1 ? Hr : h[k], pressure[k + 1]};
        T ideal;
        expansion_(in, &ideal);
        h[k + 1] = in[1] - eta[k] * (in[1] - ideal);
        N = N + flow[k] * (in[1] - h[k + 1]);
    }
    // h[1] … h[8]: to reheater and preheater 7, preheaters 6, 5, 4, branch, preheaters 2, 1, condenser

    const T F2 = fuel * fuel;
    const T Q1 = -1348.4 + 3655.3 * fuel + 29.36 * F2, Q2 = 8248.8 + 17061.0 * fuel - 59.869 * F2,
            Q3 = -1494.0 + 4320.0 * fuel + 16.265 * F2, Q4 = 3867.5 * fuel,
            Q5 = -487.0 + 2845.7 * fuel + 7.0692 * F2, Q6 = -2513.4 + 4895.6 * fuel + 18.242 * F2;

    // saturation in the preheaters (1 … 7), the condenser (0) and the deaerator (8)
    T sat[9][6], Hw[9];  // temperature, enthalpy, density, slopes; feedwater behind each
    for (int k = 0; k < 9; ++k) {
        boiling_(k < 8 ? &Ps[k] : &Pd, sat[k]);
        Hw[k] = k > 0 && k < 8 ? sat[k][1] - 15.0 : sat[k][1];
    }

    // economizer and superheaters
    {
        const T in[2] = {P, He};
        T r[2];
        water_heated_(in, r);
        dx[0] = (Q1 - Wb * (He - Hw[7])) / (50e3 * (r[1] + Wb / 3000.0) + 20.0 * r[0]);
    }
    T dryP[4];
    dry_(&P, dryP);
    const T H20 = (W1 * H1 + S1 * Hw[7]) / W2, H30 = (W2 * H2 + S2 * Hw[7]) / W3;
    T T2, T3;
    {
        T in[2] = {P21, H1}, r[3];
        steam_(in, r);
        dx[6] = (Q3 - W1 * (H1 - dryP[0])) / (33e3 * (r[2] + W1 / 1900.0) + 14.0 * r[1]);
        in[0] = P22, in[1] = H2;
        steam_(in, r);
        T2 = r[0];
        dx[7] = (Q4 - W2 * (H2 - H20)) / (27.5e3 * (r[2] + W2 / 1500.0) + 12.0 * r[1]);
        in[0] = P3, in[1] = H3;
        steam_(in, r);
        T3 = r[0];
        dx[8] = (Q5 - W3 * (H3 - H30)) / (27e3 * (r[2] + W3 / 1200.0) + 10.0 * r[1]);
    }
    // reheater: V*(rp*P' + rh*H') = Wr - Wi, (…)*H' - 1000*V*P' = Q - Wr*(H2 - H1)
    {
        const T in[2] = {Pr, Hr};
        T r[4];
        reheated_(in, r);
        const double V = 60;
        const T C = 49.5e3 * (r[3] + Wr / 2000.0) + V * r[0], q6 = Q6 - Wr * (Hr - h[1]), dw = Wr - Wi;
        // 2 by 2, by Cramer's rule
        const T det = V * r[1] * C + 1000 * V * V * r[2];
        dx[9] = (dw * C - V * r[2] * q6) / det;
        dx[10] = (V * r[1] * q6 + 1000 * V * dw) / det;
    }
    // condenser
    {
        const T Hsea = 63.0 + 0.507 * (sat[0][1] - 63.0);
        const T in[2] = {T(0.2), Hsea};
        T cooling;
        water_(in, &cooling);
        dx[11] = (W33 * (h[8] - sat[0][1]) + (Wc - W33) * (sat[1][1] - sat[0][1]) - 9000.0 * (Hsea - 63.0)) /
                 ((60.0 * sat[0][2] + 80 * 0.507 * cooling) * sat[0][4] + 75e3 * sat[0][3]);
    }
    // preheaters: pressure of the feedwater, what it brings, steam and drain
    constexpr double low = 0.05 / (178.0 * 178), high = 0.05 / (220.0 * 220);
    T water_pressure[8];
    water_pressure[3] = Pd + low * Wc * Wc;
    water_pressure[2] = water_pressure[3] + low * Wc * Wc;
    water_pressure[1] = water_pressure[2] + low * Wc * Wc;
    water_pressure[4] = Pd + 18.31 - (1.0 / (220.0 * 220)) * Wf * Wf;
    for (int k = 5; k <= 7; ++k) water_pressure[k] = water_pressure[k - 1] - high * Wf * Wf;
    T pumped;
    {
        const T in[2] = {Pd, sat[8][1]};
        T r;
        water_(in, &r);
        pumped = sat[8][1] + 1000.0 * (water_pressure[4] - Pd) / (0.8 * r);
    }
    const T* extraction[8] = {nullptr, &E6, &E5, &B2, &E3, &E2, &E1, &E0};
    const T* enthalpy[8] = {nullptr, &h[7], &h[6], &h[5], &h[4], &h[3], &h[2], &h[1]};
    T drained = 0.0, drain4 = 0.0;  // from the preheater above
    for (int k = 7; k >= 1; --k) {
        if (k == 3) drain4 = drained, drained = 0.0;
        const T& before = k == 1 ? sat[0][1] : k == 4 ? pumped : Hw[k - 1];
        const T in[2] = {water_pressure[k], Hw[k]};
        T r;
        water_(in, &r);
        T heat = *extraction[k] * (*enthalpy[k] - sat[k][1]) - (k > 3 ? Wf : Wc) * (Hw[k] - before);
        if (k != 7 && k != 3) heat = heat + drained * (sat[k + 1][1] - sat[k][1]);
        dx[11 + k] = heat / ((3.0 * sat[k][2] + 4.0 * r) * sat[k][4] + 10e3 * sat[k][3]);
        drained = drained + *extraction[k];
    }
    // deaerator
    {
        const T makeup = 25.0 - 5e-4 * M, H = sat[8][1];
        dx[19] = Wc + B1 + drain4 + makeup - Wf;
        T heat = Wc * (Hw[3] - H) + B1 * (h[5] - H) + drain4 * (sat[4][1] - H);
        if (value(makeup) > 0) heat = heat + makeup * (84.0 - H);
        dx[20] = heat / (M * sat[8][4] + 30e3 * sat[8][3]);
    }
    // regulators
    const auto regulator = [&](int u, const T& error, const T& forward, double K, double Ti, double tau) {
        dx[u] = (forward + x[u + 1] + K * error - x[u]) / tau;
        dx[u + 1] = K / Ti * error;
    };
    const double load = 258e3 + 18e3 * std::cos(t / 100);
    regulator(21, 0.002 * (W3 - Wf) - z, T(0.0), 1.5, 150, 3);
    regulator(23, 13.0 - P3, T(16.6 * load / 276e3), 3, 200, 20);
    regulator(25, load - N, T(0.0), 2e-6, 8, 0.5);
    regulator(27, 743.15 - T2, T(0.0), -0.01, 120, 5);
    regulator(29, 808.15 - T3, T(0.0), -0.01, 120, 5);

    // drum and risers. Given the mixture Wm at the top of the risers, the downcomers' flow Wd follows from
    // the pressures, and the derivatives from balances of mass and energy; what is left is the mass of the
    // water in the drum.
    T wet[6], in[2] = {P, Hd}, rd[3];
    boiling_(&P, wet);
    drum_water_(in, rd);
    const double V = 40, Ad = 36, g = 9.81;
    const T Vw = 43.0 + Ad * z, Vs = 25.0 - Ad * z, &Hb = wet[1], &Rw = wet[2], &Rs = dryP[1], Vr = V - Vb;
    const T Rm = (Vb * Rs + Vr * Rw) / V, ratio = Rs / Rw;
    const T stored = Vb * dryP[3] + ratio * Vr * wet[5];
    const T capacity =
        75e3 * wet[3] + Vr * Rw * wet[4] + Vb * Rs * dryP[2] - 1000 * V + Vs * (Rs * dryP[2] - 1000.0);
    const T lost = (dryP[0] - Hb) / (1.0 - ratio);  // heat for each kg of Wb*(1 - Rs/Rw)
    const auto circulate = [&](const auto& Wm, auto& Wd, auto& dP, auto& dz, auto& dH) {
        const auto Ww = (1.0 - xr) * Wm, Wx = xr * Wm;
        Wd = sqrt((g * 35 * (rd[0] - Rm) - 12 / (2 * 0.64) * Wm * Wm / Rm) * (2 * 0.36 / 8) * rd[0]);
        const auto boiled = ratio * (Ww - Wd) + Wx;
        dP = (Q2 + Wd * (Hd - Hb) - lost * boiled) / (capacity + lost * stored);
        dz = (Vs * dryP[3] * dP - Wx + W1) / (Ad * Rs);
        dH = ((Wb * (He - Hd) + Ww * (Hb - Hd)) / Vw + 1000.0 * dP) / rd[0];
    };
    T Wm[1], Wd;
    if (!solve<1>(mixture, Wm, [&](const auto* y, auto* r) {
            std::decay_t<decltype(y[0])> Wd_, dP, dz, dH;
            circulate(y[0], Wd_, dP, dz, dH);
            r[0] = Ad * rd[0] * dz + Vw * (rd[1] * dP + rd[2] * dH) - Wb - (1.0 - xr) * y[0] + Wd_;
        }))
        return 1;
    circulate(Wm[0], Wd, dx[2], dx[1], dx[3]);
    const T Ww = (1.0 - xr) * Wm[0],
            boils = (stored * dx[2] + ratio * (Ww - Wd) + xr * Wm[0]) / (1.0 - ratio);
    dx[5] = (Vr * wet[5] * dx[2] - Wd + boils + Ww) / Rw;
    dx[4] = (2.0 * Vb * Rs / (V * Rm) - xr) * Wm[0] / (V * Rm);
    return 0;
}

int rhs(double t, const double* x, double* dx) {
    return plant(t, x, dx);
}

void jacobian(double t, const double* x, double* e) {
    double now[states];
    plant(t, x, now);  // brings the systems to their solutions
    static A a[states], r[states];
    for (int i = 0; i < states; ++i) {
        a[i] = x[i];
        a[i].d[i] = 1;
    }
    plant(t, a, r);
    for (int j = 0; j < states; ++j)
        for (int i = 0; i < states; ++i) e[j * states + i] = r[i].d[j];
}

void name(int i, char* text) {
    static const char* names[states] = {
        "economizer.H2",  "drum.downcomers.z", "drum.downcomers.P", "drum.downcomers.Hd", "drum.risers.x",
        "drum.risers.Vb", "superh1.H2",        "superh2.H2",        "superh3.H2",         "reheater.P2",
        "reheater.H2",    "condenser.P",       "preh1.Ps",          "preh2.Ps",           "preh3.Ps",
        "preh4.Ps",       "preh5.Ps",          "preh6.Ps",          "preh7.Ps",           "deaerator.M",
        "deaerator.P",    "level.u",           "level.i",           "firing.u",           "firing.i",
        "governor.u",     "governor.i",        "cooling1.u",        "cooling1.i",         "cooling2.u",
        "cooling2.i"};
    std::sprintf(text, "powerstation.%s", names[i]);
}

}  // namespace

extern "C" void make_peer(Peer* p, int) {
    static double start[states] = {1340.507471,    0,
                                   13.99677044,    1535.257521,
                                   0.1541582241,   14.94256418,
                                   2990.633013,    3246.191422,
                                   3431.802018,    3.195310915,
                                   3533.801546,    0.005012361976,
                                   0.02996439726,  0.1028532655,
                                   0.199124573,    0.56889304,
                                   0.9281309345,   1.657606512,
                                   3.345479115,    50e3,
                                   0.2893957037,   0.5983599729,
                                   0.5983599729,   16.57653343,
                                   -0.02346656983, 0.8969580608,
                                   0.8969580608,   0.5009905694,
                                   0.5009905694,   0.5027665089,
                                   0.5027665089};
    std::memset(p, 0, sizeof *p);
    p->n = states;
    p->start = start;
    p->rhs = rhs;
    p->jacobian = jacobian;
    p->name = name;
}
