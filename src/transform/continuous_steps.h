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

// The same where a call of a function in `whole` goes from one of its branches to another: the body written
// as one expression. NotKnown also where that cannot be, because of loops.
StepKind step_of_call(Analysis& a, ExactArithmetic& exact, Expr whole, Expr call);

// A call of a function, or a derivative of it, as one expression: a formula has any number of derivatives.
// Null where the function has loops or is not written in the language.
Expr written_out(Analysis& a, Expr call);

}  // namespace cutset::passes
