// Hessenberg form of a large matrix, and C (s I - H)^-1 B from it in n^2 operations for each s. Our own,
// because the reference LAPACK moves the matrix through memory several times for each column.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

namespace cutset {

// A := Q^T A Q upper Hessenberg, B := Q^T B, Ct := Q^T Ct with orthogonal Q; all by columns, A n by n, B n by
// m, Ct (the transpose of C) n by p.
void reduce_to_hessenberg(std::size_t n, double* a, std::size_t m, double* b, std::size_t p, double* ct);

// Evaluates with a Hessenberg H. The columns of s I - H are combined from the last to the first so that a
// triangular matrix appears column by column (with exchanges, as in Gaussian elimination); each column is
// used up at once for the right-hand sides, so nothing of size n^2 is written.
class HessenbergResponse {
  public:
    // The arrays of reduce_to_hessenberg; they must live as long as this.
    HessenbergResponse(std::size_t n, const double* h, std::size_t m, const double* b, std::size_t p,
                       const double* ct);
    // g := C (s I - H)^-1 B, p by m by columns. Infinite elements when s is an eigenvalue to the last digit.
    void evaluate(std::complex<double> s, std::complex<double>* g);

  private:
    std::size_t n_, m_, p_;
    const double *h_, *b_, *ct_;
    std::vector<double> w_re_, w_im_, b_re_, b_im_;
    std::vector<std::complex<double>> c_;
};

}  // namespace cutset
