// The result file of a run, and what the picture is called.
#pragma once

#include <memory>
#include <string>

#include "results/writer.h"
#include "session/workbench.h"

namespace cutset {

// `SIM1` is SIM1.csv.
std::string result_path(const std::string& name);
// False, with the reason reported, when a file of that name is something else than a result.
bool may_write_result(Workbench& bench, const std::string& path);

// "PLOT U V", or nothing when PLCOM is off.
std::string plot_heading(const Workbench& bench);

}  // namespace cutset
