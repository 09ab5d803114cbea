// Eigenvalues of small dense matrices, for questions of stability.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace cutset {

// Of the n by n matrix `a`, stored by columns; in no particular order. Empty when the matrix is not finite or
// the iteration did not converge.
std::vector<std::complex<double>> eigenvalues(std::size_t n, std::span<const double> a);

}  // namespace cutset
