#include "numerics/linear/dense_decompositions.h"

#include <algorithm>
#include <cmath>

#include "base/diagnostic.h"
#include "base/finite.h"
#include "numerics/linear/block_factors.h"
#include "numerics/linear/lapack.h"

namespace cutset::dense {

namespace {

bool square_finite(int n, const double* a) {
    return all_finite({a, static_cast<std::size_t>(n) * static_cast<std::size_t>(n)});
}

Complexes joined(const std::vector<double>& real, const std::vector<double>& imaginary) {
    Complexes out(real.size());
    for (std::size_t i = 0; i < real.size(); ++i) out[i] = {real[i], imaginary[i]};
    return out;
}

int length(double answer, int least) {
    return std::max(static_cast<int>(answer), least);
}

}  // namespace

bool eigen(int n, double* a, Complexes& values, double* right, double* left) {
    values.clear();
    if (n == 0) return true;
    if (!square_finite(n, a)) return false;
    const char* vectors = right ? "V" : "N";
    std::vector<double> real(n), imaginary(n), scale(n), conditions(n), vector_conditions(n);
    std::vector<int> integers(2 * n);
    const int vector_rows = right ? n : 1;
    int ilo = 0, ihi = 0, info = 0, query = -1;
    double norm = 0, size = 0;
    const auto call = [&](double* work, const int* count) {
        dgeevx_("B", vectors, vectors, "N", &n, a, &n, real.data(), imaginary.data(), left, &vector_rows,
                right, &vector_rows, &ilo, &ihi, scale.data(), &norm, conditions.data(),
                vector_conditions.data(), work, count, integers.data(), &info, 1, 1, 1, 1);
    };
    call(&size, &query);
    std::vector<double> work(length(size, n * (n + 6)));
    const int count = static_cast<int>(work.size());
    call(work.data(), &count);
    if (info != 0) return false;
    values = joined(real, imaginary);
    return true;
}

void balance(int n, double* a, double* scale) {
    int ilo = 0, ihi = 0, info = 0;
    if (n > 0) dgebal_("S", &n, a, &n, &ilo, &ihi, scale, &info, 1);
}

bool schur(int n, double* a, double* q, Complexes& values) {
    values.clear();
    if (n == 0) return true;
    if (!square_finite(n, a)) return false;
    std::vector<double> real(n), imaginary(n);
    const int vector_rows = q ? n : 1;
    int sorted = 0, info = 0, query = -1;
    double size = 0;
    const auto call = [&](double* work, const int* count) {
        dgees_(q ? "V" : "N", "N", nullptr, &n, a, &n, &sorted, real.data(), imaginary.data(), q,
               &vector_rows, work, count, nullptr, &info, 1, 1);
    };
    call(&size, &query);
    std::vector<double> work(length(size, 3 * n));
    const int count = static_cast<int>(work.size());
    call(work.data(), &count);
    if (info != 0) return false;
    values = joined(real, imaginary);
    return true;
}

bool reorder_schur(int n, const std::vector<int>& select, double* t, double* q, Complexes& values) {
    if (n == 0) return true;
    std::vector<double> real(n), imaginary(n), work(std::max(1, n));
    int selected = 0, info = 0, integer = 0;
    const int count = static_cast<int>(work.size()), integers = 1;
    double s = 0, separation = 0;
    dtrsen_("N", "V", select.data(), &n, t, &n, q, &n, real.data(), imaginary.data(), &selected, &s,
            &separation, work.data(), &count, &integer, &integers, &info, 1, 1);
    if (info != 0) return false;
    values = joined(real, imaginary);
    return true;
}

bool sylvester(int m, int n, const double* a, bool transpose_a, const double* b, bool transpose_b, int sign,
               double* c) {
    if (m == 0 || n == 0) return true;
    double scale = 1;
    int info = 0;
    dtrsyl_(transpose_a ? "T" : "N", transpose_b ? "T" : "N", &sign, &m, &n, a, &m, b, &n, c, &m, &scale,
            &info, 1, 1);
    if (info != 0 || scale == 0) return false;
    const std::size_t size = static_cast<std::size_t>(m) * n;
    for (std::size_t i = 0; i < size; ++i) c[i] /= scale;
    return std::all_of(c, c + size, [](double v) { return std::isfinite(v); });
}

bool generalized_eigenvalues(int n, double* a, double* b, Complexes& alpha, std::vector<double>& beta) {
    alpha.clear();
    beta.assign(n, 0);
    if (n == 0) return true;
    if (!square_finite(n, a) || !square_finite(n, b)) return false;
    std::vector<double> real(n), imaginary(n);
    int info = 0, query = -1, one = 1;
    double size = 0;
    const auto call = [&](double* work, const int* count) {
        dggev_("N", "N", &n, a, &n, b, &n, real.data(), imaginary.data(), beta.data(), nullptr, &one, nullptr,
               &one, work, count, &info, 1, 1);
    };
    call(&size, &query);
    std::vector<double> work(length(size, 8 * n));
    const int count = static_cast<int>(work.size());
    call(work.data(), &count);
    if (info != 0) return false;
    alpha = joined(real, imaginary);
    return true;
}

bool generalized_schur(int n, double* a, double* b, double* q, double* z, Complexes& alpha,
                       std::vector<double>& beta) {
    alpha.clear();
    beta.assign(n, 0);
    if (n == 0) return true;
    if (!square_finite(n, a) || !square_finite(n, b)) return false;
    std::vector<double> real(n), imaginary(n);
    int info = 0, query = -1, sorted = 0;
    double size = 0;
    const auto call = [&](double* work, const int* count) {
        dgges_("V", "V", "N", nullptr, &n, a, &n, b, &n, &sorted, real.data(), imaginary.data(), beta.data(),
               q, &n, z, &n, work, count, nullptr, &info, 1, 1, 1);
    };
    call(&size, &query);
    std::vector<double> work(length(size, 8 * n + 16));
    const int count = static_cast<int>(work.size());
    call(work.data(), &count);
    if (info != 0) return false;
    alpha = joined(real, imaginary);
    return true;
}

bool reorder_generalized_schur(int n, const std::vector<int>& select, double* s, double* t, double* q,
                               double* z, Complexes& alpha, std::vector<double>& beta) {
    if (n == 0) return true;
    std::vector<double> real(n), imaginary(n), work(4 * n + 16);
    beta.assign(n, 0);
    const int job = 0, yes = 1, count = static_cast<int>(work.size());
    int selected = 0, info = 0;
    std::vector<int> integers(n + 6);
    const int integer_count = static_cast<int>(integers.size());
    double left = 0, right = 0, separation[2] = {0, 0};
    dtgsen_(&job, &yes, &yes, select.data(), &n, s, &n, t, &n, real.data(), imaginary.data(), beta.data(), q,
            &n, z, &n, &selected, &left, &right, separation, work.data(), &count, integers.data(),
            &integer_count, &info);
    if (info != 0) return false;
    alpha = joined(real, imaginary);
    return true;
}

bool singular_values(int m, int n, double* a, std::vector<double>& values, double* u, double* vt) {
    const int k = std::min(m, n);
    values.assign(k, 0);
    if (k == 0) return true;
    int info = 0, query = -1;
    const int u_rows = u ? m : 1, v_rows = vt ? n : 1;
    double size = 0;
    const auto call = [&](double* work, const int* count) {
        dgesvd_(u ? "A" : "N", vt ? "A" : "N", &m, &n, a, &m, values.data(), u, &u_rows, vt, &v_rows, work,
                count, &info, 1, 1);
    };
    call(&size, &query);
    std::vector<double> work(length(size, 5 * (m + n)));
    const int count = static_cast<int>(work.size());
    call(work.data(), &count);
    return info == 0;
}

bool singular_values(int m, int n, std::complex<double>* a, std::vector<double>& values) {
    const int k = std::min(m, n), one = 1;
    values.assign(k, 0);
    if (k == 0) return true;
    int info = 0, query = -1;
    std::complex<double> size = 0;
    std::vector<double> real(5 * k);
    const auto call = [&](std::complex<double>* work, const int* count) {
        zgesvd_("N", "N", &m, &n, a, &m, values.data(), nullptr, &one, nullptr, &one, work, count,
                real.data(), &info, 1, 1);
    };
    call(&size, &query);
    Complexes work(length(size.real(), 3 * (m + n)));
    const int count = static_cast<int>(work.size());
    call(work.data(), &count);
    return info == 0;
}

namespace {

template <class Scalar, class Factor, class Apply>
void factor_and_apply(int m, int n, Scalar* a, Scalar* rest, const Factor& factor, const Apply& apply) {
    CUTSET_ASSERT(m >= n);
    if (m == 0) return;
    std::vector<Scalar> tau(static_cast<std::size_t>(std::max(n, 1)));
    std::vector<Scalar> work(static_cast<std::size_t>(64 * m));
    const int count = static_cast<int>(work.size()), others = m - n;
    int info = 0;
    if (n > 0) factor(&m, &n, a, &m, tau.data(), work.data(), &count, &info);
    CUTSET_ASSERT(info == 0);
    if (!rest || others == 0) return;
    // Q [0; 1]
    const std::size_t rows = static_cast<std::size_t>(m), columns = static_cast<std::size_t>(others);
    std::fill(rest, rest + rows * columns, Scalar(0));
    for (std::size_t j = 0; j < columns; ++j) rest[j * rows + rows - columns + j] = Scalar(1);
    if (n > 0)
        apply("L", "N", &m, &others, &n, a, &m, tau.data(), rest, &m, work.data(), &count, &info, 1, 1);
    CUTSET_ASSERT(info == 0);
}

}  // namespace

void orthogonal_rest(int m, int n, double* a, double* rest) {
    factor_and_apply(m, n, a, rest, dgeqrf_, dormqr_);
}

void orthogonal_rest(int m, int n, std::complex<double>* a, std::complex<double>* rest) {
    factor_and_apply(m, n, a, rest, zgeqrf_, zunmqr_);
}

std::optional<int> least_squares(int m, int n, double* a, double* b, double rank_tolerance) {
    if (n == 0) return 0;
    const std::size_t rows = static_cast<std::size_t>(m), columns = static_cast<std::size_t>(n);
    if (!all_finite({a, rows * columns}) || !all_finite({b, rows})) return std::nullopt;
    const int one = 1, longer = std::max({m, n, 1}), query = -1;
    int rank = 0, info = 0;
    std::vector<int> exchanges(columns, 0);
    const auto call = [&](double* work, const int* count) {
        dgelsy_(&m, &n, &one, a, &m, b, &longer, exchanges.data(), &rank_tolerance, &rank, work, count,
                &info);
    };
    double size = 0;
    call(&size, &query);
    std::vector<double> work(length(size, 4 * (m + n)));
    const int count = static_cast<int>(work.size());
    call(work.data(), &count);
    CUTSET_ASSERT(info == 0);
    return rank;
}

bool complex_schur(int n, std::complex<double>* a, std::complex<double>* u) {
    if (n == 0) return true;
    Complexes values(n);
    std::vector<double> real(n);
    int sorted = 0, info = 0, query = -1;
    std::complex<double> size = 0;
    const auto call = [&](std::complex<double>* work, const int* count) {
        zgees_("V", "N", nullptr, &n, a, &n, &sorted, values.data(), u, &n, work, count, real.data(), nullptr,
               &info, 1, 1);
    };
    call(&size, &query);
    Complexes work(length(size.real(), 2 * n));
    const int count = static_cast<int>(work.size());
    call(work.data(), &count);
    return info == 0;
}

bool symmetric_eigen(int n, double* a, std::vector<double>& values) {
    values.assign(n, 0);
    if (n == 0) return true;
    if (!square_finite(n, a)) return false;
    int info = 0, query = -1;
    double size = 0;
    dsyev_("V", "U", &n, a, &n, values.data(), &size, &query, &info, 1, 1);
    std::vector<double> work(length(size, 3 * n));
    const int count = static_cast<int>(work.size());
    dsyev_("V", "U", &n, a, &n, values.data(), work.data(), &count, &info, 1, 1);
    return info == 0;
}

namespace {

template <class Scalar>
double one_norm(int n, const Scalar* a) {
    double norm = 0;
    for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int i = 0; i < n; ++i) sum += std::abs(a[static_cast<std::size_t>(j) * n + i]);
        norm = std::max(norm, sum);
    }
    return norm;
}

}  // namespace

template <>
double factor(int n, double* a, std::vector<int>& pivots) {
    pivots.assign(n, 0);
    if (n == 0) return 1;
    const double norm = one_norm(n, a);
    double reciprocal = 0;
    int info = 0;
    const int zero = factor_full(static_cast<std::size_t>(n), a, pivots.data());
    if (zero != 0 || !std::isfinite(norm)) return 0;
    std::vector<double> work(4 * n);
    std::vector<int> integers(n);
    dgecon_("1", &n, a, &n, &norm, &reciprocal, work.data(), integers.data(), &info, 1);
    return reciprocal;
}

template <>
double factor(int n, std::complex<double>* a, std::vector<int>& pivots) {
    pivots.assign(n, 0);
    if (n == 0) return 1;
    const double norm = one_norm(n, a);
    double reciprocal = 0;
    int info = 0;
    const int zero = factor_full(static_cast<std::size_t>(n), a, pivots.data());
    if (zero != 0 || !std::isfinite(norm)) return 0;
    Complexes work(2 * n);
    std::vector<double> real(2 * n);
    zgecon_("1", &n, a, &n, &norm, &reciprocal, work.data(), real.data(), &info, 1);
    return reciprocal;
}

template <>
void solve_factored(int n, const double* factors, const std::vector<int>& pivots, bool transposed,
                    int columns, double* b) {
    int info = 0;
    if (n > 0 && columns > 0)
        dgetrs_(transposed ? "T" : "N", &n, &columns, factors, &n, pivots.data(), b, &n, &info, 1);
}

template <>
void solve_factored(int n, const std::complex<double>* factors, const std::vector<int>& pivots,
                    bool transposed, int columns, std::complex<double>* b) {
    int info = 0;
    if (n > 0 && columns > 0)
        zgetrs_(transposed ? "T" : "N", &n, &columns, factors, &n, pivots.data(), b, &n, &info, 1);
}

}  // namespace cutset::dense
