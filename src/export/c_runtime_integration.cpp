// Integration in a translated C program: methods of one step, location of events, the run.
#include "export/c_runtime.h"

namespace cutset::c_runtime {

const char* const stiff = R"CODE(
/* ---- Rosenbrock method of order 4 for stiff models (Hairer and Wanner's RODAS), with the exact Jacobian */

static double rate_matrix[SIZE(NX * NX)];

/* J = A - B E^-1 C, where the columns after the states are the iterated unknowns of loops. */
static int rate_partials(void)
{
    static double e[SIZE((NCOLUMNS - NX) * (NCOLUMNS - NX))], scale[SIZE(NCOLUMNS - NX)], c[SIZE(NCOLUMNS - NX)];
    static int pivot[SIZE(NCOLUMNS - NX)];
    const int n = NX, z = NCOLUMNS - NX;
    int i, j, k;

    memset(jacobian, 0, sizeof(double) * (size_t)(NCOLUMNS * NCOLUMNS));
    rate_elements();
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
    static int pivot[SIZE(NX)];
    const double delta = 1e-7 * larger(fabs(h), 1e-6 * fabs(t));
    int i, j, s;

    if (derivatives(t, x, f) || !rate_partials()) return 0;
    if (derivatives(t + delta, x, ft)) return 0;
    for (i = 0; i < NX; i++) ft[i] = (ft[i] - f[i]) / delta;
    for (i = 0; i < NX * NX; i++) w[i] = -rate_matrix[i];
    for (i = 0; i < NX; i++) w[i * NX + i] += 1 / (0.25 * h);
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
    return 1;
}
)CODE";

const char* const integration = R"CODE(/* ---- integration */

static double x[SIZE(NX)], x_new[SIZE(NX)], x_error[SIZE(NX)], dense[5][SIZE(NX)], absolute[SIZE(NX)];
static double rate[7][SIZE(NX)]; /* of the stages */
static double local_tolerance, max_step;
static int first_same; /* rate[0] is there already */
static int stiffness, calm; /* steps in a row that looked stiff, and that did not */
static enum { AUTO, DOPRI, RODAS } solver = AUTO;
static int use_rodas;

static int derivatives(double t, const double *at, double *dx)
{
    m.time = t;
    memcpy(&m.all[1], at, sizeof(double) * NX);
    if (evaluate_part(0) || !rates_finite()) return 1;
    memcpy(dx, &m.all[1 + NX], sizeof(double) * NX);
    return 0;
}

@STIFF@
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
    static const double d[7] = {-12715105075.0 / 11282082432.0,  0, 87487479700.0 / 32700410799.0,
                                -10690763975.0 / 1880347072.0,   701980252875.0 / 199316789632.0,
                                -1453857185.0 / 822651844.0,     69997945.0 / 29380423.0};
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

static void interpolate(double part, double *y)
{
    const double rest = 1 - part;
    int i;
    for (i = 0; i < NX; i++)
        y[i] = dense[0][i] +
               part * (dense[1][i] + rest * (dense[2][i] + part * (dense[3][i] + rest * dense[4][i])));
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
    double size, rate;
    if (NX == 0 || derivatives(t, x, f)) return max_step;
    size = error_size(x, x, x);
    rate = error_size(f, x, x);
    return smaller(max_step, rate > 1e-10 && size > 1e-10 ? 0.01 * size / rate : 1e-6 * (stop_time - start_time));
}

/* Whether the frozen switches differ from what their crossings say. */
static int fired; /* the one that does */
static int muted[SIZE(NSWITCH)]; /* kinks that follow rounding errors only */
static int disagrees(void)
{
    int k;
    for (k = 0; k < NSWITCH; k++) {
        const double c = crossing[k];
        if (switch_timed[k] || isnan(c) || muted[k]) continue;
        fired = k;
        switch (switch_kind[k]) {
        case LESS:
        case LESS_EQUAL:
            if (c != 0 && (c < 0) != (sw[k] != 0)) return 1;
            break;
        case SIGN:
            if (c * sw[k] < 0 || (c != 0 && sw[k] == 0)) return 1;
            break;
        case TRUNCATE:
            if (fabs(c - trunc(c)) > 1e-9 && trunc(c) != sw[k]) return 1;
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
        good = parts[i];
    }
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

static int set_point(double t, const double *y)
{
    m.time = t;
    memcpy(&m.all[1], y, sizeof(double) * NX);
    return evaluate();
}

static double tracked_before[SIZE(NTRACKED)]; /* iterated unknowns where the step begins */

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
            m.all[tracked[i]] = tracked_before[i] +
                                (t - from) / (reached - from) * (saved[tracked[i]] - tracked_before[i]);
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
        if (delay_duration[i] > 0) max_step = smaller(max_step, delay_duration[i]);
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
        int is_event, crossed, jumps = 0;

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
            good = NX == 0 ? 1 : use_rodas ? step_stiff(from, used) : step_dopri(from, used);
            error = good ? error_size(x_error, x, x_new) : INFINITY;
            if (error <= 1) break;
            if (!isfinite(error)) memcpy(m.all, before, sizeof m.all); /* loops begin again where they were */
            h = used * (isfinite(error) ? larger(0.2, 0.9 * pow(error, use_rodas ? -0.25 : -0.2)) : 0.25);
            if (from + h * 1e-3 <= from || h < 1e-14 * (stop_time - start_time)) {
                int worst = 0;
                m.time = from;
                for (i = 1; i < NX; i++)
                    if (fabs(x_error[i]) / absolute[i] > fabs(x_error[worst]) / absolute[worst]) worst = i;
                if (NX > 0 && !problem) problem = state_names[worst];
                return fail("the steps of the integration become too short");
            }
        }
        crossed = NSTATE_SWITCH > 0 && find_crossing(from, &reached);
        if (breakpoint < NBREAKPOINT && reached == breakpoints[breakpoint].time) jumps = breakpoints[breakpoint].jumps;
        is_event = crossed || jumps || next_event <= reached || same_instant(next_event, reached);
        if (set_point(reached, x_new)) return fail("the equations cannot be solved");
        if (write_outputs(from, reached, used, is_event)) return 1;
        if (NDELAY > 0) {
            static double y[SIZE(NX)];
            for (i = 1; i < 8; i++) {
                interpolate((reached - from) / used * i / 8, y);
                if (set_point(from + (reached - from) * i / 8, y)) return fail("the equations cannot be solved");
                conditions();
                record_delays();
            }
            if (set_point(reached, x_new)) return fail("the equations cannot be solved");
        }
        if (NDELAY > 0 || NVALID > 0) {
            conditions();
            record_delays();
            if (!is_event) check_validity();
        }
        if (!crossed || reached == from + used) h = used * smaller(5, 0.9 * pow(larger(error, 1e-4), use_rodas ? -0.25 : -0.2));
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
                if (recent[fired] > 100 || (kinks[fired] > 100 && (double)kinks[fired] > 1e4 * (reached - start_time) / span))
                    muted[fired] = 1;
            } else if (++storm == 2000)
                return fail("events follow each other without progress; `cutset simulate` can hold a relation at "
                            "its surface, this program cannot");
            write_row();
            if (jumps) m.time = nextafter(reached, INFINITY);
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

)CODE";

}  // namespace cutset::c_runtime
