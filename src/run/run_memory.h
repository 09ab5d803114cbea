// All that the future of a run depends on, between two of its steps, as one value: the state of the model
// (run_state.h), the method's past (Integrator::remember), starting values and matrices of the loops, step
// pace, what outputs are computed with. A run that takes it up goes on to the bit, in this process or in
// another. It counts by slots, so it is valid for the same Program and the same settings only; everything
// else takes the point of the run (run_point.h), from which the integrator starts anew.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/memory.h"
#include "run/simulate.h"

namespace cutset {

// What the steps and the output points of a run are chosen by.
struct RunSettings {
    double start = 0, stop = 0;
    std::size_t points = 0;
    std::optional<double> step;
    bool every_step = false;
    double tolerance = 0;
    std::optional<double> absolute, local_tolerance;
    Solver solver = Solver::Auto;
    std::optional<double> step_size, max_step;
    StepControl step_control = StepControl::Gustafsson;

    static RunSettings of(const SimulateOptions& options);
    // As a list, for files: one function stores and sets.
    void remember(MemoryStream& memory);
};

// Of a run in another mode of the same model (mode_changes.h), which may come back to it.
struct OtherMode {
    std::vector<std::size_t> conditions;  // by number among those of the model; none: all modes together
    std::vector<bool> truth;
    Memory run;
};

struct RunMemory {
    std::string program;  // fingerprint
    RunSettings settings;
    Memory problem;     // what the integrator was made for
    Memory run;         // the parts of the run
    Memory integrator;  // empty: it keeps its memory to itself
    Memory modes;       // what decides about the next mode
    std::vector<OtherMode> others;

    // Whether a run of this Program with these options may take it up.
    bool serves(const Program& program, const SimulateOptions& options) const;
};

// Of its operations and the places of its values.
std::string fingerprint_of(const Program& program);

}  // namespace cutset
