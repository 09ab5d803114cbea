// ClassTree → FlatModel: lookup, parameters, structure, instances, connection sets, equations.
#pragma once

#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "flat/experiment.h"
#include "ir/class_tree.h"
#include "ir/flat_model.h"

namespace cutset {

// The model named `model` (a model or model type of any loaded file), or the default one: the last model of
// the first file. Nothing when errors were reported.
std::optional<FlatModel> instantiate(const ClassTree& classes, const std::string& model,
                                     const Experiment& experiment, const Sources& sources,
                                     Diagnostics& diagnostics);

}  // namespace cutset
