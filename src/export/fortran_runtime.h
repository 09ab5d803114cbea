// Text of a translated Fortran program that does not depend on the model, in pieces; see emit_fortran.cpp.
// Names of the module end in `_`, which names made from a model never do.
#pragma once

namespace cutset::fortran_runtime {

extern const char* const variables;  // of the module, after the sizes
extern const char* const helpers;    // functions of expressions, switches, LU
extern const char* const tables;     // interpolation
extern const char* const delays;     // delay lines
extern const char* const loops;      // Newton

// The driver, in this order; `integration` has the line @STIFF@ where `stiff` goes.
extern const char* const instant;      // equations, switches, choice of states
extern const char* const events;       // and the start
extern const char* const stiff;        // Rosenbrock method
extern const char* const integration;  // Dormand and Prince, crossings, the run
extern const char* const results;      // rows of output
extern const char* const program;      // the command line

}  // namespace cutset::fortran_runtime
