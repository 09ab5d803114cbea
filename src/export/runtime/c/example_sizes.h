/* The first generated part of a program, here by hand for an example with a bit of everything, so that every part of
   the run-time system compiles, runs and is checked by itself; tests/runtime.py does. The model is
       x' = -k*x, x(0) = 1;   z**3 + z = x;   y = table(x);   d = delay(x, 0.1);   when x < 0.5: n := n + 1. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MODEL_NAME "example"
#define DEFAULT_START 0.0
#define DEFAULT_STOP 1.0
#define DEFAULT_STEP 0.0
#define DEFAULT_POINTS 11
#define DEFAULT_TOLERANCE 1e-6

enum {
    NX = 1,
    NV = 9,
    NPARAMETER = 1,
    NCOLUMN = 6,
    NLOOP = 1,
    MOST_TORN = 1,
    MOST_QUANTITIES = 0,
    NCOLUMNS = 1,
    HAS_STIFF = 1,
    NTRACKED = 1,
    NSWITCH = 1,
    NSTATE_SWITCH = 1,
    CROSSINGS_NEED_EQUATIONS = 0,
    NWHEN = 1,
    NACTION = 1,
    NVALUE = 1,
    NCLOCK = 0,
    ASKS_FOR_END = 0,
    NVALID = 0,
    NPREVIOUS = 1,
    NDISCRETE = 0,
    TOGETHER = 0,
    NJUMP = 0,
    NGROUP = 0,
    MOST_TIED = 1,
    NFREQUENCY = 0,
    NBREAKPOINT = 0,
    MOST_KNOTS = 3,
    NDELAY = 1,
    NHOMOTOPY = 0,
    FEWEST_STEPS = 300,
    STEPS_OF_PERIOD = 20
};

static union {
    double all[NV];
    struct {
        double time;
        double x, der_x, k, y, z, d, n, pre_n;
    };
} m;
static double jacobian[1], selection[1];
