// --guesses: a point that was kept (`cutset steady -o point.json`, a checkpoint) as where the initialization
// begins to search.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "ir/flat_model.h"

namespace cutset {

// By rising variable, of the continuous variables that the file has values for. What is wrong with the file
// is reported.
std::vector<std::pair<VariableIndex, double>> read_guesses(const std::string& path, const FlatModel& model,
                                                           Diagnostics& diagnostics);

}  // namespace cutset
