// Variables that a section computes for itself only: they are not read before they are computed anew, so that
// machine code may keep them in registers.
//
// `derivatives` and the residuals of a loop on the way to its solution run far more often than anything that
// looks at all variables, and what looks at them computes them again (`continuous`, the last run of a loop).
#pragma once

#include <vector>

#include "ir/program.h"

namespace cutset::native {

class HiddenSlots {
  public:
    explicit HiddenSlots(const Program& program);

    // Of `derivatives`: what follows it are the Jacobian and, within it, the sections of loops. In order.
    std::vector<Slot> in_derivatives() const;
    // Of the residuals of a loop whose unknowns are not final yet: what follows are the Jacobian and `rest`,
    // or the residuals once more.
    std::vector<Slot> in_trial(const Loop& loop) const;

  private:
    const Program& program_;
    std::vector<bool> is_variable_;  // by slot
};

}  // namespace cutset::native
