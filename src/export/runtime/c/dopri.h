#include "rodas.h"

/* Dormand and Prince, order 5(4), with Shampine's dense output. */
static int step_dopri(double t, double h)
{
    static const double a[7][6] = {{0},
                                   {1.0 / 5},
                                   {3.0 / 40, 9.0 / 40},
                                   {44.0 / 45, -56.0 / 15, 32.0 / 9},
                                   {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
                                   {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
                                   {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
    static const double c[7] = {0, 0.2, 0.3, 0.8, 8.0 / 9, 1, 1};
    static const double e[7] = {71.0 / 57600, 0, -71.0 / 16695, 71.0 / 1920, -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
    static const double d[7] = {-12715105075.0 / 11282082432.0,  0,
                                87487479700.0 / 32700410799.0,   -10690763975.0 / 1880347072.0,
                                701980252875.0 / 199316789632.0, -1453857185.0 / 822651844.0,
                                69997945.0 / 29380423.0};
    static double y[SIZE(NX)], y6[SIZE(NX)];
    double above = 0, below = 0;
    int i, j, s;

    if (!first_same && derivatives(t, x, rate[0])) return 0;
    first_same = 1;
    for (s = 1; s < 7; s++) {
        memcpy(y6, y, sizeof y);
        for (i = 0; i < NX; i++) {
            double sum = 0;
            for (j = 0; j < s; j++) sum += a[s][j] * rate[j][i];
            y[i] = x[i] + h * sum;
        }
        if (derivatives(t + c[s] * h, y, rate[s])) return 0;
    }
    for (i = 0; i < NX; i++) {
        const double change = y[i] - x[i], bend = h * rate[0][i] - change;
        double sum = 0, last = 0;
        for (j = 0; j < 7; j++) {
            sum += e[j] * rate[j][i];
            last += d[j] * rate[j][i];
        }
        x_new[i] = y[i];
        x_error[i] = h * sum;
        dense[0][i] = x[i];
        dense[1][i] = change;
        dense[2][i] = bend;
        dense[3][i] = change - h * rate[6][i] - bend;
        dense[4][i] = h * last;
        above += (rate[6][i] - rate[5][i]) * (rate[6][i] - rate[5][i]);
        below += (y[i] - y6[i]) * (y[i] - y6[i]);
    }
    if (below > 0 && h * sqrt(above / below) > 3.25) {
        stiffness++;
        calm = 0;
    } else if (++calm == 6) {
        stiffness = 0;
    }
    return 1;
}
