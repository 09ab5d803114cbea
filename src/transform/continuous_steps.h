// Formal steps that are none: int, mod, sign and `if` in an expression that has the same value on both sides
// of where they switch, as mod(t, 1)*(1 - mod(t, 1)) and sign(v)*v**2 have. Such an expression may be
// differentiated piece by piece.
#pragma once

#include "transform/exact_coefficient.h"

namespace cutset::passes {

enum class StepKind { Continuous, Jumps, NotKnown };

// How `whole` behaves where `node` in it, one of the above, switches. Jumps: by an amount that is known and
// not zero.
StepKind step_of(Analysis& a, ExactArithmetic& exact, Expr whole, Expr node);

}  // namespace cutset::passes
