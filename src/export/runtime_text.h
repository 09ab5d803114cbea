// The run-time systems of translated programs, as text: what does not depend on the model. They are the files
// of src/export/runtime, one constant for each, embedded by the build (scripts/embed_text.cmake); the
// emitters put them together with the generated parts. Where a model has no delays, no state selection or no
// Jacobian, the part `no_…` takes the place of the other.
#pragma once

// In the order in which they stand in a program. The sizes of the model and its quantities come first.
namespace cutset::c_runtime {

extern const char* const values;         // types of the lists, switches, functions of expressions
extern const char* const tables;         // interpolation
extern const char* const array_element;  // index of an array in a function of the model
extern const char *const delays, *const no_delays;
extern const char* const linear_equations;  // LU
extern const char* const algebraic_loops;   // Newton
// Here stand the equations of the model and its lists.
extern const char* const instant;  // equations and switches at one time
extern const char *const settling, *const no_settling;
extern const char *const state_selection, *const no_state_selection;
extern const char* const results;          // rows of output
extern const char* const events;           // and the initialization
extern const char* const right_hand_side;  // of the integrators
extern const char *const rodas, *const no_rodas;
extern const char* const dopri;
extern const char* const integration;  // location of zero crossings, the run
extern const char* const program;      // the command line

}  // namespace cutset::c_runtime

// Parts of one module, in the same order. Names of the module end in `_`, which names made from a model never
// do.
namespace cutset::fortran_runtime {

extern const char* const variables;
// Here stand the lists of the model.
extern const char* const delay_lines;  // type and variables of `delays`
// Here begin the procedures.
extern const char* const values;
extern const char* const linear_equations;
extern const char* const tables;
extern const char* const array_element;
extern const char *const delays, *const no_delays;
extern const char* const algebraic_loops;
// Here stand the equations of the model.
extern const char* const instant;
extern const char *const settling, *const no_settling;
extern const char *const state_selection, *const no_state_selection;
extern const char* const events;
extern const char* const right_hand_side;
extern const char *const rodas, *const no_rodas;
extern const char* const dopri;
extern const char* const integration;
extern const char* const results;
extern const char* const program;

}  // namespace cutset::fortran_runtime
