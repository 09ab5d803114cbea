// One instant of a translated C program: equations, switches, choice of states; its results.
#include "export/c_runtime.h"

namespace cutset::c_runtime {

const char* const instant = R"CODE(
/* ---- one instant */

static int rates_finite(void)
{
    int i;
    for (i = 1 + NX; i < 1 + 2 * NX; i++)
        if (!isfinite(m.all[i])) return 0;
    return 1;
}

/* A loop may have a solution on either side of a crossing (sign(w)*w*w = u): the one that agrees with the switch
   counts, if there is one. */
static int keep_branches(int all)
{
    int k;
    for (k = 0; k < NSWITCH; k++) {
        double *const w = &m.all[switch_branch[k]];
        const double found = *w;
        if (switch_branch[k] == 0 || found == 0) continue;
        if (switch_kind[k] == SIGN ? found * sw[k] >= 0 : (found < 0) == (sw[k] != 0)) continue;
        *w = -found;
        if (!rates() && !(all && others()) && *w * found <= 0) continue;
        *w = found;
        problem = NULL;
        if (rates() || (all && others())) return 1;
    }
    return 0;
}

/* The continuous equations with the switches as they are. Beyond a crossing that is not located yet they may
   have no solution; then the relations themselves count. */
static int evaluate_part(int all)
{
    int bad;
    problem = NULL;
    bad = rates() || (all && others()) || keep_branches(all);
    if (NSWITCH > 0 && (bad || !rates_finite())) {
        const char *what = problem;
        live = 1;
        problem = NULL;
        if (!rates() && (!all || !others()) && rates_finite()) {
            live = 0;
            return 0;
        }
        live = 0;
        if (!bad) bad = rates() || (all && others());
        problem = what;
    }
    return bad || problem != NULL;
}
static int evaluate(void) { return evaluate_part(1); }

static double last_time_event(int k) /* value of a switch of the time: by the side of its instant */
{
    const int after = m.time >= instant[k] || same_instant(m.time, instant[k]);
    const double side = after ? slope[k] : -slope[k];
    switch (switch_kind[k]) {
    case SIGN: return side > 0 ? 1 : -1;
    case EQUAL: return now_equal[k];
    case NOT_EQUAL: return !now_equal[k];
    default: return side < 0;
    }
}

static double switch_value(int k)
{
    const double c = crossing[k];
    if (switch_timed[k] && isfinite(instant[k]) && slope[k] != 0) return last_time_event(k);
    switch (switch_kind[k]) {
    case LESS: return c < 0;
    case LESS_EQUAL: return c <= 0;
    case EQUAL: return c == 0;
    case NOT_EQUAL: return c != 0;
    case SIGN: return sign_of(c);
    case TRUNCATE: return trunc(c);
    default: return 0;
    }
}

/* Evaluates until the switches agree with the equations. */
static int settle(int (*equations)(void))
{
    int iteration, k;
    for (iteration = 0; iteration < 100; iteration++) {
        int changed = 0;
        problem = NULL;
        if (equations() || problem) return 1;
        crossings();
        for (k = 0; k < NSWITCH; k++) {
            double now;
            now = switch_value(k);
            if (now == sw[k] || isnan(now)) continue;
            sw[k] = now;
            changed = 1;
            if (iteration > 20) break; /* one after the other */
        }
        if (!changed) return 0;
    }
    problem = "conditions, which switch each other without end";
    return 1;
}

/* ---- choice of states among variables that constraints tie */

static int is_bad_choice(const Group *g, const double *j)
{
    double d[SIZE(MOST_TIED * MOST_TIED)], scale[SIZE(MOST_TIED)], column[SIZE(MOST_TIED)];
    int pivot[SIZE(MOST_TIED)], r, c, k = 0, i;
    for (c = 0; c < g->candidates; c++) {
        int is_state = 0;
        for (i = 0; i < g->states; i++) is_state |= g->chosen[i] == c;
        if (is_state) continue;
        for (r = 0; r < g->constraints; r++) d[r * g->constraints + k] = j[r * g->candidates + c];
        k++;
    }
    if (!factor(g->constraints, d, pivot, scale)) return 1;
    for (i = 0; i < g->states; i++) {
        for (r = 0; r < g->constraints; r++) column[r] = j[r * g->candidates + g->chosen[i]];
        solve_factored(g->constraints, d, pivot, column);
        for (r = 0; r < g->constraints; r++)
            if (!(fabs(column[r]) <= 2.5)) return 1;
    }
    return 0;
}

static void set_chosen(const Group *g)
{
    int i, c;
    for (i = 0; i < g->states; i++) {
        for (c = 0; c < g->candidates; c++) m.all[g->selector[i * g->candidates + c]] = c == g->chosen[i];
        m.all[g->state[i]] = m.all[g->candidate[g->chosen[i]]];
    }
}

/* Elimination with the largest element as pivot; its columns become the dependent variables. */
static void choose_group(const Group *g, double *j)
{
    int row_done[SIZE(MOST_TIED)] = {0}, dependent[SIZE(MOST_TIED)] = {0}, k, r, c, next = 0;
    for (k = 0; k < g->constraints; k++) {
        int p = -1, q = -1;
        double best = 0;
        for (r = 0; r < g->constraints; r++)
            for (c = 0; c < g->candidates && !row_done[r]; c++)
                if (!dependent[c] && fabs(j[r * g->candidates + c]) / g->weight[c] > best) {
                    best = fabs(j[r * g->candidates + c]) / g->weight[c];
                    p = r;
                    q = c;
                }
        if (p < 0) return; /* a singular position: the choice stays */
        row_done[p] = dependent[q] = 1;
        for (r = 0; r < g->constraints; r++)
            if (!row_done[r]) {
                const double f = j[r * g->candidates + q] / j[p * g->candidates + q];
                for (c = 0; c < g->candidates; c++) j[r * g->candidates + c] -= f * j[p * g->candidates + c];
            }
    }
    for (c = 0; c < g->candidates; c++)
        if (!dependent[c]) g->chosen[next++] = c;
    set_chosen(g);
}

/* 1: other states were chosen. `always`: also where the present ones are good. */
static int choose_states(int always)
{
    int i, r, c, changed = 0;
    if (NGROUP == 0) return 0;
    selections();
    for (i = 0; i < NGROUP; i++) {
        const Group *g = &groups[i];
        double j[SIZE(MOST_TIED * MOST_TIED)];
        for (r = 0; r < g->constraints; r++) {
            double largest = 0;
            for (c = 0; c < g->candidates; c++) {
                double *const e = &j[r * g->candidates + c];
                *e = selection[g->first + r * g->candidates + c] * g->nominal[c];
                if (!isfinite(*e)) *e = 0;
                largest = larger(largest, fabs(*e));
            }
            for (c = 0; largest > 0 && c < g->candidates; c++) j[r * g->candidates + c] /= largest;
        }
        if (always)
            set_chosen(g);
        else if (!is_bad_choice(g, j))
            continue;
        choose_group(g, j);
        changed = 1;
    }
    return changed;
}

)CODE";

const char* const results = R"CODE(/* ---- results */

static FILE *out;
static double start_time = DEFAULT_START, stop_time = DEFAULT_STOP, output_step = DEFAULT_STEP;
static double tolerance = DEFAULT_TOLERANCE;
static long points = DEFAULT_POINTS, next_output;
static int terminated;

static void write_number(double v)
{
    char text[40];
    int digits;
    for (digits = 15; digits < 18; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, v + 0.0);
        if (strtod(text, NULL) == v) break;
    }
    fputs(text, out);
}

static void write_row(void)
{
    int i;
    eliminated();
    for (i = 0; i < NCOLUMN; i++) {
        if (i) putc(',', out);
        write_number(m.all[columns[i].index]);
    }
    putc('\n', out);
}

static long output_count(void)
{
    if (output_step > 0) return (long)ceil((stop_time - start_time) / output_step - 1e-9) + 1;
    return points < 2 ? 2 : points;
}

static double output_time(long i)
{
    const long last = output_count() - 1;
    if (i >= last) return stop_time;
    if (output_step > 0) return start_time + (double)i * output_step;
    return start_time + (stop_time - start_time) * ((double)i / (double)last);
}

static int fail(const char *what)
{
    fprintf(stderr, MODEL_NAME ": at time %.9g: %s%s%s\n", m.time, what, problem ? ": " : "", problem ? problem : "");
    return 1;
}

static void check_validity(void)
{
    static int left[SIZE(NVALID)];
    int i;
    for (i = 0; i < NVALID; i++) {
        if (valid[i] == 0 && !left[i])
            fprintf(stderr, MODEL_NAME ": warning: at time %.9g the model leaves its region of validity: %s\n", m.time,
                    validities[i]);
        left[i] = valid[i] == 0;
    }
}

)CODE";

}  // namespace cutset::c_runtime
