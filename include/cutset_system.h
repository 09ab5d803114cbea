/* A Simnon system in C. One system makes one shared library NAME.so, which lies beside the connecting system:
 *
 *     #include "cutset_system.h"
 *
 *     static double u, v, du, dv, eps, ui, vi;
 *
 *     static void triod(int part) {
 *         switch (part) {
 *             case 1: cutset_ident("CONT", "TRIOD"); break;             identification: CONT or DISCR
 *             case 2: cutset_state(&u, "U"); cutset_der(&du, "DU"); …   declarations
 *             case 3: eps = 1; ui = 0.25; break;                        values of PAR and INIT variables
 *             case 4: break;                                            initial computations
 *             case 5: break;                                            output section
 *             case 6: du = v; dv = …; break;                            dynamics section
 *             case 7: break;                                            at accepted points
 *             case 8: break;                                            after the run
 *         }
 *     }
 *     CUTSET_SYSTEM(triod)
 *
 *     cc -O2 -shared -fPIC -I include -o triod.so triod.c
 *
 * Variables are doubles that last (static). STATE, DER or NEW, and INIT variables belong together in the
 * order in which they are declared. When a part runs, inputs, states, parameters and cutset_time have their
 * values, and outputs, auxiliary variables and the sampling time of a discrete system those of its last
 * sampling.
 *
 * cutset_stop = 1 ends the run. cutset_dark = 1 breaks plotted curves here.
 *
 * Outputs and derivatives may be computed any number of times for one instant; what a system remembers
 * belongs into its states, or is stored in part 7.
 */
#ifndef CUTSET_SYSTEM_H
#define CUTSET_SYSTEM_H

#include <stdio.h>
#include <string.h>

#ifdef __cplusplus
#define CUTSET_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define CUTSET_EXPORT __attribute__((visibility("default")))
#endif
#define CUTSET_UNUSED __attribute__((unused))

#define CUTSET_MOST_VARIABLES 1000

static double cutset_time;
static int cutset_stop, cutset_dark;

/* ---- what follows is the bookkeeping; nothing in it is needed to write a system. */

enum cutset_role {
    CUTSET_INPUT,
    CUTSET_OUTPUT,
    CUTSET_STATE,
    CUTSET_INIT,
    CUTSET_DER,
    CUTSET_NEW,
    CUTSET_TSAMP,
    CUTSET_PAR,
    CUTSET_VAR
};

static struct cutset_book {
    char type[16], name[64], problem[200];
    int count;
    enum cutset_role role[CUTSET_MOST_VARIABLES];
    double* variable[CUTSET_MOST_VARIABLES];
    char names[CUTSET_MOST_VARIABLES][64];
    int declared, initialised, remembered;
    double constants[CUTSET_MOST_VARIABLES]; /* PAR and INIT for which part 4 was executed */
    double last_in[CUTSET_MOST_VARIABLES + 1], last_out[CUTSET_MOST_VARIABLES + 3];
    char text[CUTSET_MOST_VARIABLES * 100 + 400];
} cutset_book;

static void cutset_complain(const char* what, const char* name) {
    if (!cutset_book.problem[0])
        snprintf(cutset_book.problem, sizeof cutset_book.problem, "%s: %s", what, name);
}

static void cutset_declare(enum cutset_role role, double* variable, const char* name) {
    struct cutset_book* b = &cutset_book;
    if (b->count == CUTSET_MOST_VARIABLES) {
        cutset_complain("too many variables", name);
        return;
    }
    if (strlen(name) >= sizeof b->names[0]) {
        cutset_complain("name too long", name);
        return;
    }
    b->role[b->count] = role;
    b->variable[b->count] = variable;
    strcpy(b->names[b->count], name);
    ++b->count;
}

static void cutset_declare_vector(enum cutset_role role, double* vector, int n, const char* first) {
    char name[80];
    int i;
    for (i = 0; i < n; ++i) {
        snprintf(name, sizeof name, "%.50s%d", first, i + 1);
        cutset_declare(role, vector + i, name);
    }
}

static CUTSET_UNUSED void cutset_ident(const char* type, const char* name) {
    snprintf(cutset_book.type, sizeof cutset_book.type, "%s", type);
    snprintf(cutset_book.name, sizeof cutset_book.name, "%s", name);
}

/* cutset_input(&u, "U"), and cutset_inputv(u, 3, "U") for U1 U2 U3; likewise the others. */
#define CUTSET_DECLARATION(word, role)                                                \
    static CUTSET_UNUSED void cutset_##word(double* v, const char* name) {            \
        cutset_declare(role, v, name);                                                \
    }                                                                                 \
    static CUTSET_UNUSED void cutset_##word##v(double* v, int n, const char* first) { \
        cutset_declare_vector(role, v, n, first);                                     \
    }
CUTSET_DECLARATION(input, CUTSET_INPUT)
CUTSET_DECLARATION(output, CUTSET_OUTPUT)
CUTSET_DECLARATION(state, CUTSET_STATE)
CUTSET_DECLARATION(init, CUTSET_INIT)
CUTSET_DECLARATION(der, CUTSET_DER)
CUTSET_DECLARATION(new, CUTSET_NEW)
CUTSET_DECLARATION(tsamp, CUTSET_TSAMP)
CUTSET_DECLARATION(par, CUTSET_PAR)
CUTSET_DECLARATION(var, CUTSET_VAR)

static int cutset_discrete(void) {
    return cutset_book.type[0] == 'D' || cutset_book.type[0] == 'd';
}

static int cutset_count(enum cutset_role role) {
    int i, n = 0;
    for (i = 0; i < cutset_book.count; ++i) n += cutset_book.role[i] == role;
    return n;
}

/* Copies all variables of a role from or to an array; the next place in the array. */
static const double* cutset_read(enum cutset_role role, const double* from) {
    int i;
    for (i = 0; i < cutset_book.count; ++i)
        if (cutset_book.role[i] == role) *cutset_book.variable[i] = *from++;
    return from;
}

static double* cutset_write(enum cutset_role role, double* to) {
    int i;
    for (i = 0; i < cutset_book.count; ++i)
        if (cutset_book.role[i] == role) *to++ = *cutset_book.variable[i];
    return to;
}

static void cutset_begin(void (*system)(int)) {
    struct cutset_book* b = &cutset_book;
    int i;
    if (b->declared) return;
    b->declared = 1;
    system(1);
    system(2);
    for (i = 0; i < b->count; ++i) *b->variable[i] = 0;
    system(3);
}

/* "problem …", or the type, name and variables: role name value. */
static const char* cutset_describe(void (*system)(int)) {
    static const char* const roles[] = {"input", "output", "state", "init", "der",
                                        "new",   "tsamp",  "par",   "var"};
    struct cutset_book* b = &cutset_book;
    char* at = b->text;
    char* end = b->text + sizeof b->text;
    int i;
    memset(b, 0, sizeof *b);
    cutset_begin(system);
    if (b->problem[0]) {
        snprintf(b->text, sizeof b->text, "problem %s\n", b->problem);
        return b->text;
    }
    at += snprintf(at, (size_t)(end - at), "%s %s\n", b->type, b->name);
    for (i = 0; i < b->count && at < end; ++i)
        at += snprintf(at, (size_t)(end - at), "%s %s %.17g\n", roles[b->role[i]], b->names[i],
                       *b->variable[i]);
    return b->text;
}

/* Part 4, for the values of PAR and INIT variables that stand in `constants`. */
static void cutset_run_initial(void (*system)(int), const double* constants) {
    struct cutset_book* b = &cutset_book;
    int i, state = 0, n = cutset_count(CUTSET_PAR) + cutset_count(CUTSET_INIT);
    double inits[CUTSET_MOST_VARIABLES];
    cutset_read(CUTSET_INIT, cutset_read(CUTSET_PAR, constants));
    memcpy(b->constants, constants, sizeof(double) * (size_t)n);
    b->initialised = 1;
    b->remembered = 0;
    cutset_write(CUTSET_INIT, inits);
    for (i = 0; i < b->count; ++i) {
        if (b->role[i] == CUTSET_STATE) {
            *b->variable[i] = state < cutset_count(CUTSET_INIT) ? inits[state] : 0;
            ++state;
        }
        if (b->role[i] == CUTSET_OUTPUT || b->role[i] == CUTSET_VAR) *b->variable[i] = 0;
        if (b->role[i] == CUTSET_TSAMP) *b->variable[i] = cutset_time;
    }
    system(4);
}

/* time PAR INIT → STATE OUTPUT TSAMP 0 0 */
static void cutset_initial(void (*system)(int), const double* in, double* out) {
    cutset_begin(system);
    cutset_time = in[0];
    cutset_run_initial(system, in + 1);
    out = cutset_write(CUTSET_TSAMP, cutset_write(CUTSET_OUTPUT, cutset_write(CUTSET_STATE, out)));
    out[0] = out[1] = 0;
}

/* Sets everything that a computation starts from; the number of values read. */
static int cutset_set(void (*system)(int), const double* in) {
    struct cutset_book* b = &cutset_book;
    const int n = cutset_count(CUTSET_PAR) + cutset_count(CUTSET_INIT);
    const double* at = in + 1;
    cutset_begin(system);
    cutset_time = in[0];
    if (!b->initialised || memcmp(b->constants, at, sizeof(double) * (size_t)n) != 0)
        cutset_run_initial(system, at);
    at = cutset_read(CUTSET_INIT, cutset_read(CUTSET_PAR, at));
    at = cutset_read(CUTSET_INPUT, cutset_read(CUTSET_STATE, at));
    if (cutset_discrete())
        at = cutset_read(CUTSET_VAR, cutset_read(CUTSET_TSAMP, cutset_read(CUTSET_OUTPUT, at)));
    return (int)(at - in);
}

/* time PAR INIT STATE INPUT, of a discrete system also OUTPUT TSAMP VAR of the last sampling
 * → OUTPUT, DER or NEW, TSAMP, of a discrete system also VAR, stop dark */
static void cutset_compute(void (*system)(int), const double* in, double* out) {
    struct cutset_book* b = &cutset_book;
    const int n = cutset_set(system, in);
    double* at = out;
    /* At a sampling it is asked several times for the same. */
    if (cutset_discrete() && b->remembered && memcmp(in, b->last_in, sizeof(double) * (size_t)n) == 0) {
        memcpy(out, b->last_out, sizeof(double) * (size_t)b->remembered);
        return;
    }
    cutset_stop = cutset_dark = 0;
    system(5);
    system(6);
    at = cutset_write(cutset_discrete() ? CUTSET_NEW : CUTSET_DER, cutset_write(CUTSET_OUTPUT, at));
    at = cutset_write(CUTSET_TSAMP, at);
    if (cutset_discrete()) at = cutset_write(CUTSET_VAR, at);
    *at++ = cutset_stop;
    *at++ = cutset_dark;
    b->remembered = (int)(at - out);
    memcpy(b->last_in, in, sizeof(double) * (size_t)n);
    memcpy(b->last_out, out, sizeof(double) * (size_t)b->remembered);
}

/* Of a continuous system, where its values are wanted: parts 5, 6 and 7 → VAR dark 0 */
static void cutset_accept(void (*system)(int), const double* in, double* out) {
    cutset_set(system, in);
    cutset_stop = cutset_dark = 0;
    system(5);
    system(6);
    system(7);
    out = cutset_write(CUTSET_VAR, out);
    out[0] = cutset_dark;
    out[1] = 0;
}

#define CUTSET_SYSTEM(system)                                                 \
    CUTSET_EXPORT const char* cutset_system_describe(void) {                  \
        return cutset_describe(system);                                       \
    }                                                                         \
    CUTSET_EXPORT void cutset_system_initial(const double* in, double* out) { \
        cutset_initial(system, in, out);                                      \
    }                                                                         \
    CUTSET_EXPORT void cutset_system_compute(const double* in, double* out) { \
        cutset_compute(system, in, out);                                      \
    }                                                                         \
    CUTSET_EXPORT void cutset_system_accept(const double* in, double* out) {  \
        cutset_accept(system, in, out);                                       \
    }                                                                         \
    CUTSET_EXPORT void cutset_system_final(void) {                            \
        if (cutset_book.declared) (system)(8);                                \
    }

#endif
