// Geometry of linear systems with exact subspaces: kernels, inverse images, intersections, invariant
// subspaces (Wonham). A subspace is a matrix whose columns are a basis; no columns: only the zero vector.
#pragma once

#include <optional>

#include "control/exact_matrix.h"

namespace cutset {

// Independent columns with the same span, in the order of the given ones.
ExactMatrix basis_of(const ExactMatrix& columns);
// {x | A x = 0}
ExactMatrix kernel(const ExactMatrix& A);
// {x | A x in the span of the columns of B}
ExactMatrix inverse_image(const ExactMatrix& A, const ExactMatrix& B);
// One solution of A X = B and the kernel of A, which may be added to each column; nothing when there is none.
struct ExactSolutions {
    ExactMatrix particular, kernel;
};
std::optional<ExactSolutions> solve_exactly(const ExactMatrix& A, const ExactMatrix& B);
ExactMatrix sum_of(const ExactMatrix& a, const ExactMatrix& b);
ExactMatrix intersection(const ExactMatrix& a, const ExactMatrix& b);
// Orthogonal columns with the same span, not normalised.
ExactMatrix gram_schmidt(const ExactMatrix& columns);
// The largest subspace V of `within` with A V in V.
ExactMatrix largest_invariant(const ExactMatrix& A, const ExactMatrix& within);
// The largest V of `within` with A V in V + im B: feedback can keep the state there.
ExactMatrix largest_controlled_invariant(const ExactMatrix& A, const ExactMatrix& B,
                                         const ExactMatrix& within);

}  // namespace cutset
