#include "settling.h"

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
