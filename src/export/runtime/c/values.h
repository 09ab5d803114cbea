#include "example_sizes.h"

/* ---- what the parts below share */

#define SIZE(n) ((n) > 0 ? (n) : 1)

enum { LESS, LESS_EQUAL, EQUAL, NOT_EQUAL, SIGN, TRUNCATE, FLOOR }; /* kinds of switches */
enum { ASSIGN, REINIT, TERMINATE };                                 /* kinds of actions of when clauses */

typedef struct {
    const char *name;
    int index, structural; /* structural: it has shaped the equations and cannot be changed */
    const char *unit;
} Parameter;
typedef struct {
    const char *name;
    int index;
} Column;
typedef struct {
    int kind, when, target, before, value, guard; /* before: pre(target); guard: where it counts, 0: everywhere */
    const char *message;
} Action;
typedef struct {
    int from, to;
} Copy;
typedef struct {
    double time;
    int jumps;
} Breakpoint;
typedef struct { /* variables that constraints tie: which of them are states is chosen during the run */
    int candidates, constraints, states, first;
    const int *candidate, *state, *selector;
    const double *nominal, *weight;
    int *chosen;
} Group;

static double sw[SIZE(NSWITCH)], sw_before[SIZE(NSWITCH)]; /* values of relations, sign and int between events */
static double crossing[SIZE(NSWITCH)], instant[SIZE(NSWITCH)];
static double crossing_slope[SIZE(NSWITCH)]; /* of the crossing of a switch of the time */
static double sw_offset[SIZE(NSWITCH)];      /* counts as a part of the crossing: by so much a side was left */
static double sw_largest[SIZE(NSWITCH)];     /* size of the crossing so far */
static double at_event[SIZE(NSWITCH)];       /* the crossing at the last event */
static int unmoved[SIZE(NSWITCH)];           /* since then: the value that the event gave it counts */
static int muted[SIZE(NSWITCH)];             /* kinks that follow rounding errors only */
static int forced[SIZE(NSWITCH)];            /* during an event: has this value as long as its crossing stays */
static double forced_value[SIZE(NSWITCH)], forced_crossing[SIZE(NSWITCH)];
static int now_equal[SIZE(NSWITCH)]; /* time = instant, during the event at it */
static double ticking[SIZE(NCLOCK)], clock_first[SIZE(NCLOCK)], clock_period[SIZE(NCLOCK)];
static double condition[SIZE(NWHEN)], valid[SIZE(NVALID)], value[SIZE(NVALUE)];
static double delay_duration[SIZE(NDELAY)], frequency[SIZE(NFREQUENCY)];
static int given[SIZE(NPARAMETER)];
static int live;     /* relations are evaluated anew; else they have their stored values */
static int starting; /* at the start */
static int ending;   /* at the end */
static struct {
    int allowed;                         /* linear loops may leave unknowns open */
    int directions[SIZE(NLOOP)];         /* how many of them are open, by loop */
    int shifted_loop, shifted_direction; /* not its nearest solution, but away from it; -1: none */
} open_loops = {0, {0}, -1, 0};
static double values_before[NV]; /* the values before the event */
static double start_time = DEFAULT_START, stop_time = DEFAULT_STOP;
static const char *problem; /* of the last evaluation that failed */

static inline int switched(int k, int now) { return live ? now : sw[k] != 0; }
static inline double frozen(int k, double now) { return live ? now : sw[k]; }
static inline double sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
static inline double smaller(double x, double y) { return isnan(x) || x < y ? x : y; }
static inline double larger(double x, double y) { return isnan(x) || x > y ? x : y; }
static inline double remainder_of(double x, double y) { return x - trunc(x / y) * y; }
static inline double modulo_of(double x, double y) { return x - floor(x / y) * y; }

static inline double power(double x, double y)
{
    double result = 1;
    int n;

    if (y != floor(y) || fabs(y) > 64) return pow(x, y);
    for (n = abs((int)y); n > 0; n /= 2, x *= x)
        if (n % 2) result *= x;
    return y < 0 ? 1 / result : result;
}

static inline int same_instant(double a, double b)
{
    return isfinite(a) && isfinite(b) && fabs(a - b) <= 1e-13 * larger(fabs(a), fabs(b));
}
