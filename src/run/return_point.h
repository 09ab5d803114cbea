// The last good point of a run, for one that is to stand somewhere after a failure or an interruption
// (SimulateOptions::keep_point).
#pragma once

#include <span>
#include <vector>

#include "run/instant.h"

namespace cutset {

class ReturnPoint {
  public:
    explicit ReturnPoint(Instant& now) : now_(now) {}

    // The present point is good: it can be gone back to when what follows fails.
    void keep(double at, std::span<const double> x);
    // Back to it; after a failed event discrete variables and conditions are as they were before that.
    void go_back(bool in_event);
    double time() const { return time_; }
    // An event failed there.
    bool disturbed() const { return disturbed_; }

  private:
    Instant& now_;
    double time_ = 0;
    std::vector<double> states_;
    bool disturbed_ = false;
};

}  // namespace cutset
