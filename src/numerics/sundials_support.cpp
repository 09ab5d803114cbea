#include "numerics/sundials_support.h"

#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/diagnostic.h"
#include "numerics/linear.h"

namespace cutset {

namespace {

// Element by element; the result may be one of the operands.
template <class F>
void each(N_Vector z, F f) {
    double* result = NV_DATA_S(z);
    const sunindextype n = NV_LENGTH_S(z);
    for (sunindextype i = 0; i < n; ++i) result[i] = f(i);
}

// The sum of term(i) over four accumulators: fast without reordering by the compiler, the same on every run.
template <class F>
double sum(sunindextype n, F term) {
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    sunindextype i = 0;
    for (; i + 4 <= n; i += 4) {
        s0 += term(i);
        s1 += term(i + 1);
        s2 += term(i + 2);
        s3 += term(i + 3);
    }
    for (; i < n; ++i) s0 += term(i);
    return (s0 + s1) + (s2 + s3);
}

double square(double v) {
    return v * v;
}

void linear_sum(double a, N_Vector x, double b, N_Vector y, N_Vector z) {
    const double *p = NV_DATA_S(x), *q = NV_DATA_S(y);
    if (a == 1 && b == 1) return each(z, [=](sunindextype i) { return p[i] + q[i]; });
    if (a == 1 && b == -1) return each(z, [=](sunindextype i) { return p[i] - q[i]; });
    if (a == 1) return each(z, [=](sunindextype i) { return p[i] + b * q[i]; });
    if (b == 1) return each(z, [=](sunindextype i) { return a * p[i] + q[i]; });
    each(z, [=](sunindextype i) { return a * p[i] + b * q[i]; });
}
void set_constant(double c, N_Vector z) {
    each(z, [=](sunindextype) { return c; });
}
void product(N_Vector x, N_Vector y, N_Vector z) {
    const double *p = NV_DATA_S(x), *q = NV_DATA_S(y);
    each(z, [=](sunindextype i) { return p[i] * q[i]; });
}
void quotient(N_Vector x, N_Vector y, N_Vector z) {
    const double *p = NV_DATA_S(x), *q = NV_DATA_S(y);
    each(z, [=](sunindextype i) { return p[i] / q[i]; });
}
void scale(double c, N_Vector x, N_Vector z) {
    const double* p = NV_DATA_S(x);
    if (c == 1) {
        if (x != z) std::copy(p, p + NV_LENGTH_S(x), NV_DATA_S(z));
        return;
    }
    each(z, [=](sunindextype i) { return c * p[i]; });
}
void absolute(N_Vector x, N_Vector z) {
    const double* p = NV_DATA_S(x);
    each(z, [=](sunindextype i) { return std::abs(p[i]); });
}
void inverse(N_Vector x, N_Vector z) {
    const double* p = NV_DATA_S(x);
    each(z, [=](sunindextype i) { return 1 / p[i]; });
}
void add_constant(N_Vector x, double b, N_Vector z) {
    const double* p = NV_DATA_S(x);
    each(z, [=](sunindextype i) { return p[i] + b; });
}
double dot_product(N_Vector x, N_Vector y) {
    const double *p = NV_DATA_S(x), *q = NV_DATA_S(y);
    return sum(NV_LENGTH_S(x), [=](sunindextype i) { return p[i] * q[i]; });
}
// A NaN must come out as NaN, so not std::max.
double max_norm(N_Vector x) {
    double result = 0;
    for (double v : elements(x))
        if (!(std::abs(v) <= result)) result = std::abs(v);
    return result;
}
double weighted_square_sum(N_Vector x, N_Vector w) {
    const double *p = NV_DATA_S(x), *q = NV_DATA_S(w);
    return sum(NV_LENGTH_S(x), [=](sunindextype i) { return square(p[i] * q[i]); });
}
double weighted_rms_norm(N_Vector x, N_Vector w) {
    return std::sqrt(weighted_square_sum(x, w) / static_cast<double>(NV_LENGTH_S(x)));
}
double weighted_norm(N_Vector x, N_Vector w) {
    return std::sqrt(weighted_square_sum(x, w));
}
double minimum(N_Vector x) {
    double result = std::numeric_limits<double>::max();
    for (double v : elements(x)) result = std::min(result, v);
    return result;
}
int linear_combination(int count, double* c, N_Vector* x, N_Vector z) {
    // x[0] may be z itself; the others are different vectors.
    scale(c[0], x[0], z);
    double* result = NV_DATA_S(z);
    const sunindextype n = NV_LENGTH_S(z);
    for (int k = 1; k < count; ++k) {
        const double* p = NV_DATA_S(x[k]);
        const double factor = c[k];
        for (sunindextype i = 0; i < n; ++i) result[i] += factor * p[i];
    }
    return 0;
}
int scale_add_multi(int count, double* a, N_Vector x, N_Vector* y, N_Vector* z) {
    for (int k = 0; k < count; ++k) linear_sum(a[k], x, 1, y[k], z[k]);
    return 0;
}

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
    scale(1, b, x);
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
    scale(1, b, x);
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

VectorPtr make_vector(std::size_t n, SUNContext context) {
    VectorPtr v(N_VNew_Serial(static_cast<sunindextype>(n), context));
    CUTSET_ASSERT(v);
    N_Vector_Ops ops = v->ops;
    ops->nvlinearsum = linear_sum;
    ops->nvconst = set_constant;
    ops->nvprod = product;
    ops->nvdiv = quotient;
    ops->nvscale = scale;
    ops->nvabs = absolute;
    ops->nvinv = inverse;
    ops->nvaddconst = add_constant;
    ops->nvdotprod = dot_product;
    ops->nvmaxnorm = max_norm;
    ops->nvwrmsnorm = weighted_rms_norm;
    ops->nvwl2norm = weighted_norm;
    ops->nvmin = minimum;
    ops->nvlinearcombination = linear_combination;
    ops->nvscaleaddmulti = scale_add_multi;
    return v;
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
