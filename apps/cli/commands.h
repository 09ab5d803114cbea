// The commands of the program: each registers itself from its own file. One line here and one in
// commands.cpp make a command known.
#pragma once

#include <string_view>

#include "command_line.h"

namespace cutset::cli {

// All of them; only the one that is called, where it is known.
void add_commands(CommandLine& line, std::string_view called = {});

void add_shell(CommandLine& line);
// A session on the terminal, as `cutset` alone starts one.
int run_shell();

void add_check(CommandLine& line);
void add_partition(CommandLine& line);
void add_equations(CommandLine& line);
void add_structure(CommandLine& line);

void add_simulate(CommandLine& line);
void add_sweep(CommandLine& line);
void add_sensitivity(CommandLine& line);

void add_optimize(CommandLine& line);
void add_fit(CommandLine& line);

void add_linearize(CommandLine& line);
void add_steady(CommandLine& line);
void add_design(CommandLine& line);
void add_bvp(CommandLine& line);
void add_poles(CommandLine& line);
void add_zeros(CommandLine& line);
void add_step(CommandLine& line);
void add_impulse(CommandLine& line);
void add_initial(CommandLine& line);
void add_margins(CommandLine& line);
void add_controllability(CommandLine& line);
void add_observability(CommandLine& line);
void add_gramians(CommandLine& line);
void add_minimal(CommandLine& line);
void add_canonical(CommandLine& line);
void add_sample(CommandLine& line);
void add_lqr(CommandLine& line);
void add_kalman(CommandLine& line);
void add_lqg(CommandLine& line);
void add_place(CommandLine& line);
void add_tf(CommandLine& line);
void add_bode(CommandLine& line);
void add_nyquist(CommandLine& line);
void add_nichols(CommandLine& line);
void add_rootlocus(CommandLine& line);
void add_routh(CommandLine& line);
void add_jury(CommandLine& line);
void add_smith(CommandLine& line);
void add_fraction(CommandLine& line);
void add_realize(CommandLine& line);
void add_subspace(CommandLine& line);

void add_plot(CommandLine& line);
void add_compare(CommandLine& line);
void add_translate(CommandLine& line);
void add_symbolic(CommandLine& line);

}  // namespace cutset::cli
