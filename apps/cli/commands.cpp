#include "commands.h"

namespace cutset::cli {

// The order is that of `cutset --help`.
void add_commands(CommandLine& line) {
    // Model
    add_check(line);
    add_partition(line);
    add_equations(line);
    add_structure(line);
    add_shell(line);

    // Runs
    add_simulate(line);
    add_sweep(line);
    add_sensitivity(line);

    // Operating points and design
    add_steady(line);
    add_design(line);
    add_optimize(line);
    add_fit(line);
    add_bvp(line);

    // Linear systems
    add_linearize(line);
    add_poles(line);
    add_zeros(line);
    add_step(line);
    add_impulse(line);
    add_initial(line);
    add_margins(line);
    add_controllability(line);
    add_observability(line);
    add_gramians(line);
    add_minimal(line);
    add_canonical(line);
    add_sample(line);
    add_lqr(line);
    add_kalman(line);
    add_lqg(line);
    add_place(line);
    add_tf(line);
    add_bode(line);
    add_nyquist(line);
    add_nichols(line);
    add_rootlocus(line);
    add_routh(line);
    add_jury(line);
    add_smith(line);
    add_fraction(line);
    add_realize(line);
    add_subspace(line);

    // Results and exchange
    add_plot(line);
    add_compare(line);
    add_translate(line);
    add_symbolic(line);
}

}  // namespace cutset::cli
