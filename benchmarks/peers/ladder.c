/* The RC ladder of SIZE sections: C_i*v_i' = (v_(i-1) - v_i)/R_i - (v_i - v_(i+1))/R_(i+1) with R_i = 1/i and C_i = 1/i^2, v_0 a sine
   of 10 Hz. The Jacobian is constant and tridiagonal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "peer.h"

static int n, dense;
static double *into, *out; /* i/C_i and (i+1)/C_i */

static int rhs(double t, const double *x, double *dx) {
    double before = sin(62.83185307179586 * t);
    for (int i = 0; i < n - 1; ++i) {
        dx[i] = into[i] * (before - x[i]) - out[i] * (x[i] - x[i + 1]);
        before = x[i];
    }
    dx[n - 1] = into[n - 1] * (before - x[n - 1]);
    return 0;
}

static void jacobian(double t, const double *x, double *e) {
    (void)t, (void)x;
    for (int j = 0; j < n; ++j) {
        if (dense) {
            if (j > 0) e[j * n + j - 1] = out[j - 1];
            e[j * n + j] = -into[j] - out[j];
            if (j < n - 1) e[j * n + j + 1] = into[j + 1];
        } else {
            if (j > 0) *e++ = out[j - 1];
            *e++ = -into[j] - out[j];
            if (j < n - 1) *e++ = into[j + 1];
        }
    }
}

static void name(int i, char *text) {
    sprintf(text, "cell[%d].c.v", i + 1);
}

void make_peer(Peer *p, int size) {
    n = size;
    dense = n <= 20;
    into = malloc(sizeof(double) * n);
    out = malloc(sizeof(double) * n);
    int *start = malloc(sizeof(int) * (n + 1)), *row = malloc(sizeof(int) * 3 * n), k = 0;
    for (int i = 0; i < n; ++i) {
        const double c = 1.0 / ((i + 1.0) * (i + 1.0));
        into[i] = (i + 1) / c;
        out[i] = i < n - 1 ? (i + 2) / c : 0;
        start[i] = k;
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; ++j) row[k++] = j;
    }
    start[n] = k;
    *p = (Peer){.n = n, .start = calloc(n, sizeof(double)), .rhs = rhs, .jacobian = jacobian, .name = name};
    if (!dense) {
        p->column_start = start;
        p->row = row;
    }
}
