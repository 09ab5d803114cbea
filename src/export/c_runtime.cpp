// What a translated C program has besides the model: solving of loops, integration, events, output.
#include "export/c_runtime.h"

namespace cutset::c_runtime {

const char* const helpers = R"CODE(
#define SIZE(n) ((n) > 0 ? (n) : 1)

static double sw[SIZE(NSWITCH)], sw_before[SIZE(NSWITCH)]; /* values of relations, sign and int between events */
static double crossing[SIZE(NSWITCH)], instant[SIZE(NSWITCH)];
static double ticking[SIZE(NCLOCK)], clock_first[SIZE(NCLOCK)], clock_period[SIZE(NCLOCK)];
static double condition[SIZE(NWHEN)], valid[SIZE(NVALID)], value[SIZE(NVALUE)];
static double delay_argument[SIZE(NDELAY)], delay_duration[SIZE(NDELAY)];
static double selection[SIZE(NSELECTION)], frequency[SIZE(NFREQUENCY)];
static int given[SIZE(NPARAMETER)];
static int live;     /* relations are evaluated anew; else they have their stored values */
static int starting; /* at the start */
static const char *problem; /* of the last evaluation that failed */

static inline int switched(int k, int now) { return live ? now : sw[k] != 0; }
static inline double frozen(int k, double now) { return live ? now : sw[k]; }
static inline double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
static inline double smaller(double x, double y) { return isnan(x) || x < y ? x : y; }
static inline double larger(double x, double y) { return isnan(x) || x > y ? x : y; }
static inline double remainder_of(double x, double y) { return x - trunc(x / y) * y; }

static inline double power(double x, double y)
{
    double result = 1;
    int n;

    if (y != floor(y) || fabs(y) > 64) return pow(x, y);
    for (n = abs((int)y); n > 0; n /= 2, x *= x)
        if (n % 2) result *= x;
    return y < 0 ? 1 / result : result;
}

static inline int same_instant(double a, double b)
{
    return isfinite(a) && isfinite(b) && fabs(a - b) <= 1e-13 * larger(fabs(a), fabs(b));
}
)CODE";

const char* const tables = R"CODE(
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
    const int below = at.v < x[0], above = at.v > x[n - 1];
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
    return dual_add(y[low],
                    dual_multiply(offset, dual_add(slope0, dual_multiply(offset, dual_add(c, dual_multiply(offset, d))))));
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
)CODE";

const char* const delays = R"CODE(
/* ---- delay lines: the past of their arguments */

typedef struct {
    int n, room, njump, passed_jumps;
    double *times, *values, jumps[64], passed;
} Line;
static Line lines[SIZE(NDELAY)];

static void record(int k, double t, double v)
{
    Line *l = &lines[k];
    while (l->n > 0 && l->times[l->n - 1] > t) l->n--;
    if (l->n > 0 && l->times[l->n - 1] == t) {
        const double before = l->values[l->n - 1];
        if (before == v) return;
        if (l->n > 1 && l->times[l->n - 2] == t) {
            l->values[l->n - 1] = v;
            return;
        }
        if (fabs(v - before) > 1e-9 * larger(fabs(v), fabs(before)) && l->njump < 64) l->jumps[l->njump++] = t;
    }
    if (l->n == l->room) {
        l->room = l->room ? 2 * l->room : 1024;
        l->times = realloc(l->times, sizeof(double) * (size_t)l->room);
        l->values = realloc(l->values, sizeof(double) * (size_t)l->room);
        if (!l->times || !l->values) {
            fprintf(stderr, "out of memory for the past of a delay\n");
            exit(1);
        }
    }
    l->times[l->n] = t;
    l->values[l->n++] = v;
}

/* The position of the next point further left (step = -1) or right that is far enough; -1: none. */
static int next_point(const Line *l, int at, int step, double apart)
{
    int i = at;
    while (i + step >= 0 && i + step < l->n) {
        const int before = i;
        i += step;
        if (l->times[i] == l->times[before]) return -1; /* a jump */
        if (fabs(l->times[i] - l->times[at]) >= apart) return i;
    }
    return -1;
}

static double delayed(int k, double t)
{
    const Line *l = &lines[k];
    int low = -1, high = l->n, count = 2, from, to, on_left = 0, on_right = 0, i, j, points[6];
    double sum = 0, apart;

    if (l->n == 0) return 0;
    if (l->njump > 0 && t >= l->jumps[0]) {
        for (i = 0; i < l->n && l->times[i] < l->jumps[0]; i++) continue;
        return l->values[i];
    }
    t = larger(t, l->passed);
    while (high - low > 1) { /* times[low] <= t < times[high] */
        const int middle = (low + high) / 2;
        if (l->times[middle] <= t)
            low = middle;
        else
            high = middle;
    }
    if (low < 0) return l->values[0];
    if (high == l->n) return l->values[l->n - 1];
    if (t == l->times[low] || l->times[high] == l->times[low]) return l->values[low];
    apart = 1e-3 * (l->times[high] - l->times[low]);
    points[0] = from = low;
    points[1] = to = high;
    for (; count < 6; count++) {
        const int a = next_point(l, from, -1, apart), b = next_point(l, to, 1, apart);
        if (a < 0 && b < 0) break;
        if (a >= 0 && (b < 0 || on_left <= on_right)) {
            points[count] = from = a;
            on_left++;
        } else {
            points[count] = to = b;
            on_right++;
        }
    }
    for (i = 0; i < count; i++) { /* Lagrange */
        double weight = l->values[points[i]];
        for (j = 0; j < count; j++)
            if (j != i) weight *= (t - l->times[points[j]]) / (l->times[points[i]] - l->times[points[j]]);
        sum += weight;
    }
    return sum;
}
)CODE";

const char* const no_delays = R"CODE(
static inline void record(int k, double t, double v)
{
    (void)k;
    (void)t;
    (void)v;
}
)CODE";

const char* const factoring = R"CODE(
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
)CODE";

const char* const loops = R"CODE(
/* ---- loops: linear ones by LU, others by Newton's method with damping */

typedef struct {
    const char *unknowns;
    int n, linear;
    const int *z; /* the iterated unknowns */
    const double *nominal, *minimum, *maximum;
    void (*residuals)(void);
    void (*partials)(void);
    int inputs;       /* how many; -1: solved each time */
    const int *input; /* what the residuals are computed from; -1 - k: switch k */
    double *found;    /* the unknowns last found, then the inputs they were found for */
} Loop;
static const Loop loops[NLOOP];
static int solved[NLOOP]; /* `found` is there */

enum { SQUARE = MOST_TORN > 1 ? MOST_TORN * MOST_TORN : 2 };
static double matrix[SQUARE], row_scale[SIZE(MOST_TORN)], unit[SIZE(MOST_TORN)];
static int pivot[SIZE(MOST_TORN)];

static int residuals_finite(const Loop *l)
{
    int i;
    l->residuals();
    for (i = 0; i < l->n; i++)
        if (!isfinite(residual[i])) return 0;
    return 1;
}

/* New partial derivatives, units of the unknowns and rows; 0: singular, -1: not finite. */
static int linearise(const Loop *l)
{
    static double scale[SIZE(MOST_TORN)];
    int i, j;

    memset(jacobian, 0, sizeof(double) * (size_t)(l->n * l->n));
    l->partials();
    memcpy(matrix, jacobian, sizeof(double) * (size_t)(l->n * l->n));
    for (i = 0; i < l->n; i++) unit[i] = fabs(m.all[l->z[i]]) + l->nominal[i];
    for (i = 0; i < l->n; i++) {
        double largest = 0;
        for (j = 0; j < l->n; j++) {
            if (!isfinite(matrix[i * l->n + j])) return -1;
            largest = larger(largest, fabs(matrix[i * l->n + j]) * unit[j]);
        }
        if (largest > 0 && isfinite(largest) && isfinite(1 / largest)) row_scale[i] = 1 / largest;
    }
    return factor(l->n, matrix, pivot, scale);
}

/* Leaves the Newton step in `step`, its size in *size. */
static int newton_step(const Loop *l, double *step, double *size)
{
    int i;
    memcpy(step, residual, sizeof(double) * (size_t)l->n);
    solve_factored(l->n, matrix, pivot, step);
    *size = 0;
    for (i = 0; i < l->n; i++) *size = larger(*size, fabs(step[i]) / unit[i]);
    return isfinite(*size);
}

static double square_sum(const Loop *l)
{
    double sum = 0;
    int i;
    for (i = 0; i < l->n; i++) sum += row_scale[i] * residual[i] * row_scale[i] * residual[i];
    return sum;
}

/* Whether the residuals are the rounding of their own terms. */
static int is_rounding(const Loop *l)
{
    int i;
    for (i = 0; i < l->n; i++)
        if (!(fabs(row_scale[i] * residual[i]) <= 1.4e-14)) return 0;
    return 1;
}

static void move(const Loop *l, const double *from, double lambda, const double *step)
{
    int i;
    for (i = 0; i < l->n; i++)
        m.all[l->z[i]] = smaller(larger(from[i] - lambda * step[i], l->minimum[i]), l->maximum[i]);
}

/* Where the partial derivatives are singular: the shortest of the steps that bring the residuals nearest to zero,
   by singular values (Jacobi's rotations of columns), taken as far as it makes them smaller. */
static int least_squares_step(const Loop *l, const double *from)
{
    static double u[SQUARE], w[SQUARE], step[SIZE(MOST_TORN)];
    const int n = l->n;
    const double before = square_sum(l);
    double largest = 0, slope = 0, lambda;
    int i, j, k, sweep, turned = 1;

    if (n > 300) return 0;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            u[i * n + j] = row_scale[i] * jacobian[i * n + j] * unit[j];
            w[i * n + j] = i == j;
        }
    for (sweep = 0; turned && sweep < 40; sweep++) {
        turned = 0;
        for (j = 0; j < n; j++)
            for (k = j + 1; k < n; k++) {
                double a = 0, b = 0, c = 0, t, cosine;
                for (i = 0; i < n; i++) {
                    a += u[i * n + j] * u[i * n + j];
                    b += u[i * n + k] * u[i * n + k];
                    c += u[i * n + j] * u[i * n + k];
                }
                if (!(fabs(c) > 1e-15 * sqrt(a) * sqrt(b))) continue;
                turned = 1;
                t = (b - a) / (2 * c);
                t = (t < 0 ? -1 : 1) / (fabs(t) + sqrt(1 + t * t));
                cosine = 1 / sqrt(1 + t * t);
                for (i = 0; i < n; i++) {
                    double x = u[i * n + j], y = u[i * n + k];
                    u[i * n + j] = cosine * (x - t * y);
                    u[i * n + k] = cosine * (y + t * x);
                    x = w[i * n + j];
                    y = w[i * n + k];
                    w[i * n + j] = cosine * (x - t * y);
                    w[i * n + k] = cosine * (y + t * x);
                }
            }
    }
    for (i = 0; i < n; i++) step[i] = 0;
    for (j = 0; j < n; j++) {
        double square = 0;
        for (i = 0; i < n; i++) square += u[i * n + j] * u[i * n + j];
        largest = larger(largest, square);
    }
    for (j = 0; j < n; j++) {
        double square = 0, product = 0;
        for (i = 0; i < n; i++) {
            square += u[i * n + j] * u[i * n + j];
            product += u[i * n + j] * row_scale[i] * residual[i];
        }
        if (!(square > 1e-24 * largest)) continue;
        for (i = 0; i < n; i++) step[i] += unit[i] * w[i * n + j] * product / square;
        slope -= 2 * product * product / square;
    }
    if (!(slope < -1e-20 * before)) return 0;
    for (lambda = 1; lambda > 1e-16; lambda /= 2) {
        move(l, from, lambda, step);
        if (residuals_finite(l) && square_sum(l) <= before + 1e-4 * lambda * slope) return 1;
    }
    return 0;
}

/* 1: solved; 0: not; -1: caught where the partial derivatives are singular. */
static int newton(const Loop *l)
{
    static double step[SIZE(MOST_TORN)], next[SIZE(MOST_TORN)], before[SIZE(MOST_TORN)];
    double size = 0, last = INFINITY;
    int i, iteration;

    for (i = 0; i < l->n; i++) row_scale[i] = 1;
    if (!residuals_finite(l)) return 0;
    for (iteration = 0; iteration < 200; iteration++) {
        double lambda = 1, moved = 0, after;
        const int regular = linearise(l), exact = regular >= 0 && is_rounding(l);
        if (regular < 0) return 0;
        for (i = 0; i < l->n; i++) before[i] = m.all[l->z[i]];
        if (!regular || !newton_step(l, step, &size)) {
            if (exact) return 1;
            if (!least_squares_step(l, before)) return -1;
            last = INFINITY;
            continue;
        }
        if (size <= 1e-13 || (size <= 1e-9 && size > 0.3 * last)) {
            for (i = 0; i < l->n; i++) m.all[l->z[i]] -= step[i];
            if (residuals_finite(l)) return 1;
            move(l, before, 0, step);
            l->residuals();
            return 1;
        }
        for (;; lambda /= 2) {
            move(l, before, lambda, step);
            if (lambda < 1e-10) break;
            if (!residuals_finite(l)) continue;
            if (size < 1e-6 || (newton_step(l, next, &after) && after <= (1 - lambda / 4) * size)) break;
        }
        for (i = 0; i < l->n; i++) moved = larger(moved, fabs(m.all[l->z[i]] - before[i]));
        if (lambda < 1e-10 || moved == 0) {
            if (!exact) return 0;
            move(l, before, 0, step);
            return residuals_finite(l);
        }
        last = size;
    }
    return 0;
}

/* Newton's method, then again from a little beside the point where it was caught, or beside the guess: the last
   solution may be at or near a singular point (i*|i| = u at u = 0) that it cannot leave. */
static int solve_nonlinear(const Loop *l)
{
    static double guess[SIZE(MOST_TORN)], aside[SIZE(MOST_TORN)];
    int i, attempt, found;

    for (i = 0; i < l->n; i++) guess[i] = m.all[l->z[i]];
    if (!residuals_finite(l))
        for (i = 0; i < l->n; i++) m.all[l->z[i]] = l->nominal[i];
    found = newton(l);
    for (attempt = found < 0 ? 0 : 1; found != 1 && attempt < 3; attempt++) {
        for (i = 0; i < l->n; i++) {
            const double z = isfinite(m.all[l->z[i]]) ? m.all[l->z[i]] : guess[i];
            const double part = 0.5 - fmod(0.6180339887498949 * (i + 1), 1); /* no two alike */
            aside[i] = attempt == 1 ? -1e-3 * l->nominal[i] : 1e-3 * l->nominal[i];
            if (attempt == 0) aside[i] = guess[i] - z + 0.02 * part * (fabs(z) + l->nominal[i]);
        }
        move(l, guess, 1, aside);
        found = newton(l);
    }
    if (found != 1)
        for (i = 0; i < l->n; i++) m.all[l->z[i]] = guess[i];
    return found == 1;
}

/* From the residuals at zero, so that equal inputs give equal solutions; one correction removes rounding. While
   relations are evaluated anew they count as they are. */
static int solve_linear(const Loop *l)
{
    static double step[SIZE(MOST_TORN)], terms[SIZE(MOST_TORN)];
    double size;
    int i, j, exact = 1;

    for (i = 0; i < l->n && !live; i++) m.all[l->z[i]] = 0;
    if (!residuals_finite(l)) {
        for (i = 0; i < l->n; i++) m.all[l->z[i]] = 0;
        if (!residuals_finite(l)) return 0;
    }
    for (i = 0; i < l->n; i++) terms[i] = fabs(residual[i]);
    if (linearise(l) != 1 || !newton_step(l, step, &size)) return 0;
    for (i = 0; i < l->n; i++) m.all[l->z[i]] -= step[i];
    l->residuals();
    for (i = 0; i < l->n; i++) {
        for (j = 0; j < l->n; j++) terms[i] += fabs(jacobian[i * l->n + j] * m.all[l->z[j]]);
        if (!(fabs(residual[i]) <= 1.8e-15 * terms[i])) exact = 0;
    }
    if (exact) return 1;
    if (!newton_step(l, step, &size)) return 0;
    for (i = 0; i < l->n; i++) m.all[l->z[i]] -= step[i];
    l->residuals();
    return 1;
}

static double input_of(const Loop *l, int i)
{
    return l->input[i] < 0 ? sw[-1 - l->input[i]] : m.all[l->input[i]];
}

/* The unknowns are those found for the same inputs: solving again would only move them by rounding. */
static int still_solved(const Loop *l, int k)
{
    int i;
    if (!solved[k] || live) return 0;
    for (i = 0; i < l->n; i++)
        if (m.all[l->z[i]] != l->found[i]) return 0;
    for (i = 0; i < l->inputs; i++)
        if (input_of(l, i) != l->found[l->n + i]) return 0;
    return 1;
}

static int solve(int k)
{
    const Loop *l = &loops[k];
    int i;

    if (still_solved(l, k)) {
        l->residuals();
        return 0;
    }
    solved[k] = 0;
    for (i = 0; i < l->n; i++)
        if (!isfinite(m.all[l->z[i]])) m.all[l->z[i]] = 0;
    if (!(l->linear ? solve_linear(l) : solve_nonlinear(l))) {
        problem = l->unknowns;
        return 1;
    }
    if (l->inputs < 0 || live) return 0;
    for (i = 0; i < l->n; i++) l->found[i] = m.all[l->z[i]];
    for (i = 0; i < l->inputs; i++) l->found[l->n + i] = input_of(l, i);
    solved[k] = 1;
    return 0;
}
)CODE";

}  // namespace cutset::c_runtime
