// --initial jump: two charged capacitors are connected, two turning shafts clutched. Their states jump to
// values that agree, so that what is conserved is kept. The same at an event that changes k in der(k*V) where
// V is tied to other states.
//
// The limit of one backward Euler step of length h → 0 from the values x⁻. With x' = (x⁺ - x⁻)/h and
// algebraic variables z = Z/h + …, Z the impulse of z, each equation F(x', x, z, t) = 0 as it was before
// constraints were used says of the terms that grow with 1/h
//     ∂F/∂x' (x⁺ - x⁻) + ∂F/∂z Z = 0
// and the equations themselves and their constraints hold for x⁺.
#pragma once

#include <vector>

#include "transform/analysis.h"

namespace cutset::passes {

// A pass: keeps what is differentiated and, for a jump, equations and initial values as before exact
// elimination unites equal states.
void remember_starts(Analysis& a, Diagnostics& diagnostics);

// The conditions above as equations of the initialization problem; their impulses are added as variables
// (internal) and appended to `impulses`. `before`: the values before the jump by variable, null where there
// are none.
std::vector<Equation> jump_conditions(Analysis& a, const std::vector<Expr>& before,
                                      std::vector<VariableIndex>& impulses);
// The initial values as values before a jump, and those before an event.
std::vector<Expr> values_before_start(Analysis& a);
std::vector<Expr> values_before_event(Analysis& a);

}  // namespace cutset::passes
