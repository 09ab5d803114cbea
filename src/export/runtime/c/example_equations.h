#include "algebraic_loops.h"

/* The second generated part of the example, see example_sizes.h: its equations and the lists that describe it. */

static const double table_x0[] = {-1, 0, 2}, table_y0[] = {0}, table_values0[] = {-2, 0, 4};
static const Table table[] = {{"table y, whose range was left", 3, 0, table_x0, table_y0, table_values0, 1, 1}};

static void parameters(void)
{
    if (!given[0]) m.k = 1;
}
static void clocks(void) {}

static void guesses(void)
{
    m.x = 1;
    m.z = 0.5;
}
static void residuals_0(void) { residual[0] = m.z * m.z * m.z + m.z - m.x; }
static void partials_0(void) { jacobian[0] = 3 * m.z * m.z + 1; }
static const int loop_z0[] = {5}, loop_input0[] = {1};
static const double loop_nominal0[] = {1}, loop_minimum0[] = {-INFINITY}, loop_maximum0[] = {INFINITY};
static double loop_found0[2];
static const Loop loops[NLOOP] = {{"no solution for z", 1, 0, loop_z0, loop_nominal0, loop_minimum0, loop_maximum0,
                                   residuals_0, partials_0, 1, loop_input0, loop_found0, 0, NULL, NULL, NULL}};
static int state_derivatives(void)
{
    m.der_x = -m.k * m.x;
    return 0;
}
static int auxiliaries(void)
{
    if (solve(0)) return 1;
    m.y = table_value(&table[0], m.x, 0, 0, 0);
    m.d = delayed(0, m.time - 0.1);
    return 0;
}
static int initial(void)
{
    m.x = 1;
    return state_derivatives() || auxiliaries();
}
static int homotopy(void) { return 0; }
static int jump(void) { return 0; }
static void eliminated(void) {}
static void crossings(void) { crossing[0] = m.x - 0.5; }
static void conditions(void)
{
    condition[0] = switched(0, m.x < 0.5);
    delay_argument[0] = m.x;
    delay_duration[0] = 0.1;
}
static void selections(void) {}
static void state_jacobian_elements(void) { jacobian[0] = -m.k; }
static void when_values(int w)
{
    if (w == 0) value[0] = m.pre_n + 1;
}

static const Parameter parameter_list[SIZE(NPARAMETER)] = {{"k", 3, 0, ""}};
static const Column columns[NCOLUMN] = {{"time", 0}, {"x", 1}, {"z", 5}, {"y", 4}, {"d", 6}, {"n", 7}};
static const int switch_kind[SIZE(NSWITCH)] = {LESS}, switch_timed[SIZE(NSWITCH)] = {0};
static const int switch_kink[SIZE(NSWITCH)] = {0}, switch_branch[SIZE(NSWITCH)] = {0};
static const int switch_in_loop[SIZE(NSWITCH)] = {0}, switch_uncertain[SIZE(NSWITCH)] = {0};
static const int acts_at_start[SIZE(NWHEN)] = {0}, branches_before[SIZE(NWHEN)] = {0};
static const int actual_part[SIZE(NHOMOTOPY)] = {0};
static const int delay_circular[SIZE(NDELAY)] = {0}, delay_varies[SIZE(NDELAY)] = {0};
static const Action actions[SIZE(NACTION)] = {{ASSIGN, 0, 7, 8, 0, 0, ""}};
static const Copy previous[SIZE(NPREVIOUS)] = {{7, 8}}, jump_causes[SIZE(NJUMP)] = {{0, 0}};
static const char *const validities[SIZE(NVALID)] = {""};
static const int assertion_ends[SIZE(NVALID)] = {0};
static const char *const state_names[SIZE(NX)] = {"x"};
static const int tracked[SIZE(NTRACKED)] = {5};
static const double state_scale[SIZE(NX)] = {1};
static const Breakpoint breakpoints[SIZE(NBREAKPOINT)] = {{0, 0}};
static const Group groups[SIZE(NGROUP)] = {{0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL}};
