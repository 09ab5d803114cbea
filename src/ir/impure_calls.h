// Calls of impure functions, which give something else each time: a random number, what a file or a clock
// says. Two numbers behind their arguments tell them apart and say how long a result counts:
//
//     f(x)   becomes   f(x, number of the call, instant)
//
// In a `when` the instant is the time, so that a call is made once at each event, however often its equations
// are iterated; elsewhere (initial equations, parameters) it is 0, and the call is made once in a run.
#pragma once

#include <cstdint>
#include <vector>

#include "ir/flat_model.h"

namespace cutset {

// Of the call with that number, as long as nothing is known of where it stands.
std::vector<Expr> impure_arguments(Pool& pool, std::uint32_t number);

// Gives the calls in actions of `when` the time as their instant.
void date_impure_calls(FlatModel& model);

// One that the model has; null: none.
const FunctionData* impure_function(const FlatModel& model);
// The first call of an impure function in e; null: none.
Expr impure_call(const FlatModel& model, Expr e);

}  // namespace cutset
