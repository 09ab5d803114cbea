// LU factors of full matrices, real and complex, that are not small: with partial pivoting, in the layout of
// LAPACK's getrf (unit L below U by columns, pivots counted from 1). Private to src/numerics.
//
// Half of the columns are factored, the other half is brought up to date by a product of matrices, then
// factored in turn; so nearly all of the work is products. These run in tiles that the registers of the
// processor hold. Each number is summed up in the same order on all processors: results do not depend on how
// wide the registers are.
#pragma once

#include <complex>
#include <cstddef>

#include "numerics/linear/dense_kernels.h"

namespace cutset {

// A := its factors. Returns 0, or the number (from 1) of the first pivot that is exactly zero.
int factor_blocks(std::size_t n, double* a, int* pivots);
int factor_blocks(std::size_t n, std::complex<double>* a, int* pivots);

// The same for matrices of any size.
template <class Scalar>
int factor_full(std::size_t n, Scalar* a, int* pivots) {
    return n <= largest_kernel_size ? factor_small(n, a, pivots) : factor_blocks(n, a, pivots);
}

}  // namespace cutset
