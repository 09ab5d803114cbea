/* The transistor inverter of examples/inverter.dym with a pulse every 0.6 ms, eliminated by hand to its three states: the voltages of the
   emitter capacitor, of C1 and of C2. With the currents of the diodes i1, i2 and the dynamic capacitances ke = d(Ce*e)/de and
   kc = d(Cc*(e - c2))/d(e - c2):
     b = ke*e' + kc*(e' - c2')        current into the inner node
     C2*c2' = a + kc*(e' - c2')       current into C2 */
#include <math.h>
#include <stdio.h>

#include "peer.h"

static const double I1 = 3.5e-9, K1 = 28, I2 = 7.3e-9, K2 = 32, A1 = 0.47, A2 = 0.998, Rb = 20, Rin = 5.6e3, Rbias = 10e3, Rload = 1e3,
                    C1 = 3.6e-9, C2 = 3.4e-9, ce0 = 3e-9, ce1 = 6.7e-9, cc0 = 2e-9, cc1 = 180e-9;
static double u;

static int rhs(double t, const double *x, double *d) {
    (void)t;
    const double e = x[0], c1 = x[1], c2 = x[2], w = e - c2;
    const double s1 = I1 * exp(K1 * e), s2 = I2 * exp(K2 * w), i1 = s1 - I1, i2 = s2 - I2;
    const double ke = ce0 + ce1 * (i1 + e * K1 * s1), kc = cc0 + cc1 * (i2 + w * K2 * s2);
    const double base = (c1 - e) / Rb;
    const double b = base + (A1 - 1) * i2 + (A2 - 1) * i1, a = i2 - A2 * i1 + (6 - c2) / Rload;
    const double share = kc / (C2 + kc);
    d[0] = (b + share * a) / (ke + share * C2);
    d[1] = ((u - c1) / Rin - (c1 + 6) / Rbias - base) / C1;
    d[2] = (a + kc * d[0]) / (C2 + kc);
    return 0;
}

#define J(i, j) j_[(j) * 3 + (i)]
static void jacobian(double t, const double *x, double *j_) {
    (void)t;
    const double e = x[0], c1 = x[1], c2 = x[2], w = e - c2;
    const double s1 = I1 * exp(K1 * e), s2 = I2 * exp(K2 * w), i1 = s1 - I1, i2 = s2 - I2;
    const double ke = ce0 + ce1 * (i1 + e * K1 * s1), kc = cc0 + cc1 * (i2 + w * K2 * s2);
    const double ke_e = ce1 * K1 * s1 * (2 + e * K1), kc_w = cc1 * K2 * s2 * (2 + w * K2);
    const double b = (c1 - e) / Rb + (A1 - 1) * i2 + (A2 - 1) * i1, a = i2 - A2 * i1 + (6 - c2) / Rload;
    const double share = kc / (C2 + kc), share_w = C2 * kc_w / ((C2 + kc) * (C2 + kc));
    const double f = ke + share * C2, e1 = (b + share * a) / f, q = 1 / (C2 + kc), c21 = (a + kc * e1) * q;
    /* by e, c1, c2: w has derivative 1 by e and -1 by c2 */
    const double i2_w = K2 * s2, i1_e = K1 * s1;
    const double b_[3] = {-1 / Rb + (A1 - 1) * i2_w + (A2 - 1) * i1_e, 1 / Rb, -(A1 - 1) * i2_w};
    const double a_[3] = {i2_w - A2 * i1_e, 0, -i2_w - 1 / Rload};
    const double share_[3] = {share_w, 0, -share_w}, kc_[3] = {kc_w, 0, -kc_w}, ke_[3] = {ke_e, 0, 0};
    for (int k = 0; k < 3; ++k) {
        const double de = (b_[k] + share_[k] * a + share * a_[k] - e1 * (ke_[k] + share_[k] * C2)) / f;
        J(0, k) = de;
        J(2, k) = (a_[k] + kc_[k] * e1 + kc * de - c21 * kc_[k]) * q;
    }
    J(1, 0) = 1 / (Rb * C1);
    J(1, 1) = (-1 / Rin - 1 / Rbias - 1 / Rb) / C1;
}

static long pulses;
static double next(void) {
    return (pulses % 2 ? 320e-6 : 20e-6) + pulses / 2 * 6e-4;
}
static int event(double t, double *x, const int *direction) {
    (void)t, (void)x, (void)direction;
    u = pulses++ % 2 ? 0 : 6;
    return 1;
}

static void name(int i, char *text) {
    static const char *names[] = {"Transistor.Cemit.V", "C1.V", "C2.V"};
    sprintf(text, "%s", names[i]);
}

void make_peer(Peer *p, int size) {
    (void)size;
    /* the steady state, by Newton's method with Cramer's rule */
    static double x[3] = {-2, -2, 6};
    for (int k = 0; k < 50; ++k) {
        double f[3], m[9];
        for (int i = 0; i < 9; ++i) m[i] = 0;
        rhs(0, x, f);
        jacobian(0, x, m);
#define DET(a, b, c) (a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1]) + c[0] * (a[1] * b[2] - a[2] * b[1]))
        const double *p0 = m, *p1 = m + 3, *p2 = m + 6, d = DET(p0, p1, p2);
        x[0] -= DET(f, p1, p2) / d;
        x[1] -= DET(p0, f, p2) / d;
        x[2] -= DET(p0, p1, f) / d;
    }
    *p = (Peer){.n = 3, .start = x, .rhs = rhs, .jacobian = jacobian, .event = event, .next = next, .name = name};
}
