// Tearing: a loop of equations as few unknowns to iterate on and a sequence of assignments.
//
// Given the equations of one strong component and, for each variable in each equation, whether the equation
// can be solved for it, choose tearing variables z and inner assignments v_1 := …, v_2 := …, such that each
// v_k needs only z and earlier v's. The equations left over are the residuals; as many as tearing variables
// when the component is square.
//
// The least number of tearing variables is NP-hard to find. Three moves lose nothing and are made as long as
// possible:
//   an equation with one unknown left, solvable for it, computes it next;
//   a variable that occurs in one equation only, solvable for it, is computed there, last of all;
//   an equation that can be solved for none of its unknowns is a residual, a variable that no equation can be
//   solved for is torn.
// When stuck, the variable that helps most is torn: one that completes equations with two unknowns, that
// cannot be solved for in many places, that occurs often. A second pass drops a tearing variable when a
// residual can compute it after all. Everything is done with queues and a heap: O(E log E), the second pass
// within a bound of that order.
//
// Few tearing variables is not the same as accuracy: a long chain of assignments may amplify errors (x_{i+1}
// from x_i and x_{i-1} in a diffusion line grows like λ^n). For large linear components a sparse solution
// without tearing is safer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/bipartite.h"

namespace cutset::graph {

// Whether an equation may be solved for a variable.
enum class Solvability : std::uint8_t {
    Never,  // not solvable in closed form
    Avoid,  // solvable, but the divisor may be zero; used only when TearingOptions::use_avoid is set
    Good,   // solvable without danger
};

struct TearingOptions {
    std::vector<std::uint32_t> chosen;  // variables that the user wants torn; they stay torn
    bool use_avoid = false;
};

struct InnerAssignment {
    std::uint32_t equation;
    std::uint32_t variable;
    bool operator==(const InnerAssignment&) const = default;
};

struct Tearing {
    std::vector<std::uint32_t> torn_variables;      // ascending
    std::vector<std::uint32_t> residual_equations;  // ascending
    std::vector<InnerAssignment> assignments;       // in order of computation
};

// `solvability[i]` belongs to `component.adjacent[i]`.
Tearing tear(const Bipartite& component, std::span<const Solvability> solvability,
             const TearingOptions& options = {});

}  // namespace cutset::graph
