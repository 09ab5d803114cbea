/* What a peer needs beside CVODE: vectors and matrices whose operations are compiled with optimisation, and direct linear solvers
   without detours. Debian's SUNDIALS is built without optimisation, which a good programmer would not accept. */
#ifndef FAST_VECTOR_H
#define FAST_VECTOR_H

#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nvector.h>

N_Vector fast_vector(long n, SUNContext context);
static inline double *values_of(N_Vector v) {
    return *(double **)v->content;
}

/* Dense, by columns, LU with partial pivoting. */
SUNMatrix fast_dense_matrix(int n, SUNContext context);
SUNLinearSolver fast_dense_solver(int n, SUNContext context);

/* Compressed columns with a fixed pattern that contains the diagonal and has its rows in order; KLU with AMD ordering. */
SUNMatrix fast_sparse_matrix(int n, const int *column_start, const int *row, SUNContext context);
SUNLinearSolver fast_sparse_solver(int n, SUNContext context);

/* The numbers of either matrix: n*n by columns, or one for each entry of the pattern. */
static inline double *entries_of(SUNMatrix m) {
    return *(double **)m->content;
}

#endif
