// Times of several runs, summed.
#pragma once

#include "run/simulate.h"

namespace cutset {

// Seconds.
struct RunTotals {
    RunTimes run;
    double jacobians = 0, factor = 0, solve = 0;

    void add(const RunSummary& s) {
        run.initialise += s.times.initialise;
        run.events += s.times.events;
        run.output += s.times.output;
        run.run += s.times.run;
        jacobians += s.integrator.jacobian_seconds;
        factor += s.integrator.factor_seconds;
        solve += s.integrator.solve_seconds;
    }
};

}  // namespace cutset
