#include "delays.h"

/* ---- linear equations: LU with row pivoting, rows scaled; 0: singular */

static int factor(int n, double *a, int *pivot, double *scale)
{
    int i, j, k;
    for (i = 0; i < n; i++) {
        double largest = 0;
        for (j = 0; j < n; j++) largest = larger(largest, fabs(a[i * n + j]));
        if (!(largest > 0) || isinf(largest)) return 0;
        scale[i] = 1 / largest;
    }
    for (k = 0; k < n; k++) {
        int best = k;
        for (i = k + 1; i < n; i++)
            if (fabs(a[i * n + k]) * scale[i] > fabs(a[best * n + k]) * scale[best]) best = i;
        if (!(fabs(a[best * n + k]) * scale[best] > 1e-15)) return 0;
        pivot[k] = best;
        if (best != k) {
            const double s = scale[k];
            for (j = 0; j < n; j++) {
                const double swap = a[k * n + j];
                a[k * n + j] = a[best * n + j];
                a[best * n + j] = swap;
            }
            scale[k] = scale[best];
            scale[best] = s;
        }
        for (i = k + 1; i < n; i++) {
            const double f = a[i * n + k] /= a[k * n + k];
            if (f != 0)
                for (j = k + 1; j < n; j++) a[i * n + j] -= f * a[k * n + j];
        }
    }
    return 1;
}

static void solve_factored(int n, const double *a, const int *pivot, double *b)
{
    int i, j;
    for (i = 0; i < n; i++) {
        const double swap = b[pivot[i]];
        b[pivot[i]] = b[i];
        b[i] = swap;
    }
    for (i = 0; i < n; i++)
        for (j = 0; j < i; j++) b[i] -= a[i * n + j] * b[j];
    for (i = n - 1; i >= 0; i--) {
        for (j = i + 1; j < n; j++) b[i] -= a[i * n + j] * b[j];
        b[i] /= a[i * n + i];
    }
}
