#include "example_equations.h"

/* ---- one instant */

static int derivatives_finite(void)
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
        if (!state_derivatives() && !(all && auxiliaries()) && *w * found <= 0) continue;
        *w = found;
        problem = NULL;
        if (state_derivatives() || (all && auxiliaries())) return 1;
    }
    return 0;
}

/* The continuous equations with the switches as they are. Beyond a crossing that is not located yet they may
   have no solution; then the relations themselves count. */
static int evaluate_once(int all)
{
    int bad;
    problem = NULL;
    bad = state_derivatives() || (all && auxiliaries()) || keep_branches(all);
    if (NSWITCH > 0 && (bad || !derivatives_finite())) {
        const char *what = problem;
        live = 1;
        problem = NULL;
        if (!state_derivatives() && (!all || !auxiliaries()) && derivatives_finite()) {
            live = 0;
            return 0;
        }
        live = 0;
        if (!bad) bad = state_derivatives() || (all && auxiliaries());
        problem = what;
    }
    return bad || problem != NULL;
}

/* The same, where delays shorter than the step that is being tried depend on the arguments here. */
static int evaluate_part(int all)
{
    int iteration, bad;
    begin_delays();
    bad = evaluate_once(all);
    if (!delay_asked) return bad;
    for (iteration = 0; iteration < 100; iteration++) {
        if (evaluate_once(1)) return 1;
        conditions();
        if (take_present_arguments()) return evaluate_once(all);
    }
    problem = "a delay that depends on itself within a step";
    return 1;
}
static int evaluate(void) { return evaluate_part(1); }

static double last_time_event(int k) /* value of a switch of the time: by the side of its instant */
{
    const int after = m.time >= instant[k] || same_instant(m.time, instant[k]);
    const double side = after ? crossing_slope[k] : -crossing_slope[k];
    switch (switch_kind[k]) {
    case SIGN: return side > 0 ? 1 : -1;
    case EQUAL: return now_equal[k];
    case NOT_EQUAL: return !now_equal[k];
    default: return side < 0;
    }
}

static double switch_value(int k)
{
    const double c = crossing[k] + sw_offset[k];
    if (switch_timed[k] && isfinite(instant[k]) && crossing_slope[k] != 0) return last_time_event(k);
    if (forced[k] &&
        (crossing[k] == forced_crossing[k] || fabs(crossing[k] - forced_crossing[k]) <= 1e-10 * sw_largest[k]))
        return forced_value[k];
    switch (switch_kind[k]) {
    case LESS: return c < 0;
    case LESS_EQUAL: return c <= 0;
    case EQUAL: return c == 0;
    case NOT_EQUAL: return c != 0;
    case SIGN: return sw[k] == 0 && fabs(crossing[k]) <= fabs(sw_offset[k]) ? 0 : sign_of(c);
    case TRUNCATE: return trunc(crossing[k]);
    case FLOOR: return floor(crossing[k]);
    default: return 0;
    }
}
