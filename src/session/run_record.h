// What a session keeps of a run for explanations and questions about it: some columns, of bounded length,
// with every extreme and, near the end, every step.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "results/trajectory.h"
#include "session/thin_out.h"

namespace cutset {

class RunRecord {
  public:
    // The first column is the time.
    explicit RunRecord(Columns columns) : columns_(std::move(columns)), values_(columns_.size()) {}

    void append(std::span<const double> values);
    std::shared_ptr<const Trajectory> trajectory() const;
    // The time from which on every step is there; nothing where none was left out.
    std::optional<double> complete_from() const;

  private:
    Columns columns_;
    std::vector<std::vector<double>> values_;  // by column
    Thinning thinning_{0, 40'000, 10'000};
};

// The value of a column at a time within the record: smooth between the rows beside it, held where it is
// discrete. At an event the value after it. Nothing outside the record.
std::optional<double> value_at(const Trajectory& rows, ColumnIndex column, double time);

}  // namespace cutset
