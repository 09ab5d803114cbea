// Choice of the next step of a one-step method from the error of the last one. Private to src/numerics.
//
// Errors are in units of the tolerance: 1 is the limit, the set point lies below it. With the error
// proportional to h^k the standard rule
//     h := (set / r)^(1/k) h,   not growing right after a rejected step
// reaches the set point at once, but where stability of the method limits the step this loop is unstable.
// Gustafsson's PI controller
//     h := (set / r)^kI (r_before / r)^kP h
// is stable there too. After a rejected step the standard rule chooses the
// next try, and when that is good, the step goes down once more by the same factor: the error that grew is
// likely to grow on. (Gustafsson, Control theory and step size, 1988-89; kI = 0.06 and kP = 0.13 are his
// values for DOPRI 5(4).)
#pragma once

#include "numerics/integrators/integrator.h"

namespace cutset {

class StepController {
  public:
    StepController(StepControl control, double k) : control_(control), k_(k) {}

    void start();
    void remember(MemoryStream& memory) {
        memory("chosen", tried_first_);
        memory("error before", error_before_);
        memory("after rejection", after_rejection_);
        memory("hindered", hindered_);
        memory("settled", settled_);
    }
    double accepted(double h, double error);
    double rejected(double h, double error);
    // The step could not be computed at all.
    void obstacle() { hindered_ = true; }

  private:
    double standard_factor(double error) const;

    StepControl control_;
    double k_;
    double tried_first_ = 0;   // the controller's state: what it chose after the last accepted step
    double error_before_ = 0;  // of the last accepted step; 0: none
    bool after_rejection_ = false;
    bool hindered_ = false;
    bool settled_ = false;  // the error has once been near the set point
};

}  // namespace cutset
