#include "results.h"

/* ---- events */

static double clock_ticks[SIZE(NCLOCK)];
static int held[SIZE(NWHEN)]; /* the condition of a when clause, before the event */

static void remember(void)
{
    int i;
    for (i = 0; i < NPREVIOUS; i++) m.all[previous[i].to] = m.all[previous[i].from];
}

static int when_clauses(void)
{
    static int setter[NV];
    int active[SIZE(NWHEN)], round, iteration, any, changed, a, w;

    for (round = 0; round < 100; round++) {
        memset(active, 0, sizeof active);
        for (iteration = 0;; iteration++) {
            if (settle(evaluate)) return 1;
            conditions();
            any = changed = 0;
            for (w = 0; w < NWHEN; w++) {
                if (condition[w] != 0 && !held[w]) active[w] = 1;
                if (active[w]) when_values(w);
                any |= active[w];
            }
            for (a = 0; a < NACTION; a++)
                if (active[actions[a].when] && actions[a].kind != TERMINATE) setter[actions[a].target] = a;
            for (a = 0; a < NACTION; a++) {
                double *const target = &m.all[actions[a].target];
                if (!active[actions[a].when] || actions[a].kind != ASSIGN || setter[actions[a].target] != a) continue;
                if (*target == value[actions[a].value]) continue;
                *target = value[actions[a].value];
                changed = 1;
            }
            if (!changed) break;
            if (iteration == 100) {
                problem = "when clauses, which do not come to an end";
                return 1;
            }
        }
        if (!any) return 0;
        for (a = 0; a < NJUMP; a++)
            if (m.all[jump_causes[a].from] != m.all[jump_causes[a].to]) {
                if (jump()) return 1;
                choose_states(1);
                break;
            }
        for (a = 0; a < NACTION; a++) {
            if (!active[actions[a].when]) continue;
            if (actions[a].kind == REINIT && setter[actions[a].target] == a)
                m.all[actions[a].target] = value[actions[a].value];
            if (actions[a].kind == TERMINATE && !terminated) {
                fprintf(stderr, MODEL_NAME ": at time %.9g the model ends the run%s%s\n", m.time,
                        *actions[a].message ? ": " : "", actions[a].message);
                terminated = 1;
            }
        }
        for (w = 0; w < NWHEN; w++) held[w] = condition[w] != 0;
        remember();
    }
    problem = "when clauses, which set the states without end";
    return 1;
}

static int event(void)
{
    int k;
    for (k = 0; k < NCLOCK; k++) {
        const double next = clock_first[k] + clock_ticks[k] * clock_period[k];
        ticking[k] = next <= m.time || same_instant(next, m.time);
        if (ticking[k] != 0) clock_ticks[k]++;
    }
    for (k = 0; k < NSWITCH; k++) {
        now_equal[k] = switch_timed[k] && !starting && same_instant(instant[k], m.time);
        if (now_equal[k] && (switch_kind[k] == EQUAL || switch_kind[k] == NOT_EQUAL)) sw[k] = switch_kind[k] == EQUAL;
    }
    pass_delayed_jumps();
    remember();
    if (when_clauses()) return 1;
    for (k = 0; k < NCLOCK; k++) ticking[k] = 0;
    for (k = 0; k < NSWITCH; k++) now_equal[k] = 0;
    starting = 0;
    if (settle(evaluate)) return 1;
    conditions();
    for (k = 0; k < NWHEN; k++) held[k] = condition[k] != 0;
    memcpy(sw_before, sw, sizeof sw);
    record_delays();
    check_validity();
    return 0;
}

static double next_time_event(void)
{
    double next = INFINITY;
    int k;
    for (k = 0; k < NSWITCH; k++)
        if (switch_timed[k] && isfinite(instant[k]) && instant[k] > m.time && !same_instant(instant[k], m.time))
            next = smaller(next, instant[k]);
    for (k = 0; k < NCLOCK; k++) next = smaller(next, clock_first[k] + clock_ticks[k] * clock_period[k]);
    return smaller(next, next_delayed_jump());
}

static int start_by_homotopy(void)
{
    static double good[NV];
    double reached = -1, part = 0.25;

    if (HOMOTOPY < 0) return 1;
    guesses();
    memcpy(good, m.all, sizeof m.all);
    while (reached < 1) {
        const double next = reached < 0 ? 0 : smaller(1, reached + part);
        memcpy(m.all, good, sizeof m.all);
        m.all[HOMOTOPY < 0 ? 0 : HOMOTOPY] = next;
        if (!homotopy() && !problem) {
            memcpy(good, m.all, sizeof m.all);
            if (reached >= 0) part *= 2;
            reached = next;
            continue;
        }
        problem = NULL;
        part /= 2;
        if (reached < 0 || part < 1e-6) return 1;
    }
    return initial();
}

static int initialise(void)
{
    static double probe[SIZE(NSWITCH)];
    int k, changes = 0;

    m.time = start_time;
    parameters();
    for (k = 0; k < NCLOCK; k++) {
        if (!(clock_period[k] > 0)) return fail("the period of sample() is not positive");
        clock_ticks[k] = larger(0, ceil((start_time - clock_first[k]) / clock_period[k] - 1e-9));
    }
    guesses();
    remember();
    starting = live = 1;
    problem = NULL;
    if (initial() || problem) {
        const char *const what = problem;
        problem = NULL;
        if (start_by_homotopy()) {
            if (!problem) problem = what;
            return fail("the start cannot be computed");
        }
    }
    crossings();
    live = 0;
    /* A switch of the time: its crossing is linear in time. */
    memcpy(probe, crossing, sizeof crossing);
    m.time += 1;
    crossings();
    for (k = 0; k < NSWITCH; k++) crossing_slope[k] = crossing[k] - probe[k];
    m.time = start_time;
    crossings();
    for (k = 0; k < NSWITCH; k++) sw[k] = switch_value(k);
    if (settle(initial)) return fail("the start cannot be computed");
    choose_states(1);
    remember();
    memcpy(sw_before, sw, sizeof sw);
    for (k = 0; k < NCLOCK; k++)
        ticking[k] = same_instant(clock_first[k] + clock_ticks[k] * clock_period[k], start_time);
    for (k = 0; k < NSWITCH; k++) { /* time > 0 changes on the way out of the start */
        if (!switch_timed[k] || crossing[k] != 0 || switch_kind[k] > LESS_EQUAL) continue;
        sw[k] = crossing_slope[k] < 0;
        changes = 1;
    }
    if (changes && settle(evaluate)) return fail("the start cannot be computed");
    conditions();
    for (k = 0; k < NWHEN; k++) held[k] = !acts_at_start[k] && condition[k] != 0;
    record_delays();
    if (event()) return fail("the equations cannot be solved");
    return 0;
}
