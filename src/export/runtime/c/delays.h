#include "tables.h"

/* ---- delay lines: the past of their arguments */

typedef struct {
    int n, room, njump, passed_jumps;
    double *times, *values, jumps[64], passed, present;
} Line;
static Line lines[SIZE(NDELAY)];
static double delay_argument[SIZE(NDELAY)];
static double delay_now = -INFINITY; /* where the equations are evaluated */
static int delay_asked;              /* for a value of the step that is being tried */

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

/* After the last point: a polynomial through the last points and the present one. */
static double in_present_step(const Line *l, double t)
{
    double times[6], values[6], sum = 0;
    const double length = delay_now - l->times[l->n - 1];
    int count = 2, i, j;

    delay_asked = 1;
    if (!(length > 0)) return l->values[l->n - 1];
    times[0] = delay_now;
    values[0] = l->present;
    times[1] = l->times[l->n - 1];
    values[1] = l->values[l->n - 1];
    for (i = l->n - 1; i > 0 && count < 6; i--) {
        if (l->times[i - 1] == l->times[i]) break; /* a jump */
        if (times[count - 1] - l->times[i - 1] < length / 4) continue;
        times[count] = l->times[i - 1];
        values[count++] = l->values[i - 1];
    }
    for (i = 0; i < count; i++) {
        double term = values[i];
        for (j = 0; j < count; j++)
            if (j != i) term *= (t - times[j]) / (times[i] - times[j]);
        sum += term;
    }
    return sum;
}

static double delayed(int k, double t)
{
    const Line *l = &lines[k];
    int low = -1, high = l->n, count = 2, from, to, on_left = 0, on_right = 0, i, j, points[6];
    double sum = 0, apart;

    if (l->n == 0) return 0;
    if (t >= delay_now && delay_now >= l->times[l->n - 1]) { /* a delay by 0 */
        delay_asked = 1;
        return l->present;
    }
    if (l->njump > 0 && t >= l->jumps[0]) {
        for (i = 0; i < l->n && l->times[i] < l->jumps[0]; i++) continue;
        return l->values[i];
    }
    t = larger(t, l->passed);
    if (t > l->times[l->n - 1]) return in_present_step(l, t);
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

static void pass_delayed_jumps(void)
{
    int k, i;
    for (k = 0; k < NDELAY; k++)
        while (lines[k].njump > 0 && (lines[k].jumps[0] + delay_duration[k] <= m.time ||
                                      same_instant(lines[k].jumps[0] + delay_duration[k], m.time))) {
            lines[k].passed = lines[k].jumps[0];
            for (i = 1; i < lines[k].njump; i++) lines[k].jumps[i - 1] = lines[k].jumps[i];
            lines[k].njump--;
        }
}

static void record_delays(void)
{
    int k;
    for (k = 0; k < NDELAY; k++) record(k, m.time, delay_argument[k]);
    pass_delayed_jumps();
}

/* Whether a jump is in a delay whose length varies; whether it has come out, by the durations computed last. */
static int jump_is_pending(const int *varies)
{
    int k;
    for (k = 0; k < NDELAY; k++)
        if (varies[k] && lines[k].njump > 0) return 1;
    return 0;
}

static int jump_is_out(const int *varies)
{
    int k;
    for (k = 0; k < NDELAY; k++)
        if (varies[k] && lines[k].njump > 0 && m.time - delay_duration[k] >= lines[k].jumps[0]) return 1;
    return 0;
}

/* Of delays whose length does not vary. */
static double next_delayed_jump(const int *varies)
{
    double next = INFINITY;
    int k;
    for (k = 0; k < NDELAY; k++)
        if (lines[k].njump > 0 && !varies[k]) next = smaller(next, lines[k].jumps[0] + delay_duration[k]);
    return next;
}

/* At the start: what the arguments were before. Returns whether any has changed since the last time. */
static int record_start(void)
{
    int changed = 0, k;
    for (k = 0; k < NDELAY; k++) {
        if (!isfinite(delay_argument[k])) continue;
        changed |= lines[k].n == 0 || lines[k].values[0] != delay_argument[k];
        lines[k].n = lines[k].njump = 0;
        lines[k].passed = -INFINITY;
        record(k, m.time, delay_argument[k]);
    }
    return changed;
}

static void begin_delays(void)
{
    delay_now = m.time;
    delay_asked = 0;
}

/* The arguments where the equations are evaluated, as computed last. Returns whether they are found. */
static int take_present_arguments(void)
{
    int same = 1, k;
    for (k = 0; k < NDELAY; k++) {
        const double now = delay_argument[k], before = lines[k].present;
        same &= fabs(now - before) <= 1e-13 * larger(fabs(now), fabs(before));
        lines[k].present = now;
    }
    same |= !delay_asked;
    delay_asked = 0;
    return same;
}

static int negative_delay(void)
{
    int k;
    for (k = 0; k < NDELAY; k++)
        if (delay_duration[k] < 0) return 1;
    return 0;
}
