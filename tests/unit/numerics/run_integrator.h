// For tests of integrators.
#pragma once

#include "numerics/integrators/integrator.h"

namespace cutset {

// Steps to t_end whatever roots there are; the last result.
inline StepResult run(Integrator& integrator, double t_end) {
    StepResult result;
    do {
        result = integrator.step(t_end);
    } while ((result.status == StepStatus::Ok || result.status == StepStatus::Root) && result.time < t_end);
    return result;
}

}  // namespace cutset
