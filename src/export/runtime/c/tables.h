#include "values.h"

/* ---- tables: piecewise linear, or piecewise cubic that is monotone where the data are */

typedef struct {
    const char *name;
    int nx, ny; /* ny = 0: one argument */
    const double *x, *y, *values;
    int cubic, outside; /* 0 hold, 1 extrapolate, 2 refuse */
} Table;

typedef struct {
    double v, d; /* value and derivative in one direction */
} Dual;

static Dual dual(double v, double d)
{
    Dual a;
    a.v = v;
    a.d = d;
    return a;
}
static Dual dual_add(Dual a, Dual b) { return dual(a.v + b.v, a.d + b.d); }
static Dual dual_subtract(Dual a, Dual b) { return dual(a.v - b.v, a.d - b.d); }
static Dual dual_multiply(Dual a, Dual b) { return dual(a.v * b.v, a.v * b.d + a.d * b.v); }
static Dual dual_divide(Dual a, Dual b) { return dual(a.v / b.v, (a.d - a.v / b.v * b.d) / b.v); }
static Dual dual_scale(double c, Dual a) { return dual(c * a.v, c * a.d); }

static Dual inner_slope(double h0, double h1, Dual d0, Dual d1)
{
    const double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
    if (!(d0.v * d1.v > 0)) return dual(0, 0);
    return dual_divide(dual(w0 + w1, 0), dual_add(dual_divide(dual(w0, 0), d0), dual_divide(dual(w1, 0), d1)));
}

static Dual end_slope(double h0, double h1, Dual d0, Dual d1)
{
    const Dual slope = dual_scale(1 / (h0 + h1), dual_subtract(dual_scale(2 * h0 + h1, d0), dual_scale(h0, d1)));
    if (!(slope.v * d0.v > 0)) return dual(0, 0);
    if (d0.v * d1.v <= 0 && fabs(slope.v) > 3 * fabs(d0.v)) return dual_scale(3, d0);
    return slope;
}

static Dual chord_of(const double *x, const Dual *y, int i)
{
    return dual_scale(1 / (x[i + 1] - x[i]), dual_subtract(y[i + 1], y[i]));
}

/* The curve through (x[i], y[i]) at `at`; *second becomes its second derivative. */
static Dual along(const Table *t, int n, const double *x, const Dual *y, Dual at, double *second)
{
    const int below = at.v < x[0];
    const int above = at.v > x[n - 1];
    int low = 0, high = n - 1;
    double h;
    Dual chord, offset, slope0, slope1, c, d;

    *second = 0;
    if ((below || above) && t->outside == 2) problem = t->name;
    if (n == 1 || (below && t->outside != 1)) return y[0];
    if (above && t->outside != 1) return y[n - 1];
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (x[middle] <= at.v)
            low = middle;
        else
            high = middle;
    }
    h = x[low + 1] - x[low];
    chord = chord_of(x, y, low);
    offset = dual_subtract(at, dual(x[low], 0));
    if (!t->cubic || n == 2) return dual_add(y[low], dual_multiply(chord, offset));
    slope0 = low > 0 ? inner_slope(x[low] - x[low - 1], h, chord_of(x, y, low - 1), chord)
                     : end_slope(h, x[2] - x[1], chord, chord_of(x, y, 1));
    slope1 = low + 2 < n ? inner_slope(h, x[low + 2] - x[low + 1], chord, chord_of(x, y, low + 1))
                         : end_slope(h, x[low] - x[low - 1], chord, chord_of(x, y, low - 1));
    if (below) return dual_add(y[low], dual_multiply(slope0, offset));
    if (above) return dual_add(y[low + 1], dual_multiply(slope1, dual_subtract(at, dual(x[low + 1], 0))));
    c = dual_scale(1 / h, dual_subtract(dual_subtract(dual_scale(3, chord), dual_scale(2, slope0)), slope1));
    d = dual_scale(1 / (h * h), dual_subtract(dual_add(slope0, slope1), dual_scale(2, chord)));
    *second = 2 * c.v + 6 * d.v * offset.v;
    return dual_add(
        y[low], dual_multiply(offset, dual_add(slope0, dual_multiply(offset, dual_add(c, dual_multiply(offset, d))))));
}

/* The value, or its derivative dx times by x and dy times by y. */
static double table_value(const Table *t, double x, double y, int dx, int dy)
{
    static Dual row[MOST_KNOTS], column[MOST_KNOTS];
    double second;
    int i, j;
    Dual result;

    if (isnan(x) || (t->ny > 0 && isnan(y))) return NAN;
    for (i = 0; i < t->nx; i++) {
        if (t->ny == 0) {
            row[i] = dual(t->values[i], 0);
            continue;
        }
        for (j = 0; j < t->ny; j++) column[j] = dual(t->values[i * t->ny + j], 0);
        row[i] = along(t, t->ny, t->y, column, dual(y, dy), &second);
    }
    result = along(t, t->nx, t->x, row, dual(x, dx > 0), &second);
    return dx + dy == 0 ? result.v : dx == 2 ? second : result.d;
}
