// The linearised continuous equations, exact and sparse.
//
// With intermediate quantities z (the tearing variables of loops, and computed quantities that are used so
// often that to eliminate them would fill the matrix):
//     dx' = A dx + B dz,   0 = C dx + E dz
#pragma once

#include <optional>
#include <vector>

#include "generate/generate.h"
#include "generate/section_builder.h"

namespace cutset {

// Empty when a derivative is not available by formula. `needed`: by block, what the rows depend on; the loops
// of these have been built. `whole`: the tearing variables of loops without switches are columns after the
// states.
std::optional<StateJacobian> build_state_jacobian(ProgramBuilder& program, const std::vector<bool>& needed,
                                                  bool whole);

// Empty when a derivative is not available by formula. `needed`: by block of `blocks`, what the rows depend
// on. `start`: the blocks are those of initialization, and the rows are the states themselves.
std::optional<LinearizedEquations> build_linearized(ProgramBuilder& program, const std::vector<Block>& blocks,
                                                    const std::vector<bool>& needed,
                                                    const DerivativeRequest& request, bool start);

}  // namespace cutset
