// SUNDIALS' serial vector with operations of our own. Compiled with more optimisation than the rest: these
// loops are half of the time of large systems.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/diagnostic.h"
#include "numerics/integrators/sundials_support.h"

namespace cutset {

namespace {

// Element by element; the result may be one of the operands.
template <class F>
void each(N_Vector z, F f) {
    double* result = NV_DATA_S(z);
    const sunindextype n = NV_LENGTH_S(z);
#pragma GCC ivdep
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
// z := sum c_k x_k, three at a time: z is written and read less often. x[0] may be z itself; the others are
// different vectors.
int linear_combination(int count, double* c, N_Vector* x, N_Vector z) {
    if (count == 1) {
        scale(c[0], x[0], z);
        return 0;
    }
    const double *p = NV_DATA_S(x[0]), *q = NV_DATA_S(x[1]);
    const double a = c[0], b = c[1];
    int k = 2;
    if (count == 2) {
        each(z, [=](sunindextype i) { return a * p[i] + b * q[i]; });
    } else {
        const double* r = NV_DATA_S(x[k]);
        const double d = c[k++];
        each(z, [=](sunindextype i) { return a * p[i] + b * q[i] + d * r[i]; });
    }
    const double* sum = NV_DATA_S(z);
    for (; k + 1 < count; k += 2) {
        const double *u = NV_DATA_S(x[k]), *v = NV_DATA_S(x[k + 1]);
        const double d = c[k], e = c[k + 1];
        each(z, [=](sunindextype i) { return sum[i] + (d * u[i] + e * v[i]); });
    }
    if (k < count) {
        const double* u = NV_DATA_S(x[k]);
        const double d = c[k];
        each(z, [=](sunindextype i) { return sum[i] + d * u[i]; });
    }
    return 0;
}
int scale_add_multi(int count, double* a, N_Vector x, N_Vector* y, N_Vector* z) {
    for (int k = 0; k < count; ++k) linear_sum(a[k], x, 1, y[k], z[k]);
    return 0;
}
int linear_sum_array(int count, double a, N_Vector* x, double b, N_Vector* y, N_Vector* z) {
    for (int k = 0; k < count; ++k) linear_sum(a, x[k], b, y[k], z[k]);
    return 0;
}
int scale_array(int count, double* c, N_Vector* x, N_Vector* z) {
    for (int k = 0; k < count; ++k) scale(c[k], x[k], z[k]);
    return 0;
}
int constant_array(int count, double c, N_Vector* z) {
    for (int k = 0; k < count; ++k) set_constant(c, z[k]);
    return 0;
}

}  // namespace

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
    ops->nvlinearsumvectorarray = linear_sum_array;
    ops->nvscalevectorarray = scale_array;
    ops->nvconstvectorarray = constant_array;
    return v;
}

}  // namespace cutset
