// The continuous equations at an instant: derivatives and algebraic variables for the time, the states, the
// discrete variables and the conditions as they are.
#pragma once

#include <vector>

#include "run/sliding.h"

namespace cutset {

class Equations {
  public:
    Equations(Instant& now, const SwitchStructure& structure, Sliding& sliding)
        : now_(now), structure_(structure), sliding_(sliding) {}

    // Beyond a zero crossing that is not located yet the frozen conditions may leave a loop without solution
    // (sign(i)*i**2 = u for u < 0), or an expression without value (if h > 0 then sqrt(h) else 0); then the
    // equations of the far side count, so that the crossing can be found.
    bool run();
    // With all methods for loops; a failure is reported, as are derivatives that are not finite.
    bool evaluate();
    bool derivatives_finite();
    // A section with all methods, without a message when it fails.
    bool run_quietly(const Section& section);

    // What has been computed stands for the inputs as they are now: computing it again would change nothing.
    void note();
    bool known() const;

    void remember(MemoryStream& memory) {
        memory("noted time", noted_time_);
        memory.list("noted", noted_);
        if (now_.equations_known && noted_.size() != structure_.inputs.size()) memory.fail();
    }

    // All derivatives and unknowns of these values.
    bool finite(const Interpreter& values) const;

  private:
    bool run_once();
    bool keep_branches();

    Instant& now_;
    const SwitchStructure& structure_;
    Sliding& sliding_;
    double noted_time_ = 0;
    std::vector<double> noted_;  // by SwitchStructure::inputs
};

}  // namespace cutset
