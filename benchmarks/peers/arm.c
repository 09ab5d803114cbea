/* The Stanford arm of examples/stanford_arm.dym with joints that swing: recursive Newton-Euler for the forces, composite bodies for the
   mass matrix, Cholesky's method for the accelerations. */
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "peer.h"

typedef struct {
    int axis, slides;
    double asked, kp, kd, m, d[3], c[3], j[3];
} Limb;

static const Limb limbs[6] = {
    {2, 0, 1, 200, 60, 9.29, {0, 0, 0.4}, {0, 0.0175, 0.29}, {0.276, 0.255, 0.071}},
    {1, 0, -0.5, 400, 80, 5.01, {0, 0.154, 0}, {0, 0.1, 0}, {0.018, 0.1, 0.108}},
    {0, 1, 0.6, 2000, 300, 4.25, {0, 0, 0}, {-0.3, 0, 0}, {0.006, 0.251, 0.251}},
    {0, 0, 0.8, 20, 2, 1.08, {0.1, 0, 0}, {0.05, 0, 0.01}, {0.001, 0.002, 0.001}},
    {1, 0, 1, 20, 2, 0.63, {0.05, 0, 0}, {0.02, 0, 0}, {0.0004, 0.003, 0.003}},
    {0, 0, -1, 5, 0.5, 0.51, {0.263, 0, 0}, {0.15, 0, 0.01}, {0.0003, 0.013, 0.013}},
};

#define REAL double
#define NAME(x) x
#define COS cos
#define SIN sin
#include "arm_dynamics.h"
#undef REAL
#undef NAME
#undef COS
#undef SIN
#define REAL complex double
#define NAME(x) c_##x
#define COS ccos
#define SIN csin
#include "arm_dynamics.h"

/* Cholesky factor of the mass matrix, lower triangle. */
static void mass_matrix(const Link *link, double l[6][6]) {
    double m = 0, h[3] = {0, 0, 0}, i[6] = {0, 0, 0, 0, 0, 0};
    for (int k = 5; k >= 0; --k) {
        m += limbs[k].m;
        for (int e = 0; e < 3; ++e) h[e] += link[k].h[e];
        for (int e = 0; e < 6; ++e) i[e] += link[k].i[e];
        Spatial f;
        apply(m, h, i, &link[k].s, &f);
        for (int e = 0; e <= k; ++e) l[k][e] = dot(link[e].s.w, f.w) + dot(link[e].s.v, f.v);
    }
    for (int r = 0; r < 6; ++r) {
        for (int c = 0; c <= r; ++c) {
            double s = l[r][c];
            for (int k = 0; k < c; ++k) s -= l[r][k] * l[c][k];
            l[r][c] = r == c ? sqrt(s) : s / l[c][c];
        }
    }
}
static void solve(double l[6][6], double *b) {
    for (int r = 0; r < 6; ++r) {
        for (int k = 0; k < r; ++k) b[r] -= l[r][k] * b[k];
        b[r] /= l[r][r];
    }
    for (int r = 5; r >= 0; --r) {
        for (int k = r + 1; k < 6; ++k) b[r] -= l[k][r] * b[k];
        b[r] /= l[r][r];
    }
}

static void accelerations(double t, const double *x, double *q, double *qd, double l[6][6], double *qdd) {
    static const double none[6];
    Link link[6];
    double bias[6];
    for (int k = 0; k < 6; ++k) q[k] = x[2 * k], qd[k] = x[2 * k + 1];
    place(q, link);
    inverse(link, qd, none, bias);
    mass_matrix(link, l);
    const double swing = sin(2 * t);
    for (int k = 0; k < 6; ++k) qdd[k] = limbs[k].kp * (limbs[k].asked * swing - q[k]) - limbs[k].kd * qd[k] - bias[k];
    solve(l, qdd);
}

static int rhs(double t, const double *x, double *dx) {
    double q[6], qd[6], l[6][6], qdd[6];
    accelerations(t, x, q, qd, l, qdd);
    for (int k = 0; k < 6; ++k) dx[2 * k] = qd[k], dx[2 * k + 1] = qdd[k];
    return 0;
}

/* With tau(q, qd) = inverse(q, qd, qdd):  d qdd = M^-1 * (d tau - d inverse at constant qdd). */
static void jacobian(double t, const double *x, double *e) {
    const double h = 1e-30;
    double q[6], qd[6], l[6][6], qdd[6], b[6];
    complex double cq[6], cqd[6], cqdd[6], tau[6];
    c_Link link[6];
    accelerations(t, x, q, qd, l, qdd);
    for (int k = 0; k < 6; ++k) cq[k] = q[k], cqd[k] = qd[k], cqdd[k] = qdd[k];
    for (int k = 0; k < 6; ++k) {
        cq[k] += I * h;
        c_place(cq, link);
        c_inverse(link, cqd, cqdd, tau);
        cq[k] = q[k];
        for (int r = 0; r < 6; ++r) b[r] = -cimag(tau[r]) / h - (r == k ? limbs[k].kp : 0);
        solve(l, b);
        for (int r = 0; r < 6; ++r) e[2 * k * 12 + 2 * r + 1] = b[r];
    }
    c_place(cq, link);
    for (int k = 0; k < 6; ++k) {
        cqd[k] += I * h;
        c_inverse(link, cqd, cqdd, tau);
        cqd[k] = qd[k];
        for (int r = 0; r < 6; ++r) b[r] = -cimag(tau[r]) / h - (r == k ? limbs[k].kd : 0);
        solve(l, b);
        for (int r = 0; r < 6; ++r) e[(2 * k + 1) * 12 + 2 * r + 1] = b[r];
        e[(2 * k + 1) * 12 + 2 * k] = 1;
    }
}

static void name(int i, char *text) {
    sprintf(text, "J%d.%s", i / 2 + 1, i % 2 ? "qd" : "q");
}

void make_peer(Peer *p, int size) {
    (void)size;
    static double start[12];
    start[4] = 0.3;
    *p = (Peer){.n = 12, .start = start, .rhs = rhs, .jacobian = jacobian, .name = name};
}
