// Values of parameters that a command has found, as options for other commands.
#pragma once

#include <string>
#include <vector>

#include "operations/ensembles/parametric_runs.h"
#include "output/curves.h"
#include "results/plot.h"
#include "results/trajectory.h"
#include "run/trajectory_sink.h"

namespace cutset::cli {

// --set k=2 --init x=1 --input u=3
std::string option_text(const std::vector<OpenParameter>& parameters, const std::vector<double>& values);

bool is_picture(const std::string& path);
// The result without quantities that only the command asked for.
Trajectory shown(const Trajectory& all);

}  // namespace cutset::cli
