/* SIZE rooms in a row, each heated by a thermostat with hysteresis. Only the threshold that a room can reach next is watched. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "peer.h"

static int n;
static double *inverse_c, *low, *high, *on;
static const double power = 12, loss = 0.6, g = 0.1;

static int rhs(double t, const double *x, double *dx) {
    const double outside = 10 + 3 * sin(t);
    double q = 0; /* through the wall to the left */
    for (int i = 0; i < n; ++i) {
        const double right = i < n - 1 ? g * (x[i + 1] - x[i]) : 0;
        dx[i] = inverse_c[i] * (right - q + power * on[i] - loss * (x[i] - outside));
        q = right;
    }
    return 0;
}

static void jacobian(double t, const double *x, double *e) {
    (void)t, (void)x;
    for (int j = 0; j < n; ++j) {
        if (j > 0) e[j * n + j - 1] = g * inverse_c[j - 1];
        e[j * n + j] = -(loss + g * ((j > 0) + (j < n - 1))) * inverse_c[j];
        if (j < n - 1) e[j * n + j + 1] = g * inverse_c[j + 1];
    }
}

static void root(double t, const double *x, double *r) {
    (void)t;
    for (int i = 0; i < n; ++i) r[i] = x[i] - (on[i] != 0 ? high[i] : low[i]);
}

static int event(double t, double *x, const int *direction) {
    (void)t, (void)x;
    for (int i = 0; i < n; ++i)
        if (direction[i]) on[i] = 1 - on[i];
    return 1;
}

static void name(int i, char *text) {
    sprintf(text, "room[%d].T", i + 1);
}

void make_peer(Peer *p, int size) {
    n = size;
    double *start = malloc(sizeof(double) * n);
    inverse_c = malloc(sizeof(double) * n), low = malloc(sizeof(double) * n);
    high = malloc(sizeof(double) * n), on = malloc(sizeof(double) * n);
    for (int i = 0; i < n; ++i) {
        low[i] = 20 - 0.01 * (i + 1);
        high[i] = 20.5 + 0.02 * (i + 1);
        inverse_c[i] = 1 / (0.1 + 0.01 * (i + 1));
        start[i] = 20 + 0.02 * (i + 1);
        on[i] = 1;
    }
    *p = (Peer){.n = n, .start = start, .rhs = rhs, .jacobian = jacobian, .roots = n, .root = root, .event = event, .name = name};
}
