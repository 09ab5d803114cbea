#include "events.h"

/* ---- integration */

static double x[SIZE(NX)], x_new[SIZE(NX)], x_error[SIZE(NX)], dense[5][SIZE(NX)], absolute[SIZE(NX)];
static double rate[7][SIZE(NX)]; /* of the stages */
static double local_tolerance, max_step;
static int first_same;      /* rate[0] is there already */
static int stiffness, calm; /* steps in a row that looked stiff, and that did not */
static enum { AUTO, DOPRI, RODAS } solver = AUTO;
static int use_rodas;

static int derivatives(double t, const double *at, double *dx)
{
    m.time = t;
    memcpy(&m.all[1], at, sizeof(double) * NX);
    if (evaluate_part(0) || !derivatives_finite()) return 1;
    memcpy(dx, &m.all[1 + NX], sizeof(double) * NX);
    return 0;
}
