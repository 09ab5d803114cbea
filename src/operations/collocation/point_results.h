// Results that are computed point by point with ModelFunctions: rows of a Trajectory as a run would write
// them. Open parameters that differ from row to row (inputs that were sought) are columns like any variable.
#pragma once

#include <optional>
#include <vector>

#include "results/trajectory.h"
#include "run/model_functions.h"
#include "run/result_columns.h"

namespace cutset {

class PointResults {
  public:
    // The values of all variables at the point of the last evaluation; false when some cannot be computed.
    bool record(ModelFunctions& functions);
    Trajectory finish() const;

  private:
    std::optional<ResultLayout> layout_;
    std::vector<std::optional<Slot>> slots_;  // by column; none for aliases
    std::vector<std::vector<double>> rows_;   // by column, where it has a slot
};

}  // namespace cutset
