#include "linear_equations.h"

/* ---- loops: linear ones by LU, others by Newton's method with damping */

typedef struct {
    const char *unknowns;
    int n, linear; /* 2: while switches are frozen */
    const int *z;  /* the tearing variables */
    const double *nominal, *minimum, *maximum;
    void (*residuals)(void);
    void (*partials)(void);
    int inputs;       /* how many; -1: solved each time */
    const int *input; /* what the residuals are computed from; -1 - k: switch k */
    double *found;    /* the unknowns last found, then the inputs they were found for */
    int quantities;   /* of a linear loop: its unknowns and what is eliminated for them, which stay near `last` */
    const int *quantity;
    const double *quantity_size;
    void (*eliminated)(void);
} Loop;
static const Loop loops[NLOOP];
static int solved[NLOOP]; /* `found` is there */

static double residual[SIZE(MOST_TORN)];
enum { SQUARE = MOST_TORN > 1 ? (MOST_TORN) * (MOST_TORN) : 2 };
static double matrix[SQUARE], row_scale[SIZE(MOST_TORN)], unit[SIZE(MOST_TORN)];
static int loop_pivot[SIZE(MOST_TORN)];
static double open_direction[SQUARE];

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
    return factor(l->n, matrix, loop_pivot, scale);
}

/* Leaves the Newton step in `step`, its size in *size. */
static int newton_step(const Loop *l, double *step, double *size)
{
    int i;
    memcpy(step, residual, sizeof(double) * (size_t)l->n);
    solve_factored(l->n, matrix, loop_pivot, step);
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

/* Whether a step that is short against the nominal values is so against the unknowns too, or the residuals are the
   rounding of the terms that the unknowns make in them: they may be far smaller than their nominal values. */
static int is_determined(const Loop *l, const double *step)
{
    int i, j, small = 1, rounding = 1;
    for (i = 0; i < l->n; i++) {
        double terms = 0;
        for (j = 0; j < l->n; j++) terms += fabs(jacobian[i * l->n + j] * m.all[l->z[j]]);
        small = small && fabs(step[i]) <= 1e-12 * fabs(m.all[l->z[i]]);
        rounding = rounding && fabs(residual[i]) <= 3.6e-15 * terms;
    }
    return small || rounding;
}

static void move(const Loop *l, const double *from, double lambda, const double *step)
{
    int i;
    for (i = 0; i < l->n; i++)
        m.all[l->z[i]] = smaller(larger(from[i] - lambda * step[i], l->minimum[i]), l->maximum[i]);
}

/* Singular values of the partial derivatives, with rows and unknowns scaled, by Jacobi's rotations of columns: those
   of `rotated` become orthogonal, `turned_by` holds the directions of the unknowns. */
static double rotated[SQUARE], turned_by[SQUARE];
static void decompose(const Loop *l)
{
    const int n = l->n;
    int i, j, k, sweep, turned = 1;

    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            rotated[i * n + j] = row_scale[i] * jacobian[i * n + j] * unit[j];
            turned_by[i * n + j] = i == j;
        }
    for (sweep = 0; turned && sweep < 40; sweep++) {
        turned = 0;
        for (j = 0; j < n; j++)
            for (k = j + 1; k < n; k++) {
                double a = 0, b = 0, c = 0, t, cosine;
                for (i = 0; i < n; i++) {
                    a += rotated[i * n + j] * rotated[i * n + j];
                    b += rotated[i * n + k] * rotated[i * n + k];
                    c += rotated[i * n + j] * rotated[i * n + k];
                }
                if (!(fabs(c) > 1e-15 * sqrt(a) * sqrt(b))) continue;
                turned = 1;
                t = (b - a) / (2 * c);
                t = (t < 0 ? -1 : 1) / (fabs(t) + sqrt(1 + t * t));
                cosine = 1 / sqrt(1 + t * t);
                for (i = 0; i < n; i++) {
                    double x = rotated[i * n + j], y = rotated[i * n + k];
                    rotated[i * n + j] = cosine * (x - t * y);
                    rotated[i * n + k] = cosine * (y + t * x);
                    x = turned_by[i * n + j];
                    y = turned_by[i * n + k];
                    turned_by[i * n + j] = cosine * (x - t * y);
                    turned_by[i * n + k] = cosine * (y + t * x);
                }
            }
    }
}

/* After that: the shortest of the steps that bring the residuals nearest to zero, and whether unknown j of the
   rotated ones is open. Returns the slope of their sum of squares. */
static double shortest_step(int n, double *step, int *is_open)
{
    double largest_square = 0, slope = 0;
    int i, j;

    for (i = 0; i < n; i++) step[i] = 0;
    for (j = 0; j < n; j++) {
        double square = 0;
        for (i = 0; i < n; i++) square += rotated[i * n + j] * rotated[i * n + j];
        largest_square = larger(largest_square, square);
    }
    for (j = 0; j < n; j++) {
        double square = 0, product = 0;
        for (i = 0; i < n; i++) {
            square += rotated[i * n + j] * rotated[i * n + j];
            product += rotated[i * n + j] * row_scale[i] * residual[i];
        }
        is_open[j] = !(square > 1e-24 * largest_square);
        if (is_open[j]) continue;
        for (i = 0; i < n; i++) step[i] += unit[i] * turned_by[i * n + j] * product / square;
        slope -= 2 * product * product / square;
    }
    return slope;
}

/* Where the partial derivatives are singular: that step, taken as far as it makes the residuals smaller. */
static int least_squares_step(const Loop *l, const double *from)
{
    static double step[SIZE(MOST_TORN)];
    static int is_open[SIZE(MOST_TORN)];
    const double before = square_sum(l);
    double slope, lambda;

    if (l->n > 300) return 0;
    decompose(l);
    slope = shortest_step(l->n, step, is_open);
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
    int i, iteration, extra = 0, stalled = 0;

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
        /* Steps to and fro that become no shorter are the rounding of what is computed inside the loop. */
        stalled = size <= 1e-8 && size > 0.3 * last ? stalled + 1 : 0;
        if (stalled == 4) return 1;
        if (size <= 1e-13 || (size <= 1e-9 && size > 0.3 * last)) {
            const double sum = square_sum(l);
            move(l, before, 1, step);
            if (residuals_finite(l)) {
                if (is_determined(l, step)) return 1;
                if (square_sum(l) < sum && extra++ < 30) {
                    last = size;
                    continue;
                }
            }
            move(l, before, 0, step);
            l->residuals();
            if (exact) return 1;
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

/* The quantities of the loop for unknowns z, measured by their sizes. */
static int read_quantities(const Loop *l, const double *z, double *to)
{
    int i;
    for (i = 0; i < l->n; i++) m.all[l->z[i]] = z[i];
    if (!residuals_finite(l)) return 0;
    l->eliminated();
    for (i = 0; i < l->quantities; i++) to[i] = m.all[l->quantity[i]] / l->quantity_size[i];
    return 1;
}

/* Of the solutions of a linear loop that leaves `count` directions open the one nearest to the last values: the
   smallest sum of squares of the changes of its quantities. */
static int take_nearest(const Loop *l, double *z, int count, int shift)
{
    static double here[SIZE(MOST_QUANTITIES)], along[SIZE(MOST_TORN) * SIZE(MOST_QUANTITIES)];
    static double square[SQUARE], right[SIZE(MOST_TORN)], scale[SIZE(MOST_TORN)], aside[SIZE(MOST_TORN)];
    const int q = l->quantities;
    int i, j, k;

    if (!read_quantities(l, z, here)) return 0;
    for (k = 0; k < count; k++) {
        for (i = 0; i < l->n; i++) aside[i] = z[i] + open_direction[k * l->n + i];
        if (!read_quantities(l, aside, &along[k * q])) return 0;
        for (i = 0; i < q; i++) along[k * q + i] -= here[i];
    }
    for (k = 0; k < count; k++) {
        right[k] = 0;
        for (i = 0; i < q; i++)
            right[k] += along[k * q + i] * (values_before[l->quantity[i]] / l->quantity_size[i] - here[i]);
        for (j = 0; j < count; j++) {
            square[k * count + j] = 0;
            for (i = 0; i < q; i++) square[k * count + j] += along[k * q + i] * along[j * q + i];
        }
    }
    if (!factor(count, square, loop_pivot, scale)) return 0;
    solve_factored(count, square, loop_pivot, right);
    for (k = 0; k < count; k++)
        for (i = 0; i < l->n; i++) z[i] += (right[k] + (shift == k)) * open_direction[k * l->n + i];
    return read_quantities(l, z, here);
}

/* A linear loop whose equations agree with each other but leave unknowns open: the torques of two brakes that hold one
   shaft, the currents of two closed switches side by side. */
static int solve_open(const Loop *l, int k)
{
    static double step[SIZE(MOST_TORN)], z[SIZE(MOST_TORN)], terms[SIZE(MOST_TORN)];
    static int is_open[SIZE(MOST_TORN)];
    const int n = l->n;
    int i, j, pass, count = 0;

    if (n > 300 || l->quantities == 0) return 0;
    for (i = 0; i < n; i++) {
        m.all[l->z[i]] = z[i] = 0;
        row_scale[i] = 1;
    }
    if (!residuals_finite(l) || linearise(l) < 0) return 0;
    for (i = 0; i < n; i++) terms[i] = fabs(residual[i]);
    decompose(l);
    for (pass = 0; pass < 2; pass++) { /* one correction removes rounding */
        shortest_step(n, step, is_open);
        for (i = 0; i < n; i++) m.all[l->z[i]] = z[i] -= step[i];
        if (!residuals_finite(l)) return 0;
    }
    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++) terms[i] += fabs(jacobian[i * n + j] * z[j]);
        if (!(fabs(residual[i]) <= 1e-10 * terms[i])) return 0;
    }
    for (j = 0; j < n; j++) {
        if (!is_open[j]) continue;
        for (i = 0; i < n; i++) open_direction[count * n + i] = unit[i] * turned_by[i * n + j];
        count++;
    }
    open_loops.directions[k] = count;
    return count == 0 || take_nearest(l, z, count, open_loops.shifted_loop == k ? open_loops.shifted_direction : -1);
}

static int solve_linear_or_open(const Loop *l, int k)
{
    return solve_linear(l) || (open_loops.allowed && !live && solve_open(l, k));
}

/* Without success the unknowns are as before. */
static int solve_piecewise(const Loop *l, int k)
{
    static double guess[SIZE(MOST_TORN)];
    int i, good;

    if (l->linear != 2 || live) return 0;
    for (i = 0; i < l->n; i++) {
        guess[i] = m.all[l->z[i]];
        row_scale[i] = 1;
    }
    good = solve_linear_or_open(l, k);
    for (i = 0; i < l->n; i++) good = good && m.all[l->z[i]] >= l->minimum[i] && m.all[l->z[i]] <= l->maximum[i];
    for (i = 0; i < l->n && !good; i++) m.all[l->z[i]] = guess[i];
    return good;
}

static double input_of(const Loop *l, int i) { return l->input[i] < 0 ? sw[-1 - l->input[i]] : m.all[l->input[i]]; }

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
    solved[k] = open_loops.directions[k] = 0;
    for (i = 0; i < l->n; i++)
        if (!isfinite(m.all[l->z[i]])) m.all[l->z[i]] = 0;
    if (!(l->linear == 1 ? solve_linear_or_open(l, k) : solve_piecewise(l, k) || solve_nonlinear(l))) {
        problem = l->unknowns;
        return 1;
    }
    if (l->inputs < 0 || live) return 0;
    for (i = 0; i < l->n; i++) l->found[i] = m.all[l->z[i]];
    for (i = 0; i < l->inputs; i++) l->found[l->n + i] = input_of(l, i);
    solved[k] = 1;
    return 0;
}
