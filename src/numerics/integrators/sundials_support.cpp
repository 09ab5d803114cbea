#include "numerics/integrators/sundials_support.h"

#include <algorithm>
#include <utility>

#include "base/diagnostic.h"

namespace cutset {

namespace {

SUNLinearSolver_Type solver_type(SUNLinearSolver) {
    return SUNLINEARSOLVER_DIRECT;
}
int solver_initialize(SUNLinearSolver) {
    return SUNLS_SUCCESS;
}
SUNMatrix_ID empty_matrix_id(SUNMatrix) {
    return SUNMATRIX_CUSTOM;
}
int empty_matrix_zero(SUNMatrix) {
    return 0;
}
void empty_matrix_destroy(SUNMatrix m) {
    SUNMatFreeEmpty(m);
}

using Solve = std::function<void(std::span<double>)>;
int no_setup(SUNLinearSolver, SUNMatrix) {
    return SUNLS_SUCCESS;
}
int function_solve(SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector b, realtype) {
    std::copy_n(NV_DATA_S(b), NV_LENGTH_S(b), NV_DATA_S(x));
    (*static_cast<Solve*>(solver->content))(elements(x));
    return SUNLS_SUCCESS;
}
int function_free(SUNLinearSolver solver) {
    delete static_cast<Solve*>(solver->content);
    solver->content = nullptr;
    SUNLinSolFreeEmpty(solver);
    return SUNLS_SUCCESS;
}

}  // namespace

ContextPtr make_context() {
    SUNContext context = nullptr;
    CUTSET_ASSERT(SUNContext_Create(nullptr, &context) == 0);
    return ContextPtr(context);
}

MatrixPtr make_empty_matrix(SUNContext context) {
    MatrixPtr m(SUNMatNewEmpty(context));
    CUTSET_ASSERT(m);
    m->ops->getid = empty_matrix_id;
    m->ops->zero = empty_matrix_zero;
    m->ops->destroy = empty_matrix_destroy;
    return m;
}

LinearSolverPtr make_linear_solver(Solve solve, SUNContext context) {
    LinearSolverPtr solver(SUNLinSolNewEmpty(context));
    CUTSET_ASSERT(solver);
    solver->content = new Solve(std::move(solve));
    solver->ops->gettype = solver_type;
    solver->ops->initialize = solver_initialize;
    solver->ops->setup = no_setup;
    solver->ops->solve = function_solve;
    solver->ops->free = function_free;
    return solver;
}

void keep_message(int, const char*, const char*, char* message, void* data) {
    *static_cast<std::string*>(data) = message;
}

}  // namespace cutset
