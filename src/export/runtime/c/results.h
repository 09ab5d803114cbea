#include "state_selection.h"

/* ---- results */

static FILE *out;
static double output_step = DEFAULT_STEP;
static double tolerance = DEFAULT_TOLERANCE;
static long points = DEFAULT_POINTS, next_output;
static int terminated;
static double last_row = -HUGE_VAL; /* its time */

static void write_number(double v)
{
    char text[40];
    int digits;
    for (digits = 15; digits < 18; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, v + 0.0);
        if (strtod(text, NULL) == v) break;
    }
    fputs(text, out);
}

static void write_row(void)
{
    int i;
    eliminated();
    last_row = m.time;
    for (i = 0; i < NCOLUMN; i++) {
        if (i) putc(',', out);
        write_number(m.all[columns[i].index]);
    }
    putc('\n', out);
}

static long output_count(void)
{
    if (output_step > 0) return (long)ceil((stop_time - start_time) / output_step - 1e-9) + 1;
    return points < 2 ? 2 : points;
}

static double output_time(long i)
{
    const long last = output_count() - 1;
    if (i >= last) return stop_time;
    if (output_step > 0) return start_time + (double)i * output_step;
    return start_time + (stop_time - start_time) * ((double)i / (double)last);
}

static int fail(const char *what)
{
    fprintf(stderr, MODEL_NAME ": at time %.9g: %s%s%s\n", m.time, what, problem ? ": " : "", problem ? problem : "");
    return 1;
}

/* 1 when an assertion fails that ends the run. */
static int check_validity(void)
{
    static int left[SIZE(NVALID)];
    int i;
    for (i = 0; i < NVALID; i++) {
        if (valid[i] == 0 && assertion_ends[i]) {
            problem = validities[i];
            return 1;
        }
        if (valid[i] == 0 && !left[i])
            fprintf(stderr, MODEL_NAME ": warning: at time %.9g %s\n", m.time, validities[i]);
        left[i] = valid[i] == 0;
    }
    return 0;
}
