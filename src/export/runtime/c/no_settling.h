#include "instant.h"

/* No switches but those of the time: nothing is found by iteration. */

static int settle(int (*equations)(void))
{
    int iteration, k;
    open_loops.allowed = 0;
    for (iteration = 0; iteration < 100; iteration++) {
        int changed = 0;
        problem = NULL;
        if (equations() || problem) return 1;
        crossings();
        for (k = 0; k < NSWITCH; k++) {
            const double now = switch_value(k);
            if (now == sw[k] || isnan(now)) continue;
            sw[k] = now;
            changed = 1;
        }
        if (!changed) return 0;
    }
    problem = "conditions, which switch each other without end";
    return 1;
}

static int look_ahead(int *changed)
{
    *changed = 0;
    return 0;
}

static void settle_on_sides(void) {}
