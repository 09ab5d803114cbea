#include "instant.h"

/* ---- settling: values of the switches with which the equations lead to the same values, and go on to do so */

enum { SETTLED, NO_SOLUTION, CIRCLE };
enum { TOGETHER_FIRST = 16, SINGLY_THEN = 200, MOST_SEARCHED = 10, MOST_TRIED = 5000, STEPS_AHEAD = 4 };

typedef struct {
    int k;
    double from, to;
} Change;
static Change changes_made[SIZE(NSWITCH)], to_try[SIZE(NSWITCH)], failed_together[SIZE(NSWITCH)];
static int made, left_to_try, together_failed, trying_one;
static int changing[SIZE(NSWITCH)];    /* switches that disagree with the equations */
static int involved[SIZE(NSWITCH)];    /* those that did, in this search */
static double at_entry[SIZE(NSWITCH)]; /* values of the switches */

static int is_watched(int k) { return !switch_timed[k] && !switch_kink[k] && !muted[k]; }

/* The crossing is at zero as far as can be told. */
static int near_zero(int k)
{
    return is_watched(k) && (switch_kind[k] <= LESS_EQUAL || switch_kind[k] == SIGN) &&
           (forced[k] || fabs(crossing[k]) <= 1e-9 * sw_largest[k] + 1e-13);
}

static double other_value(int k) { return switch_kind[k] == SIGN ? (sw[k] > 0 ? -1 : 1) : sw[k] == 0; }

/* How many disagree; -1: the equations have no solution. */
static int list_changing(int (*equations)(void))
{
    int k, n = 0;
    problem = NULL;
    if (equations() || problem) return -1;
    crossings();
    for (k = 0; k < NSWITCH; k++) {
        const double now = switch_value(k);
        if (now != sw[k] && !isnan(now)) changing[n++] = k;
    }
    return n;
}

/* No solution after several switches have changed together: they change alone, one after the other. */
static int change_fewer(void)
{
    int i;
    if (left_to_try == 0 && !trying_one) {
        memcpy(failed_together, changes_made, sizeof failed_together);
        together_failed = made;
        if (made > 1) {
            memcpy(to_try, changes_made, sizeof to_try);
            left_to_try = made;
        }
    }
    for (i = 0; i < made; i++) sw[changes_made[i].k] = changes_made[i].from;
    trying_one = left_to_try > 0;
    if (!trying_one) { /* as they failed */
        for (i = 0; i < together_failed; i++) sw[failed_together[i].k] = failed_together[i].to;
        return 0;
    }
    changes_made[0] = to_try[--left_to_try];
    made = 1;
    sw[changes_made[0].k] = changes_made[0].to;
    return 1;
}

static int set_time_events(void)
{
    int k, changed = 0;
    crossings();
    for (k = 0; k < NSWITCH; k++) {
        const double now = switch_timed[k] ? switch_value(k) : sw[k];
        if (now == sw[k] || isnan(now)) continue;
        sw[k] = now;
        changed = 1;
    }
    return changed;
}

/* First all that disagree change together; when that goes round in circles only the first of them does, which ends
   for circuits of diodes and resistors (Murty's rule). */
static int iterate(int (*equations)(void))
{
    int iteration, i, k;

    memset(involved, 0, sizeof involved);
    made = left_to_try = together_failed = trying_one = 0;
    for (iteration = 0; iteration < TOGETHER_FIRST + SINGLY_THEN;) {
        int chain = iteration > TOGETHER_FIRST / 2;
        const int n = list_changing(equations);
        if (n < 0) {
            if (change_fewer() || (iteration == 0 && set_time_events())) {
                iteration++;
                continue;
            }
            return NO_SOLUTION;
        }
        if (n == 0) return SETTLED;
        if (chain) /* of switches, each of which changes for the first time */
            for (i = 0; i < n; i++) {
                chain = chain && !involved[changing[i]];
                involved[changing[i]] = 1;
            }
        made = left_to_try = trying_one = 0;
        for (i = 0; i < n; i++) {
            Change *const change = &changes_made[made++];
            k = change->k = changing[i];
            change->from = sw[k];
            sw[k] = change->to = switch_value(k);
            if (iteration >= TOGETHER_FIRST) break;
        }
        if (!chain) iteration++;
    }
    return CIRCLE;
}

/* What the time decides stays as it is. */
static void restore_switches(void)
{
    int k;
    for (k = 0; k < NSWITCH; k++)
        if (!switch_timed[k]) sw[k] = at_entry[k];
}

/* Whether the derivatives are the same whatever the loops leave open; else these equations are not those of the model.
 */
static int open_moves_nothing(int (*equations)(void))
{
    static double kept[NV];
    int k, i, nothing = 1;

    memcpy(kept, m.all, sizeof kept);
    for (k = 0; k < NLOOP; k++) {
        const int count = open_loops.directions[k];
        for (open_loops.shifted_direction = 0; open_loops.shifted_direction < count && nothing;
             open_loops.shifted_direction++) {
            open_loops.shifted_loop = k;
            nothing = !equations() && !problem;
            for (i = 0; i < NX && nothing; i++) {
                const double size = larger(fabs(kept[1 + i]), state_scale[i] > 0 ? state_scale[i] : 1);
                const double moved = fabs(m.all[1 + NX + i] - kept[1 + NX + i]);
                nothing =
                    (moved * (stop_time - start_time) <= 1e-9 * size || moved <= 1e-12 * fabs(m.all[1 + NX + i])) &&
                    fabs(m.all[1 + i] - kept[1 + i]) <= 1e-12 * size;
            }
            open_loops.shifted_loop = -1;
            memcpy(m.all, kept, sizeof kept);
        }
    }
    return nothing && !equations() && !problem;
}

/* All combinations of a few, those nearest to the present one first. */
static int search(int (*equations)(void))
{
    static double values[NV];
    int list[MOST_SEARCHED], n = 0, k, flips, i;
    double present[MOST_SEARCHED];
    unsigned mask;

    for (k = 0; k < NSWITCH; k++) {
        if (!involved[k] || switch_kind[k] >= TRUNCATE) continue;
        if (n == MOST_SEARCHED) return 0;
        present[n] = sw[k];
        list[n++] = k;
    }
    memcpy(values, m.all, sizeof values);
    for (flips = 1; flips <= n; flips++)
        for (mask = 1; mask < 1u << n; mask++) {
            int bits = 0;
            for (i = 0; i < n; i++) bits += (mask >> i) & 1 ? 1 : 0;
            if (bits != flips) continue;
            memcpy(m.all, values, sizeof values);
            for (i = 0; i < n; i++) {
                sw[list[i]] = present[i];
                if ((mask >> i) & 1) sw[list[i]] = other_value(list[i]);
            }
            if (list_changing(equations) == 0) return 1;
        }
    return 0;
}

/* One Euler step along the derivatives. */
static int step_ahead(double h)
{
    int i;
    for (i = 0; i < NX; i++) m.all[1 + i] += h * m.all[1 + NX + i];
    m.time += h;
    problem = NULL;
    return state_derivatives() || auxiliaries() || problem || !derivatives_finite();
}

/* Whether the switches go on to agree beyond this instant: at the instant itself ideal diodes in parallel may all
   conduct, or all block. */
static int lasts_for(double distance, int clearly)
{
    static double values[NV], here[SIZE(NSWITCH)];
    int near[SIZE(NSWITCH)], k, step, good = 1;

    for (k = 0; k < NSWITCH; k++) near[k] = switch_in_loop[k] && near_zero(k);
    memcpy(values, m.all, sizeof values);
    memcpy(here, crossing, sizeof here);
    for (step = 0; step < STEPS_AHEAD && good; step++) good = !step_ahead(distance);
    if (good) crossings();
    for (k = 0; k < NSWITCH && good; k++) {
        const double c = crossing[k];
        if (!near[k]) continue;
        if (clearly && fabs(c) <= 10 * fabs(here[k]) + 1e-14 * sw_largest[k]) good = 0;
        if (c != 0 && (switch_kind[k] == SIGN ? c * sw[k] < 0 : (c < 0) != (sw[k] != 0))) good = 0;
    }
    problem = NULL;
    memcpy(m.all, values, sizeof values);
    memcpy(crossing, here, sizeof here);
    return good;
}

static int lasts(void)
{
    const double span = stop_time - start_time;
    return lasts_for(1e-7 * span, 0) || lasts_for(1e-10 * span, 1);
}

static int agrees_for_good(void)
{
    int k;
    problem = NULL;
    if (state_derivatives() || auxiliaries() || problem || !derivatives_finite()) return 0;
    crossings();
    for (k = 0; k < NSWITCH; k++) {
        const double now = switch_value(k);
        if (is_watched(k) && !near_zero(k) && now != sw[k] && !isnan(now)) return 0;
    }
    return lasts();
}

/* Values of the switches in loops that agree and go on to do so: few changes first, those at zero before others. */
static int search_lasting(void)
{
    static double values[NV];
    int order[SIZE(NSWITCH)], flipped[SIZE(NSWITCH)] = {0}, n = 0, near, k, i, flips, tried = 0;

    for (near = 1; near >= 0; near--)
        for (k = 0; k < NSWITCH; k++)
            if (switch_in_loop[k] && near_zero(k) == near) order[n++] = k;
    memcpy(values, m.all, sizeof values);
    for (flips = 0; flips <= n; flips++) {
        for (i = 0; i < flips; i++) flipped[i] = i;
        for (;;) {
            if (++tried > MOST_TRIED) return 0;
            memcpy(m.all, values, sizeof values);
            restore_switches();
            for (i = 0; i < flips; i++) sw[order[flipped[i]]] = other_value(order[flipped[i]]);
            if (agrees_for_good()) {
                for (k = 0; k < NSWITCH; k++) {
                    const double c = crossing[k];
                    if (!switch_in_loop[k] || !near_zero(k)) continue;
                    forced[k] = 1;
                    forced_value[k] = sw[k];
                    forced_crossing[k] = c;
                    sw_offset[k] = (switch_kind[k] == SIGN ? c * sw[k] < 0 : (c < 0) != (sw[k] != 0)) ? -c : 0;
                }
                return 1;
            }
            for (i = flips; i > 0 && flipped[i - 1] == n - flips + i - 1;) i--;
            if (i == 0) break;
            for (flipped[i - 1]++; i < flips; i++) flipped[i] = flipped[i - 1] + 1;
        }
    }
    return 0;
}

/* After the switches agree with the equations at this instant: those of loops that are at zero may have to take other
   values, that last. Where none do they stay. */
static int settle_for_good(void)
{
    static double values[NV], settled[SIZE(NSWITCH)], found[SIZE(NSWITCH)];
    const int open = open_loops.allowed;
    int k, any = 0;

    for (k = 0; k < NSWITCH; k++) any |= switch_in_loop[k] && near_zero(k);
    if (!any || lasts()) return 0;
    memcpy(values, m.all, sizeof values);
    memcpy(settled, sw, sizeof settled);
    memcpy(found, crossing, sizeof found);
    memcpy(at_entry, sw, sizeof at_entry);
    open_loops.allowed = 0;
    if (search_lasting()) return 0;
    open_loops.allowed = open;
    problem = NULL;
    memcpy(m.all, values, sizeof values);
    memcpy(sw, settled, sizeof settled);
    memcpy(crossing, found, sizeof found);
    return evaluate();
}

static int settle(int (*equations)(void))
{
    static double values[NV];
    const char *what;
    int outcome, end, k;

    memcpy(at_entry, sw, sizeof at_entry);
    memcpy(values, m.all, sizeof values);
    open_loops.allowed = 0;
    outcome = iterate(equations);
    what = outcome == CIRCLE ? "conditions, which switch each other without end" : problem;
    if (outcome == NO_SOLUTION && NLOOP > 0) {
        restore_switches();
        memcpy(m.all, values, sizeof values);
        open_loops.allowed = 1;
        outcome = iterate(equations);
        if (outcome == SETTLED && !open_moves_nothing(equations)) outcome = NO_SOLUTION;
        if (outcome != SETTLED) open_loops.allowed = 0;
    }
    for (end = 1; outcome != SETTLED && end >= 0; end--) { /* where all ideal diodes block, or none does */
        restore_switches();
        memcpy(m.all, values, sizeof values);
        for (k = 0; k < NSWITCH; k++)
            if (switch_uncertain[k] && switch_kind[k] <= NOT_EQUAL && !switch_kink[k]) sw[k] = end;
        outcome = iterate(equations);
    }
    if (outcome != SETTLED) {
        for (k = 0; k < NSWITCH; k++) involved[k] = involved[k] || is_watched(k);
        restore_switches();
        memcpy(m.all, values, sizeof values);
        if (search(equations)) outcome = SETTLED;
    }
    if (outcome != SETTLED && equations == evaluate) {
        restore_switches();
        memcpy(m.all, values, sizeof values);
        if (search_lasting()) outcome = SETTLED;
    }
    if (outcome == SETTLED) return equations == evaluate ? settle_for_good() : 0;
    restore_switches();
    problem = what;
    return 1;
}

/* What is exactly equal takes the side that it moves to, a whole number the piece that is entered: a few short Euler
   steps tell. What stays equal has the value of equals. */
static int look_ahead(int *changed)
{
    static double values[NV], here[SIZE(NSWITCH)], next[SIZE(NSWITCH)];
    const double h = 1e-8 * (stop_time - start_time);
    int open[SIZE(NSWITCH)], k, step, any = 0, looked = 1;

    *changed = 0;
    for (k = 0; k < NSWITCH; k++) {
        const double c = crossing[k];
        open[k] = 0;
        if (switch_timed[k] || muted[k] || (switch_kink[k] && switch_kind[k] < TRUNCATE)) continue;
        if (switch_kind[k] == TRUNCATE)
            open[k] = c != 0 && c == trunc(c) && c == sw[k];
        else if (switch_kind[k] == FLOOR)
            open[k] = c == floor(c) && c == sw[k];
        else
            open[k] = c == 0;
        any |= open[k];
    }
    if (!any) return 0;
    memcpy(values, m.all, sizeof values);
    memcpy(here, crossing, sizeof here);
    memcpy(next, sw, sizeof next);
    for (step = 0; step < STEPS_AHEAD && any && looked; step++) {
        looked = !step_ahead(h);
        if (!looked) break;
        crossings();
        any = 0;
        for (k = 0; k < NSWITCH; k++) {
            const double c = crossing[k];
            if (!open[k]) continue;
            if (isnan(c) || fabs(c - here[k]) <= 2e-15 * larger(fabs(here[k]), sw_largest[k])) {
                any = 1;
                continue;
            }
            open[k] = 0;
            sw_offset[k] = copysign(sw_offset[k], c);
            switch (switch_kind[k]) {
            case SIGN: next[k] = c > 0 ? 1 : -1; break;
            case EQUAL: next[k] = 0; break;
            case NOT_EQUAL: next[k] = 1; break;
            case FLOOR:
                if (c < here[k]) next[k] = here[k] - 1;
                break;
            case TRUNCATE:
                if (fabs(c) < fabs(here[k])) next[k] = here[k] - sign_of(here[k]);
                break;
            default: next[k] = c < 0; break;
            }
        }
    }
    problem = NULL;
    memcpy(m.all, values, sizeof values);
    memcpy(crossing, here, sizeof here);
    for (k = 0; k < NSWITCH; k++) {
        if (open[k] && looked && switch_kind[k] < TRUNCATE) { /* stays equal */
            next[k] = switch_kind[k] == LESS_EQUAL || switch_kind[k] == EQUAL;
            sw_offset[k] = (switch_kind[k] == LESS_EQUAL ? -1e-12 : 1e-12) * sw_largest[k];
        }
        if (next[k] == sw[k]) continue;
        sw[k] = next[k];
        forced[k] = 1;
        forced_value[k] = next[k];
        forced_crossing[k] = here[k];
        *changed = 1;
    }
    return *changed ? evaluate() : 0;
}

/* What depends on the solution of a loop and is zero but for rounding leaves to the side of its value by more than
   solutions differ from one evaluation to the next. */
static void settle_on_sides(void)
{
    int k;
    for (k = 0; k < NSWITCH; k++) {
        const double c = crossing[k], side = switch_kind[k] == SIGN ? sw[k] : sw[k] != 0 ? -1 : 1;
        const double least = larger(fabs(c), 1e-13 * sw_largest[k] + 1e-13);
        if (!switch_uncertain[k] || !near_zero(k) || side == 0) continue;
        if (c * side < least) sw_offset[k] = side * least - c;
    }
    memset(forced, 0, sizeof forced);
    memcpy(at_event, crossing, sizeof at_event);
    for (k = 0; k < NSWITCH; k++) unmoved[k] = 1;
}
