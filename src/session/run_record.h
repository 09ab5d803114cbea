// What a session keeps of a run for explanations and questions about it: some columns, of bounded length,
// with every extreme and, near the end, every step.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "results/trajectory.h"

namespace cutset {

class RunRecord {
  public:
    // The first column is the time.
    explicit RunRecord(Columns columns) : columns_(std::move(columns)), values_(columns_.size()) {}

    void append(std::span<const double> values);
    std::shared_ptr<const Trajectory> trajectory() const;

  private:
    Columns columns_;
    std::vector<std::vector<double>> values_;  // by column
};

// The value of a column at a time within the record: smooth between the rows beside it, held where it is
// discrete. At an event the value after it. Nothing outside the record.
std::optional<double> value_at(const Trajectory& rows, ColumnIndex column, double time);

}  // namespace cutset
