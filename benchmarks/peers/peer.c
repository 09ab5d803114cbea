/* peer STOP POINTS RELATIVE ABSOLUTE MAXSTEP RESULT [SIZE]: integrates the model of this program by CVODE's BDF and writes the states at
   POINTS instants and at both sides of events to RESULT as binary rows. Prints one JSON object: seconds of processor time from the
   row of the start, before CVODE is set up, to the file closed, steps, events, and the states at the end. */
#include "peer.h"

#include <cvode/cvode.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fast_vector.h"

static Peer peer;
static long evaluations, jacobians;

static int rhs(double t, N_Vector x, N_Vector dx, void *data) {
    (void)data;
    ++evaluations;
    return peer.rhs(t, values_of(x), values_of(dx));
}
static int jacobian(double t, N_Vector x, N_Vector fx, SUNMatrix j, void *data, N_Vector a, N_Vector b, N_Vector c) {
    (void)fx, (void)data, (void)a, (void)b, (void)c;
    ++jacobians;
    if (!peer.column_start) memset(entries_of(j), 0, sizeof(double) * peer.n * peer.n);
    peer.jacobian(t, values_of(x), entries_of(j));
    return 0;
}
static int root(double t, N_Vector x, double *g, void *data) {
    (void)data;
    peer.root(t, values_of(x), g);
    return 0;
}
static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}
static void write_row(FILE *out, double t, const double *x) {
    fwrite(&t, sizeof t, 1, out);
    fwrite(x, sizeof *x, peer.n, out);
}

int main(int argc, char **argv) {
    if (argc < 7) {
        fprintf(stderr, "usage: %s STOP POINTS RELATIVE ABSOLUTE MAXSTEP RESULT [SIZE]\n", argv[0]);
        return 2;
    }
    const double stop = atof(argv[1]), relative = atof(argv[3]), absolute = atof(argv[4]), longest = atof(argv[5]);
    const int points = atoi(argv[2]);
    make_peer(&peer, argc > 7 ? atoi(argv[7]) : 0);
    FILE *out = fopen(argv[6], "wb");
    if (!out) {
        perror(argv[6]);
        return 1;
    }
    write_row(out, 0, peer.start);

    const double began = seconds();
    SUNContext context;
    SUNContext_Create(NULL, &context);
    N_Vector y = fast_vector(peer.n, context);
    double *x = values_of(y);
    memcpy(x, peer.start, sizeof(double) * peer.n);
    void *cvode = CVodeCreate(CV_BDF, context);
    CVodeInit(cvode, rhs, 0, y);
    CVodeSStolerances(cvode, relative, absolute);
    const int sparse = peer.column_start != NULL;
    SUNMatrix matrix = sparse ? fast_sparse_matrix(peer.n, peer.column_start, peer.row, context)
                              : fast_dense_matrix(peer.n, context);
    SUNLinearSolver solver = sparse ? fast_sparse_solver(peer.n, context) : fast_dense_solver(peer.n, context);
    CVodeSetLinearSolver(cvode, solver, matrix);
    CVodeSetJacFn(cvode, jacobian);
    CVodeSetMaxNumSteps(cvode, -1);
    if (longest > 0) CVodeSetMaxStep(cvode, longest);
    if (peer.roots) {
        CVodeRootInit(cvode, peer.roots, root);
        CVodeSetNoInactiveRootWarn(cvode);
    }

    int *direction = calloc(peer.roots + 1, sizeof *direction);
    long events = 0, steps = 0;
    double t = 0;
    for (int k = 1; k < points;) {
        const double output = k == points - 1 ? stop : stop * k / (points - 1);
        const double known = peer.next ? peer.next() : INFINITY;
        CVodeSetStopTime(cvode, fmin(stop, known));
        const int flag = CVode(cvode, fmin(output, known), y, &t, CV_NORMAL);
        if (flag < 0) return 1;
        const int at_known = t >= known;
        if (flag == CV_ROOT_RETURN || at_known) {
            write_row(out, t, x);
            memset(direction, 0, sizeof(int) * peer.roots);
            if (flag == CV_ROOT_RETURN) CVodeGetRootInfo(cvode, direction);
            ++events;
            const int again = peer.event(t, x, direction);
            write_row(out, t, x);
            if (again) {
                double last;
                long done;
                CVodeGetLastStep(cvode, &last);
                CVodeGetNumSteps(cvode, &done);
                steps += done;
                CVodeReInit(cvode, t, y);
                CVodeSetInitStep(cvode, last);
            }
            if (at_known && t >= output) ++k;
        } else {
            write_row(out, t, x);
            ++k;
        }
    }
    fclose(out);
    const double took = seconds() - began;
    long done;
    CVodeGetNumSteps(cvode, &done);
    steps += done;
    printf("{\"seconds\": %.9g, \"steps\": %ld, \"evaluations\": %ld, \"jacobians\": %ld, \"events\": %ld, \"end\": {", took, steps,
           evaluations, jacobians, events);
    const int shown = peer.n < 40 ? peer.n : 40;
    for (int i = 0; i < shown; ++i) {
        const int k = (int)((long)i * (peer.n - 1) / (shown > 1 ? shown - 1 : 1));
        char text[80];
        peer.name(k, text);
        printf("%s\"%s\": %.17g", i ? ", " : "", text, x[k]);
    }
    printf("}}\n");
    return 0;
}
