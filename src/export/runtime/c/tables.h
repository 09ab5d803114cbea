#include "values.h"

/* ---- tables: piecewise linear, or piecewise cubic with slopes of several kinds */

enum { LINEAR, SMOOTH, MONOTONE, STEFFEN, AKIMA, MODIFIED_AKIMA }; /* kinds */

typedef struct {
    const char *name;
    int nx, ny; /* ny = 0: one argument */
    const double *x, *y, *values;
    int kind, outside; /* 0 hold, 1 extrapolate, 2 refuse */
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

static Dual dual_magnitude(Dual a) { return a.v < 0 ? dual_scale(-1, a) : a; }

static Dual steffen_slope(double h0, double h1, Dual d0, Dual d1)
{
    const Dual parabola = dual_scale(1 / (h0 + h1), dual_add(dual_scale(h1, d0), dual_scale(h0, d1)));
    const Dual flatter = fabs(d0.v) < fabs(d1.v) ? d0 : d1;
    if (!(d0.v * d1.v > 0)) return dual(0, 0);
    return fabs(parabola.v) > 2 * fabs(flatter.v) ? dual_scale(2, flatter) : parabola;
}

static Dual akima_weight(Dual a, Dual b, int modified)
{
    const Dual change = dual_magnitude(dual_subtract(b, a));
    return modified ? dual_add(change, dual_scale(0.5, dual_magnitude(dual_add(a, b)))) : change;
}

static Dual chord_of(const double *x, const Dual *y, int i)
{
    return dual_scale(1 / (x[i + 1] - x[i]), dual_subtract(y[i + 1], y[i]));
}

/* Chords beyond the ends go on as a parabola does. */
static Dual any_chord(int n, const double *x, const Dual *y, int k)
{
    const int most = n - 2;
    if (k < 0) return dual_subtract(dual_scale(1 - k, chord_of(x, y, 0)), dual_scale(-k, chord_of(x, y, 1)));
    if (k > most)
        return dual_subtract(dual_scale(k - most + 1, chord_of(x, y, most)),
                             dual_scale(k - most, chord_of(x, y, most - 1)));
    return chord_of(x, y, k);
}

/* The slope at x[i] of the cubic through three or more points. */
static Dual slope_at(int kind, int n, const double *x, const Dual *y, int i)
{
    if (kind == AKIMA || kind == MODIFIED_AKIMA) {
        const int modified = kind == MODIFIED_AKIMA;
        const Dual d1 = any_chord(n, x, y, i - 1), d2 = any_chord(n, x, y, i);
        const Dual before = akima_weight(d2, any_chord(n, x, y, i + 1), modified);
        const Dual after = akima_weight(any_chord(n, x, y, i - 2), d1, modified);
        if (before.v + after.v == 0) return modified ? dual(0, 0) : dual_scale(0.5, dual_add(d1, d2));
        return dual_divide(dual_add(dual_multiply(before, d1), dual_multiply(after, d2)), dual_add(before, after));
    }
    if (kind == SMOOTH && i == 0) return end_slope(x[1] - x[0], x[2] - x[1], chord_of(x, y, 0), chord_of(x, y, 1));
    if (kind == SMOOTH && i == n - 1)
        return end_slope(x[i] - x[i - 1], x[i - 1] - x[i - 2], chord_of(x, y, i - 1), chord_of(x, y, i - 2));
    if (i == 0) return chord_of(x, y, 0);
    if (i == n - 1) return chord_of(x, y, n - 2);
    return (kind == STEFFEN ? steffen_slope : inner_slope)(x[i] - x[i - 1], x[i + 1] - x[i], chord_of(x, y, i - 1),
                                                           chord_of(x, y, i));
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
    if (t->kind == LINEAR || n == 2) return dual_add(y[low], dual_multiply(chord, offset));
    slope0 = slope_at(t->kind, n, x, y, low);
    slope1 = slope_at(t->kind, n, x, y, low + 1);
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
