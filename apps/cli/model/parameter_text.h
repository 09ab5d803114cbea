// Values of parameters that a command has found, as options for other commands.
#pragma once

#include <string>
#include <vector>

#include "operations/ensembles/parametric_runs.h"
#include "output/curves.h"
#include "results/plot.h"
#include "results/trajectory.h"

namespace cutset::cli {

// --set k=2 --init x=1 --input u=3
std::string option_text(const std::vector<OpenParameter>& parameters, const std::vector<double>& values);

// Keeps all rows.
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

bool is_picture(const std::string& path);
// The result without quantities that only the command asked for.
Trajectory shown(const Trajectory& all);

}  // namespace cutset::cli
