#include "dopri.h"

/* ---- steps with error control, dense output between them, zero crossings located on it */

static void interpolate(double part, double *y)
{
    const double rest = 1 - part;
    int i;
    for (i = 0; i < NX; i++)
        y[i] = dense[0][i] + part * (dense[1][i] + rest * (dense[2][i] + part * (dense[3][i] + rest * dense[4][i])));
}

static double error_size(const double *error, const double *a, const double *b)
{
    double sum = 0;
    int i;
    for (i = 0; i < NX; i++) {
        const double scale = absolute[i] + local_tolerance * larger(fabs(a[i]), fabs(b[i]));
        sum += error[i] / scale * (error[i] / scale);
    }
    return NX > 0 ? sqrt(sum / NX) : 0;
}

static double first_step(double t)
{
    static double f[SIZE(NX)];
    double size, speed;
    if (NX == 0 || derivatives(t, x, f)) return max_step;
    size = error_size(x, x, x);
    speed = error_size(f, x, x);
    return smaller(max_step, speed > 1e-10 && size > 1e-10 ? 0.01 * size / speed : 1e-6 * (stop_time - start_time));
}

/* Whether the frozen switches differ from what their crossings say. */
static int fired; /* the one that does */
static int disagrees(void)
{
    int k;
    for (k = 0; k < NSWITCH; k++) {
        const double c = crossing[k];
        if (switch_timed[k] || isnan(c) || muted[k] || (unmoved[k] && c == at_event[k])) continue;
        sw_largest[k] = larger(sw_largest[k], fabs(c));
        fired = k;
        switch (switch_kind[k]) {
        case LESS:
        case LESS_EQUAL:
        case SIGN:
        case TRUNCATE:
        case FLOOR:
            if (switch_value(k) != sw[k]) return 1;
            break;
        default: break;
        }
    }
    return 0;
}

static int disagrees_at(double t, const double *y)
{
    m.time = t;
    memcpy(&m.all[1], y, sizeof(double) * NX);
    if (CROSSINGS_NEED_EQUATIONS && evaluate()) return 0;
    crossings();
    return disagrees();
}

static double at_quarters[4][SIZE(NSWITCH)]; /* of the step: the zero-crossing functions */

/* A part of the step, between its quarters, at which a switch would change for a moment only: where a parabola through
   three values of its function has its extreme, if that is near zero. 0: there is none. */
static double find_touch(double from, double h, double *good)
{
    static double y[SIZE(NX)];
    double first = 0;
    int j, k;

    for (j = 1; j <= 2; j++)
        for (k = 0; k < NSWITCH; k++) {
            const double middle = at_quarters[j][k];
            const double a = (at_quarters[j - 1][k] + at_quarters[j + 1][k]) / 2 - middle;
            const double b = (at_quarters[j + 1][k] - at_quarters[j - 1][k]) / 2, place = -b / (2 * a);
            const double extreme = middle - b * b / (4 * a), part = 0.25 * (j + 1 + place);
            if (switch_timed[k] || muted[k] ||
                !(switch_kind[k] <= LESS_EQUAL || (switch_kind[k] == SIGN && sw[k] != 0)))
                continue;
            if (!(place > (j == 1 ? -2 : -1)) || !(place < j - 1) || (first > 0 && part >= first)) continue;
            if (fabs(extreme) > 0.125 * fabs(a) && extreme * middle > 0) continue;
            interpolate(part, y);
            if (disagrees_at(from + part * h, y)) first = part;
        }
    *good = floor(first / 0.25) * 0.25;
    return first;
}

/* The first instant of the step (from, to] at which a switch changes; x_new becomes the states there. */
static int find_crossing(double from, double *to)
{
    static const double parts[4] = {0.25, 0.5, 0.75, 1};
    static double y[SIZE(NX)];
    const double h = *to - from;
    double good = 0, bad = 0;
    int i;

    for (i = 0; i < 4; i++) {
        if (parts[i] == 1)
            memcpy(y, x_new, sizeof y);
        else
            interpolate(parts[i], y);
        if (disagrees_at(from + parts[i] * h, y)) {
            bad = parts[i];
            break;
        }
        memcpy(at_quarters[i], crossing, sizeof at_quarters[i]);
        good = parts[i];
    }
    if (bad == 0) bad = find_touch(from, h, &good);
    if (bad == 0) return 0;
    for (i = 0; i < 60 && !same_instant(from + good * h, from + bad * h); i++) {
        const double middle = good + (bad - good) / 2;
        interpolate(middle, y);
        if (disagrees_at(from + middle * h, y))
            bad = middle;
        else
            good = middle;
    }
    *to = from + bad * h;
    if (bad < 1) interpolate(bad, x_new);
    return 1;
}

/* What has been located is beyond its crossing, whatever follows from that. */
static void force_crossed(void)
{
    int k;
    crossings();
    for (k = 0; k < NSWITCH; k++) {
        const double value_beyond = switch_value(k);
        if (switch_timed[k] || muted[k] || isnan(value_beyond) || value_beyond == sw[k]) continue;
        sw[k] = forced_value[k] = value_beyond;
        forced[k] = 1;
        forced_crossing[k] = crossing[k];
    }
}

/* Rounding at a zero that was left does not count the next time that it is reached. */
static void forget_event(void)
{
    int k;
    for (k = 0; k < NSWITCH; k++) {
        if (fabs(crossing[k]) > 1e3 * fabs(sw_offset[k])) sw_offset[k] = 0;
        if (crossing[k] != at_event[k]) unmoved[k] = 0;
    }
}

static int set_point(double t, const double *y)
{
    m.time = t;
    memcpy(&m.all[1], y, sizeof(double) * NX);
    return evaluate();
}

/* A jump that comes out of a delay whose length varies: the step ends there. */
static int find_delayed_jump(double from, double used, double *to)
{
    static double y[SIZE(NX)];
    double before = from, after = *to;

    if (!jump_is_pending(delay_varies) || set_point(after, x_new)) return 0;
    conditions();
    if (!jump_is_out(delay_varies)) return 0;
    while (!same_instant(before, after)) {
        const double middle = before + (after - before) / 2;
        if (middle <= before || middle >= after) break;
        interpolate((middle - from) / used, y);
        if (set_point(middle, y)) break;
        conditions();
        if (jump_is_out(delay_varies))
            after = middle;
        else
            before = middle;
    }
    if (after < *to) interpolate((after - from) / used, x_new);
    *to = after;
    return 1;
}

static double tracked_before[SIZE(NTRACKED)]; /* tearing variables where the step begins */

static int write_outputs(double from, double reached, double h, int is_event)
{
    static double y[SIZE(NX)], saved[NV];
    int i;
    memcpy(saved, m.all, sizeof m.all);
    for (; next_output < output_count(); next_output++) {
        const double t = output_time(next_output);
        const int at_end = t == reached || same_instant(t, reached);
        if (t > reached && !at_end) break;
        if (at_end && is_event) continue;
        if (at_end)
            memcpy(y, x_new, sizeof y);
        else
            interpolate((t - from) / h, y);
        for (i = 0; i < NTRACKED; i++) /* a loop may have several solutions: the one on the way */
            m.all[tracked[i]] =
                tracked_before[i] + (t - from) / (reached - from) * (saved[tracked[i]] - tracked_before[i]);
        if (set_point(t, y)) return fail("the equations cannot be solved");
        write_row();
    }
    memcpy(m.all, saved, sizeof m.all);
    return 0;
}

static int integrate(void)
{
    static double before[NV];
    double h, storm_start = 0, next_event = next_time_event();
    long storm = 0;
    int i, breakpoint = 0, restart = 1;

    local_tolerance = smaller(tolerance, larger((NGROUP > 0 ? 3e-4 : 0.01) * tolerance, 1e-13));
    max_step = (stop_time - start_time) / FEWEST_STEPS;
    for (i = 0; i < NFREQUENCY; i++)
        if (frequency[i] != 0 && isfinite(frequency[i]))
            max_step = smaller(max_step, 2 * 3.14159265358979323846 / fabs(frequency[i]) / STEPS_OF_PERIOD);
    for (i = 0; i < NDELAY; i++)
        if (delay_circular[i] && delay_duration[i] > 0) max_step = smaller(max_step, delay_duration[i]);
    for (i = 0; i < NX; i++) {
        double scale = state_scale[i];
        if (scale == 0 && m.all[1 + i] != 0) scale = fabs(m.all[1 + i]);
        absolute[i] = local_tolerance * (scale > 0 ? scale : 1);
    }
    memcpy(x, &m.all[1], sizeof(double) * NX);
    use_rodas = solver == RODAS;
    h = 0;
    while (m.time < stop_time && !terminated) {
        const double from = m.time;
        double until, reached, error = 0, used;
        int is_event, crossed, comes_out, jumps = 0;

        if (NDELAY > 0) next_event = next_time_event();
        if (same_instant(next_event, stop_time)) next_event = stop_time;
        while (breakpoint < NBREAKPOINT &&
               (breakpoints[breakpoint].time <= from || same_instant(breakpoints[breakpoint].time, from)))
            breakpoint++;
        until = smaller(stop_time, next_event);
        if (breakpoint < NBREAKPOINT) until = smaller(until, breakpoints[breakpoint].time);
        if (NX == 0 && NTRACKED > 0) { /* followed in small steps, to stay on a branch */
            const double part = (stop_time - start_time) / 1000;
            until = smaller(until, start_time + (floor((from - start_time) / part + 1e-6) + 1) * part);
            if (same_instant(until, stop_time)) until = stop_time;
        }
        for (i = 0; i < NTRACKED; i++) tracked_before[i] = m.all[tracked[i]];
        memcpy(before, m.all, sizeof m.all);
        if (restart) {
            h = first_step(from);
            first_same = restart = 0;
        }
        h = smaller(h, max_step);
        for (;;) { /* a step */
            int good;
            used = from + 1.01 * h >= until ? until - from : h;
            reached = used < h * 1.01 && from + 1.01 * h >= until ? until : from + used;
            good = NX == 0 ? 1 : use_rodas ? step_rodas(from, used) : step_dopri(from, used);
            error = good ? error_size(x_error, x, x_new) : HUGE_VAL;
            if (error <= 1) break;
            if (!isfinite(error)) memcpy(m.all, before, sizeof m.all); /* loops begin again where they were */
            h = used * (isfinite(error) ? larger(0.2, 0.9 * pow(error, use_rodas ? -0.25 : -0.2)) : 0.25);
            if (from + h * 1e-3 <= from || h < 1e-14 * (stop_time - start_time)) {
                const char *what = problem;
                int worst = 0;
                memcpy(m.all, before, sizeof m.all); /* the last good point is the last row */
                if (from > last_row && !set_point(from, x)) write_row();
                problem = what;
                m.time = from;
                for (i = 1; i < NX; i++)
                    if (fabs(x_error[i]) / absolute[i] > fabs(x_error[worst]) / absolute[worst]) worst = i;
                if (NX > 0 && !problem) problem = state_names[worst];
                return fail("the steps of the integration become too short");
            }
        }
        crossed = NSTATE_SWITCH > 0 && find_crossing(from, &reached);
        if (NSTATE_SWITCH > 0 && !crossed) forget_event();
        comes_out = find_delayed_jump(from, used, &reached);
        if (breakpoint < NBREAKPOINT && reached == breakpoints[breakpoint].time) jumps = breakpoints[breakpoint].jumps;
        is_event = crossed || comes_out || jumps || next_event <= reached || same_instant(next_event, reached) ||
                   (ASKS_FOR_END && reached >= stop_time);
        if (set_point(reached, x_new)) return fail("the equations cannot be solved");
        if (NDELAY > 0) {
            static double y[SIZE(NX)];
            for (i = 1; i < 8; i++) {
                interpolate((reached - from) / used * i / 8, y);
                if (set_point(from + (reached - from) * i / 8, y)) return fail("the equations cannot be solved");
                conditions();
                if (negative_delay()) return fail("a delay is negative");
                record_delays();
            }
            if (set_point(reached, x_new)) return fail("the equations cannot be solved");
            conditions();
            if (negative_delay()) return fail("a delay is negative");
            record_delays();
        }
        if (write_outputs(from, reached, used, is_event)) return 1;
        if (NDELAY > 0 || NVALID > 0) {
            conditions();
            if (!is_event && check_validity()) return fail("an assertion does not hold");
        }
        if ((!crossed && !comes_out) || reached == from + used)
            h = used * smaller(5, 0.9 * pow(larger(error, 1e-4), use_rodas ? -0.25 : -0.2));
        memcpy(x, x_new, sizeof x);
        memcpy(rate[0], rate[6], sizeof rate[0]);
        if (is_event) {
            if (storm == 0 || reached - storm_start > 1e-6 * (stop_time - start_time)) {
                storm_start = reached;
                storm = 0;
            }
            if (crossed && switch_kink[fired]) {
                static long kinks[SIZE(NSWITCH)], recent[SIZE(NSWITCH)];
                static double since[SIZE(NSWITCH)];
                const double span = stop_time - start_time;
                if (recent[fired] == 0 || reached - since[fired] > 1e-6 * span) {
                    since[fired] = reached;
                    recent[fired] = 0;
                }
                recent[fired]++;
                kinks[fired]++;
                if (recent[fired] > 100 ||
                    (kinks[fired] > 100 && (double)kinks[fired] > 1e4 * (reached - start_time) / span))
                    muted[fired] = 1;
            } else if (++storm == 2000)
                return fail("events follow each other without progress; `cutset simulate` can hold a relation at "
                            "its zero crossing, this program cannot");
            write_row();
            if (crossed) force_crossed();
            if (jumps) m.time = nextafter(reached, INFINITY);
            ending = ASKS_FOR_END && reached >= stop_time;
            if (event()) return fail("the equations cannot be solved");
            write_row();
            next_event = next_time_event();
            memcpy(x, &m.all[1], sizeof(double) * NX);
            restart = 1;
        } else if (choose_states(0)) {
            memcpy(x, &m.all[1], sizeof(double) * NX);
            restart = 1;
        } else if (breakpoint < NBREAKPOINT && reached == breakpoints[breakpoint].time) {
            restart = 1;
        }
        if (HAS_STIFF && solver == AUTO && !use_rodas && stiffness >= 15) {
            use_rodas = 1;
            restart = 1;
        }
    }
    return 0;
}
