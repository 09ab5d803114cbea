/* Heat conduction in a rod of SIZE cells: T_i' = n^2*(T_(i-1) - 2*T_i + T_(i+1)), T_0 given, the far end insulated. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "peer.h"

static int n;

static int rhs(double t, const double *x, double *dx) {
    const double g = (double)n * n;
    dx[0] = g * (1 + sin(10 * t) - 2 * x[0] + x[1]);
    for (int i = 1; i < n - 1; ++i) dx[i] = g * (x[i - 1] - 2 * x[i] + x[i + 1]);
    dx[n - 1] = g * (x[n - 2] - x[n - 1]);
    return 0;
}

static void jacobian(double t, const double *x, double *e) {
    (void)t, (void)x;
    const double g = (double)n * n;
    for (int j = 0; j < n; ++j) {
        if (j > 0) *e++ = g;
        *e++ = j < n - 1 ? -2 * g : -g;
        if (j < n - 1) *e++ = g;
    }
}

static void name(int i, char *text) {
    sprintf(text, "c[%d].T", i + 1);
}

void make_peer(Peer *p, int size) {
    n = size;
    int *start = malloc(sizeof(int) * (n + 1)), *row = malloc(sizeof(int) * 3 * n), k = 0;
    for (int i = 0; i < n; ++i) {
        start[i] = k;
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < n; ++j) row[k++] = j;
    }
    start[n] = k;
    double *x = malloc(sizeof(double) * n);
    for (int i = 0; i < n; ++i) x[i] = 1 + sin(3.0 * (i + 1) / n);
    *p = (Peer){.n = n,
                .start = x,
                .rhs = rhs,
                .jacobian = jacobian,
                .column_start = start,
                .row = row,
                .name = name};
}
