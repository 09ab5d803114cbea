// Regions of validity and ranges of tables: leaving one is reported once.
#pragma once

#include "run/instant.h"

namespace cutset {

class RangeWatch {
  public:
    explicit RangeWatch(Instant& now) : now_(now) { reset(); }

    void reset();
    // With --strict leaving a region stops the run.
    void check_validity();
    void check_tables(Interpreter& values);
    // Whether a validity can change without an event: its relations are not all conditions of the run.
    static bool needs_steps(const Partition& partition);

  private:
    Instant& now_;
};

}  // namespace cutset
