// ObjectTree → FlatModel: the instances of a class, their values, connections and equations.
#pragma once

#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "flat/experiment.h"
#include "ir/flat_model.h"
#include "objects/library.h"

namespace cutset {

// The class of that full name as the model. Nothing when errors were reported.
std::optional<FlatModel> instantiate_objects(ClassLibrary& library, const std::string& class_name,
                                             const Experiment& experiment, Sources& sources,
                                             Diagnostics& diagnostics);

}  // namespace cutset
