// What the users of SUNDIALS share: ownership of its objects, vectors whose operations are compiled with our
// flags (Debian's SUNDIALS is compiled without optimisation), linear solvers of our own, and silence. Private
// to src/numerics.
#pragma once

#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#include <functional>
#include <memory>
#include <span>
#include <string>

namespace cutset {

struct ContextDeleter {
    void operator()(SUNContext context) const { SUNContext_Free(&context); }
};
struct VectorDeleter {
    void operator()(N_Vector v) const { N_VDestroy(v); }
};
struct MatrixDeleter {
    void operator()(SUNMatrix m) const { SUNMatDestroy(m); }
};
struct LinearSolverDeleter {
    void operator()(SUNLinearSolver s) const { SUNLinSolFree(s); }
};
using ContextPtr = std::unique_ptr<_SUNContext, ContextDeleter>;
using VectorPtr = std::unique_ptr<_generic_N_Vector, VectorDeleter>;
using MatrixPtr = std::unique_ptr<_generic_SUNMatrix, MatrixDeleter>;
using LinearSolverPtr = std::unique_ptr<_generic_SUNLinearSolver, LinearSolverDeleter>;

ContextPtr make_context();
// A serial vector with our operations; vectors cloned from it have them too.
VectorPtr make_vector(std::size_t n, SUNContext context);
// For systems whose matrix we keep and factor ourselves, in the function that SUNDIALS calls to form it: a
// matrix without elements, and a solver that only solves, b := M^-1 b.
MatrixPtr make_empty_matrix(SUNContext context);
LinearSolverPtr make_linear_solver(std::function<void(std::span<double> b)> solve, SUNContext context);

inline std::span<double> elements(N_Vector v) {
    return {NV_DATA_S(v), static_cast<std::size_t>(NV_LENGTH_S(v))};
}

// SUNDIALS' error handler: keeps the last message in the std::string that `data` points to.
void keep_message(int code, const char* module, const char* function, char* message, void* data);

}  // namespace cutset
