#include "integration.h"

/* ---- command line */

static int usage(FILE *to, int status)
{
    fprintf(to, "usage: " MODEL_NAME " [PARAMETER=VALUE]... [--start T] [--stop T] [--points N] [--step DT]\n"
                "       [--tolerance R] [--solver auto|dopri|rodas] [-o FILE] [--list]\n"
                "The results go to FILE, else to standard output, as comma-separated values; the\n"
                "parameters once, for FILE.csv to FILE.parameters.csv.\n");
    return status;
}

static int set_parameter(const char *text)
{
    const char *equal = strchr(text, '=');
    const size_t length = (size_t)(equal - text);
    char *end;
    const double v = strtod(equal + 1, &end);
    int i;

    if (end == equal + 1 || *end) {
        fprintf(stderr, MODEL_NAME ": %s: what follows = is not a number\n", text);
        return 1;
    }
    for (i = 0; i < NPARAMETER; i++) {
        if (strlen(parameter_list[i].name) != length || strncmp(parameter_list[i].name, text, length)) continue;
        if (parameter_list[i].structural) {
            fprintf(stderr, MODEL_NAME ": %s has shaped the equations; translate the model anew with --set %s\n",
                    parameter_list[i].name, text);
            return 1;
        }
        given[i] = 1;
        m.all[parameter_list[i].index] = v;
        return 0;
    }
    fprintf(stderr, MODEL_NAME ": there is no parameter %.*s; --list shows them\n", (int)length, text);
    return 1;
}

/* What does not change stands once: NAME.parameters.csv beside NAME.csv. */
static int write_parameters(const char *file)
{
    static const char suffix[] = ".parameters.csv";
    const size_t length = strlen(file);
    FILE *const rows = out;
    char *name;
    int i, failed;

    if (NPARAMETER == 0 || length < 4 || strcmp(file + length - 4, ".csv")) return 0;
    if (!(name = malloc(length + sizeof suffix))) return 1;
    memcpy(name, file, length - 4);
    strcpy(name + length - 4, suffix);
    out = fopen(name, "w");
    free(name);
    failed = !out;
    if (out) {
        fputs("parameter,value,unit,description\n", out);
        for (i = 0; i < NPARAMETER; i++) {
            const char *const quote = strchr(parameter_list[i].name, ',') ? "\"" : "";
            fprintf(out, "%s%s%s,", quote, parameter_list[i].name, quote);
            write_number(m.all[parameter_list[i].index]);
            fprintf(out, ",%s,\n", parameter_list[i].unit);
        }
        failed = fclose(out) != 0;
    }
    out = rows;
    return failed;
}

int main(int argc, char **argv)
{
    const char *file = NULL;
    int i, status;

    out = stdout;
    for (i = 1; i < argc; i++) {
        const char *option = argv[i];
        double number = 0;
        char *end;
        if (!strcmp(option, "--help") || !strcmp(option, "-h")) return usage(stdout, 0);
        if (!strcmp(option, "--list")) {
            int k;
            parameters();
            for (k = 0; k < NPARAMETER; k++)
                printf("%s = %.17g%s\n", parameter_list[k].name, m.all[parameter_list[k].index],
                       parameter_list[k].structural ? " (fixed: it has shaped the equations)" : "");
            return 0;
        }
        if (option[0] != '-') {
            if (!strchr(option, '=')) return usage(stderr, 2);
            if (set_parameter(option)) return 2;
            continue;
        }
        if (i + 1 == argc) return usage(stderr, 2);
        i++;
        if (!strcmp(option, "-o") || !strcmp(option, "--output")) {
            file = argv[i];
            continue;
        }
        if (!strcmp(option, "--solver")) {
            if (!strcmp(argv[i], "auto"))
                solver = AUTO;
            else if (!strcmp(argv[i], "dopri"))
                solver = DOPRI;
            else if (!strcmp(argv[i], "rodas") && HAS_STIFF)
                solver = RODAS;
            else
                return usage(stderr, 2);
            continue;
        }
        number = strtod(argv[i], &end);
        if (end == argv[i] || *end || !isfinite(number)) {
            fprintf(stderr, MODEL_NAME ": %s %s: not a number\n", option, argv[i]);
            return 2;
        }
        if (!strcmp(option, "--start"))
            start_time = number;
        else if (!strcmp(option, "--stop"))
            stop_time = number;
        else if (!strcmp(option, "--points"))
            points = (long)number, output_step = 0;
        else if (!strcmp(option, "--step"))
            output_step = number;
        else if (!strcmp(option, "--tolerance"))
            tolerance = number;
        else
            return usage(stderr, 2);
    }
    if (!(stop_time > start_time) || !(tolerance > 0) || output_step < 0) {
        fprintf(stderr, MODEL_NAME ": the stop must come after the start, tolerance and step be positive\n");
        return 2;
    }
    if (file && !(out = fopen(file, "w"))) {
        fprintf(stderr, MODEL_NAME ": cannot write %s\n", file);
        return 1;
    }
    for (i = 0; i < NCOLUMN; i++) fprintf(out, "%s%s", i ? "," : "", columns[i].name);
    putc('\n', out);
    status = initialise();
    if (!status) {
        write_row();
        next_output = 1;
        if (!terminated) status = integrate();
    }
    if ((file && write_parameters(file)) || fflush(out) || ferror(out)) {
        fprintf(stderr, MODEL_NAME ": the results could not be written\n");
        status = 1;
    }
    return status;
}
