// Text of a translated C program that does not depend on the model, in pieces; see emit_c.cpp.
#pragma once

namespace cutset::c_runtime {

extern const char* const helpers;    // functions of expressions, switches
extern const char* const tables;     // interpolation
extern const char* const delays;     // delay lines
extern const char* const no_delays;  // the same for a model without
extern const char* const factoring;  // LU
extern const char* const loops;      // Newton
extern const char* const stiff;      // Rosenbrock method
extern const char* const run;        // integration, events, main

}  // namespace cutset::c_runtime
