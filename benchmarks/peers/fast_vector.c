#include "fast_vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/klu.h>

/* ------------------------------------------------------------------ vectors */

typedef struct {
    double *data;
    long n;
} Vector;

#define V(v) (((Vector *)(v)->content)->data)
#define N(v) (((Vector *)(v)->content)->n)
#define EACH(i, v) _Pragma("GCC ivdep") for (long i = 0, n_ = N(v); i < n_; ++i)

static N_Vector clone_vector(N_Vector v) {
    N_Vector r = fast_vector(N(v), v->sunctx);
    return r;
}
static void destroy_vector(N_Vector v) {
    free(V(v));
    free(v->content);
    N_VFreeEmpty(v);
}
static double *array_pointer(N_Vector v) {
    return V(v);
}
static sunindextype length(N_Vector v) {
    return N(v);
}
static void linear_sum(double a, N_Vector x, double b, N_Vector y, N_Vector z) {
    const double *p = V(x), *q = V(y);
    double *r = V(z);
    const long n = N(z);
    /* element by element, so that overlapping arrays are harmless */
    if (a == 1 && b == 1) {
#pragma GCC ivdep
        for (long i = 0; i < n; ++i) r[i] = p[i] + q[i];
    } else if (a == 1 && b == -1) {
#pragma GCC ivdep
        for (long i = 0; i < n; ++i) r[i] = p[i] - q[i];
    } else if (b == 1) {
#pragma GCC ivdep
        for (long i = 0; i < n; ++i) r[i] = a * p[i] + q[i];
    } else {
#pragma GCC ivdep
        for (long i = 0; i < n; ++i) r[i] = a * p[i] + b * q[i];
    }
}
static void set_const(double c, N_Vector z) {
    double *r = V(z);
    EACH(i, z) r[i] = c;
}
static void product(N_Vector x, N_Vector y, N_Vector z) {
    const double *p = V(x), *q = V(y);
    double *r = V(z);
    EACH(i, z) r[i] = p[i] * q[i];
}
static void quotient(N_Vector x, N_Vector y, N_Vector z) {
    const double *p = V(x), *q = V(y);
    double *r = V(z);
    EACH(i, z) r[i] = p[i] / q[i];
}
static void scale(double c, N_Vector x, N_Vector z) {
    const double *p = V(x);
    double *r = V(z);
    if (c == 1) {
        if (p != r) memcpy(r, p, sizeof(double) * N(z));
        return;
    }
    EACH(i, z) r[i] = c * p[i];
}
static void absolute(N_Vector x, N_Vector z) {
    const double *p = V(x);
    double *r = V(z);
    EACH(i, z) r[i] = fabs(p[i]);
}
static void inverse(N_Vector x, N_Vector z) {
    const double *p = V(x);
    double *r = V(z);
    EACH(i, z) r[i] = 1 / p[i];
}
static void add_const(N_Vector x, double b, N_Vector z) {
    const double *p = V(x);
    double *r = V(z);
    EACH(i, z) r[i] = p[i] + b;
}
static double dot(N_Vector x, N_Vector y) {
    const double *p = V(x), *q = V(y);
    double s = 0;
    EACH(i, x) s += p[i] * q[i];
    return s;
}
static double max_norm(N_Vector x) {
    const double *p = V(x);
    double s = 0;
    EACH(i, x) s = fmax(s, fabs(p[i]));
    return s;
}
static double weighted_norm(N_Vector x, N_Vector w) {
    /* four sums, so that additions do not wait for each other */
    const double *p = V(x), *q = V(w);
    const long n = N(x);
    double s[4] = {0, 0, 0, 0};
    long i = 0;
    for (; i + 4 <= n; i += 4)
        for (int k = 0; k < 4; ++k) s[k] += p[i + k] * q[i + k] * (p[i + k] * q[i + k]);
    for (; i < n; ++i) s[0] += p[i] * q[i] * (p[i] * q[i]);
    return sqrt((s[0] + s[1] + s[2] + s[3]) / n);
}
static double minimum(N_Vector x) {
    const double *p = V(x);
    double s = p[0];
    EACH(i, x) if (p[i] < s) s = p[i];
    return s;
}
static int linear_combination(int k, double *c, N_Vector *x, N_Vector z) {
    double *r = V(z);
    const long n = N(z);
    /* z may be x[0] only */
    if (k == 1) {
        scale(c[0], x[0], z);
        return 0;
    }
    const double *p = V(x[0]), *q = V(x[1]);
    if (k == 2) {
        for (long i = 0; i < n; ++i) r[i] = c[0] * p[i] + c[1] * q[i];
        return 0;
    }
    const double *s = V(x[2]);
    for (long i = 0; i < n; ++i) r[i] = c[0] * p[i] + c[1] * q[i] + c[2] * s[i];
    int j = 3;
    for (; j + 2 <= k; j += 2) {
        const double *u = V(x[j]), *v = V(x[j + 1]);
        for (long i = 0; i < n; ++i) r[i] += c[j] * u[i] + c[j + 1] * v[i];
    }
    if (j < k) {
        const double *u = V(x[j]);
        for (long i = 0; i < n; ++i) r[i] += c[j] * u[i];
    }
    return 0;
}
static int scale_add_multi(int k, double *a, N_Vector x, N_Vector *y, N_Vector *z) {
    const double *p = V(x);
    for (int j = 0; j < k; ++j) {
        const double *q = V(y[j]);
        double *r = V(z[j]);
        const double c = a[j];
        EACH(i, x) r[i] = c * p[i] + q[i];
    }
    return 0;
}
static int linear_sum_array(int k, double a, N_Vector *x, double b, N_Vector *y, N_Vector *z) {
    for (int j = 0; j < k; ++j) linear_sum(a, x[j], b, y[j], z[j]);
    return 0;
}
static int scale_array(int k, double *c, N_Vector *x, N_Vector *z) {
    for (int j = 0; j < k; ++j) scale(c[j], x[j], z[j]);
    return 0;
}

N_Vector fast_vector(long n, SUNContext context) {
    N_Vector v = N_VNewEmpty(context);
    Vector *content = malloc(sizeof *content);
    content->data = calloc(n > 0 ? n : 1, sizeof(double));
    content->n = n;
    v->content = content;
    v->ops->nvclone = clone_vector;
    v->ops->nvdestroy = destroy_vector;
    v->ops->nvgetarraypointer = array_pointer;
    v->ops->nvgetlength = length;
    v->ops->nvlinearsum = linear_sum;
    v->ops->nvconst = set_const;
    v->ops->nvprod = product;
    v->ops->nvdiv = quotient;
    v->ops->nvscale = scale;
    v->ops->nvabs = absolute;
    v->ops->nvinv = inverse;
    v->ops->nvaddconst = add_const;
    v->ops->nvdotprod = dot;
    v->ops->nvmaxnorm = max_norm;
    v->ops->nvwrmsnorm = weighted_norm;
    v->ops->nvmin = minimum;
    v->ops->nvlinearcombination = linear_combination;
    v->ops->nvscaleaddmulti = scale_add_multi;
    v->ops->nvlinearsumvectorarray = linear_sum_array;
    v->ops->nvscalevectorarray = scale_array;
    return v;
}

/* ------------------------------------------------------------------ matrices */

typedef struct {
    double *data;
    long count;            /* of numbers */
    int n;
    const int *start, *row; /* NULL in a dense matrix */
    int *diagonal;          /* place of each diagonal entry */
} Matrix;

#define M(m) ((Matrix *)(m)->content)

static SUNMatrix_ID custom_id(SUNMatrix m) {
    (void)m;
    return SUNMATRIX_CUSTOM;
}
static SUNMatrix new_matrix(const Matrix *like, SUNContext context);
static SUNMatrix clone_matrix(SUNMatrix m) {
    return new_matrix(M(m), m->sunctx);
}
static void destroy_matrix(SUNMatrix m) {
    free(M(m)->data);
    free(M(m)->diagonal);
    free(M(m));
    SUNMatFreeEmpty(m);
}
static int zero_matrix(SUNMatrix m) {
    memset(M(m)->data, 0, sizeof(double) * M(m)->count);
    return 0;
}
static int copy_matrix(SUNMatrix from, SUNMatrix to) {
    memcpy(M(to)->data, M(from)->data, sizeof(double) * M(from)->count);
    return 0;
}
static int scale_add_identity(double c, SUNMatrix m) {
    Matrix *a = M(m);
    for (long i = 0; i < a->count; ++i) a->data[i] *= c;
    for (int i = 0; i < a->n; ++i) a->data[a->diagonal[i]] += 1;
    return 0;
}
static SUNMatrix new_matrix(const Matrix *like, SUNContext context) {
    SUNMatrix m = SUNMatNewEmpty(context);
    Matrix *a = malloc(sizeof *a);
    *a = *like;
    a->data = calloc(a->count, sizeof(double));
    a->diagonal = malloc(sizeof(int) * a->n);
    for (int j = 0; j < a->n; ++j) {
        if (!a->start) {
            a->diagonal[j] = j * a->n + j;
            continue;
        }
        for (int k = a->start[j]; k < a->start[j + 1]; ++k)
            if (a->row[k] == j) a->diagonal[j] = k;
    }
    m->content = a;
    m->ops->getid = custom_id;
    m->ops->clone = clone_matrix;
    m->ops->destroy = destroy_matrix;
    m->ops->zero = zero_matrix;
    m->ops->copy = copy_matrix;
    m->ops->scaleaddi = scale_add_identity;
    return m;
}
SUNMatrix fast_dense_matrix(int n, SUNContext context) {
    Matrix like = {NULL, (long)n * n, n, NULL, NULL, NULL};
    return new_matrix(&like, context);
}
SUNMatrix fast_sparse_matrix(int n, const int *column_start, const int *row, SUNContext context) {
    Matrix like = {NULL, column_start[n], n, column_start, row, NULL};
    return new_matrix(&like, context);
}

/* ------------------------------------------------------------------ linear solvers */

typedef struct {
    int *pivot;
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
} Solver;

#define S(s) ((Solver *)(s)->content)

static SUNLinearSolver_Type direct(SUNLinearSolver s) {
    (void)s;
    return SUNLINEARSOLVER_DIRECT;
}
static int initialize(SUNLinearSolver s) {
    (void)s;
    return 0;
}

static int dense_setup(SUNLinearSolver s, SUNMatrix m) {
    const int n = M(m)->n;
    double *a = M(m)->data;
    int *pivot = S(s)->pivot;
    for (int k = 0; k < n; ++k) {
        double *column = a + (long)k * n;
        int p = k;
        for (int i = k + 1; i < n; ++i)
            if (fabs(column[i]) > fabs(column[p])) p = i;
        pivot[k] = p;
        if (column[p] == 0) return 1;
        if (p != k)
            for (int j = 0; j < n; ++j) {
                double t = a[(long)j * n + k];
                a[(long)j * n + k] = a[(long)j * n + p];
                a[(long)j * n + p] = t;
            }
        const double r = 1 / column[k];
        for (int i = k + 1; i < n; ++i) column[i] *= r;
        for (int j = k + 1; j < n; ++j) {
            double *other = a + (long)j * n;
            const double f = other[k];
            if (f != 0)
                for (int i = k + 1; i < n; ++i) other[i] -= f * column[i];
        }
    }
    return 0;
}
static int dense_solve(SUNLinearSolver s, SUNMatrix m, N_Vector xv, N_Vector bv, double tolerance) {
    (void)tolerance;
    const int n = M(m)->n;
    const double *a = M(m)->data;
    const int *pivot = S(s)->pivot;
    double *x = V(xv);
    if (x != V(bv)) memcpy(x, V(bv), sizeof(double) * n);
    for (int k = 0; k < n; ++k)
        if (pivot[k] != k) {
            double t = x[k];
            x[k] = x[pivot[k]];
            x[pivot[k]] = t;
        }
    for (int k = 0; k < n; ++k)
        for (int i = k + 1; i < n; ++i) x[i] -= a[(long)k * n + i] * x[k];
    for (int k = n - 1; k >= 0; --k) {
        x[k] /= a[(long)k * n + k];
        for (int i = 0; i < k; ++i) x[i] -= a[(long)k * n + i] * x[k];
    }
    return 0;
}

static int sparse_setup(SUNLinearSolver s, SUNMatrix m) {
    Solver *k = S(s);
    Matrix *a = M(m);
    if (!k->symbolic) {
        k->common.ordering = 0; /* AMD */
        k->symbolic = klu_analyze(a->n, (int *)a->start, (int *)a->row, &k->common);
        if (!k->symbolic) return -1;
    }
    /* The same pivots again, unless they have become bad. */
    if (k->numeric && klu_refactor((int *)a->start, (int *)a->row, a->data, k->symbolic, k->numeric, &k->common) &&
        klu_rcond(k->symbolic, k->numeric, &k->common) && k->common.rcond > 1e-12)
        return 0;
    if (k->numeric) klu_free_numeric(&k->numeric, &k->common);
    k->numeric = klu_factor((int *)a->start, (int *)a->row, a->data, k->symbolic, &k->common);
    return k->numeric ? 0 : 1;
}
static int sparse_solve(SUNLinearSolver s, SUNMatrix m, N_Vector xv, N_Vector bv, double tolerance) {
    (void)tolerance;
    const int n = M(m)->n;
    double *x = V(xv);
    if (x != V(bv)) memcpy(x, V(bv), sizeof(double) * n);
    return klu_solve(S(s)->symbolic, S(s)->numeric, n, 1, x, &S(s)->common) ? 0 : -1;
}
static int free_solver(SUNLinearSolver s) {
    Solver *k = S(s);
    if (k->numeric) klu_free_numeric(&k->numeric, &k->common);
    if (k->symbolic) klu_free_symbolic(&k->symbolic, &k->common);
    free(k->pivot);
    free(k);
    SUNLinSolFreeEmpty(s);
    return 0;
}
static SUNLinearSolver new_solver(int n, SUNContext context) {
    SUNLinearSolver s = SUNLinSolNewEmpty(context);
    Solver *k = calloc(1, sizeof *k);
    k->pivot = malloc(sizeof(int) * n);
    klu_defaults(&k->common);
    s->content = k;
    s->ops->gettype = direct;
    s->ops->initialize = initialize;
    s->ops->free = free_solver;
    return s;
}
SUNLinearSolver fast_dense_solver(int n, SUNContext context) {
    SUNLinearSolver s = new_solver(n, context);
    s->ops->setup = dense_setup;
    s->ops->solve = dense_solve;
    return s;
}
SUNLinearSolver fast_sparse_solver(int n, SUNContext context) {
    SUNLinearSolver s = new_solver(n, context);
    s->ops->setup = sparse_setup;
    s->ops->solve = sparse_solve;
    return s;
}
