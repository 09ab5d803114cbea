// The beginning of the run, when it is translated: what happens in it that a program of its own cannot do.
#pragma once

#include <optional>

#include "run/simulate.h"

namespace cutset {

struct Obstacle {
    double time = 0;
    // Number of the condition that is held where it switches (run/sliding.h); nothing: the equations of
    // another mode count from there on.
    std::optional<std::size_t> held;
};

// Nothing where there is none within the first steps, or the run fails.
std::optional<Obstacle> try_run(const Program& program, const SimulateOptions& options);

}  // namespace cutset
