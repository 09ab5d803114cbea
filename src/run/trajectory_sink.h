// Keeps all rows of a run.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "results/trajectory.h"
#include "run/simulate.h"

namespace cutset {

class TrajectorySink : public RowSink {
  public:
    std::optional<std::string> begin(const Columns& columns) override {
        kept = Trajectory(columns);
        return std::nullopt;
    }
    std::optional<std::string> row(std::span<const double> values) override {
        kept.append(values);
        return std::nullopt;
    }
    Trajectory kept;
};

}  // namespace cutset
