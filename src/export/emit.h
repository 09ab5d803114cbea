// A sorted model as a program in another language: C11, Fortran 2008, Simnon, or a LaTeX document.
//
// C and Fortran programs are one file each: parameters, the start problem, the sorted equations, loops solved
// by LU and Newton's method with exact Jacobians, events, an explicit and an implicit integrator, and a main
// program that writes what `cutset simulate` writes. Simnon text is the equations alone; Simnon integrates.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "ir/partition.h"

namespace cutset {

struct EmitOptions {
    double start = 0, stop = 10, tolerance = 1e-6;
    std::size_t points = 1001;
    std::optional<double> step;
    double fewest_steps = 300;      // of the run
    double steps_of_period = 20;    // of what swings by `frequencies`
    std::vector<Expr> frequencies;  // angular frequencies, in parameters
    bool crossings_need_equations = true;
    std::vector<double>
        solved;          // by variable: the start as it was solved, guesses for what is iterated there
    std::string source;  // file the model came from, for the heading
};

// Nothing when the model has something that the language cannot express; then it was reported.
std::optional<std::string> emit_c(const Partition& partition, const EmitOptions& options,
                                  Diagnostics& diagnostics);
std::optional<std::string> emit_fortran(const Partition& partition, const EmitOptions& options,
                                        Diagnostics& diagnostics);
std::optional<std::string> emit_simnon(const Partition& partition, const EmitOptions& options,
                                       Diagnostics& diagnostics);
std::string emit_latex(const Partition& partition);

}  // namespace cutset
