// The operators of clocks: Clock(…), sample, hold, subSample, superSample, shiftSample, backSample, noClock,
// previous, interval, firstTick. Each call is a variable of the flat model by an equation with a
// ClockOperator; a clock is a variable of its partition. Which variables tick together, and when, is
// found by transform/lower_clocks.h.
#pragma once

#include <optional>

#include "objects/evaluator.h"

namespace cutset::objects {

// Nothing where the call is no operator of clocks, as sample(start, interval).
std::optional<Value> clock_call(Evaluator& e, const object::Expression& call, Frame& frame);

// Whether the condition of a `when` is a clock.
bool is_clock(Evaluator& e, const object::Expression& condition, Frame& frame);

// From this equation on those that are no operators belong to the ticks of a clock.
void add_members(FlatModel& model, EquationIndex first, Expr clock);

}  // namespace cutset::objects
