#include "results.h"

/* ---- events */

static double clock_ticks[SIZE(NCLOCK)];
static int held[SIZE(NWHEN)]; /* the condition of a when clause, before the event */

static void remember(void)
{
    int i;
    for (i = 0; i < NPREVIOUS; i++) m.all[previous[i].to] = m.all[previous[i].from];
}

static int differs_from_before(void)
{
    int i;
    for (i = 0; i < NPREVIOUS; i++)
        if (m.all[previous[i].to] != m.all[previous[i].from]) return 1;
    return 0;
}

/* The first NDISCRETE of `previous` are what discrete equations determine. */
static int discrete_differs(void)
{
    int i;
    for (i = 0; i < NDISCRETE; i++)
        if (m.all[previous[i].to] != m.all[previous[i].from]) return 1;
    return 0;
}

static void remember_discrete(void)
{
    int i;
    if (NDISCRETE == 0) return;
    for (i = 0; i < NDISCRETE; i++) m.all[previous[i].to] = m.all[previous[i].from];
    memcpy(sw_before, sw, sizeof sw);
}

static int active[SIZE(NWHEN)]; /* clauses that act in this iteration */
static int after_start;         /* pre(x) has been set by the initialization */
static int only_of_start;       /* no clauses act but those with `start()` in their conditions */
static int setter[NV];          /* the first action that counts for a variable; -1: none */

static int counts(int a)
{
    return active[actions[a].when] && (actions[a].guard == 0 || value[actions[a].guard - 1] != 0);
}

static int same_value(double a, double b) { return a == b || fabs(a - b) <= 1e-12 * larger(fabs(a), fabs(b)); }

/* The clauses whose conditions have become true; of the branches of one `when` the first. */
static int list_active(void)
{
    int any = 0, w, b;
    for (w = 0; w < NWHEN; w++) {
        active[w] = condition[w] != 0 && !held[w] && (!only_of_start || acts_at_start[w] >= 2);
        for (b = 1; b <= branches_before[w]; b++)
            if (active[w - b]) active[w] = 0;
        any |= active[w];
    }
    return any;
}

static void hold_conditions(void)
{
    int w;
    for (w = 0; w < NWHEN; w++) held[w] = condition[w] != 0;
}

/* The values of all actions, and which of them sets a variable. Returns 1 where two give one variable different
   values. */
static int list_setters(void)
{
    int a, w, conflict = 0;
    for (w = 0; w < NWHEN; w++)
        if (active[w]) when_values(w);
    for (a = 0; a < NACTION; a++) setter[actions[a].target] = -1;
    for (a = 0; a < NACTION; a++) {
        int *const first = &setter[actions[a].target];
        if (actions[a].kind == TERMINATE || !counts(a)) continue;
        if (*first < 0)
            *first = a;
        else
            conflict |= !same_value(value[actions[a].value], value[actions[*first].value]);
    }
    return conflict;
}

/* New values of discrete variables, until they agree with each other and with the equations. */
static int assign(void)
{
    int pass, changed, conflict, a;
    for (pass = 0; pass < 100 + NACTION; pass++) {
        conflict = list_setters();
        changed = 0;
        for (a = 0; a < NACTION; a++) {
            double *const target = &m.all[actions[a].target], wanted;
            if (!active[actions[a].when] || actions[a].kind != ASSIGN) continue;
            wanted = setter[actions[a].target] < 0 ? m.all[actions[a].before]
                                                   : value[actions[setter[actions[a].target]].value];
            if (*target == wanted) continue;
            *target = wanted;
            changed = 1;
        }
        if (!changed) {
            if (conflict) problem = "when clauses, two of which give one variable different values at once";
            return conflict;
        }
        if (settle(evaluate)) return 1;
    }
    problem = "new values, which depend on each other";
    return 1;
}

/* TOGETHER: the clauses that act, their conditions and the equations are one system. */
static int assign_together(void)
{
    static int acted[SIZE(NWHEN)];
    int round, a;
    for (round = 0; round < 100 + NWHEN; round++) {
        memcpy(acted, active, sizeof acted);
        if (assign()) return 1;
        conditions();
        list_active();
        if (memcmp(acted, active, sizeof acted) == 0) return 0;
        for (a = 0; a < NACTION; a++) /* what they set has its value of before */
            if (acted[actions[a].when] && actions[a].kind == ASSIGN)
                m.all[actions[a].target] = m.all[actions[a].before];
        if (settle(evaluate)) return 1;
    }
    problem = "when clauses, whose conditions depend on what they set themselves";
    return 1;
}

/* `restarted`: states have got other values. */
static int act(int *restarted)
{
    int a;
    if (TOGETHER ? assign_together() : assign()) return 1;
    for (a = 0; a < NJUMP; a++)
        if (m.all[jump_causes[a].from] != m.all[jump_causes[a].to]) {
            if (jump()) return 1;
            choose_states(1);
            break;
        }
    for (a = 0; a < NACTION; a++) {
        if (!counts(a)) continue;
        if (actions[a].kind == REINIT && setter[actions[a].target] == a) {
            m.all[actions[a].target] = value[actions[a].value];
            *restarted = 1;
        }
        if (actions[a].kind == TERMINATE && !terminated) {
            fprintf(stderr, MODEL_NAME ": at time %.9g the model ends the run%s%s\n", m.time,
                    *actions[a].message ? ": " : "", actions[a].message);
            terminated = 1;
        }
    }
    return 0;
}

/* Iterated until no further condition becomes true and discrete equations change nothing; a clause made true by
   another acts after it, or TOGETHER with it. */
static int when_clauses(void)
{
    int iteration, acted = 0, acts, again, restarted;

    for (iteration = 0; iteration < 100 + NWHEN + NDISCRETE; iteration++) {
        if (settle(evaluate)) return 1;
        conditions();
        acts = list_active();
        restarted = 0;
        if (TOGETHER) {
            if (acts && act(&restarted)) return 1;
            hold_conditions();
            again = restarted || (acts ? differs_from_before() : discrete_differs());
            if (acts) remember();
            if (!again) return 0;
            remember_discrete();
            starting = 0;
            continue;
        }
        hold_conditions();
        if (!acts) {
            if (!(acted ? differs_from_before() : discrete_differs())) return 0;
            if (acted) remember();
            remember_discrete();
            starting = 0;
            continue;
        }
        if (acted) {
            remember();
            starting = 0;
        }
        acted = 1;
        if (act(&restarted)) return 1;
    }
    problem = discrete_differs() ? "discrete equations, which change again and again"
                                 : "when clauses, which do not come to an end";
    return 1;
}

static int is_fresh(void)
{
    int w;
    for (w = 0; w < NWHEN; w++)
        if (condition[w] != 0 && !held[w]) return 1;
    return 0;
}

/* time = 2 holds for an instant only; what follows from its end happens after what it did. */
static int end_equalities(void)
{
    int k, ended = 0;
    for (k = 0; k < NSWITCH; k++) {
        ended |= now_equal[k] && (switch_kind[k] == EQUAL || switch_kind[k] == NOT_EQUAL);
        now_equal[k] = 0;
    }
    return ended;
}

/* Clauses and equations, until nothing changes on the way out of the instant. */
static int iterate_event(void)
{
    int round, k;
    for (round = 0; round < 100; round++) {
        int changed;
        if (when_clauses()) return 1;
        for (k = 0; k < NCLOCK; k++) ticking[k] = 0;
        starting = ending = 0;
        if (end_equalities()) {
            conditions();
            hold_conditions();
            continue;
        }
        if (settle(evaluate)) return 1;
        conditions();
        hold_conditions();
        if (look_ahead(&changed)) return 1;
        conditions();
        if (!changed && !is_fresh() && !discrete_differs()) return 0;
    }
    problem = "conditions, which switch each other without end";
    return 1;
}

static int event(void)
{
    int k;
    memcpy(values_before, m.all, sizeof values_before);
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
    if (!after_start) remember();
    after_start = 0;
    if (iterate_event()) return 1;
    hold_conditions();
    memcpy(sw_before, sw, sizeof sw);
    settle_on_sides();
    if (negative_delay()) {
        problem = "a delay that is negative";
        return 1;
    }
    record_delays();
    return check_validity();
}

static double next_time_event(void)
{
    double next = INFINITY;
    int k;
    for (k = 0; k < NSWITCH; k++)
        if (switch_timed[k] && isfinite(instant[k]) && instant[k] > m.time && !same_instant(instant[k], m.time))
            next = smaller(next, instant[k]);
    for (k = 0; k < NCLOCK; k++) next = smaller(next, clock_first[k] + clock_ticks[k] * clock_period[k]);
    return smaller(next, next_delayed_jump(delay_varies));
}

static int start_by_homotopy(void)
{
    static double good[NV];
    double reached = -1, part = 0.25;
    int k;

    if (NHOMOTOPY == 0) return 1;
    guesses();
    memcpy(good, m.all, sizeof m.all);
    while (reached < 1) {
        const double next = reached < 0 ? 0 : smaller(1, reached + part);
        memcpy(m.all, good, sizeof m.all);
        for (k = 0; k < NHOMOTOPY; k++) m.all[actual_part[k]] = next;
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

/* TOGETHER: the clauses of `start()` belong to the initialization. */
static int act_at_start(void)
{
    static double before[SIZE(NACTION)];
    int pass, a, w, changed, restarted = 0;
    for (pass = 0; pass < 100; pass++) {
        memset(held, 0, sizeof held);
        for (a = 0; a < NACTION; a++) before[a] = m.all[actions[a].target];
        conditions();
        only_of_start = 1;
        if (list_active() && act(&restarted)) return 1;
        only_of_start = 0;
        hold_conditions();
        for (w = 0; w < NWHEN; w++)
            if (acts_at_start[w] & 1) held[w] = 0; /* clocks begin after it */
        changed = 0;
        for (a = 0; a < NACTION; a++) changed |= counts(a) && before[a] != m.all[actions[a].target];
        if (!changed) break;
        if (settle(initial)) return 1;
    }
    starting = 0;
    after_start = 1;
    return 0;
}

static int initialise(void)
{
    static double probe[SIZE(NSWITCH)];
    int k, changes = 0;

    m.time = start_time;
    parameters();
    guesses();
    remember();
    conditions();
    record_start();
    starting = live = 1;
    problem = NULL;
    if (initial() || problem) {
        const char *const what = problem;
        problem = NULL;
        if (start_by_homotopy()) {
            if (!problem) problem = what;
            if (NSTATE_SWITCH == 0) return fail("the initialization cannot be computed");
            guesses(); /* the switches are to be settled first */
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
    for (k = 0; k < 100; k++) { /* delays give their arguments at the start, on which these may depend */
        if (settle(initial)) return fail("the initialization cannot be computed");
        conditions();
        if (!record_start()) break;
    }
    choose_states(1);
    if (TOGETHER && act_at_start()) return fail("the initialization cannot be computed");
    remember();
    memcpy(sw_before, sw, sizeof sw);
    clocks();
    for (k = 0; k < NCLOCK; k++) {
        if (!(clock_period[k] > 0)) return fail("the period of sample() is not positive");
        clock_ticks[k] = larger(0, ceil((start_time - clock_first[k]) / clock_period[k] - 1e-9));
        ticking[k] = same_instant(clock_first[k] + clock_ticks[k] * clock_period[k], start_time);
    }
    for (k = 0; k < NSWITCH; k++) { /* time > 0 changes on the way out of the start */
        if (!switch_timed[k] || crossing[k] != 0 || switch_kind[k] > LESS_EQUAL) continue;
        sw[k] = crossing_slope[k] < 0;
        changes = 1;
    }
    if (changes && settle(evaluate)) return fail("the initialization cannot be computed");
    conditions();
    for (k = 0; k < NWHEN && !TOGETHER; k++) held[k] = !acts_at_start[k] && condition[k] != 0;
    if (event()) return fail("the equations cannot be solved");
    return 0;
}
