/* The ring modulator, 15 states, Cs = 2e-12. */
#include <math.h>
#include <stdio.h>

#include "peer.h"

static const double c = 1.6e-8, cs = 2e-12, cp = 1e-8, r = 25e3, rp = 50, lh = 4.45, ls1 = 2e-3, ls2 = 5e-4, ls3 = 5e-4,
                    rg1 = 36.3, rg2 = 17.3, rg3 = 17.3, ri = 50, rc = 600, gam = 40.67286402e-9, delta = 17.7493332,
                    pi = 3.141592653589793;

static int rhs(double t, const double *y, double *d) {
    const double u1 = 0.5 * sin(2e3 * pi * t), u2 = 2 * sin(2e4 * pi * t);
    const double q1 = gam * (exp(delta * (y[2] - y[4] - y[6] - u2)) - 1), q2 = gam * (exp(delta * (-y[3] + y[5] - y[6] - u2)) - 1),
                 q3 = gam * (exp(delta * (y[3] + y[4] + y[6] + u2)) - 1), q4 = gam * (exp(delta * (-y[2] - y[5] + y[6] + u2)) - 1);
    d[0] = (y[7] - 0.5 * y[9] + 0.5 * y[10] + y[13] - y[0] / r) / c;
    d[1] = (y[8] - 0.5 * y[11] + 0.5 * y[12] + y[14] - y[1] / r) / c;
    d[2] = (y[9] - q1 + q4) / cs;
    d[3] = (-y[10] + q2 - q3) / cs;
    d[4] = (y[11] + q1 - q3) / cs;
    d[5] = (-y[12] - q2 + q4) / cs;
    d[6] = (-y[6] / rp + q1 + q2 - q3 - q4) / cp;
    d[7] = -y[0] / lh;
    d[8] = -y[1] / lh;
    d[9] = (0.5 * y[0] - y[2] - rg2 * y[9]) / ls2;
    d[10] = (-0.5 * y[0] + y[3] - rg3 * y[10]) / ls3;
    d[11] = (0.5 * y[1] - y[4] - rg2 * y[11]) / ls2;
    d[12] = (-0.5 * y[1] + y[5] - rg3 * y[12]) / ls3;
    d[13] = (-y[0] + u1 - (ri + rg1) * y[13]) / ls1;
    d[14] = (-y[1] - (rc + rg1) * y[14]) / ls1;
    return 0;
}

#define J(i, j) e[(j) * 15 + (i)]
static void jacobian(double t, const double *y, double *e) {
    const double u2 = 2 * sin(2e4 * pi * t), gd = gam * delta;
    const double q1 = gd * exp(delta * (y[2] - y[4] - y[6] - u2)), q2 = gd * exp(delta * (-y[3] + y[5] - y[6] - u2)),
                 q3 = gd * exp(delta * (y[3] + y[4] + y[6] + u2)), q4 = gd * exp(delta * (-y[2] - y[5] + y[6] + u2));
    J(0, 0) = -1 / (r * c), J(0, 7) = 1 / c, J(0, 9) = -0.5 / c, J(0, 10) = 0.5 / c, J(0, 13) = 1 / c;
    J(1, 1) = -1 / (r * c), J(1, 8) = 1 / c, J(1, 11) = -0.5 / c, J(1, 12) = 0.5 / c, J(1, 14) = 1 / c;
    J(2, 2) = (-q1 - q4) / cs, J(2, 4) = q1 / cs, J(2, 5) = -q4 / cs, J(2, 6) = (q1 + q4) / cs, J(2, 9) = 1 / cs;
    J(3, 3) = (-q2 - q3) / cs, J(3, 4) = -q3 / cs, J(3, 5) = q2 / cs, J(3, 6) = (-q2 - q3) / cs, J(3, 10) = -1 / cs;
    J(4, 2) = q1 / cs, J(4, 3) = -q3 / cs, J(4, 4) = (-q1 - q3) / cs, J(4, 6) = (-q1 - q3) / cs, J(4, 11) = 1 / cs;
    J(5, 2) = -q4 / cs, J(5, 3) = q2 / cs, J(5, 5) = (-q2 - q4) / cs, J(5, 6) = (q2 + q4) / cs, J(5, 12) = -1 / cs;
    J(6, 2) = (q1 + q4) / cp, J(6, 3) = (-q2 - q3) / cp, J(6, 4) = (-q1 - q3) / cp, J(6, 5) = (q2 + q4) / cp;
    J(6, 6) = (-1 / rp - q1 - q2 - q3 - q4) / cp;
    J(7, 0) = -1 / lh, J(8, 1) = -1 / lh;
    J(9, 0) = 0.5 / ls2, J(9, 2) = -1 / ls2, J(9, 9) = -rg2 / ls2;
    J(10, 0) = -0.5 / ls3, J(10, 3) = 1 / ls3, J(10, 10) = -rg3 / ls3;
    J(11, 1) = 0.5 / ls2, J(11, 4) = -1 / ls2, J(11, 11) = -rg2 / ls2;
    J(12, 1) = -0.5 / ls3, J(12, 5) = 1 / ls3, J(12, 12) = -rg3 / ls3;
    J(13, 0) = -1 / ls1, J(13, 13) = -(ri + rg1) / ls1;
    J(14, 1) = -1 / ls1, J(14, 14) = -(rc + rg1) / ls1;
}

static void name(int i, char *text) {
    sprintf(text, "y%d", i + 1);
}

void make_peer(Peer *p, int size) {
    (void)size;
    static double start[15];
    *p = (Peer){.n = 15, .start = start, .rhs = rhs, .jacobian = jacobian, .name = name};
}
