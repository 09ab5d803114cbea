// Regions of validity, ranges of tables and of variables: leaving one is reported once.
#pragma once

#include <vector>

#include "run/instant.h"

namespace cutset {

class RangeWatch {
  public:
    explicit RangeWatch(Instant& now);

    void reset();
    // With --strict leaving a region stops the run.
    void check_validity();
    void check_tables(Interpreter& values);
    // Whether one that is not told yet was left by what was evaluated, perhaps only on trial; forgets it.
    bool may_have_left_tables();
    // The values of a row. In the languages with classes `min` and `max` of a variable are a promise of the
    // model; those of the Dymola language only keep searches inside.
    void check_bounds(const Interpreter& values);
    // Whether a validity can change without an event: its relations are not all conditions of the run.
    static bool needs_steps(const Partition& partition);

  private:
    struct Bounded {
        VariableIndex variable;
        double low, high, slack;
        bool left = false;
    };

    Instant& now_;
    std::vector<Bounded> bounded_;
    std::size_t told_ = 0;
};

}  // namespace cutset
