// One function for each language that is made from the sorted equations of a model: C11, Fortran 2008,
// Simnon, LaTeX. They give nothing when the model has something that the language cannot express; then it was
// reported.
//
// C and Fortran programs are one file each: parameters, the initialization problem, the sorted equations,
// loops solved by LU and Newton's method with exact Jacobians, events, an explicit and an implicit
// integrator, and a main program that writes what `cutset simulate` writes. Simnon text is the equations
// alone; Simnon integrates.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "ir/partition.h"

namespace cutset {

struct ExportOptions {
    double start = 0, stop = 10, tolerance = 1e-6;
    std::size_t points = 1001;
    std::optional<double> step;
    double fewest_steps = 300;      // of the run
    double steps_of_period = 20;    // of what swings by `frequencies`
    std::vector<Expr> frequencies;  // angular frequencies, in parameters
    bool crossings_need_equations = true;
    std::vector<char> circular_delays, varying_delays;  // by delay (run/present_delays.h)
    std::vector<char> in_loops, uncertain;              // by condition (run/switch_structure.h)
    std::vector<const Block*> piecewise;                // loops (run/piecewise_linear.h)
    // By variable: the initial values found at the export, guesses for what is iterated at initialization;
    // may be empty.
    std::vector<double> solved;
    std::string source;  // file the model came from, for the heading
};

std::optional<std::string> emit_c(const Partition& partition, const ExportOptions& options,
                                  Diagnostics& diagnostics);
std::optional<std::string> emit_fortran(const Partition& partition, const ExportOptions& options,
                                        Diagnostics& diagnostics);
std::optional<std::string> emit_simnon(const Partition& partition, const ExportOptions& options,
                                       Diagnostics& diagnostics);
std::optional<std::string> emit_latex(const Partition& partition, const ExportOptions& options,
                                      Diagnostics& diagnostics);

}  // namespace cutset
