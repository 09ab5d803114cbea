#include "right_hand_side.h"

/* ---- Rosenbrock method of order 4 for stiff models (Hairer and Wanner's RODAS), with the exact Jacobian */

static double rate_matrix[SIZE(NX * NX)];

/* J = A - B E^-1 C, where the columns after the states are the tearing variables of loops. */
static int rate_partials(void)
{
    static double e[SIZE((NCOLUMNS - NX) * (NCOLUMNS - NX))], scale[SIZE(NCOLUMNS - NX)], c[SIZE(NCOLUMNS - NX)];
    static int pivot[SIZE(NCOLUMNS - NX)];
    const int n = NX, z = NCOLUMNS - NX;
    int i, j, k;

    memset(jacobian, 0, sizeof(double) * (size_t)(NCOLUMNS * NCOLUMNS));
    state_jacobian_elements();
    for (i = 0; i < NCOLUMNS * NCOLUMNS; i++)
        if (!isfinite(jacobian[i])) jacobian[i] = 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) rate_matrix[i * n + j] = jacobian[i * NCOLUMNS + j];
    if (z == 0) return 1;
    for (i = 0; i < z; i++)
        for (j = 0; j < z; j++) e[i * z + j] = jacobian[(n + i) * NCOLUMNS + n + j];
    if (!factor(z, e, pivot, scale)) return 0;
    for (j = 0; j < n; j++) {
        for (i = 0; i < z; i++) c[i] = jacobian[(n + i) * NCOLUMNS + j];
        solve_factored(z, e, pivot, c);
        for (i = 0; i < n; i++)
            for (k = 0; k < z; k++) rate_matrix[i * n + j] -= jacobian[i * NCOLUMNS + n + k] * c[k];
    }
    return 1;
}

/* A stiff component that is far less stiff at the end of the step, as that of a diode that begins to conduct: the
   stages, which have the Jacobian of its beginning, have hardly moved, and their error says nothing. */
static int loses_stiffness(double h, const double *rate_before)
{
    int i;
    if (h < 1e-9 * (stop_time - start_time)) return 0;
    for (i = 0; i < NX; i++)
        if (h * fabs(rate_before[i]) > 1 && fabs(rate_matrix[i * NX + i]) < 0.1 * fabs(rate_before[i])) return 1;
    return 0;
}

static int step_rodas(double t, double h)
{
    static const double a[6][5] = {{0},
                                   {1.544},
                                   {0.9466785280815826, 0.2557011698983284},
                                   {3.314825187068521, 2.896124015972201, 0.9986419139977817},
                                   {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.687886036105895},
                                   {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.687886036105895, 1}};
    static const double c[6][5] = {
        {0},
        {-5.6688},
        {-2.430093356833875, -0.2063599157091915},
        {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
        {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.7089089320616},
        {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054}};
    static const double d2[5] = {10.12623508344586, -7.487995877610167, -34.80091861555747, -7.992771707568823,
                                 1.025137723295662};
    static const double d3[5] = {-0.6762803392801253, 6.087714651680015, 16.43084320892478, 24.76722511418386,
                                 -6.594389125716872};
    static const double alpha[6] = {0, 0.386, 0.21, 0.63, 1, 1}, gamma[6] = {0.25, -0.1043, 0.1035, -0.0362, 0, 0};
    static double w[SIZE(NX * NX)], scale[SIZE(NX)], u[6][SIZE(NX)], f[SIZE(NX)], ft[SIZE(NX)], y[SIZE(NX)];
    static double rate_before[SIZE(NX)]; /* the diagonal of the Jacobian */
    static int pivot[SIZE(NX)];
    const double delta = 1e-7 * larger(fabs(h), 1e-6 * fabs(t));
    int i, j, s;

    if (derivatives(t, x, f) || !rate_partials()) return 0;
    if (derivatives(t + delta, x, ft)) return 0;
    for (i = 0; i < NX; i++) ft[i] = (ft[i] - f[i]) / delta;
    for (i = 0; i < NX * NX; i++) w[i] = -rate_matrix[i];
    for (i = 0; i < NX; i++) {
        rate_before[i] = rate_matrix[i * NX + i];
        w[i * NX + i] += 1 / (0.25 * h);
    }
    if (!factor(NX, w, pivot, scale)) return 0;
    for (s = 0; s < 6; s++) {
        for (i = 0; i < NX; i++) {
            y[i] = x[i];
            for (j = 0; j < s; j++) y[i] += a[s][j] * u[j][i];
        }
        if (s > 0 && derivatives(t + alpha[s] * h, y, f)) return 0;
        for (i = 0; i < NX; i++) {
            u[s][i] = f[i] + h * gamma[s] * ft[i];
            for (j = 0; j < s; j++) u[s][i] += c[s][j] / h * u[j][i];
        }
        solve_factored(NX, w, pivot, u[s]);
    }
    for (i = 0; i < NX; i++) {
        x_new[i] = y[i] + u[5][i];
        x_error[i] = u[5][i];
        dense[0][i] = x[i];
        dense[1][i] = x_new[i] - x[i];
        dense[2][i] = dense[3][i] = dense[4][i] = 0;
        for (j = 0; j < 5; j++) {
            dense[2][i] += d2[j] * u[j][i];
            dense[3][i] += d3[j] * u[j][i];
        }
    }
    return !derivatives(t + h, x_new, f) && rate_partials() && !loses_stiffness(h, rate_before);
}
