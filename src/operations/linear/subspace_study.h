// Kernels, images, intersections and invariant subspaces of matrices with numbers or symbols, exactly.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control/exact_matrix.h"
#include "operations/linear/linear_source.h"

namespace cutset {

// Matrices are written as "[1, 2; 3, 4]", "A" … "D" of the system, "[A, B]" of
// these, or "ker C". Empty ones are not asked for.
struct SubspaceRequest : LinearRequest {
    std::string kernel, image, gram_schmidt, echelon;
    std::vector<std::string> solve, inverse_image, intersection;  // two each
    std::string invariant, controlled_invariant;                  // the subspace within which
};

enum class SubspaceQuestion {
    Kernel,
    Image,
    Echelon,
    GramSchmidt,
    Solution,        // a particular X of A X = B
    SolutionKernel,  // what may be added to each of its columns
    InverseImage,
    Intersection,
    Invariant,
    ControlledInvariant,
};
struct SubspaceAnswer {
    SubspaceQuestion question;
    std::string of;  // the matrix, as it was written
    ExactMatrix columns;
    SymbolNames symbols;
};
// All that was asked for and could be answered; errors are reported.
std::vector<SubspaceAnswer> subspace_study(const SubspaceRequest& request, Workspace& workspace);

}  // namespace cutset
