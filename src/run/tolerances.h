// Tolerances of the integrator. It bounds the error of one step; over a run errors add up, in oscillations
// without damping to hundreds of them, those of methods with memory more than others. The user's tolerance is
// about the result, so that the integrator is given a part of it.
#pragma once

#include <vector>

#include "expr/expr.h"
#include "run/given_values.h"
#include "run/instant.h"

namespace cutset {

struct Tolerances {
    double relative = 0;
    std::vector<double> absolute;  // by state and tearing variable; one for all when there are none
};
// The scales of states that are not known yet are taken from the model and the values at hand, into the
// state.
Tolerances choose_tolerances(Instant& now, const GivenValues& given);

// Short enough for what happens meanwhile to be seen.
double longest_step(const Instant& now, const Environment& values);

}  // namespace cutset
