// The LAPACK routines that this folder calls. Private to src/numerics. The trailing std::size_t arguments are
// the hidden lengths of Fortran character arguments.
#pragma once

#include <complex>
#include <cstddef>

extern "C" {
void dgetrs_(const char* trans, const int* n, const int* nrhs, const double* a, const int* lda,
             const int* ipiv, double* b, const int* ldb, int* info, std::size_t trans_length);
void dgecon_(const char* norm, const int* n, const double* a, const int* lda, const double* anorm,
             double* rcond, double* work, int* iwork, int* info, std::size_t norm_length);
void dgelsy_(const int* m, const int* n, const int* nrhs, double* a, const int* lda, double* b,
             const int* ldb, int* jpvt, const double* rcond, int* rank, double* work, const int* lwork,
             int* info);
void dgeev_(const char* left, const char* right, const int* n, double* a, const int* lda, double* real,
            double* imaginary, double* vl, const int* ldvl, double* vr, const int* ldvr, double* work,
            const int* lwork, int* info, std::size_t left_length, std::size_t right_length);
void dgeevx_(const char* balance, const char* left, const char* right, const char* sense, const int* n,
             double* a, const int* lda, double* real, double* imaginary, double* vl, const int* ldvl,
             double* vr, const int* ldvr, int* ilo, int* ihi, double* scale, double* norm, double* rconde,
             double* rcondv, double* work, const int* lwork, int* iwork, int* info, std::size_t, std::size_t,
             std::size_t, std::size_t);
void dgebal_(const char* job, const int* n, double* a, const int* lda, int* ilo, int* ihi, double* scale,
             int* info, std::size_t job_length);
void dgees_(const char* vectors, const char* sort, int (*select)(const double*, const double*), const int* n,
            double* a, const int* lda, int* sdim, double* real, double* imaginary, double* vs,
            const int* ldvs, double* work, const int* lwork, int* bwork, int* info, std::size_t, std::size_t);
void dtrsen_(const char* job, const char* compq, const int* select, const int* n, double* t, const int* ldt,
             double* q, const int* ldq, double* real, double* imaginary, int* m, double* s, double* sep,
             double* work, const int* lwork, int* iwork, const int* liwork, int* info, std::size_t,
             std::size_t);
void dtrsyl_(const char* trana, const char* tranb, const int* isgn, const int* m, const int* n,
             const double* a, const int* lda, const double* b, const int* ldb, double* c, const int* ldc,
             double* scale, int* info, std::size_t, std::size_t);
void dggev_(const char* left, const char* right, const int* n, double* a, const int* lda, double* b,
            const int* ldb, double* alphar, double* alphai, double* beta, double* vl, const int* ldvl,
            double* vr, const int* ldvr, double* work, const int* lwork, int* info, std::size_t, std::size_t);
void dgges_(const char* left, const char* right, const char* sort,
            int (*select)(const double*, const double*, const double*), const int* n, double* a,
            const int* lda, double* b, const int* ldb, int* sdim, double* alphar, double* alphai,
            double* beta, double* vsl, const int* ldvsl, double* vsr, const int* ldvsr, double* work,
            const int* lwork, int* bwork, int* info, std::size_t, std::size_t, std::size_t);
void dtgsen_(const int* ijob, const int* wantq, const int* wantz, const int* select, const int* n, double* a,
             const int* lda, double* b, const int* ldb, double* alphar, double* alphai, double* beta,
             double* q, const int* ldq, double* z, const int* ldz, int* m, double* pl, double* pr,
             double* dif, double* work, const int* lwork, int* iwork, const int* liwork, int* info);
void dgesvd_(const char* jobu, const char* jobvt, const int* m, const int* n, double* a, const int* lda,
             double* s, double* u, const int* ldu, double* vt, const int* ldvt, double* work,
             const int* lwork, int* info, std::size_t, std::size_t);
void zgesvd_(const char* jobu, const char* jobvt, const int* m, const int* n, std::complex<double>* a,
             const int* lda, double* s, std::complex<double>* u, const int* ldu, std::complex<double>* vt,
             const int* ldvt, std::complex<double>* work, const int* lwork, double* rwork, int* info,
             std::size_t, std::size_t);
void zgees_(const char* vectors, const char* sort, int (*select)(const std::complex<double>*), const int* n,
            std::complex<double>* a, const int* lda, int* sdim, std::complex<double>* w,
            std::complex<double>* vs, const int* ldvs, std::complex<double>* work, const int* lwork,
            double* rwork, int* bwork, int* info, std::size_t, std::size_t);
void zgecon_(const char* norm, const int* n, const std::complex<double>* a, const int* lda,
             const double* anorm, double* rcond, std::complex<double>* work, double* rwork, int* info,
             std::size_t norm_length);
void dgeqrf_(const int* m, const int* n, double* a, const int* lda, double* tau, double* work,
             const int* lwork, int* info);
void dormqr_(const char* side, const char* trans, const int* m, const int* n, const int* k, const double* a,
             const int* lda, const double* tau, double* c, const int* ldc, double* work, const int* lwork,
             int* info, std::size_t, std::size_t);
void zgeqrf_(const int* m, const int* n, std::complex<double>* a, const int* lda, std::complex<double>* tau,
             std::complex<double>* work, const int* lwork, int* info);
void zunmqr_(const char* side, const char* trans, const int* m, const int* n, const int* k,
             const std::complex<double>* a, const int* lda, const std::complex<double>* tau,
             std::complex<double>* c, const int* ldc, std::complex<double>* work, const int* lwork, int* info,
             std::size_t, std::size_t);
void dsyev_(const char* vectors, const char* uplo, const int* n, double* a, const int* lda, double* w,
            double* work, const int* lwork, int* info, std::size_t, std::size_t);
void zgetrs_(const char* trans, const int* n, const int* nrhs, const std::complex<double>* a, const int* lda,
             const int* ipiv, std::complex<double>* b, const int* ldb, int* info, std::size_t trans_length);
}
