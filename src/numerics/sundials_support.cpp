#include "numerics/sundials_support.h"

#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <utility>

#include "base/diagnostic.h"
#include "numerics/linear.h"

namespace cutset {

namespace {

double* data(SUNMatrix m) {
    return SM_DATA_D(m);
}
sunindextype length(SUNMatrix m) {
    return SM_LDATA_D(m);
}

int matrix_zero(SUNMatrix a) {
    std::fill_n(data(a), length(a), 0.0);
    return 0;
}
int matrix_copy(SUNMatrix a, SUNMatrix b) {
    std::copy_n(data(a), length(a), data(b));
    return 0;
}
// A := c A + B
int matrix_scale_add(double c, SUNMatrix a, SUNMatrix b) {
    double* p = data(a);
    const double* q = data(b);
    for (sunindextype i = 0, n = length(a); i < n; ++i) p[i] = c * p[i] + q[i];
    return 0;
}
// A := c A + I
int matrix_scale_add_identity(double c, SUNMatrix a) {
    double* p = data(a);
    for (sunindextype i = 0, n = length(a); i < n; ++i) p[i] *= c;
    for (sunindextype i = 0, n = SM_ROWS_D(a); i < n; ++i) p[i + i * n] += 1;
    return 0;
}

DenseLu& lu(SUNLinearSolver solver) {
    return *static_cast<DenseLu*>(solver->content);
}

SUNLinearSolver_Type solver_type(SUNLinearSolver) {
    return SUNLINEARSOLVER_DIRECT;
}
int solver_initialize(SUNLinearSolver) {
    return SUNLS_SUCCESS;
}
int solver_setup(SUNLinearSolver solver, SUNMatrix a) {
    bool ok = lu(solver).factor(static_cast<std::size_t>(SM_ROWS_D(a)),
                                {data(a), static_cast<std::size_t>(length(a))});
    return ok ? SUNLS_SUCCESS : SUNLS_LUFACT_FAIL;
}
int solver_solve(SUNLinearSolver solver, SUNMatrix, N_Vector x, N_Vector b, realtype) {
    N_VScale(1, b, x);
    lu(solver).solve(elements(x));
    return SUNLS_SUCCESS;
}
int solver_free(SUNLinearSolver solver) {
    delete static_cast<DenseLu*>(solver->content);
    solver->content = nullptr;
    SUNLinSolFreeEmpty(solver);
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
    N_VScale(1, b, x);
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

MatrixPtr make_dense_matrix(std::size_t n, SUNContext context) {
    MatrixPtr m(SUNDenseMatrix(static_cast<sunindextype>(n), static_cast<sunindextype>(n), context));
    CUTSET_ASSERT(m);
    m->ops->zero = matrix_zero;
    m->ops->copy = matrix_copy;
    m->ops->scaleadd = matrix_scale_add;
    m->ops->scaleaddi = matrix_scale_add_identity;
    return m;
}

LinearSolverPtr make_dense_solver(SUNContext context) {
    LinearSolverPtr solver(SUNLinSolNewEmpty(context));
    CUTSET_ASSERT(solver);
    // The iterations of SUNDIALS correct themselves: no refinement, and only an exact zero stops the
    // factorisation.
    solver->content = new DenseLu({.singular_when = DenseLu::SingularWhen::ExactZero, .refine = false});
    solver->ops->gettype = solver_type;
    solver->ops->initialize = solver_initialize;
    solver->ops->setup = solver_setup;
    solver->ops->solve = solver_solve;
    solver->ops->free = solver_free;
    return solver;
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
