/* The secant method for f(y) = 0, as a discrete system: at each sampling it is told f for its last y and gives
 * the next y. It ends the run when |f| is small, and breaks plotted curves at each new attempt.
 *
 *     cc -shared -fPIC -I include -o examples/simnon/secan.so examples/simnon/secan.c
 *
 * The output Y depends on F at the same instant. */
#include <math.h>

#include "cutset_system.h"

static double f;                        /* input: the value of the function */
static double y, tbeg;                  /* outputs: the next argument, and when it is tried */
static double y_first, y_second, eps, dt;          /* parameters: two first arguments, accuracy, interval */
static double yy, yold, fold;           /* states: the last two arguments, and the function at the older */
static double next_yy, next_yold, next_fold;
static double yy_init, yold_init, fold_init;
static double ts;

static void secan(int part) {
    double difference;
    switch (part) {
        case 1:
            cutset_ident("DISCR", "SECAN");
            break;
        case 2:
            cutset_input(&f, "F");
            cutset_output(&y, "Y");
            cutset_output(&tbeg, "TBEG");
            cutset_par(&y_first, "Y0");
            cutset_par(&y_second, "Y1");
            cutset_par(&eps, "EPS");
            cutset_par(&dt, "DT");
            cutset_state(&yy, "YY");
            cutset_state(&yold, "YOLD");
            cutset_state(&fold, "FOLD");
            cutset_new(&next_yy, "NYY");
            cutset_new(&next_yold, "NYOLD");
            cutset_new(&next_fold, "NFOLD");
            cutset_init(&yy_init, "YYI");
            cutset_init(&yold_init, "YOLDI");
            cutset_init(&fold_init, "FOLDI");
            cutset_tsamp(&ts, "TS");
            break;
        case 3:
            y_first = 0;
            y_second = 1;
            eps = 1e-3;
            dt = 1;
            break;
        case 4:
            y = yy = y_first;
            yold = y_second;
            fold = 0;
            ts = cutset_time + dt;
            tbeg = cutset_time;
            break;
        case 5:
            if (fabs(f) < eps) {
                cutset_stop = 1;
                break;
            }
            difference = f - fold;
            if (fabs(difference) < eps) difference = -f;
            y = yy - f * (yy - yold) / difference;
            tbeg = cutset_time;
            break;
        case 6:
            next_yy = y;
            next_yold = yy;
            next_fold = f;
            ts = cutset_time + dt;
            cutset_dark = 1;
            break;
    }
}

CUTSET_SYSTEM(secan)
