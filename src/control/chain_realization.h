// Transfer functions as chains of sections of first and second order, each with gain about one:
//
//     u → [section 1] → [section 2] → … → y
//
// A companion matrix holds the coefficients of the whole denominator, and rounding them moves poles that lie
// close to each other ((s+1)^200 becomes unstable); in a chain every pole stands by itself. The matrix A is
// block upper triangular, with one pole or a conjugate pair in each block.
#pragma once

#include <vector>

#include "control/transfer_function.h"

namespace cutset {

// A proper transfer function with a finite gain. Its delay is left out.
StateSpace chain_realization(const TransferFunction& g);
// A chain for each element, by row and column: not minimal when elements share poles. All have the same
// sample time.
StateSpace chain_realization(const std::vector<std::vector<TransferFunction>>& elements);

}  // namespace cutset
