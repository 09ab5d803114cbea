// Text of a translated Fortran program that does not depend on the model, in pieces; see emit_fortran.cpp.
// Names of the module end in `_`, which names made from a model never do.
#pragma once

namespace cutset::fortran_runtime {

extern const char* const variables;  // of the module, after the sizes
extern const char* const helpers;    // functions of expressions, switches, LU
extern const char* const tables;     // interpolation
extern const char* const delays;     // delay lines
extern const char* const loops;      // Newton
extern const char* const stiff;      // Rosenbrock method
extern const char* const run;        // integration and events
extern const char* const program;    // output, command line

}  // namespace cutset::fortran_runtime
